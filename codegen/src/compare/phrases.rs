//! The texts of the report: the difference, the programs that break, and the help text.

use std::collections::BTreeSet;

use super::change::{Change, Difference};
use super::described::predicate;
use super::settings::{reason, remedy};
use super::what::{ArgumentChange, Class, Noun, Replacement, What};
use crate::described::{Aspect, has_all_successes};
use crate::items::{MemberKind, Path};

/// The reason of changes of media types that a program may rely on.
const UNREAD: &str = "existing programs still compile, but may get replies that they do not read";

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
                What::Added(Noun::Operation) => method.unwrap_or(&main.id),
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
            What::Added(noun) => format!("new {} `{subject}`", noun.as_str()),
            What::Removed(_) if main.kind == MemberKind::Items => {
                format!("`{subject}` no longer has `items()` and `pages()`")
            }
            what => {
                // With the last operation of a handle.
                let is_handle = |other: &&Difference| {
                    let is_removed = matches!(other.what, What::Removed(_));
                    is_removed && other.owner.as_str() == Path::CLIENT
                };
                let is_renamed = matches!(what, What::Renamed { .. });
                let handle = self.others.iter().find(is_handle).filter(|_| is_renamed);
                let handle = handle.map(|lost| format!(", and `{}` is removed", lost.id));
                let predicate = what.predicate(main.kind);
                format!("`{subject}` {predicate}{}", handle.unwrap_or_default())
            }
        }
    }
}

impl What {
    /// Returns the predicate of a sentence on the item.
    pub(super) fn predicate(&self, kind: MemberKind) -> String {
        let text = match self {
            Self::Schema => "is now another schema: the same path with another meaning",
            Self::Kind { from, to } => {
                return format!("is now {} instead of {}", with_article(to), with_article(from));
            }
            Self::Removed(_) => "is removed",
            Self::Service { operations, types, .. } => {
                let operations = pluralize(*operations, "operation");
                return match types {
                    0 => format!("is removed with {operations}"),
                    types => {
                        format!("is removed with {operations} and {}", pluralize(*types, "type"))
                    }
                };
            }
            Self::Unsent => "no longer has setters, because no request carries it",
            Self::Renamed { to, .. } => return format!("is renamed to `{}`", new_id(kind, to)),
            Self::Retyped(retyping) => retyping.predicate(),
            Self::Arguments(changes) => {
                return format!("takes other arguments: {}", listed(changes));
            }
            Self::Output(_) => "returns another type",
            Self::Trait => "is no longer implemented",
            Self::Mentions => "refers to a type that is renamed",
            Self::Route { from, to } => return format!("is sent to `{to}`, no longer to `{from}`"),
            Self::BaseUrl { from, to } => {
                return format!("takes a base URL of the form `{to}`, no longer `{from}`");
            }
            Self::MediaType { from, to } => {
                return format!("is sent as `{to}`, no longer as `{from}`");
            }
            Self::ReplyTypes { from, to } => {
                return format!("has replies of `{to}`, no longer of `{from}`");
            }
            Self::Credentials { from, to, .. } => return format!("accepts {to}, no longer {from}"),
            Self::MoreCredentials { to } => return format!("now accepts {to}"),
            Self::Preference { from, to } => return format!("prefers {to}, no longer {from}"),
            Self::PathNames { from, to } => {
                return format!("has the path template `{to}`, no longer `{from}`");
            }
            Self::OperationId { from, to } => {
                return format!("has the operationId `{to}`, no longer `{from}`");
            }
            Self::Setting { from, to: Some(to), .. } => {
                return format!("is `{to}`, no longer `{from}`");
            }
            Self::Setting { from, to: None, .. } => return format!("is no longer `{from}`"),
            Self::Described { aspect, from, to, .. } => return predicate(*aspect, from, to),
            Self::Code => "has other code, though the same signature",
            Self::Value { from, to } => return format!("is `{to}`, no longer `{from}`"),
            Self::Body => "sends another body",
            Self::Wire => "is sent or received in another form",
            Self::Access => "has another `readOnly` or `writeOnly`",
            Self::Recognized => "no longer decodes to the same variant",
            Self::Required { now: true, .. } => "is now required",
            Self::Required { now: false, .. } => "is now optional",
            Self::Nullable { now: true } => "can be null now",
            Self::Nullable { now: false } => "can no longer be null",
            Self::BodyAdded { .. } => "can have a body",
            Self::Moved { from, to, now } => {
                return format!("now calls `{to}`, no longer `{from}`, which is now `{now}`");
            }
            Self::Reordered => "takes the same arguments in another order",
            Self::Aliased { to } => {
                let to = new_id(kind, to);
                return format!("is renamed to `{to}`; its old name is an alias");
            }
            Self::Deprecated => "is deprecated",
            Self::Listed => "is declared in another way",
            Self::Gated { lost: Some(lost), .. } => {
                return format!("is no longer compiled with the feature `{lost}`");
            }
            Self::Gated { lost: None, features } => return format!("needs {}", one_of(features)),
            Self::Added(_) => "is new",
        };
        text.to_owned()
    }
}

