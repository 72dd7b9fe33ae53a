//! The cargo features that compile the models of a crate with features.
//!
//! A file of models is compiled with the features of all resources whose operations reach it, directly or through other
//! models. Whatever a compiled file refers to is therefore compiled, too, whichever features are enabled. Payloads of
//! webhooks and models that the settings name need no feature: a program that only receives them has no operation.

use std::collections::BTreeMap;

use crate::ir::{Api, ModuleName, ModulePath, Operation, TypeId, reached};

use super::features::{self, OPERATIONS};
use super::hash::fnv_1a;

/// The prefix of features that users do not name: rustdoc and docs.rs hide names that begin with `_`.
const HIDDEN: &str = "__models-";

/// The features that compile the models.
#[derive(Debug, Default)]
pub struct Gates {
    /// The gate of each type; `None` if it is always compiled.
    of_types: Vec<Option<usize>>,
    gates: Vec<Gate>,
}

/// The condition on which models are compiled.
#[derive(Debug, PartialEq, Eq)]
pub struct Gate {
    /// The feature that compiles them: the feature of the one resource, or a hidden one that several imply.
    pub feature: String,
    /// The features that imply it, sorted.
    pub implied_by: Vec<String>,
}

/// The files of models, and the types in each.
type Files<'a> = BTreeMap<(&'a ModulePath, &'a ModuleName), Vec<TypeId>>;

impl Gates {
    /// Finds the features of all models. Without features of resources, all models are always compiled.
    pub fn new(api: &Api) -> Self {
        let features = features::of_resources(api);
        if features.is_empty() {
            return Self { of_types: vec![None; api.types.len()], gates: Vec::new() };
        }
        let files = files(api);
        let mut reaching = vec![Vec::new(); api.types.len()];
        for feature in &features {
            let resources =
                api.resources.iter().filter(|it| it.feature.as_deref() == Some(*feature));
            let operations = resources.flat_map(|resource| &resource.operations);
            let types = operations.flat_map(Operation::types);
            let is_reached = reached_with_files(types, api, &files);
            let of_feature =
                reaching.iter_mut().zip(is_reached).filter(|(_, is_reached)| *is_reached);
            of_feature.for_each(|(features, _)| features.push(*feature));
        }
        let variables = api.servers.iter().flat_map(|server| &server.variables);
        let of_variables = variables.filter_map(|variable| variable.ty.named());
        let of_no_resource = api.kept.iter().copied().chain(of_variables);
        let is_reached = reached_with_files(of_no_resource, api, &files);
        let always = reaching.iter_mut().zip(is_reached).filter(|(_, is_reached)| *is_reached);
        always.for_each(|(reaching, _)| reaching.clone_from(&features));
        let mut gates = Self::default();
        let mut indexes = BTreeMap::new();
        for implied_by in reaching {
            let is_shared = implied_by.len() * 2 > features.len();
            let gate = (!is_shared).then(|| {
                *indexes.entry(implied_by).or_insert_with_key(|implied_by| {
                    gates.gates.push(Gate::new(implied_by));
                    gates.gates.len() - 1
                })
            });
            gates.of_types.push(gate);
        }
        gates
    }

    /// Returns the condition on which a type is compiled; `None` if it always is.
    pub fn gate(&self, id: TypeId) -> Option<&Gate> {
        self.of_types[id.index()].map(|index| &self.gates[index])
    }

    /// Returns the feature that compiles a type; `None` if it always is compiled.
    pub fn feature(&self, id: TypeId) -> Option<&str> {
        self.gate(id).map(|gate| gate.feature.as_str())
    }

    /// Returns the hidden features, each with the features that imply it.
    pub fn hidden(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut hidden: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for gate in self.gates.iter().filter(|gate| gate.is_hidden()) {
            let implied_by = hidden.entry(&gate.feature).or_default();
            implied_by.extend(gate.implied_by.iter().map(String::as_str));
        }
        hidden
    }
}

impl Gate {
    /// Returns the gate of models that these features reach. Models that none reaches are part of the whole crate.
    fn new(implied_by: &[&str]) -> Self {
        let feature = match implied_by {
            [] => OPERATIONS.to_owned(),
            [feature] => (*feature).to_owned(),
            features => format!("{HIDDEN}{:016x}", fnv_1a(&features.join(" "))),
        };
        let implied_by = match implied_by {
            [] => vec![OPERATIONS.to_owned()],
            features => features.iter().map(|&name| name.to_owned()).collect(),
        };
        Self { feature, implied_by }
    }

    /// Returns whether users do not name the feature.
    fn is_hidden(&self) -> bool {
        self.feature.starts_with(HIDDEN)
    }
}

/// Returns the types by file.
fn files(api: &Api) -> Files<'_> {
    let mut files = Files::new();
    for (id, definition) in api.definitions() {
        files.entry(definition.place()).or_default().push(id);
    }
    files
}

/// Returns for each type whether others lead to it, or to a type of its file.
fn reached_with_files(
    types: impl Iterator<Item = TypeId>,
    api: &Api,
    files: &Files<'_>,
) -> Vec<bool> {
    reached(types, &api.types, |definition| {
        let next_to_it = files.get(&definition.place()).into_iter().flatten();
        definition.shape.types().into_iter().chain(next_to_it.copied()).collect()
    })
}
