//! The kinds of problems, by which `warnings.allow` names them, and what each costs.

/// What a problem costs. Its severity follows, and nothing else decides that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cost {
    /// Everything: nothing can be generated.
    Document,
    /// The operations that need the place; outside of paths, components and `security` there are none.
    Operation,
    /// The type of a schema, which has a more general one.
    Schema,
    /// The type of a parameter, a body or a credential, or the whole of it.
    Parameter,
    /// A reply, which arrives as one that is not declared.
    Reply,
    /// Nothing: the value has no effect, or is read as it is meant.
    Nothing,
    /// Nothing: it is a decision of the generator that the user may want to change.
    Decision,
}

/// The page of all codes, which `cargo xtask explain` prints in parts.
const PAGE: &str = include_str!("codes.md");

macro_rules! codes {
    ($($cost:ident: [$($code:ident $name:literal,)*])*) => {
        /// The kind of a [`Diagnostic`](super::Diagnostic).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = concat!("`", $name, "`")] $code,)*)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$($(Self::$code),*),*];

            /// Returns the name, such as `dangling-ref`.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$code => $name,)*)*
                }
            }

            /// Returns the entry of `codes.md`: the cost, the meaning, an example and the cure.
            pub fn entry(self) -> &'static str {
                let heading = format!("\n## {}\n\n", self.name());
                let (_, entry) = PAGE.split_once(heading.as_str()).unwrap_or_default();
                entry.split("\n## ").next().unwrap_or_default()
            }

            /// Returns what a problem of the kind costs.
            pub fn cost(self) -> Cost {
                match self {
                    $($(Self::$code)|* => Cost::$cost,)*
                }
            }
        }
    };
}

codes! {
    Document: [
        Alias "alias", Convention "convention", EmptyDocument "empty-document", NoOperation "no-operation",
        Overlay "overlay", OwnType "own-type", Rename "rename", Repeated "repeated",
        SeveralDocuments "several-documents", Syntax "syntax", UnsupportedVersion "unsupported-version",
    ]
    Operation: [
        ConflictingKeys "conflicting-keys", ConflictingParameters "conflicting-parameters", CyclicRef "cyclic-ref",
        DanglingRef "dangling-ref", Indentation "indentation", InvalidKey "invalid-key", InvalidValue "invalid-value",
        KeyNotText "key-not-text", LongKey "long-key", MergeKey "merge-key", PathTemplate "path-template",
        RequiredField "required-field", TooDeep "too-deep", WrongRef "wrong-ref", WrongType "wrong-type",
    ]
    Schema: [
        AmbiguousUnion "ambiguous-union", Discriminator "discriminator", EnumType "enum-type",
        ExclusiveTypes "exclusive-types", TupleItems "tuple-items", UnknownProperty "unknown-property",
        Untyped "untyped",
    ]
    Parameter: [
        HeaderName "header-name", IgnoredParameter "ignored-parameter", PathParameter "path-parameter",
        UndefinedStyle "undefined-style", UnsendableSecurity "unsendable-security", Unsupported "unsupported",
        UnsupportedSecurity "unsupported-security",
    ]
    Reply: [
        ReplyRef "reply-ref", ReplyStatus "reply-status",
    ]
    Nothing: [
        ComponentKey "component-key", ConflictingFields "conflicting-fields", DuplicateKey "duplicate-key",
        DuplicateOperationId "duplicate-operation-id", DuplicateParameter "duplicate-parameter",
        EnumNames "enum-names", HashedName "hashed-name", MediaType "media-type",
        MergeConflict "merge-conflict", MisplacedField "misplaced-field", MissingField "missing-field",
        NoValue "no-value", NotText "not-text", OptionalPathParameter "optional-path-parameter",
        PathFragment "path-fragment", PathQuery "path-query", PathSegment "path-segment", Quoted "quoted",
        RefSibling "ref-sibling", Required "required", SelfReference "self-reference", ServerUrl "server-url",
        ServerVariable "server-variable", SimilarPaths "similar-paths", UndeclaredScope "undeclared-scope",
        UndeclaredSecurity "undeclared-security", UndeclaredTag "undeclared-tag", UnknownField "unknown-field",
        UnknownFormat "unknown-format", Unquoted "unquoted", UnquotedNull "unquoted-null", Unread "unread",
        UnreadRef "unread-ref", UnusedAction "unused-action", UnusedAllow "unused-allow",
        UnusedSetting "unused-setting", YamlTag "yaml-tag",
    ]
    Decision: [
        CredentialParameter "credential-parameter", NameCollision "name-collision", NoContent "no-content",
        Paging "paging", SecretName "secret-name", SecurityPlace "security-place", SeveralLists "several-lists",
        UnclearMask "unclear-mask", UnusedComponent "unused-component",
    ]
}
