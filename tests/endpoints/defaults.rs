//! The defaults that the documentation lists.

use std::fs;
use std::path::Path;

use access_governance::Client;

/// The files with the tables of settings and the short documentation of their setters.
const DOCUMENTED: [&str; 4] = [
    "runtime/src/lib.rs",
    "runtime/src/client/builder/mod.rs",
    "runtime/src/client/builder/settings.rs",
    "generated/src/lib.rs",
];

#[test]
fn documented_defaults_are_those_of_a_client() {
    let client = format!("{:?}", Client::builder("https://tenant.test"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let texts = DOCUMENTED.map(|file| fs::read_to_string(root.join(file)).unwrap());
    let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines().map(str::trim)).collect();
    for (setting, value, documented) in [
        ("connect_timeout", "connect_timeout: 10s,", "10 seconds"),
        ("timeout", " timeout: 60s,", "60 seconds"),
        ("total_timeout", "total_timeout: 180s,", "3 minutes"),
        ("max_response_bytes", "max_response_bytes: 67108864,", "64 MiB"),
        ("retry", "max_attempts: 4,", "at most 4 attempts"),
    ] {
        assert!(client.contains(value), "{setting}: {client}");
        let is_row =
            |line: &&&str| line.contains("| ") && line.contains(&format!("[`{setting}`]("));
        let rows: Vec<&&str> = lines.iter().filter(is_row).collect();
        assert_eq!(rows.len(), 2, "{rows:#?}");
        for row in rows {
            assert!(row.ends_with(&format!("{documented} |")), "{row}");
        }
        let setters = lines.iter().zip(&lines[1..]);
        let setters = setters.filter(|(_, line)| line.starts_with(&format!("{setting}(limit")));
        for (line, _) in setters {
            assert!(line.ends_with(&format!(": {documented} by default.")), "{line}");
        }
    }
}
