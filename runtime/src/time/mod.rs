//! Clocks, the time limits that they measure, and bounds of the times that servers set.

pub(crate) mod bounds;
pub(crate) mod clock;
pub(crate) mod deadline;
pub(crate) mod future;
pub(crate) mod pointers;
