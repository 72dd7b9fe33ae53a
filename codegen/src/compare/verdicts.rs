//! The table of the kinds of differences: what reports, their groups, fingerprints and `migrate` read of each.

use std::borrow::Cow;

use super::change::Difference;
use super::described::{self, UNREAD};
use super::patterns::{removed, replaced};
use super::phrases::{listed, new_id, one_of, pluralize};
use super::settings;
use super::what::Class::{self, Breaking, Compatible, Documentation, Wire};
use super::what::{ArgumentChange, Remedy, Replacement, What};
use crate::items::MemberKind;

/// The row of a kind of difference.
pub struct Verdict {
    /// The effect on programs.
    pub class: Class,
    /// A word for the kind of the difference. It never changes, because fingerprints in waivers are derived from it.
    pub word: &'static str,
    /// The kind of the difference in a few words, for a table.
    pub label: &'static str,
    /// The predicate of a sentence on the item.
    pub predicate: Cow<'static, str>,
    /// The programs that break, and the reason; empty if none do.
    pub reason: &'static str,
    /// The help text; empty if no action is needed.
    pub instead: Cow<'static, str>,
    /// What edits the uses of the item.
    pub remedy: Remedy,
    /// Whether programs can compile although the item differs, and mean something else or get a warning.
    pub is_silent: bool,
    /// Whether it is a change of its own next to those that stop programs from compiling.
    pub is_separate: bool,
    /// What the difference has in common with others of the kind that probably have the same cause: the end of a
    /// sentence that begins with "and 3 others". `None` if only equal sentences show a common cause.
    pub pattern: Option<String>,
}

impl Class {
    /// Returns the row of a kind with this effect.
    fn row(
        self,
        [word, label]: [&'static str; 2],
        predicate: impl Into<Cow<'static, str>>,
        reason: &'static str,
        instead: impl Into<Cow<'static, str>>,
    ) -> Verdict {
        Verdict {
            class: self,
            word,
            label,
            predicate: predicate.into(),
            reason,
            instead: instead.into(),
            remedy: Remedy::Hands,
            is_silent: self == Wire,
            is_separate: false,
            pattern: None,
        }
    }
}

impl Verdict {
    fn with_remedy(self, remedy: Remedy) -> Self {
        Self { remedy, ..self }
    }

    fn silent(self) -> Self {
        Self { is_silent: true, ..self }
    }

    fn separate(self) -> Self {
        Self { is_separate: true, ..self }
    }

    fn alike(self, pattern: impl Into<Option<String>>) -> Self {
        Self { pattern: pattern.into(), ..self }
    }
}

impl Difference {
    /// Returns the effect on programs.
    pub fn class(&self) -> Class {
        self.verdict().class
    }

