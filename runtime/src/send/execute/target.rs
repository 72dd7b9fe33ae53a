//! The URL of a call: the base URL with its path and query, or that of a link to the next page.

use http::Uri;

use crate::error::{Error, ErrorKind};
use crate::request::call::CallParts;
use crate::url::base_url::BaseUrl;
use crate::url::origin::{Origin, has_user};

pub(super) fn uri(call: &CallParts, base_url: &BaseUrl) -> Result<Uri, Error> {
    let path = call.path.finish().map_err(Error::request)?;
    match &call.target {
        None => own_uri(call, base_url, path),
        Some(target) => linked_uri(target, base_url),
    }
}

fn own_uri(call: &CallParts, base_url: &BaseUrl, path: &str) -> Result<Uri, Error> {
    let prefix = base_url.prefix();
    let mut target = String::with_capacity(prefix.len() + path.len() + call.query.len());
    target.push_str(prefix);
    target.push_str(path);
    call.query.push_to(&mut target);
    if let Some(excess) = base_url.excess(&target) {
        return Err(Error::request(format!("the URL is too long by {excess} bytes")));
    }
    base_url
        .with_path_and_query(target)
        .map_err(|error| Error::request("the URL of the request is invalid").with_source(error))
}

/// Returns the URL of a link to the next page, to which the credentials are sent: it must have the origin of the server.
fn linked_uri(target: &str, base_url: &BaseUrl) -> Result<Uri, Error> {
    let refused = |why: String| Err(Error::new(ErrorKind::Paging).with_message(why));
    let Some(uri) = base_url.resolve(target) else {
        return refused("the link to the next page is not a URL".to_owned());
    };
    // The rest of the URL can contain secrets.
    if Origin::new(&uri).as_ref() == Some(&base_url.origin) && !has_user(&uri) {
        return Ok(uri);
    }
    refused(format!(
        "the link to the next page leads to another origin, the host `{}`, to which the credentials of this server \
         are not sent",
        uri.host().unwrap_or_default()
    ))
}
