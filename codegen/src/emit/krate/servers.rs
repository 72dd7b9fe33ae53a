//! The servers that users choose or accept.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::{self, Part};
use crate::emit::{Emitted, Emitter};
use crate::ir::{Api, Server, ServerVariable, Type};
use crate::items::servers;

/// Describes the values of variables of URLs.
pub fn values() -> Inline {
    text!(
        "The value of a variable cannot change another part of the URL: in the host it is a label (letters, digits, `-` and `_`), \
         or the whole host if that is one variable; in the path it is one segment. Another value is an error."
    )
}

/// Returns the emitter of `servers/mod.rs`, if a server has a type.
pub fn emitter(api: &Api) -> Option<Emitter<'_>> {
    if api.servers.is_empty() { None } else { Some(Box::new(|| file(api))) }
}

fn file(api: &Api) -> Emitted {
    let names = api.servers.iter().map(|server| &server.name).collect();
    let mut page = Page::new(api, "servers".to_owned(), names);
    let documentation = Doc::from(text!("The servers of the spec.")).paragraph(text!(
        "Each is a base URL for {}; those of operations that have their own are for {}.",
        Inline::code("Client::builder"),
        Inline::code("ClientBuilder::server")
    ));
    let has_variables = api.servers.iter().any(|server| !server.variables.is_empty());
    let values = || text!("{} A value that the spec lists is always valid.", values());
    let documentation = documentation.paragraphs(has_variables.then(values));
    let servers = api.servers.iter().enumerate();
    let items: Vec<_> =
        servers.flat_map(|(index, server)| items(index, server, &mut page)).collect();
    let parts = [documentation.inner(), page.imports()].into_iter().chain(items);
    print::file("src/servers/mod.rs".to_owned(), "krate/servers.rs", parts.map(Part::Rust))
}

fn items(index: usize, server: &Server, page: &mut Page<'_>) -> [TokenStream; 4] {
    let Server { name, url, .. } = server;
    let described = server.docs.text.as_deref().and_then(Doc::of_spec).unwrap_or_default();
    let about = Doc::from(text!("The server {}.", Inline::code(url)));
    let documentation = about.and(described).and(users(index, page.api)).attributes(0);
    let own = server.is_own.then(|| {
        let index = Literal::usize_unsuffixed(index);
        quote! {
            impl runtime::Server for #name {
                const INDEX: usize = #index;
            }
        }
    });
    let defaults = server.variables.iter().map(|variable| {
        let ServerVariable { wire, default, .. } = variable;
        quote!(#wire = #default)
    });
    let setters = server.variables.iter().map(|variable| setter(variable, page));
    let setters: TokenStream = setters.collect();
    let setters = (!setters.is_empty()).then(|| quote!(impl #name { #setters }));
    [
        quote! {
            #documentation
            #[derive(Clone, Debug)]
            #[must_use]
            pub struct #name {
                url: runtime::internal::ServerUrl,
            }
        },
        quote!(runtime::internal::server!(#name = #url { #(#defaults),* });),
        setters.unwrap_or_default(),
        own.unwrap_or_default(),
    ]
}

/// Returns a sentence with the operations that are sent to a server instead of the base URL.
fn users(index: usize, api: &Api) -> Doc {
    let users = api.operations().filter(|operation| operation.servers.contains(&index));
    let ids: Vec<_> = users.map(|operation| Inline::code(&operation.id)).collect();
    let count = ids.len();
    let Some(first) = ids.into_iter().next() else { return Doc::default() };
    Doc::default().paragraph(match count {
        1 => text!("The operation {} is sent there.", first),
        2 => text!("The operation {} and another one are sent there.", first),
        _ => {
            let others = Inline::plain(&(count - 1).to_string());
            text!("The operation {} and {} others are sent there.", first, others)
        }
    })
}

fn setter(variable: &ServerVariable, page: &mut Page<'_>) -> TokenStream {
    let ServerVariable { name, wire, default, docs, .. } = variable;
    let described = docs.text.as_deref().and_then(Doc::of_spec).unwrap_or_default();
    let about = text!("Sets {}; {} by default.", Inline::code(wire), Inline::code(default));
    let documentation = Doc::from(about).and(described).attributes(4);
    let is_enum = matches!(variable.ty, Type::Named(_));
    let is_listed = if is_enum { quote!(!value.is_unknown()) } else { quote!(false) };
    let ty = page.ty(&servers::value(variable, page.api));
    let inner = page.ty(&crate::items::Ty::new(&variable.ty, page.api));
    quote! {
        #documentation
        pub fn #name(mut self, value: #ty) -> Self {
            let value: #inner = value.into();
            self.url.set(#wire, &value, #is_listed);
            self
        }
    }
}

/// Returns the servers that operations have instead of the base URL, for the runtime.
pub fn of_service(api: &Api) -> TokenStream {
    let own = api.servers.iter().filter(|server| server.is_own).map(|server| {
        let name = server.name.as_str();
        let variable = server.variable();
        let url = server.default_url();
        quote!(runtime::internal::OwnServer { name: #name, variable: #variable, url: #url })
    });
    quote!(&[#(#own),*])
}

/// Returns the method of the builder that accepts a server, if operations have one.
pub fn accept(api: &Api) -> TokenStream {
    if !api.servers.iter().any(|server| server.is_own) {
        return TokenStream::new();
    }
    quote! {
        impl ClientBuilder {
            /// Accepts a server that some operations have instead of the base URL: they are sent there,
            /// with their credentials. Without it, they fail before anything is sent, unless it has the
            /// origin of the base URL.
            ///
            /// [`crate::servers`] lists the servers. `at` names another URL, such as one in a test.
            pub fn server(self, server: impl runtime::Server) -> Self {
                Self { inner: self.inner.server(server) }
            }
        }
    }
}
