//! Requests as emitted code has them.

use access_governance_runtime::internal::{
    Call, Method, Operation, Paged, Request, Service, paged_methods, request_methods,
};
use access_governance_runtime::{Client, Map, Value};

pub const SERVICE: Service = Service { package: "pets", version: "1.2.3", env_prefix: "PETS" };

/// Declares the request of an operation, with the types of its body and of its result.
macro_rules! operation {
    ($name:ident, $id:literal, $method:ident, $path:literal, $body:ty => $output:ty, $methods:ident) => {
        #[derive(Clone, Debug)]
        #[must_use]
        pub struct $name {
            pub call: Call,
            pub body: Option<$body>,
        }

        impl Request for $name {
            type Output = $output;
            const OPERATION: &'static Operation =
                &Operation { id: $id, method: Method::$method, path: $path };

            fn into_call(self) -> Call {
                match &self.body {
                    Some(body) => self.call.json(body),
                    None => self.call,
                }
            }
        }

        $methods!($name);
    };
}
#[allow(unused_imports, reason = "the benchmark declares none")]
pub(crate) use operation;

operation!(GetPet, "pets.get", GET, "/api/v1/pets/{id}", Map => Map, request_methods);
operation!(CreatePet, "pets.create", POST, "/api/v1/pets", Map => Map, request_methods);
operation!(DeletePet, "pets.delete", DELETE, "/api/v1/pets/{id}", Map => (), request_methods);
operation!(ListPets, "pets.list", GET, "/api/v1/pets", Map => Map, paged_methods);

impl Paged for ListPets {
    type Item = Value;

    fn set_page_token(&mut self, token: &str) {
        self.call.set_query("page_token", token);
    }

    fn next_page_token(page: &Map) -> Option<&str> {
        page.get("nextPageToken").and_then(Value::as_str)
    }

    fn into_items(mut page: Map) -> Vec<Value> {
        match page.remove("list") {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        }
    }
}

pub fn get(client: &Client, id: &str) -> GetPet {
    GetPet { call: Call::of::<GetPet>(client).path("id", id), body: None }
}

pub fn create(client: &Client) -> CreatePet {
    let body = Map::from_iter([("name".to_owned(), Value::from("Rex"))]);
    CreatePet { call: Call::of::<CreatePet>(client), body: Some(body) }
}

pub fn delete(client: &Client, id: &str) -> DeletePet {
    DeletePet { call: Call::of::<DeletePet>(client).path("id", id), body: None }
}

/// Begins a list of the pets of some kinds, each sent by itself, and of some ages, sent as one text.
pub fn list_of(client: &Client, kinds: &[&str], ages: &[i64]) -> ListPets {
    let call = Call::of::<ListPets>(client).query_list("kind", ["replaced"], None);
    let call = call.query_list("kind", kinds, None).query_list("age", ages, Some(","));
    ListPets { call, body: None }
}

pub fn list(client: &Client) -> ListPets {
    ListPets { call: Call::of::<ListPets>(client), body: None }
}
