//! Shared by the tests of the generator.

pub mod case;
pub mod shown;
pub mod sources;
pub mod tree;
pub mod workspace;
