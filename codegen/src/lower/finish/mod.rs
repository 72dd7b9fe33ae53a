//! The last steps: boxes, the order of operations, and which types requests carry.

mod recursion;
mod requests;

use crate::ir::Api;

/// Completes an API.
pub fn finish(api: &mut Api) {
    recursion::relax_required_cycles(&mut api.types);
    recursion::box_cycles(&mut api.types);
    api.recursion_limit = recursion::limit(&api.types);
    for resource in &mut api.resources {
        resource.operations.sort_by(|left, right| left.method_name.cmp(&right.method_name));
    }
    requests::mark(api);
}
