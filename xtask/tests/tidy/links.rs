//! The links between pages lead to files and headings that exist.

use std::path::{Component, Path, PathBuf};

use crate::{root, text, written_by_hand};

/// Returns the text of a page outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the targets of the links in a page that are not URLs.
fn targets(text: &str) -> Vec<String> {
    let prose: Vec<&str> = prose(text).collect();
    let targets = prose.join("\n");
    let targets = targets.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|it| !it.contains("://") && !it.contains(' ')).map(str::to_owned).collect()
}

/// Returns the anchors of the headings in a page, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        kept.map(|it| if it == ' ' { '-' } else { it }).collect()
    };
    headings.map(anchor).collect()
}

/// Returns a path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

/// Returns why a link of a page leads nowhere.
fn fault(page: &Path, target: &str) -> Option<String> {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.parent().unwrap_or(Path::new(""));
    let path = if path.is_empty() { page.to_owned() } else { normal(&folder.join(path)) };
    if !root().join(&path).exists() {
        return Some(format!("{}: there is no {}", page.display(), path.display()));
    }
    let is_heading = anchor.is_empty() || anchors(&text(&path)).iter().any(|it| it == anchor);
    (!is_heading)
        .then(|| format!("{}: no heading of {} is {anchor}", page.display(), path.display()))
}

#[test]
fn links_of_pages_lead_to_files_and_headings() {
    let mut pages = written_by_hand("");
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    let links = pages
        .iter()
        .flat_map(|page| targets(&text(page)).into_iter().map(move |target| (page, target)));
    let links: Vec<_> = links.collect();
    assert!(links.len() > 50, "{links:?}");
    let faults: Vec<_> = links.iter().filter_map(|(page, target)| fault(page, target)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let page = Path::new("docs/settings.md");
    assert_eq!(fault(page, "schemas.md#types"), None);
    assert_eq!(fault(page, "none.md").unwrap(), "docs/settings.md: there is no docs/none.md");
    assert_eq!(
        fault(page, "../README.md#none").unwrap(),
        "docs/settings.md: no heading of README.md is none"
    );
}
