//! The names of resources and of their operations.

use std::collections::BTreeMap;

use super::Draft;
use crate::ir::{MethodName, ModuleName, Resource, TypeName};
use crate::lower::Lowering;
use crate::lower::names::{self, Claim, Service, Standing};

/// The key of the operations of one handle: those of a service, or of a tag. Case and word separators make no
/// difference; other symbols do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group<'d> {
    words: String,
    symbols: String,
    /// The service, if it has a package.
    service: Option<Service<'d>>,
    /// The pinned name.
    pin: Option<String>,
}

/// The names of an operation.
pub struct Names {
    pub method: MethodName,
    pub builder: TypeName,
    /// The prefix of the names of inline types: the whole operationId, which no other operation has.
    pub owner: String,
}

impl<'d> Lowering<'d> {
    /// Returns the group of an operation: its service, or its tag where the `operationId` has no dots.
    pub fn group_of<'a>(&self, draft: &'a Draft<'d>) -> Group<'a> {
        let (service, _) = names::split(&draft.id);
        let (raw, pin) = if let Some(service) = service {
            (service.label(0), self.renames.get(&service.to_string()).cloned())
        } else {
            let pin = self.document.tag(draft.tag).and_then(|tag| tag.rust_name());
            (draft.tag.to_owned(), pin.map(str::to_owned))
        };
        let is_symbol = |char: &char| !char.is_alphanumeric() && !" -_.".contains(*char);
        Group {
            words: names::snake(&raw),
            symbols: raw.chars().filter(is_symbol).collect(),
            service: service.filter(Service::has_package),
            pin,
        }
    }

    /// Returns the name of each group, and its module.
    pub fn labels(
        &mut self,
        groups: &BTreeMap<Group<'_>, Vec<&Draft<'d>>>,
    ) -> Vec<(String, ModuleName)> {
        let raws: Vec<String> =
            groups.keys().map(|group| format!("{}{}", group.words, group.symbols)).collect();
        let claims: Vec<Claim<'_>> = groups
            .iter()
            .zip(&raws)
            .filter_map(|((group, drafts), raw)| {
                let first =
                    drafts.iter().min_by_key(|draft| draft.operation.pointer.to_string())?;
                let standing = if group.pin.is_some() { Standing::Pinned } else { Standing::Named };
                Some(Claim { standing, raw, pointer: &first.operation.pointer })
            })
            .collect();
        let groups: Vec<&Group<'_>> = groups.keys().collect();
        let label = |index: usize, attempt: usize| match (groups[index], attempt) {
            (Group { pin: Some(pin), .. }, 0) => pin.clone(),
            (Group { service: Some(service), .. }, _) => service.label(attempt),
            (Group { words, .. }, 0) => words.clone(),
            _ => names::spelling(&raws[index], attempt).into_owned(),
        };
        let what = |module: &ModuleName| format!("the module `resources::{module}`");
        let modules = names::assign(
            &claims,
            |index, attempt| names::resource_module(&label(index, attempt)),
            what,
            self.diagnostics,
        );
        let labels = modules.into_iter().enumerate().map(|(index, module)| {
            let mut attempts = (0..).map(|attempt| label(index, attempt));
            let own = attempts.find(|label| names::resource_module(label) == module);
            (own.unwrap_or_default(), module)
        });
        labels.collect()
    }

    /// Names the operations of a resource: after the last word of the `operationId`, and after verb and path as well
    /// where another operation has that name.
    pub fn operation_names(&mut self, resource: &Resource, drafts: &[&Draft<'d>]) -> Vec<Names> {
        let pins: Vec<Option<String>> = drafts
            .iter()
            .map(|draft| self.pin(&draft.operation.pointer, draft.operation.rust_name()))
            .collect();
        let raws: Vec<&str> = drafts.iter().map(|draft| names::split(&draft.id).1).collect();
        let claims: Vec<Claim<'_>> = drafts
            .iter()
            .enumerate()
            .map(|(index, draft)| Claim {
                standing: if pins[index].is_some() { Standing::Pinned } else { Standing::Named },
                raw: raws[index],
                pointer: &draft.operation.pointer,
            })
            .collect();
        let distinct = |index: usize| {
            let Draft { method, path, .. } = drafts[index];
            let verb = method.to_lowercase();
            format!("_{verb}_{path}")
        };
        let wanted = |index: usize| pins[index].as_deref().unwrap_or(raws[index]);
        let candidate = |index: usize, attempt: usize| {
            if attempt == 0 {
                return names::method(wanted(index));
            }
            let raw = format!("{}{}", raws[index], distinct(index));
            names::method(&names::spelling(&raw, attempt - 1))
        };
        let what = |name: &MethodName| format!("the method `{}().{name}`", resource.accessor);
        let methods = names::assign(&claims, candidate, what, self.diagnostics);
        let builders = self.builder_names(resource, &methods, &claims);
        let mut names = Vec::with_capacity(drafts.len());
        for (index, (method, builder)) in methods.into_iter().zip(builders).enumerate() {
            let mut owner = drafts[index].id.clone();
            if method != names::method(wanted(index)) {
                owner.push_str(&distinct(index));
            }
            names.push(Names { method, builder, owner: names::camel(&owner) });
        }
        names
    }

    fn builder_names(
        &mut self,
        resource: &Resource,
        methods: &[MethodName],
        claims: &[Claim<'_>],
    ) -> Vec<TypeName> {
        let claims: Vec<Claim<'_>> = methods
            .iter()
            .zip(claims)
            .map(|(method, claim)| Claim { raw: method.bare(), ..claim.clone() })
            .collect();
        let candidate = |index: usize, attempt: usize| {
            names::request(&names::spelling(methods[index].bare(), attempt), &resource.name)
        };
        let what = |name: &TypeName| format!("the request `{}::{name}`", resource.module);
        names::assign(&claims, candidate, what, self.diagnostics)
    }
}
