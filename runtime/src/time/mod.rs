//! Clocks, and the time limits that they measure.

pub(crate) mod clock;
pub(crate) mod deadline;