    /// Returns what a report says of the difference.
    #[expect(clippy::too_many_lines, reason = "a row for each kind")]
    pub fn verdict(&self) -> Verdict {
        match &self.what {
            What::Schema => Breaking.row(
                ["Schema", "other schema"],
                "is now another schema: the same path with another meaning",
                "programs that still compile handle data with another meaning",
                "read the new definition before fixing the compile errors",
            )
            .silent(),
            What::Kind([from, to]) => Breaking.row(
                ["Kind", "other kind of item"],
                format!("is now declared by `{to}`, no longer by `{from}`"),
                "programs that read, build or match a value no longer compile",
                "read the new definition before fixing the compile errors",
            ),
            What::Removed(replacement) => Breaking.row(
                ["Lost", "removed"],
                match self.kind {
                    MemberKind::Items => "no longer has `items()` and `pages()`".into(),
                    _ => replacement.predicate(),
                },
                self.users(),
                replacement.advice(self.kind),
            )
            .with_remedy(match replacement {
                Replacement::Target(to) => Remedy::Name(to.clone()),
                _ => Remedy::Hands,
            })
            .alike(removed(self.kind, &self.name, replacement)),
            What::Service { replacement, operations, types, .. } => {
                let types = (*types > 0).then(|| format!(" and {}", pluralize(*types, "type")));
                let operations = pluralize(*operations, "operation");
                Breaking.row(
                    ["Service", "removed with its operations"],
                    format!("{} with {operations}{}", replacement.predicate(), types.unwrap_or_default()),
                    "programs that call its operations no longer compile",
                    replacement.advice(self.kind),
                )
            }
            What::Unsent => Breaking.row(
                ["Unsent", "without setters"],
                "no longer has setters, because no request carries it",
                "programs that use the setters no longer compile",
                "set the public fields of a default value; tests can enable the feature `test-util`",
            ),
            What::Renamed(to) => Breaking.row(
                ["Renamed", "renamed"],
                format!("is renamed to `{}`", new_id(self.kind, to)),
                self.users(),
                "use the new name",
            )
            .with_remedy(Remedy::Name(to.clone()))
            .alike(replaced(self.path().as_str(), to.as_str())),
            What::Retyped { retyping, types } => Breaking.row(
                ["Retyped", "other type"],
                retyping.predicate(),
                match self.kind {
                    MemberKind::Variant => {
                        "programs that use the value in the variant no longer compile"
                    }
                    MemberKind::Items => {
                        "programs that use the items of the pages no longer compile"
                    }
                    _ => "programs that read or set it with its old type no longer compile",
                },
                retyping.advice(),
            )
            .with_remedy(Remedy::Type)
            .alike(types.as_ref().map(|[from, to]| format!(" of type `{from}`, now `{to}`"))),
            What::Arguments(changes) => {
                let (class, [reason, instead]) = ArgumentChange::effect(changes);
                let predicate = format!("takes other arguments: {}", listed(changes));
                let row = class.row(["Arguments", "other arguments"], predicate, reason, instead);
                let is_silent = ArgumentChange::can_pass_others(changes);
                Verdict { is_silent, ..row }.with_remedy(Remedy::Type)
            }
            What::Output(retyping) => Breaking.row(
                ["Output", "other result"],
                "returns another type",
                "programs that use the result with its old type no longer compile",
                retyping.advice(),
            )
            .with_remedy(Remedy::Type),
            What::Trait => Breaking.row(
                ["Trait", "without a trait"],
                "is no longer implemented",
                "programs that rely on the trait no longer compile",
                "",
            ),
            What::Mentions => Breaking.row(
                ["Mentions", "refers to a renamed type"],
                "refers to a type that is renamed",
                "programs that refer to the type no longer compile",
                "",
            )
            .with_remedy(Remedy::Follows),
            What::Route([from, to]) => Wire.row(
                ["Route", "other route"],
                format!("is sent to `{to}`, no longer to `{from}`"),
                "existing programs still compile, but call the new route; older servers reject the call",
                "upgrade when the servers support the new route",
            )
            .alike(replaced(from, to)),
            What::BaseUrl([from, to]) => Wire.row(
                ["BaseUrl", "other base URL"],
                format!("takes a base URL of the form `{to}`, no longer `{from}`"),
                "existing programs still compile, but pass the old base URL",
                "pass the new base URL",
            ),
            What::MediaType([from, to]) => Wire.row(
                ["MediaType", "other media type"],
                format!("is sent as `{to}`, no longer as `{from}`"),
                "existing programs still compile, but older servers reject the new media type",
                "upgrade when the servers support the new media type",
            ),
            What::ReplyTypes([from, to]) => Wire.row(
                ["ReplyTypes", "other media type of replies"],
                format!("has replies of `{to}`, no longer of `{from}`"),
                UNREAD,
                "check the code that reads them",
            ),
            What::Credentials { are_needed, from, to } => {
                let [reason, instead] = if *are_needed {
                    [
                        "existing programs still compile, but servers may reject their credentials",
                        "check which credentials the servers accept",
                    ]
                } else {
                    [
                        "existing programs still compile, but no longer send theirs",
                        "check that the servers accept calls without credentials",
                    ]
                };
                Wire.row(
                    ["Credentials", "other credentials"],
                    format!("accepts {to}, no longer {from}"),
                    reason,
                    instead,
                )
                .alike(format!(" that accepted {from}"))
            }
            What::MoreCredentials(to) => Compatible.row(
                ["MoreCredentials", "more credentials"],
                format!("now accepts {to}"),
                "existing programs still work",
                "",
            ),
            What::Preference([from, to]) => Wire.row(
                ["Preference", "other order of credentials"],
                format!("prefers {to}, no longer {from}"),
                "existing programs still compile, but send other credentials if they set several",
                "set only the credentials that are to be sent",
            ),
            What::PathNames([from, to]) => Compatible.row(
                ["PathNames", "other names in the path"],
                format!("has the path template `{to}`, no longer `{from}`"),
                "requests are the same; only tests that read the parameters of recorded paths by name see it",
                "",
            ),
            What::OperationId([from, to]) => Compatible.row(
                ["OperationId", "other operationId"],
                format!("has the operationId `{to}`, no longer `{from}`"),
                "requests are the same; errors and traces contain the new identifier",
                "",
            ),
            What::Setting { setting, from, to } => {
                let [reason, instead] = settings::reason_and_remedy(*setting);
                let predicate = match to {
                    Some(to) => format!("is `{to}`, no longer `{from}`"),
                    None => format!("is no longer `{from}`"),
                };
                Wire.row(["Setting", "other setting"], predicate, reason, instead)
            }
            What::Described { aspect, is_unused, from, to } => {
                let effect = described::effect(*aspect, *is_unused, from, to);
                let class = if effect.is_some() { Wire } else { Documentation };
                let [reason, instead] = effect.unwrap_or(["existing programs still work", ""]);
                let predicate = described::predicate(*aspect, from, to);
                class.row(["Described", "other description"], predicate, reason, instead)
            }
            What::Code => Wire.row(
                ["Code", "other code"],
                "has other code, though the same items",
                "existing programs still compile, but may send or expect something else",
                "read the difference of the emitted code",
            ),
            What::Parts => Wire.row(
                ["Parts", "other order of parts"],
                "is sent with its parts in another order",
                "existing programs still compile, but servers may read the parts in the old order",
                "check that the servers accept the new order",
            )
            .separate(),
            What::Value([from, to]) => {
                let predicate = format!("is `{to}`, no longer `{from}`");
                let reason = "existing programs still compile, but use the new value";
                let instead = "check that the new value is the right one";
                Wire.row(["Value", "other value"], predicate, reason, instead)
            }
            What::Moved { from, to, now } => Breaking.row(
                ["Moved", "calls another operation"],
                format!("now calls `{to}`, no longer `{from}`, which is now `{now}`"),
                "existing programs may still compile, but call another operation",
                format!("call `{now}`"),
            )
            .silent(),
            What::Body => Breaking.row(
                ["Body", "other body"],
                "sends another body",
                "programs that build the body no longer compile, and older servers expect the old one",
                "upgrade when the servers support the new form",
            ),
            What::BodyAdded { is_sent } => {
                let (class, reason) = if *is_sent {
                    let reason = "existing programs still compile, but send an empty object, which older servers may reject";
                    (Wire, reason)
                } else {
                    (Compatible, "existing programs send what they did")
                };
                class.row(["BodyAdded", "new body"], "can have a body", reason, "")
            }
            What::Wire => Wire.row(
                ["Wire", "other form on the wire"],
                "is sent or received in another form",
                "existing programs still compile, but older servers and stored JSON have the old form",
                "upgrade when the servers support the new form",
            ),
            What::Access => Wire.row(
                ["Access", "other access"],
                "has another `readOnly` or `writeOnly`",
                "existing programs still compile, but may send a value that they received, or no longer",
                "check the requests that send received values",
            ),
            What::Recognized => Wire.row(
                ["Recognized", "other variant"],
                "no longer decodes to the same variant",
                "existing programs still compile, but get other variants for the same JSON",
                "check each `match` on the union",
            ),
            What::Required { now, is_sent, null_setter } => {
                let sent_as_null = null_setter.as_ref().map(|setter| {
                    format!("remove the calls of `{setter}()`: the property is then sent as null, as long as it has no value")
                });
                let (class, reason, instead) = match (null_setter, is_sent, now) {
                    (Some(_), ..) => (
                        Breaking,
                        "programs that set it to null no longer compile, and servers may reject requests without it",
                        "",
                    ),
                    (None, true, true) => (
                        Wire,
                        "existing programs still compile, but servers may reject requests without it",
                        "set it in every request",
                    ),
                    (None, true, false) => (
                        Wire,
                        "existing programs still compile, but requests without a value omit it instead of sending null",
                        "check what the servers do with a missing value",
                    ),
                    (None, false, true) => {
                        (Compatible, "existing programs still work; responses without it are drift", "")
                    }
                    (None, false, false) => (
                        Compatible,
                        "existing programs still work; responses without it are no longer drift",
                        "",
                    ),
                };
                let predicate = if *now { "is now required" } else { "is now optional" };
                let instead = sent_as_null.map_or(Cow::Borrowed(instead), Cow::Owned);
                let row = class.row(["Required", "required or optional"], predicate, reason, instead);
                Verdict { is_silent: *is_sent, ..row }
            }
            What::Nullable { now, null_setter } => {
                let (class, predicate, reason) = match (null_setter, now) {
                    (Some(_), _) => (
                        Breaking,
                        "can no longer be null",
                        "programs that set it to null no longer compile; a received null is not sent back",
                    ),
                    (None, true) => (
                        Compatible,
                        "can be null now",
                        "existing programs read it as `None`, and send a received null back",
                    ),
                    (None, false) => (
                        Compatible,
                        "can no longer be null",
                        "existing programs still work; a received null is not sent back",
                    ),
                };
                let instead = null_setter.as_ref().map_or_else(String::new, |setter| {
                    format!("remove the calls of `{setter}()`: the property is then not sent")
                });
                class.row(["Nullable", "null or not"], predicate, reason, instead)
            }
            What::Reordered => Wire.row(
                ["Reordered", "other order of arguments"],
                "takes the same arguments in another order",
                "existing calls still compile, but pass values to the wrong parameters",
                "check the arguments of each call",
            ),
            What::Aliased(to) => Compatible.row(
                ["Aliased", "renamed with an alias"],
                format!("is renamed to `{}`; its old name is an alias", new_id(self.kind, to)),
                "programs that use it get a deprecation warning",
                "use the new name",
            )
            .with_remedy(Remedy::Name(to.clone()))
            .alike(replaced(self.path().as_str(), to.as_str())),
            What::Deprecated => Compatible.row(
                ["Deprecated", "deprecated"],
                "is deprecated",
                "programs that use it get a deprecation warning",
                "",
            )
            .silent()
            .alike(String::new()),
            What::Listed => Breaking.row(
                ["Listed", "other declaration"],
                "is declared in another way",
                "programs that use it may no longer compile",
                "compare the lines",
            ),
            What::Gated { lost, features } => Breaking.row(
                ["Gated", "other features"],
                match lost {
                    Some(lost) => format!("is no longer compiled with the feature `{lost}`"),
                    None => format!("needs {}", one_of(features)),
                },
                "programs without default features that use it no longer compile",
                format!("enable {}", one_of(features)),
            )
            .with_remedy(Remedy::Features(features.clone()))
            .alike(match lost {
                Some(lost) => format!(" of the feature `{lost}`"),
                None => " that needed no feature".to_owned(),
            }),
            What::Added(noun) => Compatible.row(["Added", noun], "is new", "", ""),
            What::Widened => Compatible.row(
                ["Widened", "more values"],
                "takes more values",
                "existing programs send what they did",
                "",
            ),
        }
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
