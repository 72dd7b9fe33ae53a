//! The map of YAML, from the events of a parser that agrees with the parser of the tree.

use std::borrow::Cow;
use std::io::{BufReader, Chain, Read};
use std::ops::Range;

use libyaml_safer::{EventData, MappingStyle, Parser, ScalarStyle, SequenceStyle};

use super::builder::Builder;
use super::map::{Content, Mapping, SourceMap, body_start};

/// The prefix of the tags of YAML's own schema (YAML 1.2 §10).
const OWN_TAGS: &str = "tag:yaml.org,2002:";

/// Returns the parser of a text and its end. Without the buffer, it would decode all characters at once.
fn parser<'a>(text: &'a str, end: &'a str) -> Parser<BufReader<Chain<&'a [u8], &'a [u8]>>> {
    let mut parser = Parser::new();
    parser.set_input(BufReader::new(text.as_bytes().chain(end.as_bytes())));
    parser
}

/// Returns the map of a YAML text, up to its first syntax error.
pub(super) fn map(text: &str) -> SourceMap {
    let start = body_start(text);
    let spaced = without_tabs(&text[start..]);
    let body = without_fatal_tags(&spaced);
    // A block scalar that ends without a line break is rejected.
    let parser = parser(&body, if body.ends_with('\n') { "" } else { "\n" });
    let mut builder = Builder::default();
    let offset = |index: u64| start + usize::try_from(index).unwrap_or_default();
    let mut documents = 0;
    for event in parser.map_while(Result::ok) {
        let span = offset(event.start_mark.index)..offset(event.end_mark.index);
        documents += usize::from(matches!(event.data, EventData::DocumentStart { .. }));
        if documents == 2 {
            builder.map.second_document = Some(span);
            break;
        }
        take(event.data, span, &mut builder);
    }
    builder.map
}

/// Returns the offset where YAML nests deeper than a limit. Parsers take quadratic time for nested flow style, so this is
/// checked before the whole text is parsed.
pub(crate) fn too_deep(text: &str, limit: usize) -> Option<usize> {
    let mut open = 0usize;
    let seems_deep = text.bytes().any(|byte| {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > limit
    });
    if !seems_deep {
        return None;
    }
    let mut depth = 0;
    for event in parser(text, "\n").map_while(Result::ok) {
        match event.data {
            EventData::SequenceStart { .. } | EventData::MappingStart { .. } => depth += 1,
            EventData::SequenceEnd | EventData::MappingEnd => depth -= 1,
            _ => {}
        }
        if depth > limit {
            return usize::try_from(event.start_mark.index).ok();
        }
    }
    None
}

/// Returns where the quoted text begins that ends in another line, just before the syntax error of a YAML text: its quote
/// may not be closed.
pub(crate) fn quoted_before_error(text: &str) -> Option<usize> {
    let last = parser(text, "\n").map_while(Result::ok).last()?;
    let EventData::Scalar { style, .. } = last.data else { return None };
    let is_quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
    let has_lines = last.start_mark.line < last.end_mark.line;
    usize::try_from(last.start_mark.index).ok().filter(|_| is_quoted && has_lines)
}

/// Replaces the tabs before comments by spaces. YAML allows them (YAML 1.2 §6.6), but the parsers do not.
pub(crate) fn without_tabs(text: &str) -> Cow<'_, str> {
    let mut spaced = Cow::Borrowed(text);
    for (comment, _) in text.match_indices('#') {
        let content = text[..comment].trim_end_matches([' ', '\t']).len();
        let blanks = &text[content..comment];
        if blanks.contains('\t') {
            spaced.to_mut().replace_range(content..comment, &blanks.replace('\t', " "));
        }
    }
    spaced
}

/// Replaces every tag before a comma by `~` and blanks of the same length: the parser panics at them.
fn without_fatal_tags(text: &str) -> Cow<'_, str> {
    let ends_tag = |char: char| char.is_whitespace() || ",[]{}\"'".contains(char);
    let mut safe = Cow::Borrowed(text);
    // No character is read twice: signs before the end of a word have the same end.
    let mut end = 0;
    for (start, _) in text.match_indices('!') {
        if start >= end {
            end = text[start..].find(ends_tag).map_or(text.len(), |length| start + length);
        }
        let before = text[..start].chars().next_back();
        let begins = before.is_none_or(|char| ends_tag(char) || ":?\u{feff}".contains(char));
        if begins && text[end..].starts_with(',') {
            let blanks = ["~", &" ".repeat(end - start - 1)].concat();
            safe.to_mut().replace_range(start..end, &blanks);
        }
    }
    safe
}

fn take(data: EventData, span: Range<usize>, builder: &mut Builder) {
    let tag = match &data {
        EventData::Scalar { tag, .. }
        | EventData::SequenceStart { tag, .. }
        | EventData::MappingStart { tag, .. } => tag.as_ref(),
        _ => None,
    };
    if let Some(tag) = tag.filter(|tag| *tag != "!" && !tag.starts_with(OWN_TAGS)) {
        builder.map.tags.push((tag.clone(), span.start..span.start + tag.len()));
    }
    match data {
        EventData::Scalar { anchor, value, style, .. } => {
            builder.scalar(value, span, anchor, style == ScalarStyle::Plain);
        }
        EventData::Alias { anchor } => builder.alias(&anchor, span),
        EventData::SequenceStart { anchor, style, .. } => {
            let content = Content::Sequence(Vec::new());
            builder.open(content, span, anchor, style == SequenceStyle::Flow);
        }
        EventData::MappingStart { anchor, style, .. } => {
            let content = Content::Mapping(Mapping::default());
            builder.open(content, span, anchor, style == MappingStyle::Flow);
        }
        EventData::SequenceEnd | EventData::MappingEnd => builder.close(span.end),
        _ => {}
    }
}
