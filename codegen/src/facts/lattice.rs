//! What schemas say, as a lattice.

/// What a schema allows: a lattice, with [`meet`](Lattice::meet) for schemas that all apply and [`join`](Lattice::join) for
/// alternatives.
pub trait Lattice: Clone {
    /// Any value.
    const ANY: Self;

    /// No value.
    const NONE: Self;

    /// Returns what two schemas allow together, the later one first.
    #[must_use]
    fn meet(self, other: Self) -> Self;

    /// Returns what one or the other of two schemas allows.
    #[must_use]
    fn join(self, other: Self) -> Self;
}
