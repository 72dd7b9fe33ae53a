//! The edits of `migrate` beside those of an editor: rust-analyzer renames the same symbols in the old crate.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::scene::Scene;

/// A symbol of the old crate: its file, the text that ends before its name, its old name and its new one.
type Symbol<'t> = (&'t str, &'t str, &'t str, &'t str);

/// Renamed symbols by the pair of specs, and a program that uses them.
const CASES: &[(&str, &[Symbol<'_>], &str)] = &[
    (
        "type-renamed",
        &[("models/owner.rs", "pub struct ", "Owner", "Keeper")],
        "use pets::models::Owner as Person;\nuse pets::models::{NewPet, Owner};\n\nmod own {\n    pub struct Owner;\n}\n\n\
         /// An Owner.\npub fn owner(email: &str) -> Owner {\n    let _ = (own::Owner, \"Owner\");\n    \
         pets::models::Owner::new().email(email)\n}\n\npub fn adopt(owner: Person, others: &[Owner]) -> NewPet {\n    \
         let _: Vec<pets::models::Owner> = others.to_vec();\n    NewPet::new(\"Owner\").owner(owner)\n}\n",
    ),
    (
        "field-renamed",
        &[
            ("models/pet.rs", "pub ", "id", "identifier"),
            ("models/owner.rs", "pub ", "email", "mail"),
            ("models/owner.rs", "pub fn ", "email", "mail"),
            ("models/kind.rs", "    ", "Cat", "Feline"),
        ],
        "use pets::models::{Kind, Owner, Pet};\n\npub struct Own {\n    pub id: u8,\n}\n\n\
         pub fn id(pet: &Pet, Own { id: own }: &Own) -> Option<String> {\n    let Pet { id, .. } = pet;\n    \
         let Pet { id: again, .. } = pet;\n    println!(\"{own} {id:?} {again:?}\");\n    pet.id.clone()\n}\n\n\
         pub fn owner(owner: &mut Owner) -> Owner {\n    owner.email = Some(\"email\".to_owned());\n    \
         Owner::new().email(owner.email.as_deref().unwrap_or_default())\n}\n\n\
         pub fn is_cat(kind: &Kind) -> bool {\n    use pets::models::Kind::{Cat, Dog};\n    \
         matches!(kind, Cat) && *kind != Dog || kind == &Kind::Cat\n}\n",
    ),
    (
        "operation-renamed",
        &[
            ("resources/pets.rs", "pub fn ", "get", "fetch"),
            ("resources/pets.rs", "pub type ", "Get", "Fetch"),
        ],
        "use pets::resources::pets::{Create, Get, Pets};\n\npub fn get(pets: &Pets) -> Get {\n    \
         pets.get(\"1\").detail(\"all\")\n}\n\npub fn both(client: &pets::Client) -> (Create, Get) {\n    \
         let pets = client.pets();\n    (pets.create(\"get\"), get(&pets))\n}\n\n\
         pub fn call(pets: &Pets) -> impl Fn(&str) -> pets::resources::pets::Get + '_ {\n    \
         |id| Pets::get(pets, id)\n}\n",
    ),
    (
        "resource-renamed",
        &[
            ("client.rs", "pub fn ", "pets", "animals"),
            ("resources/mod.rs", "pub mod ", "pets", "animals"),
            ("resources/pets.rs", "pub struct ", "Pets", "Animals"),
        ],
        "use pets::Client;\nuse pets::resources::pets as handles;\nuse pets::resources::pets::{Get, Pets};\n\n\
         pub fn handle(client: &Client) -> Pets {\n    client.pets()\n}\n\npub fn get(client: &Client) -> Get {\n    \
         client.pets().get(\"pets\")\n}\n\npub fn create(handle: &handles::Pets) -> handles::Create {\n    \
         handle.create(\"Rex\")\n}\n",
    ),
];

#[test]
#[ignore = "part of `cargo ci --all`: it needs the component rust-analyzer"]
fn an_editor_renames_the_same_places() {
    if !Command::new("rust-analyzer").arg("--version").output().is_ok_and(|it| it.status.success())
    {
        eprintln!("skipped: `rustup component add rust-analyzer`");
        return;
    }
    for (bump, symbols, text) in CASES {
        let scene = Scene::new(&format!("editor-{bump}"), bump);
        if *bump == "field-renamed" {
            // Without names of their own, they would be guesses.
            for (from, to) in [
                ("identifier: {type: string}", "id: {type: string, x-rust-name: identifier}"),
                ("email: {type: string}", "email: {type: string, x-rust-name: mail}"),
                ("enum: [KIND_CAT", "x-enum-varnames: [Feline, Dog], enum: [KIND_CAT"),
            ] {
                scene.replace("spec/new.yaml", from, to);
            }
        }
        scene.emit("spec/old.yaml");
        scene.put("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"app\", \"pets\"]\n");
        scene.put(
            "app/Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n\
             pets = { path = \"../pets\", default-features = false, features = [\"client\"] }\n",
        );
        scene.put("app/src/lib.rs", text);
        let renamed = Editor::start(&scene).renamed(&scene, symbols, "app/src/lib.rs");
        scene.emit("spec/new.yaml");
        scene.commit();
        let (code, report) = scene.migrate(&["--write", "app/Cargo.toml"]);
        assert_eq!(code, Some(0), "{bump}: {report}");
        assert_eq!(scene.get("app/src/lib.rs"), renamed, "{bump}");
        assert_ne!(renamed, *text, "{bump}");
    }
}

/// A running rust-analyzer (Language Server Protocol 3.17).
struct Editor {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    id: u64,
}

impl Editor {
    /// Starts it in a repository, and waits until it has read the crates.
    fn start(scene: &Scene) -> Self {
        let mut command = scene.command("rust-analyzer", &[]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut editor = Self { child, stdin, stdout, id: 0 };
        let options = json!({
            "cargo": {"buildScripts": {"enable": false}},
            "procMacro": {"enable": false},
            "cachePriming": {"enable": false},
            "checkOnSave": false,
        });
        let edits = json!({"documentChanges": true, "resourceOperations": ["rename"]});
        let experimental = json!({"serverStatusNotification": true});
        editor.request(
            "initialize",
            &json!({
                "processId": null,
                "rootUri": uri(scene, ""),
                "initializationOptions": options,
                "capabilities": {"workspace": {"workspaceEdit": edits}, "experimental": experimental},
            }),
        );
        editor.send(&json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}));
        editor.wait(|message| {
            message["method"] == "experimental/serverStatus"
                && message["params"]["quiescent"] == true
        });
        editor
    }

    /// Returns the text of a file after symbols of the crate have new names.
    fn renamed(&mut self, scene: &Scene, symbols: &[Symbol<'_>], file: &str) -> String {
        let mut edits = BTreeMap::new();
        for (path, before, name, new_name) in symbols {
            let path = format!("pets/src/{path}");
            let (line, character) = position(&scene.get(&path), before, name);
            let answer = self.request(
                "textDocument/rename",
                &json!({
                    "textDocument": {"uri": uri(scene, &path)},
                    "position": {"line": line, "character": character},
                    "newName": new_name,
                }),
            );
            let changes = answer["documentChanges"].as_array().unwrap();
            let of_file = changes.iter().filter(|it| it["textDocument"]["uri"] == uri(scene, file));
            for edit in of_file.flat_map(|it| it["edits"].as_array().unwrap()) {
                let at = |end: &str| {
                    let number = |key: &str| edit["range"][end][key].as_u64().unwrap();
                    (number("line"), number("character"))
                };
                edits
                    .insert((at("start"), at("end")), edit["newText"].as_str().unwrap().to_owned());
            }
        }
        let mut lines: Vec<String> = scene.get(file).split('\n').map(str::to_owned).collect();
        for ((start, end), text) in edits.into_iter().rev() {
            assert_eq!(start.0, end.0, "names are on one line");
            let range = usize::try_from(start.1).unwrap()..usize::try_from(end.1).unwrap();
            lines[usize::try_from(start.0).unwrap()].replace_range(range, &text);
        }
        lines.join("\n")
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.wait(|message| message["id"] == id && message.get("method").is_none());
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.stdin.flush().unwrap();
    }

    /// Returns the first message that is the right one, and answers the requests before it.
    fn wait(&mut self, is_right: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut length = 0;
            loop {
                let mut header = String::new();
                assert_ne!(self.stdout.read_line(&mut header).unwrap(), 0, "rust-analyzer ended");
                match header.trim().split_once(": ") {
                    Some(("Content-Length", value)) => length = value.parse().unwrap(),
                    Some(_) => {}
                    None => break,
                }
            }
            let mut content = vec![0; length];
            self.stdout.read_exact(&mut content).unwrap();
            let message: Value = serde_json::from_slice(&content).unwrap();
            if is_right(&message) {
                return message;
            }
            if let (Some(id), Some(_)) = (message.get("id"), message.get("method")) {
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": null}));
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the line and the column of a name after a text.
fn position(text: &str, before: &str, name: &str) -> (usize, usize) {
    let is_end = |rest: &str| !rest.starts_with(|char: char| char.is_alphanumeric() || char == '_');
    let wanted = [before, name].concat();
    let mut found = text.match_indices(&wanted).map(|(at, _)| at);
    let at = found.find(|at| is_end(&text[at + wanted.len()..])).unwrap() + before.len();
    let line = text[..at].matches('\n').count();
    (line, at - text[..at].rfind('\n').map_or(0, |end| end + 1))
}

fn uri(scene: &Scene, path: &str) -> String {
    format!("file://{}", scene.path(path).display())
}
