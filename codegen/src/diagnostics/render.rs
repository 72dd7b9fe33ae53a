//! Diagnostics as people read them.

use std::collections::HashMap;

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};

use super::source::{Excerpt, Source};
use super::{Diagnostic, Diagnostics, Severity};

/// How many places of the same warning are shown; the others are counted.
const SHOWN_PLACES: usize = 3;

/// Renders everything reported about a text, in the order of the text, with ANSI colours if asked for.
///
/// Each problem comes with file, line and column, the line underlined, and what to do. A warning that is met in many places is
/// shown at the first few.
pub fn render(diagnostics: &Diagnostics, file_name: &str, text: &str, color: bool) -> String {
    let source = Source::new(text, diagnostics);
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let page = Page { file_name, source: &source };
    let mut output = String::new();
    for (diagnostic, more) in shown(diagnostics, &source) {
        output.push_str(&renderer.render(&[page.group(diagnostic, more)]));
        output.push_str("\n\n");
    }
    output
}

/// Returns the diagnostics that are shown, in the order of the text, each with the number of places left out after it.
fn shown<'d>(diagnostics: &'d Diagnostics, source: &Source<'_>) -> Vec<(&'d Diagnostic, usize)> {
    let mut ordered: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| (source.range(&diagnostic.place).start, diagnostic))
        .collect();
    ordered.sort_by(|(a, one), (b, other)| {
        (a, &one.message, one.code).cmp(&(b, &other.message, other.code))
    });
    let mut places: HashMap<_, usize> = HashMap::new();
    for (_, diagnostic) in &ordered {
        *places.entry((diagnostic.code, &diagnostic.message)).or_default() += 1;
    }
    let mut met: HashMap<_, usize> = HashMap::new();
    let mut shown = Vec::new();
    for (_, diagnostic) in ordered {
        let key = (diagnostic.code, &diagnostic.message);
        let met = met.entry(key).or_default();
        *met += 1;
        let all = places.get(&key).copied().unwrap_or_default();
        if diagnostic.severity == Severity::Error || *met < SHOWN_PLACES {
            shown.push((diagnostic, 0));
        } else if *met == SHOWN_PLACES {
            shown.push((diagnostic, all - SHOWN_PLACES));
        }
    }
    shown
}

/// What diagnostics are shown on.
struct Page<'p> {
    file_name: &'p str,
    source: &'p Source<'p>,
}

impl<'p> Page<'p> {
    fn group(&self, diagnostic: &'p Diagnostic, more: usize) -> Group<'p> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group =
            Group::with_title(level.primary_title(&diagnostic.message).id(diagnostic.code));
        let lines = self.lines(diagnostic);
        if lines.is_empty() {
            group = group.element(Origin::path(self.file_name));
        }
        for (line, annotations) in lines {
            group = group.elements(self.elements(line, annotations));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help));
        }
        match more {
            0 => group,
            1 => group.element(Level::NOTE.message("the same in 1 more place")),
            _ => group.element(Level::NOTE.message(format!("the same in {more} more places"))),
        }
    }

    /// Returns the lines of a diagnostic with what is underlined in them, each line once if it is shown whole.
    fn lines(&self, diagnostic: &'p Diagnostic) -> Vec<(Excerpt<'p>, Vec<Annotation<'p>>)> {
        let primary = (&diagnostic.place, AnnotationKind::Primary, diagnostic.label.as_ref());
        let related = diagnostic
            .related
            .iter()
            .map(|(place, remark)| (place, AnnotationKind::Context, Some(remark)));
        let mut lines: Vec<(Excerpt<'p>, Vec<Annotation<'p>>)> = Vec::new();
        for (place, kind, remark) in std::iter::once(primary).chain(related) {
            let Some(excerpt) = self.source.excerpt(place) else {
                continue;
            };
            let annotation = kind.span(excerpt.underlined.clone()).label(remark);
            let same = |line: &Excerpt<'_>| line.is_whole && line.number == excerpt.number;
            match lines.iter_mut().find(|(line, _)| same(line)) {
                Some((_, annotations)) => annotations.push(annotation),
                None => lines.push((excerpt, vec![annotation])),
            }
        }
        lines
    }

    /// Returns a line under its place. The place of a part of a line must be given, as it cannot be counted.
    fn elements(&self, line: Excerpt<'p>, annotations: Vec<Annotation<'p>>) -> Vec<Element<'p>> {
        let snippet = Snippet::source(line.text).line_start(line.number).annotations(annotations);
        if line.is_whole {
            return vec![snippet.path(self.file_name).into()];
        }
        let origin = Origin::path(self.file_name).line(line.number).char_column(line.column);
        vec![origin.into(), snippet.into()]
    }
}
