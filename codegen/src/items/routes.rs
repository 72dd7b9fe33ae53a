//! Where requests are sent.

use super::Operation;

impl Operation {
    /// Returns where requests are sent: method, path and servers.
    pub(crate) fn route(&self) -> String {
        let Self { verb, path, servers, .. } = self;
        if servers.is_empty() {
            return format!("{verb} {path}");
        }
        format!("{verb} {path} at {}", servers.join(" or "))
    }

    /// Returns the path template without the names of its parameters, which are not sent.
    pub(crate) fn sent_path(&self) -> String {
        let mut pieces = self.path.split('{');
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |path, piece| {
            path + "{}" + piece.split_once('}').map_or(piece, |(_, rest)| rest)
        })
    }
}
