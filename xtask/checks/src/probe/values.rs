//! Sample values of the types that requests take, as expressions of Rust.

use ::codegen::items::{Definition, Item, ItemKind, Method, Path, PublicApi, Receiver, Ty};

/// Number of models within models whose optional properties are set.
const DEPTH: usize = 2;

/// Maximum number of models within models.
const MAX_DEPTH: usize = 8;

/// Writes values.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    api: &'a PublicApi,
    /// Number of models around the value.
    depth: usize,
}

impl<'a> Values<'a> {
    /// Writes values for the types of a crate.
    pub fn new(api: &'a PublicApi) -> Self {
        Self { api, depth: 0 }
    }

    /// Returns the arguments of a method; `None` if one has no sample.
    pub fn arguments(&self, method: &Method) -> Option<String> {
        let arguments = method.signature.arguments.iter();
        let values: Option<Vec<String>> =
            arguments.map(|argument| self.value(&argument.ty)).collect();
        Some(values?.join(", "))
    }

    /// Returns the calls of all setters of an item that have a sample.
    pub fn setters(&self, path: &'a Path, item: &'a Item) -> Vec<String> {
        let setters = item.members(path).filter_map(|member| {
            let method = member.method()?;
            let signature = &method.signature;
            let is_setter = signature.receiver == Some(Receiver::Value)
                && signature.arguments.len() == 1
                && signature.output == Ty::Itself;
            let is_own = method.feature.is_none() && method.alias_of.is_none();
            if !is_setter || !is_own {
                return None;
            }
            Some(format!(".{}({})", member.name, self.arguments(method)?))
        });
        setters.collect()
    }

    fn value(&self, ty: &Ty) -> Option<String> {
        let value = match ty {
            Ty::Scalar(scalar) if scalar.is_of_runtime() => {
                format!("{:?}.parse::<subject::{ty}>().unwrap()", scalar.row().sample)
            }
            Ty::Scalar(scalar) => scalar.row().sample.to_owned(),
            Ty::IntoInteger(_) => "7_i32".to_owned(),
            // A path and a query have to escape it.
            Ty::String => "\"a/b c\".to_owned()".to_owned(),
            Ty::Param => "\"a/b c\"".to_owned(),
            Ty::Value => "subject::json!([1, \"a\"])".to_owned(),
            Ty::Map => "subject::map([(\"a b\", 1)])".to_owned(),
            Ty::List(item) | Ty::IntoList(item) | Ty::IntoIterator(item) => {
                format!("vec![{}]", self.value(item)?)
            }
            Ty::Dictionary(value) => {
                format!("BTreeMap::from([(\"a b\".to_owned(), {})])", self.value(value)?)
            }
            Ty::Secret(inner) => format!("subject::Secret::from({})", self.value(inner)?),
            Ty::Option(inner) => format!("Some({})", self.value(inner)?),
            Ty::Boxed(inner) => format!("Box::new({})", self.value(inner)?),
            Ty::Into(inner) => self.value(inner)?,
            Ty::Item(path) => return self.model(path),
            Ty::Foreign(path, arguments) => match (path.as_str(), arguments.as_slice()) {
                // Characters of bearer tokens (RFC 6750, section 2.1) that a query has to escape.
                ("runtime::SecretString", _) => {
                    "subject::runtime::SecretString::from(\"a+b/c\")".to_owned()
                }
                ("runtime::Upload", _) => "subject::runtime::Upload::from(\"a b\")".to_owned(),
                ("runtime::Bytes", _) => "subject::runtime::Bytes::from(\"a b\")".to_owned(),
                _ => return None,
            },
            _ => return None,
        };
        Some(value)
    }

    fn model(&self, path: &Path) -> Option<String> {
        let (path, item) = self.api.items.get_key_value(path)?;
        if let ItemKind::Alias(ty) = &item.kind {
            return self.value(ty);
        }
        if self.depth == MAX_DEPTH {
            return None;
        }
        let inner = Self { depth: self.depth + 1, ..*self };
        if item.kind == ItemKind::Enum {
            return item.members(path).find_map(|member| match member.definition? {
                Definition::Variant(_, None) => None,
                Definition::Variant(None, _) => Some(format!("subject::{path}::{}", member.name)),
                Definition::Variant(Some(payload), _) => {
                    Some(format!("subject::{path}::{}({})", member.name, inner.value(payload)?))
                }
                _ => None,
            });
        }
        let constructor = item.members(path).find_map(|member| {
            let method = member.method().filter(|_| member.name == "new")?;
            Some(inner.arguments(method))
        });
        let arguments = match constructor {
            Some(arguments) => format!("new({})", arguments?),
            None => "default()".to_owned(),
        };
        let setters = if self.depth < DEPTH { inner.setters(path, item) } else { Vec::new() };
        Some(format!("subject::{path}::{arguments}{}", setters.concat()))
    }
}
