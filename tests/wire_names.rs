//! Every wire name of the API is in the emitted crate, and the emitted crate has no other.
//!
//! `wire_names.txt` is written by hand from the reference of the API, not from its description, so that nothing can be
//! lost between the reference and the crate unnoticed. Its lines are of four forms:
//!
//! ```text
//! Automation displayName                    a member of an object, or of a union
//! TaskOrigin = TASK_ORIGIN_API              a value of an enum
//! automations.get GET /api/v1/automations/{id}
//! entitlementOwners.list query page_size
//! ```

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::{fs, mem};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, ExprStruct, ItemImpl, Lit, LitStr, Macro, Type};

#[test]
fn the_emitted_crate_has_the_wire_names_of_the_reference() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = fs::read_to_string(root.join("wire_names.txt")).unwrap();
    let listed: BTreeSet<&str> =
        listed.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let emitted = emitted(&root.join("../generated/src"));
    let emitted: BTreeSet<&str> = emitted.iter().map(String::as_str).collect();

    let missing =
        listed.difference(&emitted).map(|line| format!("  only in wire_names.txt: {line}\n"));
    let extra =
        emitted.difference(&listed).map(|line| format!("  only in generated/src:  {line}\n"));
    let differences: Vec<_> = missing.chain(extra).collect();
    assert!(
        differences.is_empty(),
        "{} wire names differ; where the reference of the API has changed, bring tests/wire_names.txt up to date:\n{}",
        differences.len(),
        differences.concat()
    );
}

/// Returns the wire names of an emitted crate, in the form of the lines of `wire_names.txt`.
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

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let below = folders.iter().flat_map(|folder| rust_files(folder));
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|kind| kind == "rs"))
        .chain(below)
        .collect()
}

/// The wire names of one source file.
#[derive(Default)]
struct WireNames {
    /// Members and enum values.
    lines: Vec<String>,
    /// The type whose `impl` is being visited.
    owner: String,
    /// The id of the operation that each request makes, and its method and path.
    operations: HashMap<String, [String; 3]>,
    /// Requests, and the names of query parameters that they set.
    queries: Vec<(String, String)>,
}

impl WireNames {
    fn into_lines(self) -> Vec<String> {
        let Self { mut lines, operations, queries, .. } = self;
        lines.extend(
            queries.iter().map(|(owner, name)| format!("{} query {name}", operations[owner][0])),
        );
        lines.extend(operations.into_values().map(|operation| operation.join(" ")));
        lines
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
        let owner = owner
            .path
            .segments
            .last()
            .map_or_else(String::new, |segment| segment.ident.to_string());
        let before = mem::replace(&mut self.owner, owner);
        visit::visit_item_impl(self, node);
        self.owner = before;
    }

    fn visit_expr_struct(&mut self, node: &'ast ExprStruct) {
        if node.path.is_ident("Operation") {
            let field = |name: &str| {
                let field = node.fields.iter().find(
                    |field| matches!(&field.member, syn::Member::Named(ident) if ident == name),
                );
                text(&field.unwrap_or_else(|| panic!("an operation has no `{name}`")).expr)
            };
            self.operations
                .insert(self.owner.clone(), [field("id"), field("method"), field("path")]);
        }
        visit::visit_expr_struct(self, node);
    }

    fn visit_expr_method_call(&mut self, node: &'ast ExprMethodCall) {
        if node.method.to_string().starts_with("set_query") {
            let name = node.args.first().map(text).unwrap();
            self.queries.push((self.owner.clone(), name));
        }
        visit::visit_expr_method_call(self, node);
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
