//! The methods that use an item.

use std::collections::{BTreeSet, VecDeque};
use std::iter;

use crate::items::{MemberKind, Path, PublicApi};

/// Maximum number of members on the way from a method to an item.
const MAX_MEMBERS: usize = 16;

/// The uses of the items of a crate.
pub(super) struct Uses<'a> {
    /// The items in order; the others have the same indices.
    items: Vec<&'a Path>,
    /// The fields, arguments and results that have an item, with the indices of their items.
    users: Vec<Vec<(usize, String)>>,
    /// The operation whose request an item is: the handle, and the call such as `tasks().get`.
    operations: Vec<Option<(&'a Path, String)>>,
}

impl<'a> Uses<'a> {
    /// Finds the uses.
    pub(super) fn new(api: &'a PublicApi) -> Self {
        let items: Vec<&Path> = api.items.keys().collect();
        let mut users = vec![Vec::new(); items.len()];
        for member in api.members().filter(|member| member.kind != MemberKind::Trait) {
            let Ok(user) = items.binary_search(&member.path) else { continue };
            for named in member.named_items().filter(|named| *named != member.path) {
                if let Ok(named) = items.binary_search(&named) {
                    users[named].push((user, member.id()));
                }
            }
        }
        let mut operations = vec![None; items.len()];
        for (method, request) in api.operations() {
            if let Ok(index) = items.binary_search(&request) {
                operations[index] = Some((method.path, api.call(method)));
            }
        }
        Self { items, users, operations }
    }

    /// Returns the number of operations of a handle.
    pub(super) fn operations(&self, handle: &Path) -> usize {
        self.operations.iter().flatten().filter(|(of, _)| *of == handle).count()
    }

    /// Returns the methods whose requests or results have an item, each with the first members that lead to it.
    pub(super) fn methods(&self, path: &Path) -> Vec<Vec<String>> {
        let Some(users) = self.users(path) else { return Vec::new() };
        let methods = self.operations.iter().zip(&users).filter_map(|(operation, first)| {
            let method = &operation.as_ref()?.1;
            let ways = iter::successors(Some(*first.as_ref()?), |way| users[way.as_ref()?.1]);
            let members = ways.flatten().skip(1).map(|(member, _)| member).take(MAX_MEMBERS);
            Some(iter::once(method).chain(members).cloned().collect())
        });
        methods.collect()
    }

    /// Returns the handles of the methods that use an item, or that an item consists of.
    pub(super) fn handles(&self, path: &Path) -> BTreeSet<&'a Path> {
        let own = self.operations.iter().flatten().filter(|(handle, _)| *handle == path);
        let users = self.users(path).unwrap_or_default();
        let used = self.operations.iter().zip(users).filter(|(_, user)| user.is_some());
        own.chain(used.filter_map(|(it, _)| it.as_ref())).map(|(handle, _)| *handle).collect()
    }

    /// Returns for each item whether it uses an item, or is it, and then the first member that leads to it, with the index of
    /// the item of that member's type. `None` if there is no such item.
    fn users(&self, path: &Path) -> Option<Vec<Option<Way<'_>>>> {
        let own = self.items.binary_search(&path).ok()?;
        let mut users = vec![None; self.items.len()];
        users[own] = Some(None);
        let mut waiting = VecDeque::from([own]);
        while let Some(index) = waiting.pop_front() {
            // A request belongs to one method; only the resource's handle names it.
            if self.operations[index].is_some() {
                continue;
            }
            for (user, member) in &self.users[index] {
                if users[*user].is_none() {
                    users[*user] = Some(Some((member, index)));
                    waiting.push_back(*user);
                }
            }
        }
        Some(users)
    }
}

/// A member, and the index of the item that it leads to; `None` at the end of the way.
type Way<'u> = Option<(&'u String, usize)>;
