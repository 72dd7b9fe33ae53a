//! The items of replies.

use super::about::About;
use super::item::{Definition, Item, Method, Receiver, Signature};
use super::{Ty, requests};
use crate::ir::{Api, Failures, Operation, ReplyCase, Status};

/// Adds what a request returns: the value, the streams, other media types, the bodies of errors, and the headers.
pub(super) fn add_to(
    item: &mut Item,
    operation: &Operation,
    output: Ty,
    failure: Option<Ty>,
    api: &Api,
) {
    item.add("", Definition::Output(output), About::default());
    for stream in &operation.successes.streams {
        let definition = method(requests::stream(stream, api));
        item.add(stream.method.as_str(), definition, About::at(&stream.pointer));
    }
    if let (Some(failure), Some(Failures { cases, .. })) = (failure, &operation.failures) {
        let place = match cases.as_slice() {
            [ReplyCase { status: Status::Default, .. }] => "/default".to_owned(),
            [case] => format!("/{}", case.status),
            _ => String::new(),
        };
        let about = About::at(&format!("{}/responses{place}", operation.pointer));
        let typed = cases.iter().filter_map(|case| Some((case, case.content.as_ref()?)));
        let typed = typed.map(|(case, content)| (case.to_string(), Ty::content(content, api)));
        item.add("", Definition::Failure(failure, typed.collect()), about);
    }
    for header in &operation.headers {
        let ty = requests::header(&header.ty, api);
        let constant =
            Definition::Constant { ty, alias_of: None, value: Some(header.wire.clone()) };
        item.add(&header.constant, constant, About::new(&header.docs, &header.pointer));
    }
}

/// Returns a method without arguments that takes the request.
fn method(output: Ty) -> Definition {
    let receiver = Some(Receiver::Value);
    Definition::Method(Method::new(Signature { receiver, arguments: Vec::new(), output }))
}
