//! Idempotency keys under another name.

use std::path::Path;

use codegen::{Output, Settings};

use crate::support::case::Case;

/// Returns the requests of the case, with a setting.
fn requests(header: Option<&str>) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/idempotency");
    let source = Case::read(&folder.join("openapi.yaml")).source;
    let settings = Settings {
        package: "orders".to_owned(),
        idempotency_key: header.map(str::to_owned),
        ..Settings::default()
    };
    let Output { files, .. } = codegen::generate(&source, &settings).output.unwrap();
    files.into_iter().find(|file| file.path == "src/resources/orders.rs").unwrap().text
}

#[test]
fn the_settings_name_the_header() {
    let constant = "const IDEMPOTENCY_KEY";
    assert_eq!(requests(None).matches(constant).count(), 1);
    assert_eq!(requests(Some("IDEMPOTENCY-KEY")).matches(constant).count(), 1);
    let other = requests(Some("X-Request-Key"));
    assert_eq!(other.matches(constant).count(), 0);
    assert!(other.contains("fn create(&self, idempotency_key: "), "{other}");
}
