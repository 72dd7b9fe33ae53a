//! The replies of operations that are not one JSON body: the bodies of errors.

use std::fmt;

use super::{Content, TypeId, VariantName};

/// The declared bodies of the errors of an operation.
#[derive(Clone, Debug)]
pub struct Failures {
    /// The enum of the bodies, if statuses have different ones.
    pub union: Option<TypeId>,
    /// The statuses with a body: codes, then ranges, then the default.
    pub cases: Vec<ReplyCase>,
}

/// A status with the content that the spec declares for it.
#[derive(Clone, Debug)]
pub struct ReplyCase {
    /// The status.
    pub status: Status,
    /// The content.
    pub content: Content,
    /// The variant of the enum of the contents, if there is one.
    pub variant: Option<VariantName>,
}

/// A status, or a range of statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// One status code.
    Code(u16),
    /// The statuses with this first digit.
    Range(u8),
    /// All that the operation does not declare.
    Default,
}

impl Status {
    /// Returns whether the range contains the statuses of another key.
    pub fn contains(self, other: Self) -> bool {
        match (self, other) {
            (Self::Default, _) => true,
            (Self::Range(range), Self::Code(code)) => code / 100 == u16::from(range),
            (one, other) => one == other,
        }
    }
}

/// The key in the document; that of the default is a phrase.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{code}"),
            Self::Range(range) => write!(f, "{range}XX"),
            Self::Default => f.write_str("any other status"),
        }
    }
}
