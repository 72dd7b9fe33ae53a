//! Where overlays wrote the values of a document.

use crate::source_map::{Pointer, array_index};

/// What overlays changed, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins(Vec<Applied>);

#[derive(Clone, Debug)]
enum Applied {
    /// A value, and its place in an overlay.
    Written(Pointer, Pointer),
    /// A value that an action removed; whether it was an element of a list, whose later elements moved forward.
    Removed(Pointer, Pointer, bool),
}

impl Origins {
    /// Returns where the value at a pointer is written.
    pub(crate) fn of(&self, pointer: &Pointer) -> Pointer {
        let mut before = pointer.clone();
        if pointer.file().is_some() {
            return before;
        }
        for change in self.0.iter().rev() {
            match change {
                Applied::Written(value, origin) => {
                    if let Some(written) = before.moved(value, origin) {
                        return written;
                    }
                }
                Applied::Removed(element, _, true) => before = moved_back(before, element),
                Applied::Removed(..) => {}
            }
        }
        before
    }

    /// Returns the action that removed a value, or a value around it.
    pub(crate) fn removal(&self, pointer: &Pointer) -> Option<&Pointer> {
        self.0.iter().rev().find_map(|change| match change {
            Applied::Removed(value, action, false) => pointer.moved(value, value).map(|_| action),
            _ => None,
        })
    }

    /// Adds a value that an overlay wrote.
    pub(crate) fn write(&mut self, pointer: Pointer, origin: Pointer) {
        self.0.push(Applied::Written(pointer, origin));
    }

    /// Adds a value of an object or a list that an action removed.
    pub(crate) fn remove(&mut self, pointer: Pointer, is_element: bool, action: Pointer) {
        self.0.push(Applied::Removed(pointer, action, is_element));
    }

    /// Adds the changes of others.
    pub(super) fn absorb(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

/// Returns where a value was before an element of a list was removed.
fn moved_back(pointer: Pointer, removed: &Pointer) -> Pointer {
    let depth = removed.segments().len();
    let segments = pointer.segments();
    let index = removed.last().and_then(array_index).zip(removed.parent());
    let moved = index.and_then(|(removed, list)| {
        let at = depth.checked_sub(1).and_then(|depth| segments.get(depth))?;
        let at = array_index(at).filter(|at| *at >= removed)?;
        pointer.moved(&list.join_index(at), &list.join_index(at + 1))
    });
    moved.unwrap_or(pointer)
}
