//! The parameters of an operation: those of its path, in the order of the template, of its query and of its headers.

use crate::diagnostics::Place;
use crate::document::{self, ParameterContent, ParameterIn, PathItem, Pointer};
use crate::ir::{FieldName, Parameter, Type};
use crate::lower::names::{self, Scope};
use crate::lower::{Lowering, Owner, Typed, docs};

/// What methods that make requests call the call that they fill in.
pub(crate) const CALL: &str = "call";

/// Names of other arguments, and of methods that every request of a list has.
const TAKEN: &[&str] = &[CALL, "body", "items", "pages"];

/// Headers that HTTP or the description's own security scheme decides (OpenAPI 3.1 §4.8.12.2.1).
const RESERVED_HEADERS: &[&str] = &["accept", "content-type", "authorization"];

/// The parameters of an operation.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    pub path: Vec<Parameter>,
    pub query: Vec<Parameter>,
    pub header: Vec<Parameter>,
}

impl Parameters {
    /// Returns the parameters wherever they are sent.
    pub fn all(&self) -> impl Iterator<Item = &Parameter> {
        self.path.iter().chain(&self.query).chain(&self.header)
    }
}

impl<'d> Lowering<'d> {
    /// Lowers the parameters of an operation together with those of its path item.
    pub(crate) fn parameters(
        &mut self,
        template: &str,
        item: &'d PathItem,
        operation: &'d document::Operation,
        owner: &Owner,
    ) -> Parameters {
        let described = self.described(item, operation);
        let mut parameters = Parameters::default();
        let mut scope = Scope::default();
        let mut undescribed = Vec::new();
        for variable in self.template_variables(template, item) {
            let found = described.iter().find(|parameter| {
                parameter.location == ParameterIn::Path && parameter.name == variable
            });
            match found {
                Some(parameter) => {
                    parameters.path.extend(self.parameter(parameter, owner, &mut scope))
                }
                None => undescribed.push(variable),
            }
        }
        self.misfits(&described, &parameters.path, undescribed, operation);
        for parameter in described {
            match parameter.location {
                ParameterIn::Path => {}
                ParameterIn::Query => {
                    parameters.query.extend(self.parameter(parameter, owner, &mut scope))
                }
                ParameterIn::Header
                    if RESERVED_HEADERS.contains(&parameter.name.to_ascii_lowercase().as_str()) => {
                }
                ParameterIn::Header => {
                    parameters.header.extend(self.parameter(parameter, owner, &mut scope))
                }
                ParameterIn::Cookie => {
                    self.diagnostics
                        .warning(
                            "unsupported",
                            Place::value(&parameter.pointer),
                            "cookie parameters have no setter yet",
                        )
                        .help("send it with `with_header(\"cookie\", …)`");
                }
            }
        }
        parameters
    }

