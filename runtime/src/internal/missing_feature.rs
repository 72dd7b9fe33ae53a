//! The handle of a resource that is not compiled.

/// The handle of a resource whose cargo feature is not enabled. It has no operations, so that a call does not compile; the
/// compiler's warning for the method that returns it names the feature.
#[derive(Clone, Copy, Debug)]
pub struct MissingFeature;
