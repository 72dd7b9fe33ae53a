//! Clocks, the time limits that they measure, and bounds of the times that servers set.

#[cfg(feature = "client")]
pub(crate) mod bounds;
#[cfg(feature = "client")]
pub(crate) mod clock;
#[cfg(feature = "client")]
pub(crate) mod deadline;
pub(crate) mod future;
#[cfg(feature = "client")]
pub(crate) mod pointers;