    /// Returns the parameters of an operation; its own replace those of the path item that have the same name and place.
    fn described(
        &mut self,
        item: &'d PathItem,
        operation: &'d document::Operation,
    ) -> Vec<&'d document::Parameter> {
        let mut own: Vec<&document::Parameter> = Vec::new();
        for parameter in &operation.parameters {
            let Some(parameter) = self.parameter_at(parameter) else {
                continue;
            };
            let Some(first) = own.iter().find(|first| same(first, parameter)) else {
                own.push(parameter);
                continue;
            };
            let message = format!("the parameter `{}` is described twice", parameter.name);
            self.diagnostics
                .error("duplicate-parameter", Place::value(&parameter.pointer), message)
                .related(Place::value(&first.pointer), "first described here")
                .help("remove one of the two");
        }
        let shared: Vec<_> =
            item.parameters.iter().filter_map(|parameter| self.parameter_at(parameter)).collect();
        let mut all: Vec<_> =
            shared.into_iter().filter(|shared| !own.iter().any(|own| same(own, shared))).collect();
        all.extend(own);
        all
    }

    fn parameter(
        &mut self,
        parameter: &'d document::Parameter,
        owner: &Owner,
        scope: &mut Scope<FieldName>,
    ) -> Option<Parameter> {
        let mut name = names::field(parameter.rust_name.as_deref().unwrap_or(&parameter.name));
        if TAKEN.contains(&name.as_str()) {
            name = FieldName::new(format!("{name}_"));
        }
        let what = format!("the argument `{name}`");
        if !scope.take(name.clone(), &parameter.pointer, &what, self.diagnostics) {
            return None;
        }
        let (ty, description) = match &parameter.content {
            ParameterContent::Schema(schema) => (
                self.type_of(schema, &owner.child(&parameter.name)),
                parameter.description.as_ref().or(schema.description.as_ref()),
            ),
            ParameterContent::Media | ParameterContent::Unspecified => {
                (Typed::new(Type::Value), parameter.description.as_ref())
            }
        };
        Some(Parameter {
            name,
            wire: parameter.name.clone(),
            ty: self.parameter_type(ty.ty, &parameter.pointer),
            required: parameter.required,
            docs: docs(description, None, parameter.deprecated),
            pointer: parameter.pointer.to_string(),
        })
    }

    /// Parameters are text: what has no single textual form is taken as text that the caller wrote. A secret is taken
    /// bare, as a call shows the value of no parameter.
    fn parameter_type(&mut self, ty: Type, pointer: &Pointer) -> Type {
        let ty = if let Type::Secret(inner) = ty { *inner } else { ty };
        let textual = match &ty {
            Type::Named(id) => self.is_enum(*id),
            Type::Value | Type::Map | Type::List(_) | Type::Dictionary(_) => false,
            _ => true,
        };
        if textual {
            return ty;
        }
        self.diagnostics
            .warning(
                "untyped",
                Place::value(pointer),
                "parameters that are lists or objects have no Rust type yet",
            )
            .help("the emitted argument is the text that is sent, before percent-encoding");
        Type::String
    }

    /// Returns the names in the braces of a path template, and reports braces that don't match.
    fn template_variables(&mut self, template: &str, item: &PathItem) -> Vec<String> {
        let mut variables: Vec<String> = Vec::new();
        let mut rest = template;
        while let Some((_, after)) = rest.split_once('{') {
            let Some((variable, after)) = after.split_once('}') else {
                self.diagnostics
                    .error(
                        "path-template",
                        Place::key(&item.pointer),
                        "a `{` of the path has no `}`",
                    )
                    .help("close the brace, or write `%7B` for the character itself");
                break;
            };
            if variables.iter().any(|earlier| earlier == variable) {
                self.diagnostics
                    .error(
                        "path-template",
                        Place::key(&item.pointer),
                        format!("`{{{variable}}}` stands in the path twice"),
                    )
                    .help("give each parameter of the path a name of its own (OpenAPI 3.1 §4.8.8)");
            } else {
                variables.push(variable.to_owned());
            }
            rest = after;
        }
        variables
    }

    /// Reports described parameters that the path lacks, and variables of the path that are not described: as one mistake
    /// where they look like two spellings of one name.
    fn misfits(
        &mut self,
        described: &[&document::Parameter],
        fitting: &[Parameter],
        mut undescribed: Vec<String>,
        operation: &document::Operation,
    ) {
        for parameter in
            described.iter().filter(|parameter| parameter.location == ParameterIn::Path)
        {
            let name = &parameter.name;
            if fitting.iter().any(|fitting| fitting.wire == *name) {
                continue;
            }
            let meant = self
                .diagnostics
                .spelling()
                .closest(name, undescribed.iter().map(String::as_str))
                .map(str::to_owned);
            undescribed.retain(|variable| Some(variable) != meant.as_ref());
            let help = match meant {
                Some(meant) => format!("did you mean `{meant}`, which the path has?"),
                None => format!("put `{{{name}}}` into the path, or remove the parameter"),
            };
            self.diagnostics
                .error(
                    "path-parameter",
                    Place::value(&parameter.pointer),
                    format!("the path has no `{{{name}}}`"),
                )
                .help(help);
        }
        for variable in undescribed {
            self.diagnostics
                .error("path-parameter", Place::key(&operation.pointer), format!("`{{{variable}}}` of the path is not described"))
                .help(format!("add `{{name: {variable}, in: path, required: true, schema: {{type: string}}}}` to the parameters"));
        }
    }
}

fn same(left: &document::Parameter, right: &document::Parameter) -> bool {
    left.name == right.name && left.location == right.location
}
