//! Every wire name of `spec/openapi.yaml` is in the emitted crate, and the emitted crate has no other.
//!
//! Both are read here on their own, without the generator: the spec as YAML, the sources with `syn`. Names are compared
//! with their owners:
//!
//! ```text
//! Automation displayName                        a property of a component, or a member of a union
//! TaskOrigin = TASK_ORIGIN_API                  a value of an enum
//! automations.get GET /api/v1/automations/{id}  an operation
//! entitlementOwners.list query page_size        a parameter
//! ```

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::{fs, mem};

use proc_macro2::{TokenStream, TokenTree};
use serde_json::{Map, Value};
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprCall, ExprMethodCall, ExprPath, ExprStruct, GenericArgument, ImplItemFn, ItemImpl,
    Lit, LitStr, Macro, PathArguments, PathSegment, Type,
};

use crate::support::sources::rust_files;

#[test]
fn the_emitted_crate_has_the_wire_names_of_the_spec() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let spec = fs::read_to_string(root.join("spec/openapi.yaml")).unwrap();
    let described = described(&serde_yaml::from_str(&spec).unwrap());
    let emitted = emitted(&root.join("generated/src"));
    let lines = |these: &BTreeSet<String>, others: &BTreeSet<String>, place: &str| {
        let only: Vec<_> =
            these.difference(others).map(|name| format!("  only in {place}: {name}\n")).collect();
        only.concat()
    };
    let differences = lines(&described, &emitted, "spec/openapi.yaml")
        + &lines(&emitted, &described, "generated/src");
    assert!(
        differences.is_empty(),
        "wire names differ. Is generated/ fresh (`cargo xtask codegen --check`), and is every object with properties and \
         every enum a component (spec/README.md)? Then codegen/ loses or invents names:\n{differences}"
    );
}

/// Returns the wire names of a document.
fn described(document: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (owner, schema) in object(&document["components"]["schemas"]) {
        describe(owner, schema, &mut names);
    }
    // Objects with nothing but `@type` and other properties have a type of the runtime.
    names.retain(|name| !name.ends_with(" @type"));
    for (path, item) in object(&document["paths"]) {
        for (method, operation) in object(item) {
            let Some(id) = operation["operationId"].as_str() else { continue };
            names.insert(format!("{id} {} {path}", method.to_uppercase()));
            let shared = item["parameters"].as_array().into_iter().flatten();
            for parameter in shared.chain(operation["parameters"].as_array().into_iter().flatten())
            {
                let pointer = parameter["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
                let parameter = pointer.map_or(parameter, |to| document.pointer(to).unwrap());
                let field = |name: &str| parameter[name].as_str().unwrap();
                names.insert(format!("{id} {} {}", field("in"), field("name")));
            }
        }
    }
    names
}

/// Collects the properties and values of a component and of its inline parts.
fn describe(owner: &str, schema: &Value, names: &mut BTreeSet<String>) {
    names.extend(object(&schema["properties"]).map(|(name, _)| format!("{owner} {name}")));
    let values = schema["enum"].as_array().into_iter().flatten();
    names.extend(values.filter_map(Value::as_str).map(|value| format!("{owner} = {value}")));
    let parts = ["allOf", "anyOf", "oneOf"].map(|keyword| schema[keyword].as_array());
    parts.into_iter().flatten().flatten().for_each(|part| describe(owner, part, names));
    let inner = object(&schema["properties"]).map(|(_, property)| property);
    inner.chain(schema.get("items")).for_each(|inner| describe(owner, inner, names));
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

/// Returns the wire names of an emitted crate.
fn emitted(sources: &Path) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for path in rust_files(sources) {
        let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
        let mut names = WireNames::default();
        names.visit_file(&file);
        lines.extend(names.into_lines());
    }
    lines
}

/// The wire names of one source file.
#[derive(Default)]
struct WireNames {
    /// Properties and enum values.
    lines: Vec<String>,
    /// The type whose `impl` is being visited, or the operation that a function of it calls.
    owner: String,
    /// The id of the operation that each request makes, and its method and path.
    operations: HashMap<String, [String; 3]>,
    /// Requests, and the locations and names of parameters that they set.
    parameters: Vec<[String; 3]>,
}

impl WireNames {
    fn into_lines(self) -> Vec<String> {
        let Self { mut lines, operations, parameters, .. } = self;
        let parameters = parameters.iter();
        lines.extend(
            parameters
                .map(|[owner, place, name]| format!("{} {place} {name}", operations[owner][0])),
        );
        lines.extend(operations.into_values().map(|operation| operation.join(" ")));
        lines
    }

    /// Takes the name of a parameter from the arguments of a function that is named after its location.
    fn parameter(&mut self, location: &str, name: Option<&Expr>) {
        if ["path", "query", "header", "cookie"].contains(&location) {
            let name = text(name.unwrap());
            self.parameters.push([self.owner.clone(), location.to_owned(), name]);
        }
    }

    /// Takes the names from a table: `object! { Type { field: "name", … } … }` and the like.
    fn table(&mut self, tokens: TokenStream, between: &str) {
        let mut tokens = tokens.into_iter();
        let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(members))) =
            (tokens.next(), tokens.next())
        else {
            panic!("a table does not begin with the name of a type and its members");
        };
        for token in members.stream() {
            if let TokenTree::Literal(literal) = token {
                let wire_name = syn::parse_str::<LitStr>(&literal.to_string()).unwrap().value();
                self.lines.push(format!("{name}{between}{wire_name}"));
            }
        }
    }
}

