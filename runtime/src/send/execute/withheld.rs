//! What was sent, and errors and recordings do not show.

use http::HeaderMap;

use super::credential::SentCredential;
use crate::auth::scheme::{Place, cookies, credentials_in};
use crate::request::call::CallParts;
use crate::secrets::Withheld;

/// Returns what was sent and errors do not show.
#[cold]
pub(super) fn withheld(
    call: &CallParts,
    intercepted: &HeaderMap,
    credentials: &[SentCredential],
) -> Withheld {
    let mut withheld = call.withheld();
    withheld.add_headers(intercepted);
    withheld.secrets.extend(secrets(call, intercepted, credentials));
    withheld
}

/// Returns the secrets of a call: credentials, however they were set, and those in its parameters and its body.
pub(super) fn secrets(
    call: &CallParts,
    intercepted: &HeaderMap,
    credentials: &[SentCredential],
) -> Vec<String> {
    let shared = &call.client.shared;
    let sent = credentials.iter().map(|sent| (sent.place, sent.written.clone()));
    let schemes = shared.credentials.schemes.iter().map(|scheme| scheme.place);
    let all = [&call.headers, &*shared.headers, intercepted];
    let names = schemes.clone().filter_map(|place| Some((place.header()?, place)));
    let in_headers = names.flat_map(|(name, place)| {
        let values = all.into_iter().filter_map(move |headers| headers.get(&name));
        values.map(move |value| (place, value.clone()))
    });
    let written = sent.chain(in_headers);
    let of_call = schemes.clone().flat_map(|place| match place {
        Place::Query(name) => call.query.texts_of(name).collect(),
        Place::Cookie(name) => call.cookies.texts_of(name).collect(),
        _ => Vec::new(),
    });
    let in_cookies = all.into_iter().flat_map(cookies).filter(|(name, _)| {
        let mut schemes = schemes.clone();
        schemes.any(|it| matches!(it, Place::Cookie(key) if key.as_bytes() == *name))
    });
    let in_cookies = in_cookies.map(|(_, value)| String::from_utf8_lossy(value).into_owned());
    let of_credentials = written.flat_map(|(place, written)| place.secrets(&written));
    let others = all.into_iter().flat_map(credentials_in).chain(call.secrets.iter().cloned());
    of_credentials.chain(of_call).chain(in_cookies).chain(others).collect()
}
