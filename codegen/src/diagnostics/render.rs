//! Renders diagnostics.

use std::collections::HashMap;

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};

use super::code::Code;
use super::locate::Locator;
use super::report::{Diagnostic, Diagnostics, Severity};
use super::source::Excerpt;
use crate::visible::{escaped, is_hidden, visible};

/// Maximum number of places shown for a warning; the others are counted.
const SHOWN_PLACES: usize = 3;

/// Maximum number of errors shown per kind; the others are counted.
const SHOWN_ERRORS: usize = 100;

/// Maximum number of notes shown per kind; the others are counted.
const SHOWN_NOTES: usize = 10;

/// Maximum number of names that a message lists; the others are counted.
const SHOWN_NAMES: usize = 5;

/// Renders all diagnostics in the order of the text, optionally with ANSI colors.
///
/// Each shows file, line and column, the underlined source, and a help text; a warning with many places, the first.
pub fn render(diagnostics: &Diagnostics, color: bool) -> String {
    let sources = Locator::new(diagnostics);
    rendered(first(ordered(diagnostics, &sources)), &sources, color)
}

/// Renders all diagnostics like [`render`], with all places of warnings.
pub fn render_all(diagnostics: &Diagnostics, color: bool) -> String {
    let sources = Locator::new(diagnostics);
    let all = ordered(diagnostics, &sources).into_iter().map(|diagnostic| (diagnostic, 0));
    rendered(all.collect(), &sources, color)
}

/// Renders diagnostics, each with the number of omitted places after it.
fn rendered(diagnostics: Vec<(&Diagnostic, usize)>, sources: &Locator<'_>, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut output = String::new();
    for (diagnostic, more) in diagnostics {
        output.push_str(&renderer.render(&[sources.group(diagnostic, more)]));
        output.push_str("\n\n");
    }
    output
}

/// Returns the diagnostics in the order of the text.
fn ordered<'d>(diagnostics: &'d Diagnostics, sources: &Locator<'_>) -> Vec<&'d Diagnostic> {
    let mut ordered: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| (sources.position(&diagnostic.place), diagnostic))
        .collect();
    ordered.sort_by(|(a, one), (b, other)| {
        (a, &one.message, one.code).cmp(&(b, &other.message, other.code))
    });
    ordered.into_iter().map(|(_, diagnostic)| diagnostic).collect()
}

/// Returns the diagnostics to show, each with the number of omitted places after it.
fn first(ordered: Vec<&Diagnostic>) -> Vec<(&Diagnostic, usize)> {
    let mut totals: HashMap<_, usize> = HashMap::new();
    for diagnostic in &ordered {
        *totals.entry(kind(diagnostic)).or_default() += 1;
    }
    let mut seen: HashMap<_, usize> = HashMap::new();
    let mut shown = Vec::new();
    for diagnostic in ordered {
        let kind = kind(diagnostic);
        let (_, _, most) = kind;
        let seen = seen.entry(kind).or_default();
        *seen += 1;
        let total = totals.get(&kind).copied().unwrap_or_default();
        if *seen <= most {
            shown.push((diagnostic, if *seen == most { total - most } else { 0 }));
        }
    }
    shown
}

/// Returns the common part of diagnostics of the same kind, and the maximum number of them that is shown.
fn kind(diagnostic: &Diagnostic) -> (Code, &str, usize) {
    match diagnostic.severity {
        Severity::Error => (diagnostic.code, "", SHOWN_ERRORS),
        Severity::Note => (diagnostic.code, "", SHOWN_NOTES),
        Severity::Warning => (diagnostic.code, diagnostic.message.as_str(), SHOWN_PLACES),
    }
}

impl Locator<'_> {
    fn group<'s>(&'s self, diagnostic: &'s Diagnostic, more: usize) -> Group<'s> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut group = Group::with_title(
            level.primary_title(visible(&diagnostic.message)).id(diagnostic.code.name()),
        );
        for line in self.lines(diagnostic) {
            group = group.elements(line.elements());
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(visible(help)));
        }
        let code = diagnostic.code.name();
        let rest = match (more, diagnostic.severity) {
            (0, _) => return group,
            (_, Severity::Error) => format!("{more} more errors of the kind `{code}`"),
            (_, Severity::Note) => {
                format!("{more} more notes of the kind `{code}` (`--verbose` shows all)")
            }
            (1, Severity::Warning) => "the same in 1 more place (`--verbose`)".to_owned(),
            (_, Severity::Warning) => {
                format!("the same in {more} more places (`--verbose` shows all)")
            }
        };
        group.element(Level::NOTE.message(rest))
    }

    /// Returns the lines of a diagnostic with their annotations; places in the same line share it if it is shown whole.
    fn lines<'s>(&'s self, diagnostic: &'s Diagnostic) -> Vec<Line<'s>> {
        let primary = (&diagnostic.place, AnnotationKind::Primary, None);
        let related = diagnostic
            .related
            .iter()
            .map(|(place, remark)| (place, AnnotationKind::Context, Some(remark)));
        let mut lines: Vec<Line<'s>> = Vec::new();
        for (place, kind, remark) in std::iter::once(primary).chain(related) {
            let Some((source, excerpt)) = self.excerpt(place) else { continue };
            let file_name = source.file.name.as_str();
            let annotation =
                kind.span(excerpt.underlined.clone()).label(remark.map(|remark| visible(remark)));
            let same = lines.iter_mut().find(|line| {
                line.excerpt.is_whole
                    && line.excerpt.number == excerpt.number
                    && line.file_name == file_name
            });
            match same {
                Some(line) => line.annotations.push(annotation),
                None => lines.push(Line { file_name, excerpt, annotations: vec![annotation] }),
            }
        }
        lines
    }
}