impl<'ast> Visit<'ast> for WireNames {
    fn visit_macro(&mut self, node: &'ast Macro) {
        match node.path.segments.last().map(|segment| segment.ident.to_string()).as_deref() {
            Some("object" | "union") => self.table(node.tokens.clone(), " "),
            Some("open_enum") => self.table(node.tokens.clone(), " = "),
            _ => {}
        }
    }

    fn visit_item_impl(&mut self, node: &'ast ItemImpl) {
        let Type::Path(owner) = &*node.self_ty else {
            return;
        };
        let owner = owner.path.segments.last().unwrap().ident.to_string();
        let before = mem::replace(&mut self.owner, owner);
        visit::visit_item_impl(self, node);
        self.owner = before;
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        let before = self.owner.clone();
        visit::visit_impl_item_fn(self, node);
        self.owner = before;
    }

    fn visit_expr_path(&mut self, node: &'ast ExprPath) {
        if let Some(PathSegment { ident, arguments: PathArguments::AngleBracketed(types) }) =
            node.path.segments.last()
            && ident == "call"
        {
            let GenericArgument::Type(Type::Path(operation)) = types.args.first().unwrap() else {
                panic!("a call is not of an operation");
            };
            self.owner = operation.path.segments.last().unwrap().ident.to_string();
        }
    }

    fn visit_expr_struct(&mut self, node: &'ast ExprStruct) {
        if node.path.segments.last().is_some_and(|part| part.ident == "Operation") {
            let is = |member: &syn::Member, name: &str| matches!(member, syn::Member::Named(ident) if ident == name);
            let field = |name| {
                text(&node.fields.iter().find(|field| is(&field.member, name)).unwrap().expr)
            };
            self.operations
                .insert(self.owner.clone(), [field("id"), field("method"), field("path")]);
        }
        visit::visit_expr_struct(self, node);
    }

    fn visit_expr_method_call(&mut self, node: &'ast ExprMethodCall) {
        // The receiver comes first: a chain begins with the request that it is for.
        visit::visit_expr_method_call(self, node);
        let method = node.method.to_string();
        self.parameter(method.strip_prefix("set_").unwrap_or(&method), node.args.first());
    }

    fn visit_expr_call(&mut self, node: &'ast ExprCall) {
        visit::visit_expr_call(self, node);
        if let Expr::Path(function) = &*node.func
            && let Some(function) = function.path.segments.last()
        {
            self.parameter(&function.ident.to_string(), node.args.first());
        }
    }
}

/// Returns the text of a literal, or the last word of a path such as `Method::GET`.
fn text(expression: &Expr) -> String {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => text.value(),
            _ => panic!("a wire name is not a text"),
        },
        Expr::Path(path) => path.path.segments.last().unwrap().ident.to_string(),
        _ => panic!("a wire name is neither a text nor a constant"),
    }
}
