//! The table of fields in the documentation is the one that the code decides.

use std::fs;
use std::path::Path;

const GUIDE: &str = "../docs/schemas.md";

const HEADING: &str = "## What is read\n";

#[test]
fn the_guide_lists_what_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GUIDE);
    let guide = fs::read_to_string(&path).unwrap();
    let (before, section) = guide.split_once(HEADING).unwrap();
    let table = section.find("| object |").unwrap();
    let end = section.find("\n## ").unwrap();
    let expected = codegen::supported();
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        let updated =
            format!("{before}{HEADING}{}{expected}{}", &section[..table], &section[end..]);
        fs::write(&path, updated).unwrap();
    } else {
        assert_eq!(&section[table..end], expected, "write it with INSTA_UPDATE=always");
    }
}

#[test]
fn the_guide_says_what_each_addition_is_in_rust() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GUIDE);
    let guide = fs::read_to_string(&path).unwrap();
    let (_, section) = guide.split_once("## OpenAPI 3.2\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let fields = codegen::supported();
    let additions = fields.match_indices(" (3.2)");
    let additions = additions.filter_map(|(end, _)| fields[..end].rsplit('`').nth(1));
    let missing: Vec<_> =
        additions.filter(|name| !section.contains(&format!("`{name}`"))).collect();
    assert_eq!(missing, [""; 0], "they are not in the table");
}
