//! Paths of items.

use std::borrow::Borrow;
use std::fmt;

/// The path of an item below the root of the emitted crate, such as `models::Task`; also the path of a cargo feature.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(String);

/// The prefix of the paths of cargo features, which have their own namespace.
const FEATURES: &str = "features::";

impl Path {
    /// The path of the client.
    pub const CLIENT: &'static str = "Client";

    /// The builder of clients.
    pub const BUILDER: &'static str = "ClientBuilder";

    /// Wraps a path as Rust code refers to it.
    pub fn new(path: impl Into<String>) -> Self {
        Self(path.into())
    }

    /// Returns the path of a cargo feature.
    pub fn of_feature(name: &str) -> Self {
        Self([FEATURES, name].concat())
    }

    /// Returns the path of an item in a module, or of a member of a type.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        Self([&self.0, "::", name].concat())
    }

    /// Returns the path as Rust code refers to it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of the cargo feature, if it is one.
    pub fn feature(&self) -> Option<&str> {
        self.0.strip_prefix(FEATURES)
    }

    /// Returns the module or the type that has the item, and the item's name; `None` in the root of the crate.
    pub fn split(&self) -> Option<(&str, &str)> {
        self.0.rsplit_once("::")
    }

    /// Returns the last segment.
    pub fn name(&self) -> &str {
        self.split().map_or(&self.0, |(_, name)| name)
    }

    /// Returns the paths of the modules that contain the item, from the outermost.
    pub fn modules(&self) -> impl Iterator<Item = Self> {
        self.0.match_indices("::").map(|(end, _)| Self::new(&self.0[..end]))
    }

    /// Returns whether the item is a model.
    pub fn is_model(&self) -> bool {
        self.0.starts_with("models::")
    }

    /// Returns whether the item belongs to a resource: its handle or a request.
    pub fn is_resource(&self) -> bool {
        self.0.starts_with("resources::")
    }
}

impl Borrow<str> for Path {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
