//! What the tests of the generator share.

pub mod case;
pub mod sources;
pub mod tree;
pub mod workspace;
