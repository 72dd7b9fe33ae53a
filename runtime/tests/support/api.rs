//! Requests as emitted code has them.

use openapi_bindings_runtime::internal::{
    self, Alternatives, Call, Endpoint, NextPage, PagedEndpoint, Parameter, Scheme, Service, Style,
    TakesPageParameter, TakesPageToken, call, requests,
};
use openapi_bindings_runtime::{Client, Map, Value};

pub const SERVICE: Service = Service {
    package: "pets",
    version: "1.2.3",
    env_prefix: "PETS",
    request_id: Some("(id: {id})"),
    schemes: &[Scheme::BEARER],
    security: &[&[0], &[]],
    servers: &[],
};

requests!();

/// Declares an operation, with the types of its body and of its result. Its body is JSON unless it says how it is added to
/// a call.
macro_rules! operation {
    ($name:ident, $id:literal, $method:ident, $path:literal, $body:ty => ()) => {
        operation!(@json Empty $name, $id, $method, $path, $body => ());
    };
    ($name:ident, $id:literal, $method:ident, $path:literal, $body:ty => $output:ty) => {
        operation!(@json Json $name, $id, $method, $path, $body => $output);
    };
    (
        $name:ident, $id:literal, $method:ident, $path:literal, $body:ty => (),
        |$call:ident, $value:ident| $encode:expr
    ) => {
        operation!(@as Empty $name, $id, $method, $path, $body => (), |$call, $value| $encode);
    };
    (
        $name:ident, $id:literal, $method:ident, $path:literal, $body:ty => $output:ty,
        |$call:ident, $value:ident| $encode:expr
    ) => {
        operation!(@as Json $name, $id, $method, $path, $body => $output, |$call, $value| $encode);
    };
    (
        @json $format:ident $name:ident, $id:literal, $method:ident, $path:literal,
        $body:ty => $output:ty
    ) => {
        operation!(@as $format $name, $id, $method, $path, Option<$body> => $output, |call, body| {
            call.optional_json(body.as_ref())
        });
    };
    (
        @as $format:ident $name:ident, $id:literal, $method:ident, $path:literal,
        $body:ty => $output:ty, |$call:ident, $value:ident| $encode:expr
    ) => {
        #[derive(Debug)]
        pub struct $name;

        impl internal::Endpoint for $name {
            type Body = $body;
            type Output = $output;
            type Format = internal::$format;
            const OPERATION: &'static internal::Operation =
                &internal::Operation { id: $id, method: stringify!($method), path: $path };

            fn encode($call: internal::Call, $value: &Self::Body) -> internal::Call {
                $encode
            }
        }
    };
}
#[allow(unused_imports, reason = "the benchmark declares none")]
pub(crate) use operation;

operation!(GetPet, "pets.get", GET, "/api/v1/pets/{id}", Map => Map);
operation!(CreatePet, "pets.create", POST, "/api/v1/pets", Map => Map);

/// An operation whose calls have an idempotency key.
pub struct OrderPet;

impl Endpoint for OrderPet {
    type Body = Option<Map>;
    type Output = Map;
    type Format = internal::Json;
    const OPERATION: &'static internal::Operation =
        &internal::Operation { id: "pets.order", method: "POST", path: "/api/v1/pets/order" };
    const IDEMPOTENCY_KEY: Option<&'static str> = Some("Idempotency-Key");
}

operation!(DeletePet, "pets.delete", DELETE, "/api/v1/pets/{id}", Map => ());
operation!(ListPets, "pets.list", GET, "/api/v1/pets", Map => Map);

impl PagedEndpoint for ListPets {
    type Item = Value;
    const TOKEN_PARAMETER: Option<&'static str> = Some("page_token");

    fn next_page_token(page: &Map) -> Option<String> {
        page.get("nextPageToken").and_then(Value::as_str).map(str::to_owned)
    }

    fn items(page: &mut Map) -> Option<&mut Vec<Value>> {
        page.get_mut("list")?.as_array_mut()
    }
}

impl TakesPageToken for ListPets {}

impl TakesPageParameter for ListPets {}

operation!(ListOwners, "owners.list", GET, "/api/v1/owners", Map => Vec<Value>);

impl PagedEndpoint for ListOwners {
    type Item = Value;
    const NEXT: NextPage = NextPage::Header;

    fn items(page: &mut Vec<Value>) -> Option<&mut Vec<Value>> {
        Some(page)
    }
}

