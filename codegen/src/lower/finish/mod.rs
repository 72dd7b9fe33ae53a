//! What is decided once everything else is: boxes, the order of items, and which types requests carry.

pub mod aliases;
mod recursion;
mod requests;
mod sort;

use crate::ir::Api;

/// Finishes an API.
pub fn finish(api: &mut Api) {
    recursion::relax_required_cycles(&mut api.types);
    recursion::box_cycles(&mut api.types);
    api.recursion_limit = recursion::limit(&api.types);
    sort::sort(api);
    requests::mark(api);
}
