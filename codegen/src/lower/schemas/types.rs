//! The named types: ids, shapes, and final names.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::document::Pointer;
use crate::ir::{
    Docs, JsonKind, ModuleName, ModulePath, Origin, Shape, Struct, StructId, Type, TypeDef, TypeId,
    TypeName,
};
use crate::lower::{Context, Owner};
use crate::names::{self, NameRequest, Priority};

/// The type of a schema, and whether null is allowed for it.
#[derive(Clone, Debug)]
pub struct Typed {
    pub ty: Type,
    pub nullable: bool,
}

impl Typed {
    pub fn new(ty: Type) -> Self {
        Self { ty, nullable: false }
    }

    /// Returns the type at a place without a field: of a response body, the elements of a list, the values of a map. Any
    /// JSON value can be null.
    pub fn into_element(self) -> Type {
        match self.ty {
            Type::Value => Type::Value,
            ty if self.nullable => Type::Nullable(Box::new(ty)),
            ty => ty,
        }
    }
}

/// A type without its final name.
#[derive(Debug)]
struct TypeDraft {
    /// The type, with its preferred name.
    definition: TypeDef,
    owner: Owner,
    pointer: Pointer,
}

impl TypeDraft {
    /// Returns the request for the name. After a collision, a component adds words for its spelling, and a derived name
    /// adds a word for the kind of the type.
    fn name_request(&self) -> NameRequest<'_> {
        let raw = self.owner.name();
        let priority = self.owner.priority;
        let request = NameRequest { priority, ..NameRequest::new(raw.clone(), &self.pointer) };
        let what = match (&self.definition.shape, &self.definition.origin) {
            (_, Origin::Component(_)) => return request,
            (_, Origin::RequestBody(_)) => ["Body", "RequestBody"],
            (_, Origin::ResponseBody(_)) => ["Body", "ResponseBody"],
            (_, Origin::Failures) => ["Failure", "FailureBody"],
            (Shape::Enum(_), _) => ["Kind", "Enum"],
            (Shape::Union(_) | Shape::Reply(_), _) => ["Kind", "Union"],
            (Shape::Struct(_), Origin::Element(_)) => ["Item", "Element"],
            (Shape::Struct(_), _) => ["Value", "Object"],
        };
        let full = self.owner.full_name();
        let [longer, other] = what.map(|what| format!("{full}{what}"));
        let checked = format!("{longer}_{:08x}", names::checksum(&format!("2{}", self.pointer)));
        let candidates = [raw, full, longer, other, checked].map(Cow::from).into();
        NameRequest { candidates, is_hashed: true, ..request }
    }
}

#[derive(Default)]
pub struct Types {
    /// The types by id; `None` for those not lowered yet.
    drafts: Vec<Option<TypeDraft>>,
    /// The types of inline schemas, by place, so that each schema becomes one type.
    inline: HashMap<InlinePlace, TypeId>,
    /// The enums whose unknown values are never drift.
    pub any_text: HashSet<TypeId>,
    /// The schemas to which only forms of one kind refer, by place.
    pub schemas_of_forms: HashSet<Pointer>,
}

#[derive(PartialEq, Eq, Hash)]
struct InlinePlace {
    /// The schemas that apply to its values.
    schemas: Vec<Pointer>,
    /// The file of the type, if the schemas are read together with others.
    file: Option<(ModulePath, ModuleName)>,
}

impl Types {
    pub fn reserve(&mut self) -> TypeId {
        self.drafts.push(None);
        TypeId::new(self.drafts.len() - 1)
    }

    /// Returns the type of the values to which some inline schemas apply, and whether it is new: not defined yet.
    pub fn inline(&mut self, schemas: Vec<Pointer>, owner: &Owner) -> (TypeId, bool) {
        let file = || (owner.module.clone(), owner.file.clone());
        let place = InlinePlace { schemas, file: owner.is_met.then(file) };
        if let Some(known) = self.inline.get(&place) {
            return (*known, false);
        }
        let id = self.reserve();
        self.inline.insert(place, id);
        (id, true)
    }

    /// Defines a type whose id was reserved.
    pub fn place(
        &mut self,
        id: TypeId,
        pointer: &Pointer,
        owner: &Owner,
        docs: Docs,
        shape: Shape,
    ) {
        let owner = owner.placed().into_owned();
        let definition = TypeDef {
            name: names::type_name(&owner.name()),
            module: owner.module.clone(),
            file: owner.file.clone(),
            origin: owner.origin.clone(),
            docs,
            in_requests: false,
            is_emitted: false,
            derives: Vec::new(),
            shape,
            pointer: pointer.to_string(),
        };
        self.drafts[id.index()] = Some(TypeDraft { definition, owner, pointer: pointer.clone() });
    }

    pub fn shape(&self, ty: &Type) -> Option<&Shape> {
        let Type::Named(id) = ty else { return None };
        Some(&self.drafts.get(id.index())?.as_ref()?.definition.shape)
    }

