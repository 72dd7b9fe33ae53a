//! Panics of test utilities.

/// Ends the test.
#[track_caller]
#[expect(clippy::panic, reason = "only tests use this module")]
pub(super) fn refuse(fault: &str) -> ! {
    panic!("{fault}")
}
