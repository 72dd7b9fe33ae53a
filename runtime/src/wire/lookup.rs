//! Finds members by name.

use std::sync::OnceLock;

use super::object::Table;

/// How many members are compared one by one. Longer tables are searched by halves.
const FEW: usize = 16;

/// How far ahead a member is looked for before the whole table is searched. Servers keep the order of the description,
/// but leave members out.
const AHEAD: usize = 4;

/// The members of a long table, sorted by name. Made when it is first needed.
pub struct Order(OnceLock<Box<[usize]>>);

impl Order {
    /// Returns an order that is not made yet.
    #[expect(clippy::new_without_default, reason = "only tables have one, and they are constants")]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }
}

impl Table {
    /// Returns the index of the member called `name`, which is probably `next` or comes soon after.
    pub(super) fn position(&self, name: &str, next: usize) -> Option<usize> {
        let ahead = self.members.iter().enumerate().skip(next).take(AHEAD);
        for (index, member) in ahead {
            if member.name == name && !member.group {
                return Some(index);
            }
        }
        self.search(name)
    }

    fn search(&self, name: &str) -> Option<usize> {
        let members = self.members;
        if members.len() <= FEW {
            return members.iter().position(|member| member.name == name && !member.group);
        }
        let order = self.order.0.get_or_init(|| {
            let mut order: Box<[usize]> = (0..members.len()).filter(|&index| !members[index].group).collect();
            order.sort_by_key(|&index| members[index].name);
            order
        });
        let place = order.binary_search_by(|&index| members[index].name.cmp(name)).ok()?;
        order.get(place).copied()
    }
}
