//! The program that receives the replies: a function for each operation.

use std::fmt::Write as _;

use codegen::items::{Definition, PublicApi};

use super::operation::{Operation, is_enum_of_replies, way};
use crate::subject::Failure;

/// Returns the parts of the program: the conversions of enums, the operations, and their names.
pub fn program(operations: &[Operation<'_>], api: &PublicApi) -> Result<[String; 2], Failure> {
    let mut code = conversions(api)?;
    let mut names = Vec::new();
    for (number, operation) in operations.iter().enumerate() {
        let path = operation.path.to_string();
        let (module, name) = path.rsplit_once("::").ok_or("a request is in no module")?;
        let failure = if operation.failure.is_some() {
            format!("error.failure::<{path}>().as_ref().map(|value| shown!(value))")
        } else {
            "None".to_owned()
        };
        let mut headers = String::new();
        let mut ways = String::new();
        for member in operation.item.members(operation.path) {
            if let Some(Definition::Constant { value: Some(value), .. }) = member.definition {
                let get = format!("source.header({path}::{})", member.name);
                writeln!(headers, "({value:?}, {get}.as_ref().map(|value| shown!(value))),")?;
            }
            if let Some(way) = way(member, "*/*", api) {
                writeln!(ways, "{:?} => {way},", member.name)?;
            }
        }
        writeln!(
            code,
            "#[allow(unused)] fn operation_{number}(way: &str, client: &Client) -> Value {{
                type E = {module}::operation::{name};
                macro_rules! sent {{ ($sent:expr) => {{ match $sent {{
                    Ok(value) => json!({{\"ok\": shown!(&value)}}),
                    Err(error) => refused(&error, {failure}),
                }} }} }}
                macro_rules! headers {{ ($source:expr) => {{ {{
                    let source = $source;
                    let all: Vec<(&str, Option<Value>)> = vec![{headers}];
                    json!({{\"headers\": all}})
                }} }} }}
                match way {{
                    \"send\" => sent!(Made::<E>::new(client).send()),
                    \"headers\" => match Made::<E>::new(client).send_raw() {{
                        Ok(source) => headers!(&source),
                        Err(source) => headers!(&source),
                    }},
                    {ways}
                    _ => Value::Null,
                }}
            }}"
        )?;
        names.push(format!("operation_{number}"));
    }
    Ok([code, names.join(", ")])
}

/// Returns the conversions of enums.
fn conversions(api: &PublicApi) -> Result<String, Failure> {
    let mut code = String::new();
    let enums = api.items.iter().filter(|(path, item)| path.is_model() && is_enum_of_replies(item));
    for (path, item) in enums {
        writeln!(
            code,
            "impl Show for Wrap<'_, {path}> {{ fn show(&self) -> Value {{ match self.0 {{"
        )?;
        for member in item.members(path) {
            let Some(Definition::Variant(payload, _)) = member.definition else { continue };
            let name = member.name;
            match payload {
                Some(_) => {
                    writeln!(code, "{path}::{name}(value) => json!({{{name:?}: shown!(value)}}),")?;
                }
                None => writeln!(code, "{path}::{name} => json!({{{name:?}: null}}),")?,
            }
        }
        code.push_str("_ => Value::Null } } }\n");
    }
    Ok(code)
}
