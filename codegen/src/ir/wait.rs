//! Ends of waits.

/// The condition that ends a wait for an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitEnd {
    /// The names of the properties from the response to the property that decides.
    pub property: Vec<String>,
    /// The values that end the wait; if empty, the presence of the property ends it.
    pub values: Vec<String>,
}
