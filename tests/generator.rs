//! The generator, seen from outside: what it emits, what it says, what it withstands, and what its output keeps users
//! from doing.

mod attacks;
mod compile_fail;
mod determinism;
mod features;
mod snapshots;
mod support;
