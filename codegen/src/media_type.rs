//! Media types (RFC 9110, section 8.3.1), and the kind of content that they name.

/// The kind of content that a media type names, in the order in which one of several is the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MediaKind {
    /// JSON, or a range that includes it.
    Json,
    /// A form in parts.
    Multipart,
    /// A form (`application/x-www-form-urlencoded`).
    Form,
    /// A text without a syntax.
    Text,
    /// XML. Files in XML, such as `image/svg+xml`, are bytes.
    Xml,
    /// Anything else: bytes.
    Other,
}

impl MediaKind {
    /// Returns the kind of a media type, with or without parameters.
    pub fn of(name: &str) -> Self {
        match essence(name).as_str() {
            "application/json" | "text/json" | "*/*" | "application/*" => Self::Json,
            "application/x-www-form-urlencoded" => Self::Form,
            essence if essence.starts_with("multipart/") => Self::Multipart,
            "text/plain" | "text/*" => Self::Text,
            "application/xml" | "text/xml" => Self::Xml,
            essence if essence.ends_with("+json") => Self::Json,
            essence if essence.starts_with("application/") && essence.ends_with("+xml") => {
                Self::Xml
            }
            _ => Self::Other,
        }
    }

    /// Returns whether content is a form.
    pub fn is_form(self) -> bool {
        matches!(self, Self::Form | Self::Multipart)
    }

    /// Returns whether content of media types, separated by commas, is bytes: none of them is text, a form or JSON, and a
    /// range is not only for text.
    pub fn is_bytes(names: &str) -> bool {
        names.split(',').map(essence).all(|essence| match Self::of(&essence) {
            Self::Json => essence.ends_with("/*"),
            Self::Multipart => true,
            Self::Other => !essence.starts_with("text/"),
            Self::Form | Self::Text | Self::Xml => false,
        })
    }
}

/// Returns whether content of a media type is a JSON merge patch (RFC 7396).
pub fn is_merge_patch(name: &str) -> bool {
    essence(name) == "application/merge-patch+json"
}

/// Returns a media type without its parameters.
pub fn without_parameters(name: &str) -> &str {
    name.split(';').next().unwrap_or_default().trim()
}

/// Returns the parameters of a media type.
pub fn parameters(name: &str) -> &str {
    name.split_once(';').map_or("", |(_, parameters)| parameters.trim())
}

/// Returns a media type without its parameters, in lower case.
pub fn essence(name: &str) -> String {
    without_parameters(name).to_ascii_lowercase()
}
