//! The security schemes of a document.

use std::collections::HashMap;

use crate::document::{Kind, Pointer, View, is_token};
use crate::ir::SentAs;
use crate::lower::Context;

/// A scheme of the document that clients can send.
pub struct Declared<'c, 'd> {
    pub key: &'c str,
    /// Where the key is; the scheme itself can be elsewhere.
    pub pointer: Pointer,
    pub view: View<'d>,
    pub place: SentAs,
}

/// Returns the schemes, one for each key; `None` if clients cannot send it.
pub fn schemes<'c, 'd>(context: &'c Context<'d>) -> Vec<Option<Declared<'c, 'd>>> {
    let written: HashMap<_, _> = context.document.components("securitySchemes").collect();
    let declared = context.security_keys.iter().map(|key| {
        let written = written.get(key.as_str())?;
        let pointer = written.pointer.clone();
        let view = context.item(written, Kind::SecurityScheme)?;
        Some(Declared { key, pointer, place: place(&view)?, view })
    });
    declared.collect()
}

fn place(view: &View<'_>) -> Option<SentAs> {
    let text = |key| view.text(key).unwrap_or_default().to_owned();
    let scheme = text("scheme");
    Some(match view.text("type")? {
        "oauth2" | "openIdConnect" => SentAs::Bearer,
        "http" if scheme.eq_ignore_ascii_case("bearer") => SentAs::Bearer,
        "http" if scheme.eq_ignore_ascii_case("basic") => SentAs::Basic,
        "http" if is_token(&scheme) => SentAs::Http(scheme),
        "apiKey" => match view.text("in")? {
            "header" if is_token(&text("name")) => SentAs::Header(text("name")),
            "query" => SentAs::Query(text("name")),
            "cookie" if is_token(&text("name")) => SentAs::Cookie(text("name")),
            _ => return None,
        },
        "mutualTLS" => SentAs::Certificate,
        _ => return None,
    })
}
