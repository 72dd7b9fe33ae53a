//! `api.txt` is read as it was written.

use super::{Form, Method, Path, Property, PublicApi, Ty, Wire};

/// An item of each kind, with a member of each kind.
const LIST: &str = r#"crate pets

struct Client: Clone + Debug + From<runtime::Client>
    const DEFAULT_BASE_URL: &'static str = "https://pets.example/\"v1\""
    setting env-prefix = "PETS"
    setting token-url client_credentials = "https://pets.example/a = b"
    fn builder(base_url: impl Into<String>) -> ClientBuilder
    fn pets(&self) -> resources::pets::Pets if feature "pets"
    deprecated fn animals(&self) -> resources::pets::Pets as alias of pets

type ClientBuilder = runtime::ClientBuilder<Client>
use Error = runtime::Error
feature blocking
feature default = reqwest, tls-ring
mod models

struct models::Pet from "store.v1.\"Pet\"\u{7f}": Clone + Debug
    additional: BTreeMap<String, Vec<i64>> as additional text
    kind: Option<Box<models::Kind>> as oneof required
    owner: Option<String> as "owner" or null
    r#type: Secret<String> as "ty\\pe" required
    fn new(id: impl Into<i64>) -> Self
    fn tags(self, value: impl runtime::IntoList<models::Tag, By>) -> Self

enum models::Kind
    Cat(models::Cat) as "cat" text
    Unknown(runtime::UnknownUnion)

enum models::Tag: AsRef<str> + From<&str> if feature "pets" or "tags"
    Red as "RED"
    Unknown(runtime::UnknownValue)
    const KNOWN: &'static [Self]
    deprecated const Rot: Self as alias of Red

deprecated type models::Animal = models::Pet
struct resources::pets::Get
    operation GET /pets/{id}/"a b" "pets.get"
    body none
    output ()
    items models::Pet as pets by next_token
    fn set_if_some(self, value: Option<T>, setter: impl FnOnce(Self, T) -> Self) -> Self
    fn since(self, value: Timestamp as header "Since") -> Self as query "since" in spaceDelimited reserved
    fn with_header(self, name: impl AsRef<str>) -> Result<Self::Output, Error>

struct resources::pets::Pets
    fn get(&self, id: impl runtime::Param as path "id", ids: impl IntoIterator<Item = u32> as query "ids" text in form exploded, name: impl Into<String> as body "name" required, kind: models::Kind as body oneof, body: Value as body) -> resources::pets::Get

struct resources::pets::Put
    body {}

struct resources::pets::Set
    body models::Pet
    fn more(self, value: models::Kind) -> Self as body oneof encoding "a \"b\"" in form encoding "c" header "C"
    fn photo(self, value: impl Into<runtime::Upload>) -> Self as body "photo" as "image/png, image/jpeg" header "X-Kind" = "a\"b" header "X-Key"
    fn tags(self, value: impl runtime::IntoList<String, By>) -> Self as body "tags" in deepObject exploded
    fn with_body(self, value: Map) -> Self as body encoding "tags" in form reserved encoding "photo" as "image/png"
"#;

#[test]
fn a_list_is_read_as_it_was_written() {
    let api = PublicApi::parse(LIST).unwrap();
    let printed = api.to_string();
    assert_eq!(PublicApi::parse(&printed).unwrap(), api);
    let sorted = |text: &str| {
        let mut lines: Vec<_> =
            text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&printed), sorted(LIST));
}

#[test]
fn members_are_typed() {
    let api = PublicApi::parse(LIST).unwrap();
    let method = |path: &str, name: &str| -> Method {
        let path = Path::new(path);
        let member = api.member(&path, super::MemberKind::Method, name).unwrap();
        member.method().unwrap().clone()
    };
    let get = method("resources::pets::Pets", "get").signature;
    assert_eq!(get.output, Ty::Item(Path::new("resources::pets::Get")));
    assert_eq!(get.arguments[0].ty, Ty::Param);
    assert!(get.arguments[0].wire.as_ref().is_some_and(Wire::is_path));
    let name = Some("name".to_owned());
    let property = Property { name, form: Form::Plain, required: true, nullable: false };
    assert_eq!(get.arguments[2].wire, Some(Wire::BodyProperty(property, Vec::new())));
    assert_eq!(get.arguments[4].wire, Some(Wire::Body(Vec::new())));
    let tag = &api.items["models::Tag"].members[&(super::MemberKind::Variant, "Red".to_owned())];
    assert_eq!(tag.definition.wire(), Some(&Wire::Value("RED".to_owned())));
    let schema = api.items["models::Pet"].schema.as_deref();
    assert_eq!(schema, Some("store.v1.\"Pet\"\u{7f}"));
    assert_eq!(method("Client", "animals").alias_of.as_deref(), Some("pets"));
    assert_eq!(method("Client", "pets").feature.as_deref(), Some("pets"));
    assert_eq!(api.operations().count(), 1);
}

#[test]
fn other_texts_are_refused_with_their_line() {
    for (text, line) in [
        ("", 1),
        ("struct A\n", 1),
        ("crate a\n\n    b: u8 as \"b\"\n", 3),
        ("crate a\nstruct A\n    fn f(self\n", 3),
        ("crate a\nstruct A\n    b: u8\n", 3),
        ("crate a\nstruct A\n    b: u8 as \"b\n", 3),
        ("crate a\nstruct A\n    b: Option<u8 as \"b\"\n", 3),
        ("crate a\nstruct A\n    b: u8 as \"b\" required twice\n", 3),
        ("crate a\nstruct A\n    operation GET\n", 3),
        ("crate a\nstruct A\n    b: u8 as \"\\u{zz}\"\n", 3),
        ("crate a\nstruct A\n    setting b = 1\n", 3),
        ("crate a\nunion A\n", 2),
        ("crate a\ntype A\n", 2),
    ] {
        assert_eq!(PublicApi::parse(text).map_err(|error| error.line), Err(line), "{text:?}");
    }
}
