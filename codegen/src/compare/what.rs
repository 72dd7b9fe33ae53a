//! The kinds of differences, and their effects on programs.

use std::collections::BTreeSet;

use crate::described::Aspect;
use crate::items::{Path, Setting, Ty, Wire};

/// How a change affects the programs that use the crate, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Only documentation differs.
    Documentation,
    /// Programs still compile and work.
    Compatible,
    /// Programs still compile, but send or expect other content.
    Wire,
    /// Programs that use the item no longer compile, or change their meaning.
    Breaking,
}

impl Class {
    /// Returns the name of the class.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Documentation => "documentation",
            Self::Compatible => "compatible",
            Self::Wire => "wire-breaking",
            Self::Breaking => "breaking",
        }
    }
}

/// The difference at an item. Of two values, the old one is the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The same path now belongs to another schema, of another shape.
    Schema,
    /// It is another kind of item, such as a struct instead of an enum.
    Kind([&'static str; 2]),
    /// It is removed.
    Removed(Replacement),
    /// It is the handle of a resource that is removed with all that only its operations use.
    Service {
        /// What replaces it.
        replacement: Replacement,
        /// The name of the client's method for it.
        name: String,
        /// The number of operations.
        operations: usize,
        /// The number of types.
        types: usize,
    },
    /// It constructs a type that requests no longer carry, and is removed.
    Unsent,
    /// It has this path; of a member, after the path of its type.
    Renamed(Path),
    /// It has another type.
    Retyped {
        /// The change.
        retyping: Retyping,
        /// The types of a field with a name on the wire.
        types: Option<[String; 2]>,
    },
    /// It takes other arguments; no change of one means another order.
    Arguments(Vec<(ArgumentChange, String)>),
    /// It returns another type.
    Output(Retyping),
    /// It no longer implements a trait.
    Trait,
    /// It refers to a type that is renamed.
    Mentions,
    /// It is sent with another verb, to another path or to other servers.
    Route([String; 2]),
    /// It takes another base URL.
    BaseUrl([String; 2]),
    /// It is sent as another media type.
    MediaType([String; 2]),
    /// Its successful replies have other media types.
    ReplyTypes([String; 2]),
    /// It is sent with other credentials.
    Credentials {
        /// Whether it needs credentials now.
        are_needed: bool,
        /// The old credentials.
        from: String,
        /// The new credentials.
        to: String,
    },
    /// It accepts more credentials than before: these.
    MoreCredentials(String),
    /// It prefers other credentials, if a client has several.
    Preference([String; 2]),
    /// The parameters in its path have other names, which are not sent.
    PathNames([String; 2]),
    /// It has another `operationId`.
    OperationId([String; 2]),
    /// A setting has another value.
    Setting {
        /// The setting.
        setting: Setting,
        /// The old value.
        from: String,
        /// The new value; `None` if it is no longer set.
        to: Option<String>,
    },
    /// The document describes it in another way, although no item differs.
    Described {
        /// What differs.
        aspect: Aspect,
        /// Whether programs do not depend on it: only responses have it, the operation returns nothing, or more errors have
        /// the same type.
        is_unused: bool,
        /// The old values.
        from: BTreeSet<String>,
        /// The new values.
        to: BTreeSet<String>,
    },
    /// The code of a file differs, although none of its items does.
    Code,
    /// The parts of the body that it is have another order.
    Parts,
    /// It has another value.
    Value([String; 2]),
    /// Its name belongs to another route, and its old route to another name.
    Moved {
        /// The old route.
        from: String,
        /// The route that the name has now.
        to: String,
        /// The call that has the old route now.
        now: String,
    },
    /// It has another body.
    Body,
    /// It can have a body, which it had not before.
    BodyAdded {
        /// Whether existing calls send one: an empty object.
        is_sent: bool,
    },
    /// It has another name or form on the wire.
    Wire,
    /// Other messages can contain it.
    Access,
    /// It is a condition by which values of a union are recognized as another variant, or as none.
    Recognized,
    /// A property became required or optional; its Rust type has not changed.
    Required {
        /// Whether it is required now.
        now: bool,
        /// Whether requests can have it.
        is_sent: bool,
        /// The method that set it to null, if it is removed.
        null_setter: Option<String>,
    },
    /// A property can be null, or no longer; its Rust type has not changed.
    Nullable {
        /// Whether it can be null now.
        now: bool,
        /// The method that set it to null, if it is removed.
        null_setter: Option<String>,
    },
    /// Arguments of the same type have changed places.
    Reordered,
    /// It has this path, as if it were renamed, and its old name is a deprecated alias.
    Aliased(Path),
    /// It is deprecated.
    Deprecated,
    /// Its line in the list of another version of the generator differs.
    Listed,
    /// It is no longer compiled with a feature, or it needs a feature now.
    Gated {
        /// The feature that compiled it and no longer does; `None` if it needed none.
        lost: Option<String>,
        /// The features that compile it.
        features: Vec<String>,
    },
    /// It takes more values than before.
    Widened,
    /// It is new: the noun for it.
    Added(&'static str),
}

impl What {
    /// Another type, of which the report only shows the lines.
    pub(super) const OTHER_TYPE: Self = Self::Retyped { retyping: Retyping::Other, types: None };

    /// A new method that begins a request.
    pub const OPERATION: Self = Self::Added("operation");

    /// Returns whether an item is removed, and nothing is known that replaces it.
    pub fn is_removal(&self) -> bool {
        use Replacement::{Advice, Choice, None};
        matches!(self, Self::Service { .. } | Self::Removed(None | Choice | Advice(_)))
    }
}

/// What edits the uses of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Its new path; of a member, after the path of its type.
    Name(Path),
    /// One of these features.
    Features(Vec<String>),
    /// Values of its new type, or of those of its arguments.
    Type,
    /// Nothing more than the rename of the type that it refers to.
    Follows,
    /// Nobody but the user can know.
    Hands,
}

/// The replacement of a removed item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Nothing is known.
    None,
    /// The item itself, if the settings choose it again.
    Choice,
    /// Nothing but this advice.
    Advice(String),
    /// The item that it was an alias of.
    Target(Path),
    /// Possibly this new item.
    Perhaps(Path),
    /// These are what it was.
    Parts(String),
}

