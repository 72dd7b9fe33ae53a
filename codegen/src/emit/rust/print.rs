//! Files from tokens, as `prettyplease` prints them, with blank lines between items and between their members.

use proc_macro2::TokenStream;
use quote::format_ident;
use syn::token::{Bracket, Pound};
use syn::{AttrStyle, Attribute, File, ImplItem, Item, Meta};

use super::attributes::{BY_SETTINGS, LINE_BREAK};
use crate::emit::Emitted;
use crate::items::models::TEST_UTIL;

/// A part of a file, between blank lines.
pub enum Part {
    /// One item, or several that belong together, such as imports.
    Rust(TokenStream),
    /// A call of a macro of `runtime::internal`: its name, and its body, which no formatter touches.
    Table(&'static str, String),
    /// The same for tests only.
    TestTable(&'static str, String),
}

/// The attribute between the members of a struct or an enum, as it is printed. A blank line replaces it.
const SEPARATOR: &str = "\n    #[separator]\n";

/// Prints a file. `emitters` are paths below `codegen/src/emit`.
pub fn file(path: String, emitters: &str, parts: impl IntoIterator<Item = Part>) -> Emitted {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Rust(tokens) if tokens.is_empty() => {}
            Part::Rust(tokens) => text.extend(["\n", &rust(tokens)]),
            Part::Table(name, body) => {
                text.extend(["\nruntime::internal::", name, "! {\n", &body, "}\n"]);
            }
            Part::TestTable(name, body) => {
                let condition = ["\n#[cfg(feature = \"", TEST_UTIL, "\")]"].concat();
                text.extend([&condition, "\nruntime::internal::", name, "! {\n", &body, "}\n"]);
            }
        }
    }
    Emitted { path, emitters: emitters.to_owned(), text }
}

fn rust(tokens: TokenStream) -> String {
    match syn::parse2::<File>(tokens) {
        Ok(mut file) => {
            file.items.iter_mut().for_each(separate_members);
            with_line_breaks(&prettyplease::unparse(&file))
        }
        // Only a defect of an emitter makes tokens that are not Rust: the compiler reports it.
        Err(defect) => defect.into_compile_error().to_string() + "\n",
    }
}

/// Writes blank lines for [`SEPARATOR`]s, the comment for [`BY_SETTINGS`], and a comment for each line of a documentation.
fn with_line_breaks(printed: &str) -> String {
    let [attribute, comment] = BY_SETTINGS;
    let separated = printed.replace(SEPARATOR, "\n\n").replace(attribute, comment);
    let mut parts = separated.split(LINE_BREAK);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let line = text.rsplit('\n').next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        let mark = line.get(..indent + "///".len()).unwrap_or_default().to_owned();
        text.extend(["\n", &mark, part]);
    }
    text
}

/// Separates the members of an item: members of an `impl` by an empty item, which is printed as a blank line, and
/// fields and variants by an attribute that is printed as [`SEPARATOR`].
fn separate_members(item: &mut Item) {
    match item {
        Item::Struct(item) => separate(item.fields.iter_mut().map(|field| &mut field.attrs)),
        Item::Enum(item) => separate(item.variants.iter_mut().map(|variant| &mut variant.attrs)),
        Item::Impl(item) => {
            let mut was_simple = true;
            let members = std::mem::take(&mut item.items);
            for (index, member) in members.into_iter().enumerate() {
                let is_simple = is_simple(&member);
                if index > 0 && !(was_simple && is_simple) {
                    item.items.push(ImplItem::Verbatim(TokenStream::new()));
                }
                item.items.push(member);
                was_simple = is_simple;
            }
        }
        _ => {}
    }
}

fn separate<'m>(members: impl Iterator<Item = &'m mut Vec<Attribute>>) {
    members.skip(1).for_each(|attributes| attributes.insert(0, separator()));
}

/// Returns the attribute `#[separator]`. Parsing it would take as long as parsing a field.
fn separator() -> Attribute {
    Attribute {
        pound_token: Pound::default(),
        style: AttrStyle::Outer,
        bracket_token: Bracket::default(),
        meta: Meta::Path(format_ident!("separator").into()),
    }
}

/// Returns whether a member is a type or a constant without documentation: such members are not separated.
fn is_simple(member: &ImplItem) -> bool {
    match member {
        ImplItem::Const(constant) => constant.attrs.is_empty(),
        ImplItem::Type(ty) => ty.attrs.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;
    use crate::emit::rust::docs::{Doc, text};

    #[test]
    fn members_are_separated_unless_they_are_simple() {
        let items = quote! {
            pub struct Pet { /// The name.
                pub name: String, pub(crate) unknown: Unknown }
            impl Endpoint for Pet { type Body = (); type Output = Self; #[inline] fn encode() {} fn last() {} }
        };
        let table = Part::Table("object", "    Pet {}\n".to_owned());
        let file = file("src/pet.rs".to_owned(), "pet.rs", [Part::Rust(items), table]);
        let expected = "
pub struct Pet {
    /// The name.
    pub name: String,

    pub(crate) unknown: Unknown,
}
impl Endpoint for Pet {
    type Body = ();
    type Output = Self;

    #[inline]
    fn encode() {}

    fn last() {}
}

runtime::internal::object! {
    Pet {}
}
";
        assert_eq!(file.text, expected);
    }

    #[test]
    fn documentation_is_a_comment_for_each_line() {
        let doc = Doc::from(text!("A pet.")).paragraph(text!("It has a name."));
        let inner = doc.inner();
        let outer = doc.attributes(4);
        let printed = rust(quote! {
            #inner
            pub struct Pet { #outer pub name: String }
        });
        let expected = "\
//! A pet.
//!
//! It has a name.
pub struct Pet {
    /// A pet.
    ///
    /// It has a name.
    pub name: String,
}
";
        assert_eq!(printed, expected);
    }

    #[test]
    fn the_compiler_reports_tokens_that_are_not_rust() {
        assert!(rust(quote!(pub pub)).contains("compile_error"));
    }
}
