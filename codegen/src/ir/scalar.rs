//! The scalars with a type of their own. All that follows from one is in its row; a text without a format is none of them.

use super::JsonKind;

/// Writes the enum of the scalars, and the rows.
macro_rules! scalars {
    ($(
        $(#[$docs:meta])*
        $scalar:ident: $rust:literal, $kind:ident, $format:expr, $sample:literal;
    )+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Scalar {
            $($(#[$docs])* $scalar,)+
        }

        impl Scalar {
            const ALL: &[Self] = &[$(Self::$scalar),+];

            pub fn row(self) -> ScalarRow {
                match self {
                    $(Self::$scalar => ScalarRow {
                        rust: $rust,
                        kind: JsonKind::$kind,
                        format: $format,
                        sample: $sample,
                    },)+
                }
            }
        }
    };
}

/// What follows from a scalar.
pub struct ScalarRow {
    /// The type in Rust; one of the runtime is re-exported by every crate.
    pub rust: &'static str,
    pub kind: JsonKind,
    /// The format of texts that have this type.
    pub format: Option<&'static str>,
    /// An argument in a program: an expression, or the text that a type of the runtime is parsed from.
    pub sample: &'static str,
}

scalars! {
    Bool: "bool", Boolean, None, "true";
    Int32: "i32", Number, None, "1";
    Int64: "i64", Number, None, "1";
    UInt32: "u32", Number, None, "1";
    UInt64: "u64", Number, None, "1";
    /// An `i64` or a `u64`.
    Int128: "i128", Number, None, "1";
    Float64: "f64", Number, None, "1.0";
    Int64Text: "i64", String, Some("int64"), "1";
    UInt64Text: "u64", String, Some("uint64"), "1";
    /// An instant, as text (RFC 3339).
    Timestamp: "runtime::Timestamp", String, Some("date-time"), "2026-01-02T03:04:05Z";
}

impl Scalar {
    /// Returns the scalar of texts with this format.
    pub fn of_format(format: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|scalar| scalar.row().format == Some(format))
    }

    /// Returns the scalars whose types are those of the runtime.
    pub fn of_runtime() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|scalar| scalar.is_of_runtime())
    }

    /// Returns the type in Rust without its module.
    pub fn name(self) -> &'static str {
        self.row().rust.trim_start_matches("runtime::")
    }

    /// Returns whether the type is one of the runtime.
    pub fn is_of_runtime(self) -> bool {
        self.row().rust.starts_with("runtime::")
    }

    /// Returns whether the values are integers in Rust.
    pub fn is_integer(self) -> bool {
        self.row().rust.starts_with(['i', 'u'])
    }

    /// Returns whether the values are integers without a sign in Rust.
    pub fn is_unsigned(self) -> bool {
        self.row().rust.starts_with('u')
    }

    /// Returns the scalar with the same type in Rust that JSON does not have as text.
    #[must_use]
    pub fn in_rust(self) -> Self {
        let same = Self::ALL.iter().copied().find(|other| other.row().rust == self.row().rust);
        same.unwrap_or(self)
    }
}
