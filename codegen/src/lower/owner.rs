//! The context of a schema, on which its name and its documentation depend.

use std::borrow::Cow;

use crate::document::Pointer;
use crate::ir::{ModuleName, ModulePath, Origin};
use crate::names::{self, Priority};

/// Maximum number of nested parts of a schema that are in one name: only references to parts of schemas nest deeper.
const MAX_PARTS: usize = 64;

/// The name and the module of an inline type.
#[derive(Clone, Debug)]
pub struct Owner {
    pub module: ModulePath,
    pub file: ModuleName,
    /// The name of the component or operation in the spelling of the document, or a pinned name.
    pub root: String,
    /// The key in `[renames]` that names the component, if there is one.
    pub rename: Option<String>,
    /// The nested parts. Few have their own type, so the name is derived only when it is needed.
    pub parts: Vec<NamePart>,
    pub priority: Priority,
    pub origin: Origin,
    /// Whether the schema is read together with others, so that its type is another one than at its own place.
    pub is_met: bool,
}

/// A nested part of a schema.
#[derive(Clone, Debug)]
pub enum NamePart {
    /// A property.
    Named(String),
    Variant(String),
    /// The elements of a list.
    Element,
}

impl NamePart {
    fn name(&self) -> String {
        match self {
            Self::Named(inner) | Self::Variant(inner) => names::camel(inner),
            Self::Element => "Item".to_owned(),
        }
    }
}

impl Owner {
    /// Returns the owner of the inline types in an element of the document.
    pub fn new(module: ModulePath, root: &str, origin: Origin) -> Self {
        Self {
            module,
            file: file(root),
            root: root.to_owned(),
            rename: None,
            parts: Vec::new(),
            priority: Priority::Derived,
            origin,
            is_met: false,
        }
    }

    pub fn property(&self, name: &str) -> Self {
        self.child(name, Origin::Property(name.to_owned()))
    }

    pub fn element(&self) -> Self {
        self.part(NamePart::Element, Origin::Element(Box::new(self.origin.clone())))
    }

    pub fn value(&self) -> Self {
        self.child("Value", Origin::Value(Box::new(self.origin.clone())))
    }

    pub fn variant(&self, name: &str) -> Self {
        self.part(NamePart::Variant(name.to_owned()), Origin::Variant(self.name()))
    }

