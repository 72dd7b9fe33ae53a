//! The names of resources and of their operations.

use std::borrow::Cow;
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
            (
                service.labels().swap_remove(0).into_owned(),
                self.renames.get(&service.to_string()).cloned(),
            )
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
        let claims = groups.iter().filter_map(|(group, drafts)| {
            let first = drafts.iter().min_by_key(|draft| draft.operation.pointer.to_string())?;
            let raw = format!("{}{}", group.words, group.symbols);
            let wordings = match group.service {
                Some(service) => service.labels(),
                None => vec![group.words.as_str().into(), raw.clone().into()],
            };
            let claim = Claim { wordings, ..Claim::new(raw, &first.operation.pointer) };
            Some(claim.pinned(group.pin.clone()))
        });
        let claims: Vec<Claim<'_>> = claims.collect();
        let what = |module: &ModuleName| format!("the module `resources::{module}`");
        let module = |_, text: &str| names::resource_module(text);
        let modules = names::assign(claims.clone(), module, what, self.diagnostics);
        let labels = modules.into_iter().zip(&claims).map(|(module, claim)| {
            let mut wordings = (0..).map(|attempt| claim.wording(attempt));
            let own = wordings.find(|wording| names::resource_module(wording) == module);
            (own.unwrap_or_default().into_owned(), module)
        });
        labels.collect()
    }

    /// Names the operations of a resource: after the last word of the `operationId`, and after verb and path as well
    /// where another operation has that name.
    pub fn operation_names(&mut self, resource: &Resource, drafts: &[&Draft<'d>]) -> Vec<Names> {
        let distinct = |Draft { method, path, .. }: &Draft<'_>| {
            let verb = method.to_lowercase();
            format!("_{verb}_{path}")
        };
        let claims = drafts.iter().map(|draft| {
            let (_, raw) = names::split(&draft.id);
            let (pin, longer) = (self.pin(&draft.operation), format!("{raw}{}", distinct(draft)));
            let standing = if pin.is_some() { Standing::Pinned } else { Standing::Named };
            let wordings = vec![pin.map_or(raw.into(), Cow::from), longer.into()];
            Claim { standing, wordings, ..Claim::new(raw, &draft.operation.pointer) }
        });
        let claims: Vec<Claim<'_>> = claims.collect();
        let what = |name: &MethodName| format!("the method `{}().{name}`", resource.accessor);
        let method = |_, text: &str| names::method(text);
        let methods = names::assign(claims.clone(), method, what, self.diagnostics);
        let builders = methods.iter().zip(&claims).map(|(method, claim)| Claim {
            standing: claim.standing,
            ..Claim::new(method.bare(), claim.pointer)
        });
        let what = |name: &TypeName| format!("the request `{}::{name}`", resource.module);
        let builder = |_, text: &str| names::request(text, &resource.name);
        let builders = names::assign(builders, builder, what, self.diagnostics);
        let mut names = Vec::with_capacity(drafts.len());
        for (index, (method, builder)) in methods.iter().cloned().zip(builders).enumerate() {
            let mut owner = drafts[index].id.clone();
            if method != names::method(&claims[index].wording(0)) {
                owner.push_str(&distinct(drafts[index]));
            }
            names.push(Names { method, builder, owner: names::camel(&owner) });
        }
        names
    }
}
