//! The files as parts of the work, which can be written in any order: no file's text depends on another's.

use std::sync::OnceLock;

/// Who carries out the parts of the work: calls a function once with every number below a count, in any order, perhaps
/// several at a time, and returns when all calls have returned.
///
/// The generator starts no threads of its own; its caller may have some.
pub type Workers<'w> = &'w dyn Fn(usize, &(dyn Fn(usize) + Sync));

/// One part after the other.
pub const IN_TURN: Workers<'static> = &|count, part| (0..count).for_each(part);

/// Returns what `write` makes of each of the parts, in their order. A part that the workers leave out is not lost.
pub fn map<T: Sync, R: Send + Sync>(
    parts: &[T],
    workers: Workers<'_>,
    write: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let written: Vec<OnceLock<R>> = parts.iter().map(|_| OnceLock::new()).collect();
    workers(parts.len(), &|index| {
        if let (Some(part), Some(place)) = (parts.get(index), written.get(index)) {
            place.get_or_init(|| write(part));
        }
    });
    let places = parts.iter().zip(written);
    places.map(|(part, place)| place.into_inner().unwrap_or_else(|| write(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::{IN_TURN, map};

    #[test]
    fn results_keep_the_order_of_the_parts_whoever_does_the_work() {
        let parts = [1, 2, 3, 4];
        let doubled = |workers| map(&parts, workers, |part| part * 2);
        assert_eq!(doubled(IN_TURN), [2, 4, 6, 8]);
        assert_eq!(doubled(&|count, part| (0..count).rev().for_each(part)), [2, 4, 6, 8]);
        assert_eq!(doubled(&|count, part| (1..count).chain(2..9).for_each(part)), [2, 4, 6, 8]);
    }
}
