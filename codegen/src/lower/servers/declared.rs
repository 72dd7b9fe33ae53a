//! The servers of a document that have a type in the emitted crate.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::document::{Document, View};

/// Servers by URL: first the servers of paths and operations, then those of the document that users choose.
#[derive(Debug)]
pub struct DeclaredServers<'d> {
    /// The servers of paths and operations.
    pub own: Vec<(&'d str, View<'d>)>,
    /// The servers of the document, if there is a choice.
    pub common: Vec<(&'d str, View<'d>)>,
    /// The server of the document that most operations are sent to.
    pub base: Option<View<'d>>,
    base_url: Option<&'d str>,
}

impl<'d> DeclaredServers<'d> {
    pub fn new(document: &'d Document) -> Self {
        let root = servers_of(&document.root());
        let urls: Vec<&str> = root.iter().map(|(url, _)| *url).collect();
        let is_only = urls.len() == 1 && !urls.iter().any(|url| url.contains('{'));
        let base = root.get(base(document, &urls)).cloned();
        let (base_url, base) = base.unzip();
        let lists = document.server_lists().filter(|list| !has_base(list, base_url));
        let mut own = by_url(lists.flat_map(|list| servers_of(&list)));
        for (url, server) in &root {
            // Operations repeat the URL of a server, not its description.
            if let Some(own) = own.get_mut(url).filter(|own| !own.has("description")) {
                own.clone_from(server);
            }
        }
        let common = root
            .into_iter()
            .filter(|(url, _)| !is_only && url.contains("://") && !own.contains_key(url));
        let common = by_url(common).into_iter().collect();
        Self { own: own.into_iter().collect(), common, base, base_url }
    }

    /// Returns the indexes of the servers that an operation has instead of the base URL.
    pub fn indexes(&self, item: &View<'d>, operation: &View<'d>) -> Vec<usize> {
        let Some(list) = [operation, item].into_iter().find(|view| view.has("servers")) else {
            return Vec::new();
        };
        if has_base(list, self.base_url) {
            return Vec::new();
        }
        let mut indexes = Vec::new();
        for (url, _) in servers_of(list) {
            let index = self.own.iter().position(|(own, _)| *own == url);
            indexes.extend(index.filter(|index| !indexes.contains(index)));
        }
        indexes
    }
}

/// Returns the index of the server that most operations are sent to: the first of their own servers that the document
/// lists as well, or else the first of the document. Some documents begin with the server of a few operations.
fn base(document: &Document, base_urls: &[&str]) -> usize {
    let mut counts = vec![0_usize; base_urls.len()];
    let items = document.paths().filter_map(|(_, item)| item.followed());
    for (item, operation) in items.flat_map(|item| {
        let operations: Vec<_> = item.operations().collect();
        operations.into_iter().map(move |(_, operation)| (item.clone(), operation))
    }) {
        let own = [&operation, &item].into_iter().find(|view| view.has("servers"));
        let index = own.map_or(Some(0), |list| {
            let mut urls = servers_of(list).into_iter().map(|(url, _)| url);
            urls.find_map(|url| base_urls.iter().position(|base| *base == url))
        });
        if let Some(count) = index.and_then(|index| counts.get_mut(index)) {
            *count += 1;
        }
    }
    let counts = counts.into_iter().enumerate();
    counts.max_by_key(|(index, count)| (*count, Reverse(*index))).map_or(0, |(index, _)| index)
}

fn has_base(list: &View<'_>, base_url: Option<&str>) -> bool {
    servers_of(list).iter().any(|(url, _)| Some(*url) == base_url)
}

/// Returns the servers of a document, a path item or an operation by URL, without a trailing slash. An empty URL is the
/// root of the host.
fn servers_of<'d>(of: &View<'d>) -> Vec<(&'d str, View<'d>)> {
    let servers = of.list("servers").filter_map(|server| {
        let url = server.text("url")?.trim().trim_end_matches('/');
        Some((if url.is_empty() { "/" } else { url }, server))
    });
    servers.collect()
}

/// Returns the first server of each URL.
fn by_url<'d>(servers: impl Iterator<Item = (&'d str, View<'d>)>) -> BTreeMap<&'d str, View<'d>> {
    let mut by_url = BTreeMap::new();
    for (url, server) in servers {
        by_url.entry(url).or_insert(server);
    }
    by_url
}