impl What {
    /// Returns the kind of the difference in a few words, for a table.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Schema => "other schema",
            Self::Kind { .. } => "other kind of item",
            Self::Removed(_) => "removed",
            Self::Service { .. } => "removed with its operations",
            Self::Unsent => "without setters",
            Self::Renamed { .. } => "renamed",
            Self::Retyped(_) => "other type",
            Self::Arguments(_) => "other arguments",
            Self::Output(_) => "other result",
            Self::Trait => "without a trait",
            Self::Mentions => "refers to a renamed type",
            Self::Route { .. } => "other route",
            Self::Moved { .. } => "calls another operation",
            Self::BaseUrl { .. } => "other base URL",
            Self::MediaType { .. } => "other media type",
            Self::ReplyTypes { .. } => "other media type of replies",
            Self::Credentials { .. } => "other credentials",
            Self::MoreCredentials { .. } => "more credentials",
            Self::Preference { .. } => "other order of credentials",
            Self::PathNames { .. } => "other names in the path",
            Self::OperationId { .. } => "other operationId",
            Self::Setting { .. } => "other setting",
            Self::Described { .. } => "other description",
            Self::Code => "other code",
            Self::Value { .. } => "other value",
            Self::Body => "other body",
            Self::BodyAdded { .. } => "new body",
            Self::Wire => "other form on the wire",
            Self::Access => "other access",
            Self::Recognized => "other variant",
            Self::Required { .. } => "required or optional",
            Self::Nullable { .. } => "null or not",
            Self::Reordered => "other order of arguments",
            Self::Aliased { .. } => "renamed with an alias",
            Self::Deprecated => "deprecated",
            Self::Listed => "other declaration",
            Self::Gated { .. } => "other features",
            Self::Added(noun) => noun.as_str(),
        }
    }
}

/// Returns a renamed item or member as Rust code refers to it.
fn new_id(kind: MemberKind, to: &Path) -> String {
    match to.split() {
        Some((owner, name)) if kind != MemberKind::Whole => kind.id(owner, name),
        _ => to.to_string(),
    }
}

impl Difference {
    /// Returns whether the sentence on the difference is incomplete without the lines of `api.txt`.
    pub fn needs_lines(&self) -> bool {
        matches!(
            self.what,
            What::Schema
                | What::Retyped(_)
                | What::Output(_)
                | What::Body
                | What::Wire
                | What::Access
                | What::Listed
                | What::Recognized
                | What::Required { .. }
                | What::Nullable { .. }
        )
    }