    /// Returns the name of a type in the spelling of the document.
    pub fn raw_name(&self, id: TypeId) -> String {
        let draft = self.drafts.get(id.index()).and_then(Option::as_ref);
        draft.map(|draft| draft.owner.name()).unwrap_or_default()
    }

    /// Returns whether the name of a type is derived from the context of its schema.
    pub fn is_derived(&self, ty: &Type) -> bool {
        let draft = ty.named().and_then(|id| self.drafts.get(id.index())?.as_ref());
        draft.is_some_and(|draft| draft.owner.priority == Priority::Derived)
    }

    /// Returns whether values are lists or objects, or can be.
    pub fn is_container(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(_) => !matches!(self.shape(ty), Some(Shape::Enum(_))),
            ty => matches!(ty.kind(), Some(JsonKind::Array | JsonKind::Object)),
        }
    }

    pub fn as_struct(&self, ty: &Type) -> Option<(StructId, &Struct)> {
        match (ty, self.shape(ty)?) {
            (Type::Named(id), Shape::Struct(object)) => Some((StructId::new(*id), object)),
            _ => None,
        }
    }

    /// Replaces the shape of a type in a form, whose place is the first one. A type that is also used elsewhere stays:
    /// if it `is_own`, the form gets another one with the shape, which it shares with equal places.
    pub fn replace(
        &mut self,
        ty: &mut Type,
        shape: Shape,
        is_own: bool,
        (place, owner): (&[Pointer], &Owner),
    ) {
        let Type::Named(id) = ty else { return };
        let Some(Some(draft)) = self.drafts.get_mut(id.index()) else { return };
        let Some(first) = place.first() else { return };
        let is_of_form = |it: &Pointer| it == first || self.schemas_of_forms.contains(it);
        if !is_own || draft.pointer.and_outer().any(is_of_form) {
            draft.definition.shape = shape;
            return;
        }
        let docs = draft.definition.docs.clone();
        let schemas = [place, std::slice::from_ref(&draft.pointer)].concat();
        (*id, _) = self.inline(schemas, owner);
        self.place(*id, first, owner, docs, shape);
    }

    /// Returns the types with their final names, unique in each module.
    pub fn named(self, context: &Context<'_>) -> Vec<TypeDef> {
        let mut drafts: Vec<TypeDraft> = self.drafts.into_iter().flatten().collect();
        name_files(&mut drafts);
        warn_of_cut_modules(&drafts, context);
        let mut modules: BTreeMap<ModulePath, Vec<usize>> = BTreeMap::new();
        for (index, draft) in drafts.iter().enumerate() {
            modules.entry(draft.definition.module.clone()).or_default().push(index);
        }
        for members in modules.into_values() {
            let requests = members.iter().map(|&index| drafts[index].name_request());
            let what = |name: &TypeName| format!("the type `{name}`");
            let given = context.assign(requests, |_, text| names::type_name(text), what);
            for (index, name) in members.into_iter().zip(given) {
                drafts[index].definition.name = name;
            }
        }
        for id in self.any_text {
            if let Shape::Enum(values) = &mut drafts[id.index()].definition.shape {
                values.takes_any = true;
            }
        }
        drafts.into_iter().map(|draft| draft.definition).collect()
    }
}

/// Warns of modules whose names are cut, at the outermost type that a shorter name would give another module. The enum of
/// the bodies of errors has no place to name.
fn warn_of_cut_modules(drafts: &[TypeDraft], context: &Context<'_>) {
    let has_place = |it: &&TypeDraft| !matches!(it.definition.shape, Shape::Reply(_));
    let drafts = drafts.iter().filter(has_place);
    let is_within = |it: &&TypeDraft| it.definition.module.segments().iter().any(names::is_cut);
    let is_cut = |it: &&TypeDraft| is_within(it) || names::is_cut(&it.definition.file);
    let cut: HashMap<_, _> = drafts.clone().filter(is_cut).map(|it| (&it.pointer, it)).collect();
    let outer = |it: &TypeDraft| it.pointer.and_outer().filter_map(|it| cut.get(it)).last();
    let found = drafts.filter(is_within).filter_map(outer).map(|it| (it.pointer.to_string(), *it));
    for draft in found.collect::<BTreeMap<_, _>>().into_values() {
        let what = format!("the module of the types within `{}`", draft.definition.name);
        names::hashed(&what, &draft.pointer, &mut context.diagnostics());
    }
}

/// Gives the files of types names that differ from the names of the modules next to and around them.
fn name_files(drafts: &mut [TypeDraft]) {
    let mut modules: HashSet<ModulePath> = HashSet::new();
    for draft in drafts.iter() {
        let mut module = draft.definition.module.clone();
        while !module.0.is_empty() && modules.insert(module.clone()) {
            module.0.pop();
        }
    }
    for TypeDef { module, file, .. } in drafts.iter_mut().map(|draft| &mut draft.definition) {
        let inner = ModulePath([module.segments(), std::slice::from_ref(&*file)].concat());
        if modules.contains(&inner)
            || file.bare() == module.0.last().map_or("models", ModuleName::bare)
        {
            *file = names::module(&format!("{}_type", file.bare()));
        }
    }
}
