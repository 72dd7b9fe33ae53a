//! The schemas under `components`: their modules and names first, their shapes once all are named.

use crate::document::{Pointer, Schema};
use crate::ir::{Docs, Shape, Type, TypeDef, TypeId};
use crate::lower::classify::{self as nature, Nature};
use crate::lower::names;
use crate::lower::{Lowering, Owner, Typed, docs};

/// A schema under `components`.
#[derive(Debug)]
pub(crate) struct Component<'d> {
    pub schema: &'d Schema,
    pub owner: Owner,
    pub state: State,
}

/// What is known of a component.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// It is a type of its own.
    Named(TypeId),
    /// It is an alias that nobody asked for yet.
    Transparent,
    /// It is an alias whose type is being found: to meet it again is a cycle.
    InProgress,
    /// It is an alias of this type.
    Resolved(Typed),
}

impl<'d> Lowering<'d> {
    /// Gives every component its module, its file and, where it needs one, its name.
    pub(crate) fn name_components(&mut self) {
        let document = self.document;
        let schemas = &document.openapi.components.schemas;
        for (key, schema) in schemas {
            let (module, base) = self.modules.split(key);
            let name = names::type_name(schema.rust_name.as_deref().unwrap_or(base));
            let file = self.modules.free_file(&module, name.as_str());
            let owner = Owner { module, file, name: name.to_string() };
            let state = if nature::of(schema, true) == Nature::Transparent {
                State::Transparent
            } else {
                State::Named(self.reserve())
            };
            self.components.insert(key, Component { schema, owner, state });
        }
    }

    /// Lowers the shape of every component that is a type of its own, and finds the type of every other.
    pub(crate) fn lower_components(&mut self) {
        let document = self.document;
        for (key, _) in &document.openapi.components.schemas {
            let Some(component) = self.components.get(key.as_str()) else {
                continue;
            };
            let (schema, owner) = (component.schema, component.owner.clone());
            match component.state {
                State::Named(id) => self.define(id, schema, &owner, Some(key)),
                _ => drop(self.component_type(key)),
            }
        }
    }

    /// Returns the type of a component, or `None` if there is no component of that key.
    pub(crate) fn component_type(&mut self, key: &str) -> Option<Typed> {
        let component = self.components.get_mut(key)?;
        let schema = component.schema;
        match &component.state {
            State::Named(id) => {
                Some(Typed { ty: Type::Named(*id), nullable: Self::says_nullable(schema) })
            }
            State::Resolved(typed) => Some(typed.clone()),
            State::InProgress => {
                self.cyclic_reference(schema);
                Some(Typed::new(Type::Value))
            }
            State::Transparent => {
                component.state = State::InProgress;
                let owner = component.owner.clone();
                let typed = self.type_of(schema, &owner);
                if let Some(component) = self.components.get_mut(key) {
                    component.state = State::Resolved(typed.clone());
                }
                Some(typed)
            }
        }
    }

    /// Makes room for a type whose shape comes later.
    pub(crate) fn reserve(&mut self) -> TypeId {
        self.types.push(None);
        TypeId::new(self.types.len() - 1)
    }

    /// Lowers the shape of a schema into the room that was made for it.
    pub(crate) fn define(
        &mut self,
        id: TypeId,
        schema: &'d Schema,
        owner: &Owner,
        component: Option<&str>,
    ) {
        let shape = self.shape_of(schema, owner, component.is_some());
        let docs = docs(schema.description.as_ref(), schema.title.as_ref(), schema.deprecated);
        self.place(id, &schema.pointer, owner, component, docs, shape);
    }

    /// Puts a finished shape into the room that was made for it.
    pub(crate) fn place(
        &mut self,
        id: TypeId,
        pointer: &Pointer,
        owner: &Owner,
        component: Option<&str>,
        docs: Docs,
        shape: Shape,
    ) {
        let name = names::type_name(&owner.name);
        let what = format!("the type `{name}`");
        self.type_names.take(
            (owner.module.clone(), name.clone()),
            pointer,
            &what,
            self.diagnostics,
        );
        let definition = TypeDef {
            aliases: Vec::new(),
            name,
            module: owner.module.clone(),
            file: owner.file.clone(),
            leads_file: component.is_some(),
            component: component.map(str::to_owned),
            docs,
            in_requests: false,
            shape,
            pointer: pointer.to_string(),
        };
        if let Some(room) = self.types.get_mut(id.index()) {
            *room = Some(definition);
        }
    }
}