/// A line of a text with its annotations.
struct Line<'s> {
    file_name: &'s str,
    excerpt: Excerpt<'s>,
    annotations: Vec<Annotation<'s>>,
}

impl<'s> Line<'s> {
    /// Returns the line under its place, which is explicit for a part of a line, and alone for a blank one.
    fn elements(self) -> Vec<Element<'s>> {
        let Excerpt { text, number, column, is_whole, .. } = self.excerpt;
        let snippet =
            Snippet::source(without_hidden(&text)).line_start(number).annotations(self.annotations);
        if is_whole {
            return vec![snippet.path(visible(self.file_name)).into()];
        }
        let origin = Origin::path(visible(self.file_name)).line(number).char_column(column);
        let part = (!text.trim().is_empty()).then(|| snippet.into());
        Some(origin.into()).into_iter().chain(part).collect()
    }
}

/// Returns names as a list in a sentence.
pub fn listed(names: &[&str]) -> String {
    let mut shown: Vec<String> =
        names.iter().take(SHOWN_NAMES).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN_NAMES {
        shown.push(format!("{} more", names.len() - SHOWN_NAMES));
    }
    match shown.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => shown.concat(),
    }
}

/// Replaces the hidden characters that the renderer of lines leaves, by others of the same length: places stay as they are.
fn without_hidden(text: &str) -> String {
    let text = escaped(
        text,
        |char, _| char > '\u{7f}' && is_hidden(char),
        |out, char| {
            out.push_str(match char.len_utf8() {
                2 => "·",
                3 => "\u{fffd}",
                _ => "··",
            });
        },
    );
    text.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Place;
    use crate::source_map::{Pointer, Syntax};

    #[test]
    fn control_characters_of_a_document_are_escaped() {
        let hostile = "\u{1b}[31m\u{7}\u{9b}\u{202e}\r\u{0}";
        let pointer = Pointer::to_file(hostile).join(hostile);
        let mut diagnostics = Diagnostics::new();
        let text = format!("{{{hostile:?}: \"{hostile}\"}}");
        diagnostics.add_file(Some(hostile), hostile, &text, Syntax::Json);
        diagnostics
            .report(Code::Syntax, Place::Value(pointer.clone()), hostile)
            .related(Place::Key(pointer), hostile)
            .help(hostile);
        let long = format!("{}{text}", " ".repeat(2_000));
        let at = Pointer::to_file("long");
        diagnostics.add_file(Some("long"), hostile, &long, Syntax::Json);
        diagnostics.report(Code::Syntax, Place::Text(at, 2_000..2_010), hostile);
        let rendered = render(&diagnostics, false);
        let is_hostile = |char: char| hostile.contains(char) && !"[31m".contains(char);
        assert!(!rendered.contains(is_hostile), "{rendered:?}");
        assert!(rendered.contains("\\u{1b}[31m"), "{rendered}");
    }

    #[test]
    fn notes_of_one_kind_are_counted_after_the_first_ten() {
        let mut diagnostics = Diagnostics::new();
        for index in 0..12 {
            diagnostics.report(Code::Paging, Place::document(), format!("message {index}"));
        }
        let rendered = render(&diagnostics, false);
        assert_eq!(rendered.matches("note[paging]").count(), SHOWN_NOTES);
        assert!(rendered.contains("2 more notes of the kind `paging`"), "{rendered}");
        assert_eq!(render_all(&diagnostics, false).matches("note[paging]").count(), 12);
    }

    #[test]
    fn colors_are_only_used_on_request() {
        let mut diagnostics = Diagnostics::new();
        diagnostics.report(Code::Syntax, Place::document(), "a message");
        assert!(!render(&diagnostics, false).contains('\u{1b}'));
        assert!(render(&diagnostics, true).contains('\u{1b}'));
    }
}
