//! What helps if the certificate of a server, or of a proxy, is refused.

use std::path::PathBuf;
use std::{env, fs};

pub(super) const UNTRUSTED: &str = "no trusted authority has issued it; `add_root_certificate` trusts another one, by the \
                                    certificate of the issuer";
pub(super) const OTHER_NAME: &str =
    "it is for other names; check the host of the URL, or of the proxy";
pub(super) const NOT_NOW: &str =
    "the server has to renew it, unless the clock of this machine is wrong";
pub(super) const REVOCATION: &str =
    "whether it is revoked cannot be checked; see the settings of this machine";
pub(super) const UNUSABLE: &str = "the server needs another certificate";

/// Returns the text of an error with what helps.
pub(super) fn explained(text: &str, cure: &str) -> String {
    let unread = if cure == UNTRUSTED { unread_roots() } else { String::new() };
    format!("{text}; {cure}{unread}")
}

/// Returns why the trusted certificates that the environment names cannot be read, which is ignored where they are read.
pub(super) fn unread_roots() -> String {
    let is_read = !cfg!(any(windows, target_vendor = "apple", target_os = "android"));
    let path = env::var_os("SSL_CERT_FILE").filter(|_| is_read).map(PathBuf::from);
    let failed = path.and_then(|path| fs::read(&path).err().map(|error| (path, error)));
    failed.map_or_else(String::new, |(path, error)| {
        format!("; `SSL_CERT_FILE` names {}, which cannot be read: {error}", path.display())
    })
}
