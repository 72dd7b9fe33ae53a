//! Finds members by name.

use super::table::{Described, Member};

/// Where the members of a table are by the hash of their names.
pub(super) struct Places {
    /// Indices of members, plus one. Zero is a free place. The length is a power of two, and at least twice the number
    /// of members.
    members: Box<[u16]>,
    /// How many bits of a hash are not used.
    shift: u32,
}

impl Places {
    /// Returns where `members` are. Groups have no name.
    pub(super) fn of(members: &[Member]) -> Self {
        let size = (members.len() * 2).next_power_of_two().max(2);
        let shift = u64::BITS - size.ilog2();
        let mut places = vec![0; size].into_boxed_slice();
        for (number, member) in (1..=u16::MAX).zip(members).filter(|(_, member)| !member.group) {
            let mut place = start(member.name, shift);
            while places[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            places[place] = number;
        }
        Self { members: places, shift }
    }
}

impl Described {
    /// Returns the index of the member called `name`, which is probably `next`: servers keep an order.
    pub(super) fn position(&self, name: &str, next: usize) -> Option<usize> {
        if self.is(next, name) {
            return Some(next);
        }
        let Places { members, shift } = &self.places;
        let mut place = start(name, *shift);
        loop {
            let index = usize::from(*members.get(place)?).checked_sub(1)?;
            if self.is(index, name) {
                return Some(index);
            }
            place = (place + 1) & (members.len() - 1);
        }
    }

    /// Tells whether the member at `index` is called `name`.
    fn is(&self, index: usize, name: &str) -> bool {
        self.members.get(index).is_some_and(|member| member.name == name && !member.group)
    }
}

/// Returns where the search for `name` starts. The beginning and the end of a name tell most names apart.
fn start(name: &str, shift: u32) -> usize {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let bytes = name.as_bytes();
    let (head, tail) = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => (bytes.iter().fold(0, |head, byte| head << 8 | u64::from(*byte)), 0),
    };
    let mixed = head.wrapping_mul(SPREAD).rotate_left(32) ^ tail ^ (bytes.len() as u64);
    usize::try_from(mixed.wrapping_mul(SPREAD) >> shift).unwrap_or_default()
}