    /// Returns the programs that break, and the reason; empty if none do.
    pub fn reason(&self) -> &'static str {
        match self.what {
            What::Schema => "programs that still compile handle data with another meaning",
            What::Kind { .. } => "programs that read, build or match a value no longer compile",
            What::Removed(_) | What::Renamed { .. } => self.users(),
            What::Service { .. } => "programs that call its operations no longer compile",
            What::Unsent => "programs that use the setters no longer compile",
            What::Retyped(_) => match self.kind {
                MemberKind::Variant => {
                    "programs that use the value in the variant no longer compile"
                }
                MemberKind::Items => "programs that use the items of the pages no longer compile",
                _ => "programs that read or set it with its old type no longer compile",
            },
            What::Arguments(_) if !self.stops_compiling() => {
                "existing calls still compile, but pass their values to other arguments"
            }
            What::Arguments(_) => "programs that call it no longer compile",
            What::Output(_) => "programs that use the result with its old type no longer compile",
            What::Trait => "programs that rely on the trait no longer compile",
            What::Mentions => "programs that refer to the type no longer compile",
            What::Route { .. } => {
                "existing programs still compile, but call the new route; older servers reject the call"
            }
            What::BaseUrl { .. } => "existing programs still compile, but pass the old base URL",
            What::MediaType { .. } => {
                "existing programs still compile, but older servers reject the new media type"
            }
            What::ReplyTypes { .. } => UNREAD,
            What::Credentials { are_needed: true, .. } => {
                "existing programs still compile, but servers may reject their credentials"
            }
            What::Credentials { .. } => {
                "existing programs still compile, but no longer send theirs"
            }
            What::BodyAdded { is_sent: false } => "existing programs send what they did",
            What::BodyAdded { is_sent: true } => {
                "existing programs still compile, but send an empty object, which older servers may reject"
            }
            What::Preference { .. } => {
                "existing programs still compile, but send other credentials if they set several"
            }
            What::PathNames { .. } => {
                "requests are the same; only tests that read the parameters of recorded paths by name see it"
            }
            What::OperationId { .. } => {
                "requests are the same; errors and traces contain the new identifier"
            }
            What::Setting { setting, .. } => reason(setting),
            What::Described { aspect, ref from, ref to, .. } if self.is_wire() => {
                reason_of_described(aspect, from, to)
            }
            What::Described { .. } | What::MoreCredentials { .. } => "existing programs still work",
            What::Code => "existing programs still compile, but may send or expect something else",
            What::Value { .. } if self.is_url() => {
                "existing programs still compile, but call another server"
            }
            What::Value { .. } => "existing programs still compile, but use the new value",
            What::Body => {
                "programs that build the body no longer compile, and older servers expect the old one"
            }
            What::Wire => {
                "existing programs still compile, but older servers and stored JSON have the old form"
            }
            What::Access => {
                "existing programs still compile, but may send a value that they received, or no longer"
            }
            What::Recognized => {
                "existing programs still compile, but get other variants for the same JSON"
            }
            What::Nullable { now: true } => {
                "existing programs read it as `None`, and send a received null back"
            }
            What::Nullable { now: false } => {
                "existing programs still work; a received null is not sent back"
            }
            What::Required { is_sent: false, now: true } => {
                "existing programs still work; responses without it are drift"
            }
            What::Required { is_sent: false, now: false } => {
                "existing programs still work; responses without it are no longer drift"
            }
            What::Required { now: true, .. } => {
                "existing programs still compile, but servers may reject requests without it"
            }
            What::Required { now: false, .. } => {
                "existing programs still compile, but requests without a value omit it instead of sending null"
            }
            What::Moved { .. } => "existing programs may still compile, but call another operation",
            What::Reordered => {
                "existing calls still compile, but pass values to the wrong parameters"
            }
            What::Aliased { .. } | What::Deprecated => {
                "programs that use it get a deprecation warning"
            }
            What::Listed => "programs that use it may no longer compile",
            What::Gated { .. } => "programs without default features that use it no longer compile",
            What::Added(_) => "",
        }
    }

    /// Returns the help text; `None` if no action is needed.
    pub fn instead(&self) -> Option<String> {
        let text = match &self.what {
            What::Schema | What::Kind { .. } => {
                "read the new definition before fixing the compile errors"
            }
            What::Removed(replacement) => return Some(replacement.advice()),
            What::Service { .. } => "remove the uses (no replacement found)",
            What::Gated { features, .. } => return Some(format!("enable {}", one_of(features))),
            What::Renamed { .. } | What::Aliased { .. } => "use the new name",
            What::Unsent => {
                "set the public fields of a default value; tests can enable the feature `test-util`"
            }
            What::Retyped(retyping) | What::Output(retyping) => retyping.advice(),
            What::Arguments(_) => {
                "pass the arguments of the new signature; a removed argument may now be a setter"
            }
            What::BaseUrl { .. } => "pass the new base URL",
            What::Route { .. } => "upgrade when the servers support the new route",
            What::MediaType { .. } => "upgrade when the servers support the new media type",
            What::Credentials { are_needed: true, .. } => {
                "check which credentials the servers accept"
            }
            What::Credentials { .. } => "check that the servers accept calls without credentials",
            What::Value { .. } if self.is_url() => "check that the new server is the right one",
            What::Value { .. } => "check that the new value is the right one",
            What::Setting { setting, .. } => remedy(*setting),
            What::Preference { .. } => "set only the credentials that are to be sent",
            What::Code => "read the difference of the emitted code",
            What::Described { aspect: Aspect::Default, .. } if self.is_wire() => {
                "set the value that is needed"
            }
            What::Described { aspect: Aspect::Successes, from, to, .. }
                if loses_statuses(from, to) && self.is_wire() =>
            {
                "upgrade when no server replies with the old status"
            }
            What::Described { aspect: Aspect::Successes, .. } if self.is_wire() => {
                "read the status with `send_raw()`"
            }
            What::ReplyTypes { .. } => "check the code that reads them",
            What::Described { .. } if self.is_wire() => "check the code that reads it",
            What::Body | What::Wire => "upgrade when the servers support the new form",
            What::Access => "check the requests that send received values",
            What::Recognized => "check each `match` on the union",
            What::Listed => "compare the lines",
            What::Required { is_sent: true, now: true } => "set it in every request",
            What::Required { is_sent: true, now: false } => {
                "check what the servers do with a missing value"
            }
            What::Moved { now, .. } => return Some(format!("call `{now}`")),
            What::Reordered => "check the arguments of each call",
            What::Trait
            | What::Mentions
            | What::Deprecated
            | What::MoreCredentials { .. }
            | What::PathNames { .. }
            | What::OperationId { .. }
            | What::BodyAdded { .. }
            | What::Described { .. }
            | What::Nullable { .. }
            | What::Required { .. }
            | What::Added(_) => return None,
        };
        Some(text.to_owned())
    }

    fn is_wire(&self) -> bool {
        self.what.class() == Class::Wire
    }

    fn is_url(&self) -> bool {
        ["URL", "DEFAULT_BASE_URL"].contains(&self.name.as_str())
    }

    /// Returns the programs that break if the item is renamed or removed.
    fn users(&self) -> &'static str {
        match self.kind {
            MemberKind::Field => "programs that read or set the field no longer compile",
            MemberKind::Variant => "programs that match or build the variant no longer compile",
            MemberKind::Method | MemberKind::Failure => "programs that call it no longer compile",
            MemberKind::Items => "programs that call them no longer compile",
            _ if self.owner.feature().is_some() => {
                "programs that enable the feature no longer build"
            }
            _ => "programs that refer to it no longer compile",
        }
    }
}

