//! The sentence on a change, and the words that several of them need.

use std::borrow::Cow;

use super::change::{Change, Difference};
use super::what::{ArgumentChanges, Replacement, Retyping, What};
use crate::items::{MemberKind, Path};

impl Change {
    /// Returns a sentence on the main difference, without a full stop.
    pub fn title(&self) -> String {
        let main = &self.main;
        // The operation, the body and the result of a request are those of its method.
        let method = self.used_by.first().and_then(|chain| chain.first());
        let subject = match main.kind {
            MemberKind::Operation | MemberKind::Body | MemberKind::Output | MemberKind::Items => {
                method.unwrap_or(&main.id)
            }
            _ => match &main.what {
                What::Unsent => main.owner.as_str(),
                What::Service { name, .. } => name,
                what if *what == What::OPERATION => method.unwrap_or(&main.id),
                _ => &main.id,
            },
        };
        let alike = self.others.iter().filter(|other| other.what == main.what).count();
        match &main.what {
            What::Credentials { from, to, .. } if alike > 0 => {
                let others = pluralize(alike, "other operation");
                format!("`{subject}` and {others} accept {to}, no longer {from}")
            }
            What::Added(_) if main.kind == MemberKind::Items => {
                format!("`{}` is now a list of pages", main.owner.as_str())
            }
            What::Added(_) => format!("new {} `{subject}`", main.verdict().label),
            what => {
                // With the last operation of a handle.
                let is_handle = |other: &&Difference| {
                    let is_removed = matches!(other.what, What::Removed(_));
                    is_removed && other.owner.as_str() == Path::CLIENT
                };
                let is_renamed = matches!(what, What::Renamed(_));
                let handle = self.others.iter().find(is_handle).filter(|_| is_renamed);
                let handle = handle.map(|lost| format!(", and `{}` is removed", lost.id));
                format!("`{subject}` {}{}", main.verdict().predicate, handle.unwrap_or_default())
            }
        }
    }
}

/// Returns a renamed item or member as Rust code refers to it.
pub(super) fn new_id(kind: MemberKind, to: &Path) -> String {
    match to.split() {
        Some((owner, name)) if kind != MemberKind::Whole => kind.id(owner, name),
        _ => to.to_string(),
    }
}

impl Replacement {
    pub(super) fn predicate(&self) -> Cow<'static, str> {
        match self {
            Self::Choice => "is left out".into(),
            Self::Parts(parts) => format!("is now {parts}").into(),
            _ => "is removed".into(),
        }
    }

    pub(super) fn advice(&self, kind: MemberKind) -> String {
        match self {
            Self::None => "remove the uses (no replacement found)".to_owned(),
            Self::Choice => "remove the uses, or choose it in codegen.toml".to_owned(),
            Self::Advice(advice) => advice.clone(),
            Self::Parts(parts) => format!("use {parts}"),
            Self::Target(new) => format!("use `{new}`"),
            Self::Perhaps(to) => format!("perhaps the new `{}`", new_id(kind, to)),
        }
    }
}

impl Retyping {
    /// Returns the predicate of a sentence on the item.
    pub(super) fn predicate(&self) -> &'static str {
        match self {
            Self::Null => "can be null now",
            Self::NotNull => "can no longer be null",
            Self::Elements(of) if **of == Self::Null => "can contain null now",
            Self::Elements(of) if **of == Self::NotNull => "can no longer contain null",
            _ => "has another type",
        }
    }

    /// Returns the help text.
    pub(super) fn advice(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Required => "it is now required: remove the handling of `None`",
            Self::Optional => "it is now optional: handle `None`",
            Self::Argument => {
                "it is now required: remove the handling of `None`, and pass it as an argument"
            }
            Self::Setter => {
                "it is now optional: handle `None`, and call the setter in place of the argument"
            }
            Self::NotNull => "remove the handling of `None`",
            Self::Null => "handle `None`, which is null",
            Self::Elements(of) => return format!("of each element: {}", of.advice()).into(),
            Self::Secret => "convert it with `Secret::new` and `expose()`",
            Self::List => "pass a list, such as `[value]`, and handle each element",
            Self::Text => "pass `value.to_string()`, and read the text with `parse()`",
            Self::Parsed => "pass `text.parse()?`, and read the value with `to_string()`",
            Self::Unlisted => {
                "pass the text of a variant, as `to_string()` returns it, and compare what is read with it"
            }
            Self::Listed => "pass `text.into()` or a variant, and read the text with `as_str()`",
            Self::Variants(names) => {
                let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                return format!("`match` on its variants {}", names.join(", ")).into();
            }
            Self::Other => "convert from or to the new type",
        })
    }
}

/// Returns the changes of arguments, as a list.
pub(super) fn listed(changes: &ArgumentChanges) -> String {
    let texts: Vec<&str> = changes.iter().map(|(_, text)| text.as_str()).collect();
    if texts.is_empty() { "the same in another order".to_owned() } else { texts.join(", ") }
}

/// Returns cargo features, one of which suffices.
pub(super) fn one_of(features: &[String]) -> String {
    let names: Vec<_> = features.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [name] => format!("the feature {name}"),
        names => format!("one of the features {}", names.join(", ")),
    }
}

/// Returns a count with its noun.
pub fn pluralize(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
