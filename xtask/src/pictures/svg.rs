//! Shapes of SVG.

use std::fmt::Write as _;

/// The colors of a picture.
#[derive(Debug)]
pub struct Theme {
    pub text: &'static str,
    pub muted: &'static str,
    pub fill: &'static str,
    pub accent: &'static str,
}

/// The colors for light pages.
pub const LIGHT: Theme =
    Theme { text: "#1f2328", muted: "#818b98", fill: "#eff2f5", accent: "#0969da" };

/// The colors for dark pages.
pub const DARK: Theme =
    Theme { text: "#f0f6fc", muted: "#9198a1", fill: "#212830", accent: "#4493f8" };

/// A picture that is being drawn. Lengths are in pixels.
#[derive(Debug)]
pub struct Picture<'t> {
    pub theme: &'t Theme,
    shapes: String,
}

/// Where a text is in relation to its position.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl<'t> Picture<'t> {
    pub fn new(theme: &'t Theme) -> Self {
        Self { theme, shapes: String::new() }
    }

    /// Draws a rectangle with round corners.
    pub fn rectangle(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
        self.shape(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\" fill=\"{fill}\"/>"
        ));
    }

    /// Draws an arrow to the right.
    pub fn arrow(&mut self, (x, y): (f64, f64), length: f64) {
        let (end, color) = (x + length, self.theme.muted);
        self.shape(format_args!(
            "<path d=\"M{x:.1} {y:.1}H{end:.1}m-5 -4l5 4l-5 4\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>"
        ));
    }

    /// Writes a text of this size and color.
    pub fn text(
        &mut self,
        (x, y): (f64, f64),
        anchor: Anchor,
        (size, color): (u32, &str),
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.shape(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{color}\">{text}</text>"
        ));
    }

    /// Returns the document, with a title for those who cannot see it.
    pub fn finish(self, (width, height): (u32, u32), title: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" font-family=\"-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\">\n<title>{title}</title>\n{}</svg>\n",
            self.shapes
        )
    }

    fn shape(&mut self, shape: std::fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.shapes, "{shape}");
    }
}
