//! Names: from the spelling of the document to the spelling of Rust ([`case`]), without reserved names, and without
//! collisions ([`scope`]).

mod case;
mod modules;
mod nested;
mod number;
mod operation_id;
mod repeats;
mod scope;
mod status;

use std::collections::HashSet;

use crate::ir::{FieldName, MethodName, ModuleName, Scalar, TypeName, VariantName};

pub use case::{camel, checksum, snake, spelling};
pub use modules::{ModulePaths, component_name, prevailing_prefix, within};
pub use nested::{element, joined, joined_variant, without_union};
pub use operation_id::{Service, derived, split};
pub use repeats::{
    after_prefixes, is_route, missing_words, without_parameters, without_resource, without_route,
};
pub use scope::{NameRequest, Priority, assign, hashed};
pub use status::{http_reason, without_status};

/// The keywords of Rust 2024 that become raw identifiers (Rust Reference, "Keywords").
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// The keywords that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["crate", "self", "super"];

/// Names of the standard library and the runtime that emitted modules use unqualified, and of the derive macros of the
/// prelude: links to a type with such a name are ambiguous.
const TAKEN_TYPES: &[&str] = &[
    "AsRef", "BTreeMap", "Box", "By", "Clone", "Copy", "Debug", "Default", "Eq", "From", "Hash",
    "Into", "IntoIterator", "Iterator", "Map", "New", "Option", "Ord", "PartialEq", "PartialOrd",
    "Secret", "Self", "Some", "String", "UnknownProperties", "UnknownUnion", "UnknownValue",
    "UnknownVariant", "Value", "Vec",
];

/// Names that every model has: methods, and the field of unknown properties.
const TAKEN_FIELDS: &[&str] = &["clone", "default", "new", "unknown"];

/// The first words of the methods of every request, which are the runtime's (`runtime/src/internal/requests.rs`).
const METHODS_OF_REQUESTS: &[&str] = &["into", "items", "pages", "send", "set", "with"];

/// Names that every request has: fields and methods.
const TAKEN_ARGUMENTS: &[&str] = &["call", "clone", "new", "poll", "wait", "wait_blocking"];

/// Names of methods that every handle of a resource has.
const TAKEN_METHODS: &[&str] = &["clone", "new"];

/// Names of methods that every server has.
const TAKEN_VARIABLES: &[&str] = &["at", "clone", "default", "fmt", "into", "new"];

/// Names that a file of a module cannot have: the names of other emitted files, and the device names of Windows.
const TAKEN_FILES: &[&str] = &[
    "aux", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "con", "lpt1",
    "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "mod", "nul", "prn",
];

/// Maximum length of the name of an inline type or of a method, in bytes, if a shorter one is unambiguous.
pub const MAX_NAME: usize = 60;

/// Maximum length of a file name; longer ones have each word once, and are cut if they are still long.
const MAX_FILE_NAME: usize = 100;

/// The length of a checksum in the name of a file.
const MAX_CHECKSUM: usize = "_00000000".len();

/// Names of methods that every client has.
const TAKEN_BY_CLIENT: &[&str] = &["builder", "clone", "from", "from_env", "new", "to_builder"];

/// Names of methods that every builder has (`runtime/src/client/builder/settings.rs`).
#[rustfmt::skip]
const TAKEN_SETTINGS: &[&str] = &[
    "add_root_certificate", "allow_anonymous", "allow_http", "base_url", "build", "clock", "connect_timeout",
    "default_header", "fmt", "follow_redirects_to_other_origins", "from_env", "hide_path_values",
    "http2_keep_alive", "http2_max_header_bytes", "identity", "interceptor", "max_response_bytes", "no_proxy",
    "on_drift", "proxy", "record", "reqwest_client", "retry", "retry_budget", "server", "strict", "timeout",
    "total_timeout", "transport", "user_agent",
];

/// The cargo features that every emitted crate has.
const TAKEN_FEATURES: &[&str] = &[
    "blocking", "client", "compression", "default", "fs", "jwk", "login", "native-tls",
    "operations", "record", "reqwest", "test-util", "tls-aws-lc-rs", "tls-graviola", "tls-ring",
    "tower", UNTAGGED, "uuid",
];

