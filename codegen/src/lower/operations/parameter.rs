//! The parameters of an operation: path, in the order of the template, query and headers.

use std::borrow::Cow;
use std::iter::successors;

use crate::diagnostics::{Place, Severity};
use crate::document::{self, Kind, ParameterIn, Pointer, View};
use crate::ir::{Body, Docs, FieldName, Location, Origin, Parameter, Shape, Type};
use crate::lower::names::{self, Claim, Standing};
use crate::lower::{Lowering, Owner, docs};

/// Headers that OpenAPI ignores as parameters (OpenAPI 3.1 §4.8.12.2.1).
const RESERVED_HEADERS: &[&str] = &["accept", "content-type", "authorization"];

/// A parameter of an operation, before it is lowered.
#[derive(Debug)]
pub struct Described<'d> {
    location: ParameterIn,
    name: String,
    /// `None` if only the path template has it.
    parameter: Option<document::Parameter<'d>>,
    pointer: Pointer,
}

impl<'d> Lowering<'d> {
    /// Returns the parameters of an operation and of its path item; path parameters come first.
    pub fn described_parameters(
        &mut self,
        template: &str,
        item: &View<'d>,
        operation: &View<'d>,
    ) -> Vec<Described<'d>> {
        let all = self.own_and_shared(item, operation);
        let variables = self.template_variables(template);
        self.misfits(&all, &variables, item, operation);
        let mut described = Vec::with_capacity(all.len());
        for name in variables {
            let is_it = |parameter: &&document::Parameter<'_>| {
                parameter.location == ParameterIn::Path && parameter.name == name
            };
            let parameter = all.iter().find(is_it).cloned();
            let at =
                parameter.as_deref().map_or(&operation.pointer, |parameter| &parameter.pointer);
            let pointer = at.clone();
            described.push(Described { location: ParameterIn::Path, name, parameter, pointer });
        }
        for parameter in all {
            let is_reserved =
                RESERVED_HEADERS.contains(&parameter.name.to_ascii_lowercase().as_str());
            match parameter.location {
                ParameterIn::Path => {}
                ParameterIn::Header if is_reserved => {}
                ParameterIn::Query | ParameterIn::Header => described.push(Described {
                    location: parameter.location,
                    name: parameter.name.to_owned(),
                    pointer: parameter.pointer.clone(),
                    parameter: Some(parameter),
                }),
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
        described
    }

    /// Returns the parameters of an operation; its own replace those of the path item that have the same name and place.
    fn own_and_shared(
        &mut self,
        item: &View<'d>,
        operation: &View<'d>,
    ) -> Vec<document::Parameter<'d>> {
        let mut own: Vec<document::Parameter<'d>> = Vec::new();
        for parameter in self.parameters_in(operation) {
            let Some(first) = own.iter().find(|first| same(first, &parameter)) else {
                own.push(parameter);
                continue;
            };
            let (code, place) = ("duplicate-parameter", place_in(item, operation, &parameter));
            let message = format!("the parameter `{}` is defined twice", parameter.name);
            let severity =
                if first.is_same(&parameter) { Severity::Warning } else { Severity::Error };
            self.diagnostics
                .report(severity, code, place, message)
                .related(Place::value(&first.pointer), "first defined here")
                .help("remove one of the two");
        }
        let mut all = self.parameters_in(item);
        all.retain(|shared| !own.iter().any(|own| same(own, shared)));
        all.extend(own);
        all
    }

    /// Returns the `parameters` of an operation or a path item.
    fn parameters_in(&mut self, owner: &View<'d>) -> Vec<document::Parameter<'d>> {
        let items = owner.list("parameters");
        let found = items.filter_map(|view| self.item(&view, Kind::Parameter));
        found.filter_map(document::Parameter::of).collect()
    }

    /// Names the arguments and setters of a request: its parameters, and the fields of its body.
    pub fn argument_names(
        &mut self,
        described: &[Described<'d>],
        body: &mut Body,
        operation: &View<'_>,
    ) -> Vec<FieldName> {
        let members = match body {
            Body::Fields(_, members) => members.as_mut_slice(),
            _ => &mut [],
        };
        let claim = |raw: &str, pointer, pin: Option<String>, standing, location: &str| {
            let is_symbol = |char: char| !char.is_alphanumeric() && !"-_".contains(char);
            let spelled = names::spelling(raw, 1).into_owned();
            let located = format!("{location}_{spelled}");
            let is_odd = raw.contains(is_symbol);
            let second = if is_odd { spelled } else { format!("{location}_{raw}") };
            let wordings = [pin.unwrap_or_else(|| raw.to_owned()), second, located];
            let wordings = wordings.map(Cow::from).into();
            Claim { standing, wordings, ..Claim::new(raw.to_owned(), pointer) }
        };
        let parameters = described.iter().map(|described| {
            let pin = described.parameter.as_ref().and_then(|parameter| self.pin(parameter));
            let standing = match (&pin, described.location) {
                (Some(_), _) => Standing::Pinned,
                (None, ParameterIn::Path) => Standing::Named,
                (None, ParameterIn::Query) => Standing::Second,
                (None, ParameterIn::Header | ParameterIn::Cookie) => Standing::Third,
            };
            let (location, pointer) = (described.location.name(), &described.pointer);
            claim(&described.name, pointer, pin, standing, location)
        });
        let of_body = operation.pointer.join("requestBody");
        let fields = members
            .iter()
            .map(|member| claim(member.name.bare(), &of_body, None, Standing::Fourth, "body"));
        let claims: Vec<Claim<'_>> = parameters.chain(fields).collect();
        let name = |index: usize, text: &str| match described.get(index) {
            Some(described) if described.location == ParameterIn::Path => names::argument(text),
            _ => names::setter(text),
        };
        let what = |name: &FieldName| format!("the argument `{name}`");
        let mut given = names::assign(claims, name, what, self.diagnostics);
        let of_fields = given.split_off(described.len());
        for (member, name) in members.iter_mut().zip(of_fields) {
            member.name = name;
        }
        given
    }

    /// Lowers the parameters of an operation.
    pub fn parameters(
        &mut self,
        described: Vec<Described<'d>>,
        names: Vec<FieldName>,
        owner: &Owner,
    ) -> Vec<Parameter> {
        let described = described.into_iter().zip(names);
        let parameters = described.map(|(described, name)| self.parameter(described, name, owner));
        let mut parameters: Vec<_> = parameters.collect();
        parameters.sort_by_key(|parameter| parameter.location);
        parameters
    }

    fn parameter(&mut self, described: Described<'d>, name: FieldName, owner: &Owner) -> Parameter {
        let location = match described.location {
            ParameterIn::Path => Location::Path,
            ParameterIn::Query => Location::Query,
            ParameterIn::Header | ParameterIn::Cookie => Location::Header,
        };
        let Some(parameter) = described.parameter else {
            let (wire, pointer) = (described.name, described.pointer.to_string());
            let docs = Docs::default();
            let (ty, separator) = (Type::String, None);
            return Parameter {
                location,
                name,
                wire,
                ty,
                separator,
                required: true,
                docs,
                pointer,
            };
        };
        let origin = Origin::Parameter(parameter.name.to_owned());
        let owner = self.owner_at(&parameter.pointer, owner, parameter.name, origin);
        let schema = parameter.schema();
        let ty = match &schema {
            Some(schema) if self.is_untyped(schema, &owner) => {
                if self.is_scalar(schema) {
                    Type::String
                } else {
                    Type::Value
                }
            }
            Some(schema) => self.type_of(schema, &owner).ty,
            None => Type::Value,
        };
        let of_schema = schema.and_then(|schema| schema.description());
        self.define_pending();
        let (ty, separator) = match ty {
            Type::List(item) if self.is_textual(&item) && is_list_in_query(&parameter) => {
                (Type::List(item), separator(&parameter))
            }
            ty => (self.parameter_type(ty, &parameter.pointer), None),
        };
        Parameter {
            location,
            name,
            wire: described.name,
            ty,
            separator,
            required: parameter.required(),
            docs: docs(parameter.description().or(of_schema), None, parameter.deprecated()),
            pointer: parameter.pointer.to_string(),
        }
    }

    /// Returns the type of a parameter, which is text: one without a single textual form is a string from the caller. A
    /// secret needs no wrapper, because a call shows no values of parameters.
    fn parameter_type(&mut self, ty: Type, pointer: &Pointer) -> Type {
        let ty = if let Type::Secret(inner) = ty { *inner } else { ty };
        if self.is_textual(&ty) {
            return ty;
        }
        self.diagnostics
            .warning(
                "untyped",
                Place::value(pointer),
                "a parameter that can be a list or an object has no Rust type yet",
            )
            .help("the emitted argument is the text that is sent, before percent-encoding");
        Type::String
    }

    /// Returns whether a type has a single form as text.
    fn is_textual(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(_) => matches!(self.shape(ty), Some(Shape::Enum(_))),
            Type::Value | Type::Map | Type::List(_) | Type::Dictionary(_) | Type::Secret(_) => {
                false
            }
            _ => true,
        }
    }

    /// Returns the variables of a path template; reports unbalanced braces and duplicates.
    fn template_variables(&mut self, template: &str) -> Vec<String> {
        let mut variables: Vec<String> = Vec::new();
        let place = Place::Key(Pointer::root().join("paths").join(template));
        let mut rest = template;
        while let Some((_, after)) = rest.split_once('{') {
            let Some((variable, after)) = after.split_once('}') else {
                self.diagnostics
                    .error("path-template", place, "a `{` of the path has no `}`")
                    .help("close the brace, or write `%7B` for the character itself");
                break;
            };
            if variables.iter().any(|earlier| earlier == variable) {
                self.diagnostics
                    .error(
                        "path-template",
                        place.clone(),
                        format!("`{{{variable}}}` occurs twice in the path"),
                    )
                    .help("give each parameter of the path a name of its own (OpenAPI 3.1 §4.8.8)");
            } else {
                variables.push(variable.to_owned());
            }
            rest = after;
        }
        variables
    }

    /// Reports path parameters that the template lacks, and variables of the template without a parameter: as one mistake
    /// if they look like two spellings of one name.
    fn misfits(
        &mut self,
        described: &[document::Parameter<'_>],
        variables: &[String],
        item: &View<'_>,
        operation: &View<'_>,
    ) {
        let in_path =
            || described.iter().filter(|parameter| parameter.location == ParameterIn::Path);
        let is_described = |variable: &&str| in_path().any(|parameter| parameter.name == *variable);
        let mut undescribed: Vec<&str> =
            variables.iter().map(String::as_str).filter(|name| !is_described(name)).collect();
        for parameter in
            in_path().filter(|parameter| !variables.iter().any(|name| name == parameter.name))
        {
            let name = parameter.name;
            let meant = self.diagnostics.spelling().closest(name, undescribed.iter().copied());
            let help = match meant {
                Some(meant) => format!("did you mean `{meant}`, which the path has?"),
                None => format!("put `{{{name}}}` into the path, or remove the parameter"),
            };
            undescribed.retain(|variable| Some(*variable) != meant);
            self.diagnostics
                .error(
                    "path-parameter",
                    place_in(item, operation, parameter),
                    format!("the path has no `{{{name}}}`"),
                )
                .help(help);
        }
        for variable in undescribed {
            self.diagnostics
                .warning(
                    "path-parameter",
                    Place::key(&operation.pointer),
                    format!("`{{{variable}}}` of the path has no parameter; it is treated as a string"),
                )
                .help(format!("add `{{name: {variable}, in: path, required: true, schema: {{type: string}}}}` to the parameters"));
        }
    }
}

/// Returns where an error in the use of a parameter is: others may use the same one without.
fn place_in(item: &View<'_>, operation: &View<'_>, parameter: &document::Parameter<'_>) -> Place {
    let mut outer = successors(Some(&parameter.pointer), |pointer| pointer.parent());
    let is_own = outer.any(|pointer| *pointer == item.pointer);
    if is_own { Place::value(&parameter.pointer) } else { Place::key(&operation.pointer) }
}

/// Returns whether the values of a list are sent in the query, together or each by itself.
fn is_list_in_query(parameter: &document::Parameter<'_>) -> bool {
    parameter.location == ParameterIn::Query && parameter.style() != "deepObject"
}

/// Returns what separates the values of a list in the query; `None` if each has a pair of its own.
fn separator(parameter: &document::Parameter<'_>) -> Option<&'static str> {
    let separator = match parameter.style() {
        "spaceDelimited" => " ",
        "pipeDelimited" => "|",
        _ => ",",
    };
    (!parameter.explode()).then_some(separator)
}

fn same(left: &document::Parameter<'_>, right: &document::Parameter<'_>) -> bool {
    left.name == right.name && left.location == right.location
}
