//! Clocks, the time limits that they measure, and dates in headers.

pub(crate) mod clock;
pub(crate) mod deadline;
pub(crate) mod http_date;
