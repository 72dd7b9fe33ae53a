//! How a test is ended.

/// Ends the test.
#[track_caller]
#[expect(clippy::panic, reason = "only tests use this module, and a test fails by panicking")]
pub(super) fn refuse(fault: &str) -> ! {
    panic!("{fault}")
}
