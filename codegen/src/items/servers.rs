//! The types of servers, and the method of the builder that accepts one.

use super::about::About;
use super::item::{Definition, Item, ItemKind, Method, Receiver, Signature};
use super::print::quoted;
use super::{Path, Setting, Ty, common};
use crate::ir::{Api, Operation, Server, ServerVariable};

/// Returns the path of the type of a server.
pub fn path(server: &Server) -> Path {
    Path::new(format!("servers::{}", server.name))
}

/// Returns the type that the setter of a variable takes.
pub fn value(variable: &ServerVariable, api: &Api) -> Ty {
    Ty::Into(Box::new(Ty::new(&variable.ty, api)))
}

/// Returns the names of the servers that an operation has instead of the base URL.
pub(super) fn names(operation: &Operation, api: &Api) -> Vec<String> {
    let servers = operation.servers.iter().filter_map(|server| api.servers.get(*server));
    servers.map(|server| server.name.to_string()).collect()
}

/// Returns the type of a server.
pub(super) fn item(server: &Server, api: &Api) -> Item {
    let about = About::at(&server.pointer);
    let mut item = Item::new(ItemKind::Struct, About::new(&server.docs, &server.pointer));
    let into = Ty::foreign("Into", [Ty::String]);
    let own = server.is_own.then(|| Ty::foreign("Server", []));
    let traits = ["Clone", "Debug", "Default"].map(|name| Ty::foreign(name, []));
    for implemented in traits.into_iter().chain([into]).chain(own) {
        item.add(&implemented.to_string(), Definition::Trait(implemented), about.clone());
    }
    let ty = Ty::StaticRef(Box::new(Ty::Str));
    let value_of = Some(server.url.clone());
    item.add("URL", Definition::Constant { ty, alias_of: None, value: value_of }, about.clone());
    let url = common::argument("url", Ty::Into(Box::new(Ty::String)));
    for (name, arguments) in [("new", Vec::new()), ("at", vec![url])] {
        let signature = Signature { receiver: None, arguments, output: Ty::Itself };
        item.add(name, Definition::Method(Method::new(signature)), about.clone());
    }
    for variable in &server.variables {
        let setter = Method::new(Signature::setter(value(variable, api)));
        let about = About::new(&variable.docs, &variable.pointer);
        item.add(variable.name.as_str(), Definition::Method(setter), about);
        let about = About::at(&variable.pointer);
        item.set(Setting::Default, variable.name.bare(), quoted(&variable.default), about);
    }
    item
}

/// Returns the method of the builder that accepts a server; `None` if no operation has one.
pub(super) fn accept(api: &Api) -> Option<Definition> {
    api.servers.iter().any(|server| server.is_own).then(|| {
        let arguments = vec![common::argument("server", Ty::Server)];
        let receiver = Some(Receiver::Value);
        Definition::Method(Method::new(Signature { receiver, arguments, output: Ty::Itself }))
    })
}
