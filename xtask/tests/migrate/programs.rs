//! What migrated programs do, and programs that deny warnings.

use crate::faults::{MAIN, app};

const CALLS: &str = r#"use pets::models::{people::v1::Owner, store::v1::Kind};
use pets::runtime::testing::FakeTransport;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let fake = FakeTransport::new();
    let builder = pets::Client::builder("https://pets.test");
    let client = builder.transport(fake.clone()).build().unwrap();
    let _ = client.pets().get("a/b c").detail("all").await;
    let owner = Owner::new().email("a@example.com");
    let _ = client.pets().create("Rex").kind(Kind::Dog).owner(owner).await;
    for sent in fake.requests() {
        let (verb, path) = (sent.operation.method, sent.operation.path);
        println!("{verb} {path} {:?} {:?}", sent.path.values(), sent.query);
        println!("{:?} {:?}", sent.headers, sent.content);
    }
}
"#;

#[test]
fn a_migrated_program_sends_the_same_bytes() {
    let scene = app("bytes", "aliased", CALLS);
    scene.replace(
        "app/Cargo.toml",
        "default-features = false }",
        "default-features = false, features = [\"test-util\"] }\n\
         tokio = { version = \"1\", features = [\"macros\", \"rt\"] }",
    );
    let sent = |spec: &str| {
        scene.emit(spec);
        let output = scene.run("cargo", &["run", "--quiet", "--manifest-path", "app/Cargo.toml"]);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let before = sent("spec/old.yaml");
    assert!(before.contains("POST /pets") && before.contains("KIND_DOG"), "{before}");
    let (code, text) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(scene.get("app/src/main.rs").contains(".animals().fetch(\"a/b c\").level(\"all\")"));
    assert_eq!(sent("spec/new.yaml"), before);
}

#[test]
fn programs_that_deny_warnings_are_migrated_and_uses_that_only_compile_are_listed() {
    let denied = "#![deny(warnings)]\n";
    let text = "use pets::models::people::v1::Owner;\n\npub fn email(owner: Owner) -> Option<String> {\n    owner.email\n}\n\n";
    let scene = app("denied", "aliased", &[denied, text, MAIN].concat());
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(scene.get("app/src/main.rs").contains("use pets::models::keepers::v1::Keeper;"));

    let text = "pub fn get(client: &pets::Client) -> pets::resources::pets::Get {\n    client.pets().get(\"1\")\n}\n";
    let scene = app("denied-wire", "route-moved", &[denied, text, MAIN].concat());
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!((code, scene.status().as_str()), (Some(0), ""), "{text}");
    assert!(text.contains("app/src/main.rs:3:19: use of deprecated method"), "{text}");
}