impl TakesPageToken for ListOwners {}

operation!(ListVets, "vets.list", GET, "/api/v1/vets", Map => Map);

impl PagedEndpoint for ListVets {
    type Item = Value;
    const NEXT: NextPage = NextPage::Url;

    fn next_page_token(page: &Map) -> Option<String> {
        page.get("next").and_then(Value::as_str).map(str::to_owned)
    }

    fn items(page: &mut Map) -> Option<&mut Vec<Value>> {
        ListPets::items(page)
    }
}

impl TakesPageToken for ListVets {}

operation!(ListGroups, "groups.list", GET, "/scim/v2/Groups", Map => Map);

impl PagedEndpoint for ListGroups {
    type Item = Value;
    const NEXT: NextPage = NextPage::Offset { first: 1 };
    const TOKEN_PARAMETER: Option<&'static str> = Some("startIndex");

    fn total(page: &Map) -> Option<String> {
        page.get("total").map(Value::to_string)
    }

    fn items(page: &mut Map) -> Option<&mut Vec<Value>> {
        ListPets::items(page)
    }
}

impl TakesPageToken for ListGroups {}

operation!(ListRoles, "roles.list", GET, "/api/v1/roles", Map => Map);

impl PagedEndpoint for ListRoles {
    type Item = Value;
    const NEXT: NextPage = NextPage::Number { first: 0 };
    const TOKEN_PARAMETER: Option<&'static str> = Some("page");

    fn total(page: &Map) -> Option<String> {
        ListGroups::total(page)
    }

    fn items(page: &mut Map) -> Option<&mut Vec<Value>> {
        ListPets::items(page)
    }
}

impl TakesPageToken for ListRoles {}

operation!(ListRuns, "runs.list", GET, "/api/v1/runs", Map => Map);

impl PagedEndpoint for ListRuns {
    type Item = Value;
    const FIRST_TOKEN: Option<&'static str> = Some("");
    const TOKEN_PARAMETER: Option<&'static str> = Some("page_token");

    fn next_page_token(page: &Map) -> Option<String> {
        ListPets::next_page_token(page)
    }

    fn items(page: &mut Map) -> Option<&mut Vec<Value>> {
        ListPets::items(page)
    }
}

impl TakesPageToken for ListRuns {}

/// Begins a request of an operation without parameters.
pub fn request<E: Endpoint>(client: &Client, body: E::Body) -> Request<E> {
    Request { call: call::<E>(client), body }
}

/// Begins a request of a call with its parameters.
pub fn request_of<E: Endpoint>(call: Call, body: E::Body) -> Request<E> {
    Request { call, body }
}

pub fn get(client: &Client, id: &str) -> Request<GetPet> {
    Request { call: call::<GetPet>(client).path("id", id), body: None }
}

/// Begins a request that needs one of these sets of credentials.
pub fn get_with(client: &Client, security: Alternatives) -> Request<GetPet> {
    Request { call: call::<GetPet>(client).path("id", "7").security(security), body: None }
}

/// Begins a request of an operation that has servers of its own.
pub fn get_at(client: &Client, servers: &'static [usize]) -> Request<GetPet> {
    Request { call: call::<GetPet>(client).path("id", "7").servers(servers), body: None }
}

pub fn create(client: &Client) -> Request<CreatePet> {
    request(client, Some(Map::from_iter([("name".to_owned(), Value::from("Rex"))])))
}

pub fn delete(client: &Client, id: &str) -> Request<DeletePet> {
    Request { call: call::<DeletePet>(client).path("id", id), body: None }
}

/// Begins a list of the pets of some kinds, each sent by itself, and of some ages, sent as one text.
pub fn list_of(client: &Client, kinds: &[&str], ages: &[i64]) -> Request<ListPets> {
    let kind = Parameter::query("kind");
    let age = Parameter::query("age").style(Style::Form, false);
    let call = call::<ListPets>(client).list(kind, ["replaced"]).list(kind, kinds).list(age, ages);
    Request { call, body: None }
}

pub fn list(client: &Client) -> Request<ListPets> {
    request(client, None)
}

/// Begins a list whose pages have the URL of the next one.
pub fn list_by_url(client: &Client) -> Request<ListVets> {
    request(client, None)
}

/// Begins a list whose pages have links.
pub fn list_linked(client: &Client) -> Request<ListOwners> {
    request(client, None)
}
