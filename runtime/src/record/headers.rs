//! What a recorder writes of headers.

use std::fmt::Write as _;

use http::{HeaderMap, header};
use serde_json::Value;

use super::redact::Redaction;
use crate::url::link::{self, Link};

/// The parameters of media types that are written, and the names of charsets. All others can be data.
const WORDS: [&str; 6] = ["charset", "q", "utf-8", "us-ascii", "iso-8859-1", "windows-1252"];

/// What separates words.
const SEPARATORS: [char; 5] = [' ', ',', ';', '=', '"'];

impl Redaction<'_> {
    /// Returns headers in HAR's form.
    pub(super) fn headers(&self, headers: &HeaderMap) -> Vec<Value> {
        let entries = headers.iter().map(|(name, value)| {
            let text = String::from_utf8_lossy(value.as_bytes());
            let text = match name {
                &header::LOCATION => self.target(&text, None),
                &header::LINK => self.links(&text),
                &header::ACCEPT | &header::CONTENT_TYPE => self.media_types(&text),
                // Of a number of seconds, a replay knows that there is a limit.
                &header::RETRY_AFTER => self.words(&text),
                _ => self.placeholder(&text),
            };
            serde_json::json!({ "name": name.as_str(), "value": text })
        });
        entries.collect()
    }

    /// Returns media types with the parameters whose names and values are known.
    pub(super) fn media_types(&self, text: &str) -> String {
        // A comma in quotes separates nothing.
        let has_elements = !text.contains('"');
        let elements = text.split_inclusive(|char| has_elements && char == ',');
        let elements = elements.map(|element| {
            let end = element.find([';', ',']).unwrap_or(element.len());
            let (ty, parameters) = element.split_at(end);
            let ty = if is_type(ty.trim()) { ty.to_owned() } else { self.words(ty) };
            ty + &self.words(parameters)
        });
        elements.collect()
    }

    /// Returns a text with placeholders for all words that are not known.
    fn words(&self, text: &str) -> String {
        let mut written = String::new();
        for part in text.split_inclusive(SEPARATORS) {
            let word = part.trim_end_matches(SEPARATORS);
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || b".:".contains(&byte));
            let is_known = WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
            let is_kept = if is_number { !self.reveals(word) } else { is_known };
            let word_written = if is_kept { word.to_owned() } else { self.placeholder(word) };
            written.extend([&word_written, &part[word.len()..]]);
        }
        written
    }

    /// Returns links with their relations, which name the next page.
    fn links(&self, links: &str) -> String {
        let mut text = String::new();
        for Link { target, relations, has_anchor } in link::links(links) {
            let separator = if text.is_empty() { "" } else { ", " };
            let target = self.target(target, Some(self.template));
            let _ = write!(text, "{separator}<{target}>");
            let relations = relations.as_deref().map(str::split_ascii_whitespace);
            let relations =
                relations.into_iter().flatten().map(|relation| self.name(relation, None));
            let _ = write!(text, "; rel=\"{}\"", relations.collect::<Vec<_>>().join(" "));
            if has_anchor {
                text.push_str("; anchor=\"#\"");
            }
        }
        text
    }
}

/// Returns whether a text is a media type, or a range of them.
fn is_type(text: &str) -> bool {
    text.split_once('/').is_some_and(|(ty, subtype)| {
        ty.chars().all(|char| char.is_ascii_alphanumeric() || char == '*')
            && subtype.chars().all(|char| char.is_ascii_alphanumeric() || "+-._*".contains(char))
    })
}
