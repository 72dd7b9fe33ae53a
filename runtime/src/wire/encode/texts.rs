//! The texts in a value by what they are, for recorders.

use std::collections::HashSet;

use super::secrets::{Leaf, TYPE, walk};
use crate::wire::reflect::hidden::Hidden;
use crate::wire::reflect::wire::Wire;
use crate::wire::related::path;

/// The texts in a value. One text can be in several sets.
#[derive(Debug, Default)]
pub struct Texts {
    /// Values of enums and constants that the spec lists.
    pub(crate) known: HashSet<String>,
    /// Other values of enums, names of types, and integers.
    pub(crate) constants: HashSet<String>,
    /// Other texts that are no secrets, and paths to related objects.
    pub(crate) paths: HashSet<String>,
    /// Texts and numbers of secrets.
    pub(crate) secrets: HashSet<String>,
    /// Whether any number may be a secret: the value did not have its type, which describes names.
    pub(crate) hides_numbers: bool,
    /// Whether a boolean or a time is a secret.
    pub(crate) hides_others: bool,
    /// Names in dictionaries, which neither a table describes nor the type that an object names.
    pub(crate) keys: HashSet<String>,
    /// Names of described properties.
    pub(crate) properties: HashSet<&'static str>,
}

impl Texts {
    /// Returns the texts of a value that its type could not be decoded from: any may be a secret.
    pub(crate) fn opaque() -> Self {
        Self { hides_numbers: true, hides_others: true, ..Self::default() }
    }
}

pub(crate) fn texts(value: &dyn Wire) -> Texts {
    let mut texts = Texts::default();
    let mut names = HashSet::new();
    walk(value, Hidden::Nothing, &mut |leaf, is_secret| match leaf {
        Leaf::Text(text) | Leaf::Constant(text, _) if is_secret => {
            texts.secrets.insert(text.to_owned());
        }
        Leaf::Number(number) if is_secret => {
            texts.secrets.insert(number.to_string());
        }
        Leaf::Other => texts.hides_others |= is_secret,
        Leaf::Text(text) => {
            texts.paths.extend(path::is_path(text).then(|| text.to_owned()));
        }
        Leaf::Constant(text, true) => {
            texts.known.insert(text.to_owned());
        }
        Leaf::Constant(text, false) => {
            texts.constants.insert(text.to_owned());
        }
        Leaf::Constants(rules) => texts.known.extend(rules.constants().map(str::to_owned)),
        Leaf::Number(number) => {
            texts.constants.insert(number.to_string());
        }
        Leaf::Name(name) if !is_secret => {
            names.insert(name.to_owned());
        }
        Leaf::Key(name) | Leaf::Name(name) => {
            texts.keys.insert(name.to_owned());
        }
        Leaf::Property(name) => {
            texts.properties.insert(name);
        }
    });
    // `@type` is no data in any object.
    texts.keys.retain(|name| {
        name != TYPE && !names.contains(name) && !texts.properties.contains(name.as_str())
    });
    texts
}
