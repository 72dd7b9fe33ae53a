//! The replies of operations.

use std::collections::BTreeSet;
use std::fmt;

use super::{Content, Docs, FieldName, MethodName, Status, Type, TypeId, VariantName};

/// The declared bodies of the errors of an operation.
#[derive(Clone, Debug)]
pub struct Failures {
    /// The enum of the bodies, if statuses have different ones.
    pub union: Option<TypeId>,
    /// The statuses: codes, then ranges, then the default, and of each first the ones with a media type.
    pub cases: Vec<ReplyCase>,
}

/// A header that replies can have.
#[derive(Clone, Debug)]
pub struct ReplyHeader {
    /// The constant with its name and type.
    pub constant: String,
    /// The name, in lower case.
    pub wire: String,
    /// The type: a scalar, or a list of scalars.
    pub ty: Type,
    /// The documentation.
    pub docs: Docs,
    /// The JSON pointer to the header.
    pub pointer: String,
}

/// What a successful call returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// Nothing: no successful reply has a body.
    #[default]
    Nothing,
    One(Content),
    /// The content, or nothing.
    Optional(Content),
    /// An enum of the contents.
    Several(TypeId),
}

impl Output {
    /// Returns the type of the value, if all successful replies with a body are JSON of one type.
    pub fn json(&self) -> Option<&Type> {
        match self {
            Self::One(Content::Json(ty)) | Self::Optional(Content::Json(ty)) => Some(ty.not_null()),
            _ => None,
        }
    }

    /// Returns whether a reply can be empty or null, so that there is no value.
    pub fn is_option(&self) -> bool {
        matches!(self, Self::Optional(_) | Self::One(Content::Json(Type::Nullable(_))))
    }

    pub fn named(&self) -> Option<TypeId> {
        match self {
            Self::One(content) | Self::Optional(content) => content.named(),
            Self::Several(id) => Some(*id),
            Self::Nothing => None,
        }
    }
}

/// The successful replies of an operation.
#[derive(Clone, Debug, Default)]
pub struct Successes {
    /// What the call returns.
    pub output: Output,
    /// The statuses with the content, if there is one content.
    pub statuses: Vec<Status>,
    /// The statuses that can be without a content.
    pub empty: Vec<Status>,
    /// The statuses of the variants, if the output is an enum.
    pub cases: Vec<ReplyCase>,
    /// The media types that are decoded, as written.
    pub accept: Vec<String>,
    /// The methods that read replies while they are received, and then the methods for other media types.
    pub streams: Vec<StreamReply>,
}

impl Successes {
    /// Returns the named types of all contents.
    pub fn types(&self) -> impl Iterator<Item = TypeId> {
        let streams = self.streams.iter().filter_map(|stream| stream.output.named());
        self.output.named().into_iter().chain(streams)
    }

    /// Returns the `Accept` header, if it differs from the default.
    pub fn accept_header(&self) -> Option<String> {
        let is_raw = matches!(
            self.output,
            Output::One(Content::Text | Content::Bytes)
                | Output::Optional(Content::Text | Content::Bytes)
        );
        let json = "application/json";
        let is_any = !is_raw && self.accept.iter().any(|name| name == "*/*");
        let names = self.accept.iter().map(String::as_str).filter(|name| !is_any || *name != json);
        let names: Vec<_> = is_any.then_some(json).into_iter().chain(names).collect();
        names.iter().any(|name| *name != json).then(|| names.join(", "))
    }
}

/// A reply that another method reads: while it is received, or of another media type.
#[derive(Clone, Debug)]
pub struct StreamReply {
    /// The parts that it is read in.
    pub kind: StreamKind,
    /// The method of the request.
    pub method: MethodName,
    /// The media types.
    pub media: String,
    /// The statuses with the content.
    pub statuses: BTreeSet<Status>,
    /// The content of a part: one, or the enum of the data of events.
    pub output: Output,
    /// The data after which nothing follows, if it is another than usual.
    pub sentinel: Option<String>,
    /// The field of the body that asks for the stream.
    pub property: Option<FieldName>,
    /// The JSON pointer to the media type.
    pub pointer: String,
}

impl StreamReply {
    /// The data after which nothing usually follows.
    pub const SENTINEL: &'static str = "[DONE]";
}

/// The parts of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StreamKind {
    /// Bytes as they are received.
    Bytes,
    /// Server-sent events.
    Events,
    /// Lines of JSON.
    Lines,
    /// None: the whole text, or all bytes.
    Whole,
}

impl StreamKind {
    /// Returns the word for the parts.
    pub fn parts(self) -> &'static str {
        if self == Self::Bytes { "bytes" } else { self.method() }
    }

    /// Returns the name of the method.
    pub fn method(self) -> &'static str {
        match self {
            Self::Bytes => "stream",
            Self::Events => "events",
            Self::Lines => "lines",
            Self::Whole => "reply",
        }
    }
}

/// A status with the content that the spec declares for it.
#[derive(Clone, Debug)]
pub struct ReplyCase {
    pub status: Status,
    /// The content; only a successful reply can have `None`.
    pub content: Option<Content>,
    /// The variant of the enum of the contents, if there is one.
    pub variant: Option<VariantName>,
    /// The media type that has the content, unless all others of the status have it.
    pub media: Option<String>,
}

/// The status, and the media type if there are several.
impl fmt::Display for ReplyCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let media = self.media.iter().map(|media| format!(" as {media}"));
        write!(f, "{}{}", self.status, media.collect::<String>())
    }
}