/// Returns the name of a field, and of its setter. Names such as `set_owner_null` belong to setters of nulls.
pub fn field(raw: &str) -> FieldName {
    let name = untaken(snake(raw), TAKEN_FIELDS);
    let is_null_setter = name.starts_with("set_") && name.ends_with("_null");
    FieldName::new(if is_null_setter { name + "_" } else { name })
}

/// Returns the name of an argument of an operation that is never a setter.
pub fn argument(raw: &str) -> FieldName {
    FieldName::new(untaken(snake(raw), TAKEN_ARGUMENTS))
}

/// Returns the name of a setter of a request, or of an argument that may become one.
pub fn setter(raw: &str) -> FieldName {
    let name = snake(raw);
    let first = name.split('_').next();
    let is_reserved = first.is_some_and(|first| METHODS_OF_REQUESTS.contains(&first));
    if is_reserved { FieldName::new(name + "_") } else { argument(&name) }
}

/// Returns the name of a method of a resource's handle.
pub fn method(raw: &str) -> MethodName {
    MethodName::new(untaken(snake(raw), TAKEN_METHODS))
}

/// Makes the name of the builder's method that sets credentials. Those for sources are derived from it.
pub fn credential(raw: &str) -> MethodName {
    let name = untaken(snake(raw), TAKEN_SETTINGS);
    let is_derived =
        ["_source", "client_credentials", "login"].iter().any(|end| name.ends_with(end));
    MethodName::new(if is_derived { name + "_" } else { name })
}

/// Returns the name of a method of the client, which returns the handle of a resource, or is an operation.
pub fn of_client(raw: &str) -> MethodName {
    MethodName::new(untaken(snake(raw), TAKEN_BY_CLIENT))
}

/// Returns the name of a module and of its file: ASCII (Rust Reference, "Modules"), not too long for a file system, and
/// neither `mod` nor a device name of Windows.
pub fn module(raw: &str) -> ModuleName {
    let mut name = snake(raw);
    if !name.is_ascii() {
        name = snake(&case::ascii(&name));
    }
    if name.len() > MAX_FILE_NAME {
        let mut known = HashSet::new();
        name = name.split('_').filter(|word| known.insert(*word)).collect::<Vec<_>>().join("_");
    }
    if name.len() > MAX_FILE_NAME {
        let start = name[..MAX_FILE_NAME].trim_end_matches('_');
        name = format!("{start}_{:08x}", checksum(&name));
    }
    ModuleName::new(untaken(name, TAKEN_FILES))
}

pub fn is_cut(module: &ModuleName) -> bool {
    module.bare().len() > MAX_FILE_NAME
}

/// The module of the requests that methods of the client begin, and their cargo feature.
pub const UNTAGGED: &str = "untagged";

/// Returns the name of the module of a resource, which is within `resources`.
pub fn resource_module(raw: &str) -> ModuleName {
    let name = module(raw);
    let is_taken = ["resources", UNTAGGED].contains(&name.as_str());
    if is_taken { ModuleName::new(format!("{name}_")) } else { name }
}

/// Returns the name of the cargo feature of a resource, from the name of the method that returns its handle.
pub fn feature(accessor: &str) -> String {
    let name = module(accessor).bare().replace('_', "-");
    if TAKEN_FEATURES.contains(&name.as_str()) { format!("{name}-operations") } else { name }
}

/// Returns whether a module can have a name, which is its file's as well.
pub fn is_free_module(name: &str) -> bool {
    let bare = name.trim_start_matches("r#").to_lowercase();
    bare.len() <= MAX_FILE_NAME + MAX_CHECKSUM && !TAKEN_FILES.contains(&bare.as_str())
}

/// Returns whether a type can have a name, which emitted code does not use.
pub fn is_free_type(name: &str) -> bool {
    !TAKEN_TYPES.contains(&name) && Scalar::of_runtime().all(|scalar| scalar.name() != name)
}

pub fn type_name(raw: &str) -> TypeName {
    upper(raw, "Model", |name| !is_free_type(name))
}

pub fn handle(raw: &str) -> TypeName {
    upper(raw, "Resource", |name| !is_free_type(name))
}

pub fn server(raw: &str) -> TypeName {
    upper(raw, "Server", |name| !is_free_type(name) || name == "Server")
}

pub fn constant(raw: &str) -> String {
    case::identifier(snake(raw), 'n').to_uppercase()
}

pub fn variable(raw: &str) -> FieldName {
    FieldName::new(untaken(snake(raw), TAKEN_VARIABLES))
}

