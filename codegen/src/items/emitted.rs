//! What only the emitted code has of items: their files, and the order of the parts of bodies.

use std::collections::BTreeSet;

use super::print::quoted;
use super::{Body, Definition, MemberRef, Path, PublicApi, Wire, requests};
use crate::ir::{Api, FieldWire, Shape};

impl PublicApi {
    /// Adds the files of models, handles and requests, and the order of the parts of bodies.
    pub(super) fn add_emitted(&mut self, api: &Api) {
        let bodies = self.bodies_in_parts();
        for definition in &api.types {
            let path = Path::new(definition.path());
            let Some(item) = self.items.get_mut(&path) else { continue };
            let (module, file) = definition.place();
            item.file = Some(module.file(file.bare()));
            if let (Shape::Struct(object), true) = (&definition.shape, bodies.contains(&path)) {
                let parts = object.fields.iter().map(|field| match &field.wire {
                    FieldWire::Property(name) => quoted(name),
                    FieldWire::Flattened => field.name.as_str().to_owned(),
                });
                item.parts = parts.collect();
            }
        }
        for resource in &api.resources {
            let operations = resource.operations.iter();
            let requests = operations.map(|operation| requests::request(resource, operation));
            let handle = resource.handle.as_ref().map(|_| requests::owner(resource));
            for path in requests.chain(handle) {
                if let Some(item) = self.items.get_mut(&path) {
                    item.file = Some(resource.file());
                }
            }
        }
    }

    /// Returns the types of bodies in parts, of their variants, and of the unions next to their properties.
    fn bodies_in_parts(&self) -> BTreeSet<Path> {
        let requests = self.items.values().filter(|item| {
            item.operation().is_some_and(|it| it.media_type().starts_with("multipart/"))
        });
        let types = requests.filter_map(|item| match item.body()? {
            Body::Value(ty) => ty.as_item(),
            _ => None,
        });
        let mut waiting: Vec<&Path> = types.collect();
        let mut found = BTreeSet::new();
        while let Some(path) = waiting.pop() {
            let Some(whole) = self.whole(path).filter(|_| found.insert(path.clone())) else {
                continue;
            };
            let inner = whole.item.members(path).filter(|member| match member.definition {
                Some(Definition::Variant(_, wire)) => wire.is_none(),
                Some(Definition::Field(_, Wire::Property(property))) => property.name.is_none(),
                _ => false,
            });
            waiting.extend(inner.flat_map(MemberRef::named_items));
        }
        found
    }
}