    /// Returns the owner of the members of a struct. Those of a base are members of its component, from which others
    /// inherit them.
    pub fn of_members(&self) -> Cow<'_, Self> {
        match self.origin {
            Origin::Base(_) => {
                let parts = self.parts.split_last().map_or(&[][..], |(_, parts)| parts).to_vec();
                Cow::Owned(Self { parts, ..self.clone() })
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// Returns the owner of inline types in a part of an operation. A part that operations can share is named after its
    /// component or path, never after one of the operations.
    pub fn at(&self, place: &Pointer, word: &str, origin: Origin) -> Self {
        let shared = |name: &str| {
            let shared = Self::new(self.module.clone(), name, self.origin.clone());
            Self { priority: self.priority, ..shared }
        };
        match place.segments().as_slice() {
            ["components", "pathItems", key, part, ..] => {
                shared(&format!("{key}_{part}")).child(word, origin)
            }
            ["components", "responses", key, ..] => {
                Self { origin, ..shared(&names::without_status(key)) }
            }
            ["components", _, key, ..] => Self { origin, ..shared(key) },
            ["paths", path, "parameters", ..] => shared(path).child(word, origin),
            _ => self.child(word, origin),
        }
    }

    /// Returns the owner of a part of this one.
    pub fn child(&self, name: &str, origin: Origin) -> Self {
        self.part(NamePart::Named(name.to_owned()), origin)
    }

    fn part(&self, part: NamePart, origin: Origin) -> Self {
        let is_deep = self.parts.len() == MAX_PARTS;
        let outer = if is_deep { self.rooted(MAX_PARTS) } else { Cow::Borrowed(self) };
        let parts = outer.parts.iter().cloned().chain([part]).collect();
        Self { parts, priority: Priority::Derived, origin, ..outer.into_owned() }
    }

    /// Returns the owner of a schema that is read together with others.
    pub fn met(&self) -> Self {
        Self { is_met: true, ..self.clone() }
    }

    /// Returns the name in the spelling of the document.
    pub fn name(&self) -> String {
        joined(&self.root, &self.parts)
    }

    /// Returns the name with all words of the parts, in case a shorter name is taken.
    pub fn full_name(&self) -> String {
        self.parts.iter().fold(self.root.clone(), |outer, part| {
            format!("{}{}", names::type_name(&outer), part.name())
        })
    }

    /// Returns the owner with a name of bounded length: of a longer one, the outermost parts are modules. That depends on no
    /// other type, so an addition to the document renames none.
    pub fn placed(&self) -> Cow<'_, Self> {
        let length = |root: &str, parts| names::type_name(&joined(root, parts)).as_str().len();
        if length(&self.root, &self.parts) <= names::MAX_NAME {
            return Cow::Borrowed(self);
        }
        let mut outer = self.parts.len();
        for start in (1..=self.parts.len()).rev() {
            let (parts, rest) = self.parts.split_at(start);
            match parts.last().map_or(0, |root| length(&root.name(), rest)) {
                length if length <= names::MAX_NAME => outer = start,
                // More parts do not halve a name.
                length if length > 2 * names::MAX_NAME => break,
                _ => {}
            }
        }
        self.rooted(outer)
    }

    /// Returns the owner with a part as its root: the parts before it are modules.
    fn rooted(&self, outer: usize) -> Cow<'_, Self> {
        let (parts, rest) = self.parts.split_at(outer);
        let Some((root, parts)) = parts.split_last() else { return Cow::Borrowed(self) };
        let modules = [&self.root].into_iter().cloned().chain(parts.iter().map(NamePart::name));
        let module = names::within(self.module.clone(), &modules.collect::<Vec<_>>());
        let root = root.name();
        Cow::Owned(Self { module, file: file(&root), root, parts: rest.to_vec(), ..self.clone() })
    }

    pub fn pinned(&self, root: String) -> Self {
        Self { root, rename: None, parts: Vec::new(), priority: Priority::Pinned, ..self.clone() }
    }
}

/// Returns a name with its parts, in the spelling of the document. A part does not repeat the words that it follows, and
/// the elements of a property are named by its singular: the elements of `tiers` in `Price` are `PriceTier`.
fn joined(root: &str, parts: &[NamePart]) -> String {
    let mut name = root.to_owned();
    for (index, part) in parts.iter().enumerate() {
        let outer = names::type_name(&name);
        name = match part {
            NamePart::Named(inner) => names::joined(outer.as_str(), inner),
            NamePart::Variant(inner) => names::joined_variant(outer.as_str(), inner),
            NamePart::Element => {
                let element = (index > 0).then(|| names::element(outer.as_str())).flatten();
                element.unwrap_or_else(|| format!("{outer}Item"))
            }
        };
    }
    name
}

/// Returns the file of a type, and of the types that are named after it.
fn file(name: &str) -> ModuleName {
    names::module(names::type_name(name).as_str())
}

#[cfg(test)]
mod tests {
    use super::Owner;
    use crate::ir::{ModulePath, Origin};

    #[test]
    fn the_full_name_has_the_words_of_all_parts() {
        let origin = Origin::Component("Workflow".to_owned());
        let component = Owner::new(ModulePath::default(), "Workflow", origin);
        let ty = component.property("flows").element().property("trigger").property("trigger_type");
        assert_eq!(ty.name(), "WorkflowFlowTriggerType");
        assert_eq!(ty.full_name(), "WorkflowFlowsItemTriggerTriggerType");
    }
}