/// Returns the name of the request of a method, in the module of its handle.
pub fn request(method: &str, handle: Option<&TypeName>) -> TypeName {
    let handle = handle.map(TypeName::as_str);
    upper(method, "Request", |name| !is_free_type(name) || handle == Some(name))
}

/// Returns the method of a request that asks for a media type, by the word for it.
pub fn sending_as(label: &str) -> MethodName {
    MethodName::new(case::identifier(snake(&format!("send_as_{label}")), 'n'))
}

/// Returns the name of a variant. `Unknown` is the name of the catch-all.
pub fn variant(raw: &str) -> VariantName {
    let name = case::identifier(camel(&case::value(raw)), 'V');
    VariantName::new(match name.as_str() {
        "Self" => "Self_".to_owned(),
        "Unknown" => "DescribedUnknown".to_owned(),
        _ => name,
    })
}

fn upper(raw: &str, suffix: &str, is_taken: impl FnOnce(&str) -> bool) -> TypeName {
    let name = case::identifier(camel(raw), 'T');
    TypeName::new(if is_taken(&name) { name + suffix } else { name })
}

/// Returns an identifier in `snake_case` that differs from the reserved names.
fn untaken(name: String, taken: &[&str]) -> String {
    let name = case::identifier(name, 'n');
    if taken.contains(&name.as_str()) || NEVER_RAW.contains(&name.as_str()) {
        name + "_"
    } else if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHECKSUM, MAX_FILE_NAME, credential, module, setter, type_name, variant};

    #[test]
    fn no_setter_has_the_name_of_a_method_of_requests() {
        let code = concat!(
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../runtime/src/internal/requests.rs"
            )),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/send/request.rs")),
        );
        let methods: Vec<&str> = code
            .lines()
            .filter_map(|line| {
                let line = line.trim();
                let method = line.strip_prefix("pub fn ").and_then(|line| line.split_once('('));
                // A row of the table.
                let is_row = |(name, arguments): &(&str, &str)| {
                    name.chars().all(|it| it == '_' || it.is_ascii_lowercase())
                        && arguments.contains(": ")
                };
                method.or_else(|| line.split_once('(').filter(is_row))
            })
            .map(|(name, _)| name)
            .collect();
        assert!(methods.contains(&"with_header") && methods.contains(&"send"), "{methods:?}");
        assert!(methods.len() > 8, "{methods:?}");
        for method in methods {
            assert_ne!(setter(method).as_str(), method);
        }
    }

    #[test]
    fn no_credential_has_the_name_of_a_setting() {
        let settings = include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../runtime/src/client/builder/settings.rs"
        ));
        let names = settings.lines().filter_map(|line| Some(line.trim().split_once('(')?.0));
        let is_name =
            |name: &&str| name.chars().all(|it| "_2".contains(it) || it.is_ascii_lowercase());
        let names: Vec<&str> = names.filter(is_name).collect();
        assert!(names.len() > 25, "{names:?}");
        for name in names {
            assert_ne!(credential(name).as_str(), name);
        }
    }

    #[test]
    fn module_files_are_valid_on_every_file_system() {
        for name in ["con", "CON", "Nul", "lpt9", "mod"] {
            assert!(module(name).bare().ends_with('_'), "{name}: {:?}", module(name));
        }
        let [one, other] = ["a", "b"].map(|end| module(&format!("{}{end}", "x".repeat(300))));
        assert_ne!(one, other);
        assert!(one.bare().len() <= MAX_FILE_NAME + MAX_CHECKSUM, "{one:?}");
    }

    #[test]
    fn types_and_variants_avoid_reserved_names() {
        assert_eq!(type_name("option").as_str(), "OptionModel");
        assert_eq!(type_name("c1.api.App").as_str(), "C1ApiApp");
        assert_eq!(variant("UNKNOWN").as_str(), "DescribedUnknown");
        assert_eq!(variant("self").as_str(), "Self_");
        assert_eq!(variant("2024-01").as_str(), "V2024_01");
        assert_eq!(variant("gpt-3.5-turbo").as_str(), "Gpt3_5Turbo");
        for (raw, name) in [
            ("-1", "Minus1"),
            ("-created", "MinusCreated"),
            ("+name", "PlusName"),
            ("!open", "NotOpen"),
            ("--all", "All"),
            ("a-b", "AB"),
        ] {
            assert_eq!(variant(raw).as_str(), name);
        }
    }
}