/// The change of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retyping {
    /// From `Option<T>` to `T`.
    Required,
    /// From `T` to `Option<T>`.
    Optional,
    /// From `Option<T>` to `T`, of a property that is passed as an argument now.
    Argument,
    /// From `T` to `Option<T>`, of a property that was passed as an argument.
    Setter,
    /// From `Option<T>` to `T`, of a property that was required already.
    NotNull,
    /// From `T` to `Option<T>`, of a property that is still required.
    Null,
    /// Of the elements of a list or a map.
    Elements(Box<Self>),
    /// From `T` to `Secret<T>`, or the reverse.
    Secret,
    /// From `T` to a list of them.
    List,
    /// From a scalar to text.
    Text,
    /// From text to a scalar.
    Parsed,
    /// From an enum of texts to text.
    Unlisted,
    /// From text to an enum of texts.
    Listed,
    /// To an enum of several types, of a result: its variants.
    Variants(Vec<String>),
    /// In another way.
    Other,
}

impl Retyping {
    /// Returns the change of a type; `None` if it has not changed. `is_listed` returns whether an item is an enum of texts.
    pub(super) fn of(old: &Ty, new: &Ty, is_listed: &impl Fn(&Path) -> bool) -> Option<Self> {
        match (old, new) {
            (old, new) if old == new => None,
            (Ty::Option(old), new) if old.unboxed() == new.unboxed() => Some(Self::Required),
            (old, Ty::Option(new)) if old.unboxed() == new.unboxed() => Some(Self::Optional),
            (Ty::Option(old), Ty::Option(new)) => Self::of(old, new, is_listed),
            (ty, Ty::Secret(inner)) | (Ty::Secret(inner), ty) if *ty == **inner => {
                Some(Self::Secret)
            }
            (old, Ty::List(new)) if old == &**new => Some(Self::List),
            (Ty::Scalar(_), Ty::String) => Some(Self::Text),
            (Ty::String, Ty::Scalar(_)) => Some(Self::Parsed),
            (Ty::Item(old), Ty::String) if is_listed(old) => Some(Self::Unlisted),
            (Ty::String, Ty::Item(new)) if is_listed(new) => Some(Self::Listed),
            (Ty::List(old), Ty::List(new)) | (Ty::Dictionary(old), Ty::Dictionary(new)) => {
                Some(match Self::of(old, new, is_listed)? {
                    Self::Required => Self::Elements(Box::new(Self::NotNull)),
                    Self::Optional => Self::Elements(Box::new(Self::Null)),
                    other @ (Self::Elements(_) | Self::Other) => other,
                    other => Self::Elements(Box::new(other)),
                })
            }
            _ => Some(Self::Other),
        }
    }

