//! The kinds of problems, by which `warnings.allow` names them.

macro_rules! codes {
    ($($code:ident $name:literal,)*) => {
        /// The kind of a [`Diagnostic`](super::Diagnostic).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`")] $code,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// Returns the name, such as `dangling-ref`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)*
                }
            }
        }
    };
}

codes! {
    Alias "alias", AmbiguousUnion "ambiguous-union", ComponentKey "component-key",
    ConflictingFields "conflicting-fields", ConflictingParameters "conflicting-parameters",
    Convention "convention", CyclicRef "cyclic-ref", DanglingRef "dangling-ref",
    Discriminator "discriminator", DuplicateKey "duplicate-key",
    DuplicateOperationId "duplicate-operation-id", DuplicateParameter "duplicate-parameter",
    DuplicateValue "duplicate-value", EmptyDocument "empty-document", EnumNames "enum-names",
    EnumType "enum-type", ExclusiveTypes "exclusive-types", HeaderName "header-name",
    IgnoredParameter "ignored-parameter", InvalidKey "invalid-key", InvalidValue "invalid-value",
    KeyNotText "key-not-text", LongKey "long-key", MediaType "media-type", MergeConflict "merge-conflict", MergeKey "merge-key",
    MisplacedField "misplaced-field", MissingField "missing-field", NameCollision "name-collision",
    NoContent "no-content", NoValue "no-value", OptionalPathParameter "optional-path-parameter",
    Overlay "overlay", Paging "paging", PathFragment "path-fragment",
    PathParameter "path-parameter", PathQuery "path-query", PathSegment "path-segment",
    PathTemplate "path-template", Quoted "quoted", RefSibling "ref-sibling", Rename "rename",
    Required "required", SecretName "secret-name", SecurityPlace "security-place", ServerUrl "server-url",
    ServerVariable "server-variable", SeveralDocuments "several-documents",
    SeveralLists "several-lists", SimilarPaths "similar-paths", Syntax "syntax", TooDeep "too-deep",
    TupleItems "tuple-items", UndeclaredScope "undeclared-scope",
    UndeclaredSecurity "undeclared-security", UndeclaredTag "undeclared-tag",
    UndefinedStyle "undefined-style", UnknownField "unknown-field", UnknownFormat "unknown-format",
    UnknownProperty "unknown-property", Unquoted "unquoted", UnquotedNull "unquoted-null",
    Unread "unread", UnsendableSecurity "unsendable-security", Unsupported "unsupported",
    UnsupportedSecurity "unsupported-security", UnsupportedVersion "unsupported-version",
    Untyped "untyped", UnusedAllow "unused-allow", UnusedComponent "unused-component",
    UnusedSetting "unused-setting", WrongRef "wrong-ref", WrongType "wrong-type", YamlTag "yaml-tag",
}