impl Replacement {
    fn advice(&self) -> String {
        match self {
            Self::None => "remove the uses (no replacement found)".to_owned(),
            Self::Target(new) => format!("use `{new}`"),
            Self::Perhaps(id) => format!("perhaps the new `{id}`"),
            Self::UnknownValue(value) => format!(
                "if servers still send it, match `Unknown(value)` with `value.as_str() == {value:?}`"
            ),
        }
    }
}

/// Returns the programs that a change of something that no item has affects.
fn reason_of_described(
    aspect: Aspect,
    from: &BTreeSet<String>,
    to: &BTreeSet<String>,
) -> &'static str {
    match aspect {
        Aspect::Default => "existing programs that do not set it get other results",
        Aspect::Base64 => "existing programs still compile, but the text has another encoding",
        Aspect::Media | Aspect::Webhooks => UNREAD,
        Aspect::Errors => "existing programs still compile, but read the bodies of other errors",
        Aspect::Successes if loses_statuses(from, to) => {
            "existing programs still compile, but replies of the old status are errors"
        }
        Aspect::Successes => {
            "existing programs still compile, but read replies of the new status like the others"
        }
    }
}

/// Returns whether replies of a successful status are no longer described.
fn loses_statuses(from: &BTreeSet<String>, to: &BTreeSet<String>) -> bool {
    !has_all_successes(to) && (has_all_successes(from) || !from.is_subset(to))
}

/// Returns the changes of arguments, as a list.
fn listed(changes: &[ArgumentChange]) -> String {
    if changes.is_empty() {
        return "the same in another order".to_owned();
    }
    let texts = changes.iter().map(|change| match change {
        ArgumentChange::Removed(name) => format!("`{name}` is removed"),
        ArgumentChange::Retyped { name, from, to } => {
            format!("`{name}` is now `{to}` instead of `{from}`")
        }
        ArgumentChange::Added(name) => format!("`{name}` is new"),
        ArgumentChange::Replaced { name, by } => format!("`{by}` instead of `{name}`"),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// Returns cargo features, one of which suffices.
fn one_of(features: &[String]) -> String {
    let names: Vec<_> = features.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [name] => format!("the feature {name}"),
        names => format!("one of the features {}", names.join(", ")),
    }
}

/// Returns a count with its noun.
fn pluralize(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns the kind of item that a keyword begins, with an article.
fn with_article(keyword: &str) -> &'static str {
    match keyword {
        "enum" => "an enum",
        "mod" => "a module",
        "struct" => "a struct",
        "type" => "a type alias",
        "use" => "a re-export",
        _ => "a feature",
    }
}