    /// Returns the change of a property, of which both revisions have the form.
    pub(super) fn of_property(self, old: Option<&Wire>, new: Option<&Wire>) -> Self {
        let stays_required = [old, new].iter().all(|wire| wire.is_some_and(Wire::is_required));
        match self {
            Self::Required if stays_required => Self::NotNull,
            Self::Optional if stays_required => Self::Null,
            other => other,
        }
    }
}

/// How an argument has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentChange {
    /// It is removed.
    Removed,
    /// It is a setter now.
    Setter,
    /// It has another type.
    Retyped,
    /// It is new, and no old argument follows it.
    Added,
    /// It is new, and an old argument follows it.
    Inserted,
    /// It takes the same integers, and rejects those that are out of the new range.
    Narrowed,
    /// Its value is passed to another argument now, which takes the same types.
    Replaced,
}

/// Changes of arguments, each in words.
pub type ArgumentChanges = [(ArgumentChange, String)];

impl ArgumentChange {
    /// Returns whether an argument is new.
    pub(super) fn is_new(self) -> bool {
        matches!(self, Self::Added | Self::Inserted)
    }

    /// Returns whether existing calls still compile after changes.
    pub(super) fn are_accepted(changes: &ArgumentChanges) -> bool {
        let is_accepted = |(it, _): &(Self, _)| matches!(it, Self::Replaced | Self::Narrowed);
        !changes.is_empty() && changes.iter().all(is_accepted)
    }

    /// Returns whether a program can pass what other arguments took: in another order, or as many as before.
    pub(super) fn can_pass_others(changes: &ArgumentChanges) -> bool {
        let added = changes.iter().filter(|(it, _)| it.is_new()).count();
        let removed =
            changes.iter().filter(|(it, _)| matches!(it, Self::Removed | Self::Setter)).count();
        changes.is_empty() || Self::are_accepted(changes) || added > 0 && added == removed
    }

    /// Returns the effect of changes on programs, with the reason and the help text.
    pub(super) fn effect(changes: &ArgumentChanges) -> (Class, [&'static str; 2]) {
        let are_all = |is: fn(Self) -> bool| changes.iter().all(|(it, _)| is(*it));
        let others = "existing calls still compile, but pass their values to other arguments";
        let too_large = "existing calls still compile, but fail if the value is out of range";
        let check = "check the values of each call";
        let instead = match changes.first().map(|(first, _)| first) {
            Some(Self::Narrowed) => return (Class::Wire, [too_large, check]),
            Some(Self::Replaced) => return (Class::Breaking, [others, check]),
            None => "pass the arguments in the new order",
            _ if are_all(|it| it == Self::Added) => {
                "pass the new arguments, instead of calling setters for them"
            }
            _ if are_all(Self::is_new) => {
                "pass the new arguments in their places, where rustc may propose others, instead of calling setters for them"
            }
            _ if are_all(|it| it == Self::Retyped) => "pass values of the new types",
            _ if are_all(|it| it == Self::Setter) => "call the setters in place of the arguments",
            _ if changes.iter().any(|(it, _)| *it == Self::Setter) => {
                "pass the arguments of the new signature, and call the setters in place of the others"
            }
            _ => "pass the arguments of the new signature",
        };
        (Class::Breaking, ["programs that call it no longer compile", instead])
    }
}
