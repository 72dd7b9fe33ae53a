//! Numbers as setters take them: integers that are out of range, and floats that JSON does not have, fail the request
//! when it is sent.

use openapi_bindings_runtime::internal::{EditEndpoint, Mask, MaskPlace, Parameter, Style};
use openapi_bindings_runtime::{
    Edit, Error, ErrorKind, IntoInteger, Model as _, Secret, UnknownProperties, internal,
};
use serde_json::json;

use crate::support::api::{operation, request, request_of};
use crate::support::client;
use crate::support::server::Server;

#[derive(Clone, Default)]
pub struct Page {
    size: Option<i32>,
    total: u64,
    inner: Option<Box<Page>>,
    unknown: UnknownProperties,
}

internal::object! {
    Page { size: "pageSize", total!: "total", inner: "inner" }
    unknown
}

#[derive(Clone, Default)]
pub struct Safe {
    pin: Option<Secret<i32>>,
    unknown: UnknownProperties,
}

internal::object! { Safe { pin: "pin" } unknown }

/// The setters, as emitted code has them.
impl Page {
    fn size(mut self, value: impl IntoInteger<i32>) -> Self {
        self.size = self.unknown.integer("pageSize", value);
        self
    }

    fn total(mut self, value: impl IntoInteger<u64>) -> Self {
        self.total = self.unknown.integer("total", value).unwrap_or_default();
        self
    }

    fn inner(mut self, value: Self) -> Self {
        self.inner = Some(Box::new(value));
        self
    }
}

operation!(Json, "pages", PUT, "/pages", Page => (), |call, body| call.json(body));
operation!(Form, "pages", PUT, "/pages", Page => (), |call, body| {
    call.form_body(body, &[])
});
operation!(Parts, "pages", PUT, "/pages", Page => (), |call, body| {
    call.multipart_body(body, "multipart/form-data", &[])
});
operation!(Lock, "safes.lock", PUT, "/safe", Safe => (), |call, body| call.json(body));
operation!(Get, "pages.get", GET, "/pages/{id}", () => (), |call, _body| call);

#[track_caller]
fn refused(outcome: Result<(), Error>, why: &str) {
    let error = outcome.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Request, 0), "{error}");
    assert!(error.to_string().contains(why), "{error}");
}

#[tokio::test]
async fn integers_of_every_type_are_sent() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let age = Parameter::query("age");
    let ages = Parameter::query("ages").style(Style::Form, false);
    let call = internal::call::<Get>(&client)
        .integer::<i64>(Parameter::path("id"), usize::MAX >> 1)
        .integer::<i32>(age, 5_i128)
        .integer::<i32>(age, 7)
        .integers::<u64>(ages, [1, 2]);
    request_of::<Get>(call, ()).await.unwrap();
    assert_eq!(server.only().target, "/pages/9223372036854775807?age=7&ages=1,2");
    let page = Page::default().size(50_usize).total(u64::MAX).inner(Page::default().size(-1_i8));
    request::<Json>(&client, page).await.unwrap();
    let sent = server.seen().pop().unwrap().body;
    assert_eq!(
        sent,
        r#"{"pageSize":50,"total":18446744073709551615,"inner":{"pageSize":-1,"total":0}}"#
    );
}

#[tokio::test]
async fn parameters_out_of_range_fail_the_request() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let call = internal::call::<Get>(&client).integer::<i64>(Parameter::path("id"), u64::MAX);
    let why = "the parameter `id` cannot be sent: 18446744073709551615 is not a 64-bit integer";
    refused(request_of::<Get>(call, ()).await, why);
    let call = internal::call::<Get>(&client)
        .path("id", "1")
        .integers::<u32>(Parameter::query("ages"), [1, -1]);
    let why = "the parameter `ages` cannot be sent: -1 is not an unsigned 32-bit integer";
    refused(request_of::<Get>(call, ()).await, why);
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn the_last_value_of_a_parameter_counts() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let age = Parameter::query("age");
    let depth = Parameter::header("Depth");
    let call = || internal::call::<Get>(&client).path("id", "1").integer::<i32>(age, i64::MAX);
    request_of::<Get>(call().integer::<i32>(age, 7), ()).await.unwrap();
    request_of::<Get>(call().query("age", "8"), ()).await.unwrap();
    let headers = call().integer::<i32>(age, 9).integer::<i32>(depth, u64::MAX);
    request_of::<Get>(headers.clone().header("depth", "1"), ()).await.unwrap();
    let targets: Vec<String> = server.seen().into_iter().map(|request| request.target).collect();
    assert_eq!(targets, ["/pages/1?age=7", "/pages/1?age=8", "/pages/1?age=9"]);

    refused(request_of::<Get>(headers.integer::<i32>(age, 1), ()).await, "`Depth` cannot be sent");
    let other = call().integer::<i32>(depth, 1);
    refused(request_of::<Get>(other, ()).await, "`age` cannot be sent");
    let worse = call().integer::<i32>(age, 7).integer::<i32>(age, u64::MAX);
    refused(request_of::<Get>(worse, ()).await, "`age` cannot be sent: 18446744073709551615");
}

#[tokio::test]
async fn properties_out_of_range_fail_the_request() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let large = || Page::default().size(5_000_000_000_u64);
    let why = "the value of the property `pageSize` is invalid: 5000000000 is not a 32-bit integer";
    refused(request::<Json>(&client, large()).await, why);
    refused(request::<Form>(&client, large()).await, why);
    refused(request::<Parts>(&client, large()).await, why);
    refused(request::<Json>(&client, Page::default().inner(large())).await, why);
    refused(request::<Form>(&client, Page::default().inner(large())).await, why);
    let why = "`total` is invalid: -1 is not an unsigned 64-bit integer";
    refused(request::<Json>(&client, Page::default().total(-1)).await, why);
    let error = serde_json::to_value(large()).unwrap_err();
    assert!(error.to_string().contains("`pageSize` is invalid"), "{error}");
    assert_eq!(large().to_json(), br#"{"total":0}"#, "no other value is shown");
    assert_ne!(large(), Page::default());
    assert!(server.seen().is_empty());

    let mended = large().size(5);
    assert_eq!(mended, Page::default().size(5));
    request::<Json>(&client, mended).await.unwrap();
    assert_eq!(server.only().body, r#"{"pageSize":5,"total":0}"#);
}

#[tokio::test]
async fn a_field_replaces_the_integer_that_its_setter_refused() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let mut page = Page::default().size(5_000_000_000_u64).total(-1);
    page.size = Some(5);
    assert_ne!(page, Page::default().size(5), "the total is still refused");
    refused(request::<Json>(&client, page.clone()).await, "`total` is invalid: -1");
    page.total = 6;
    assert_eq!(page, Page::default().size(5).total(6));
    request::<Json>(&client, page.clone()).await.unwrap();
    request::<Form>(&client, page).await.unwrap();

    let mut page = Page::default().size(i64::MAX);
    page.size = None;
    refused(request::<Json>(&client, page.clone()).await, "`pageSize` is invalid");
    assert!(page.set_unknown("pageSize", 8));
    request::<Json>(&client, page).await.unwrap();
    let bodies: Vec<String> = server.seen().into_iter().map(|request| request.body).collect();
    assert_eq!(
        bodies,
        [r#"{"pageSize":5,"total":6}"#, "pageSize=5&total=6", r#"{"total":0,"pageSize":8}"#]
    );
}

#[tokio::test]
async fn a_setter_replaces_the_integer_that_was_retained_for_its_field() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let page = || Page::from_json(br#"{"pageSize":5000000000,"total":-1}"#).unwrap();
    refused(request::<Json>(&client, page().size(i64::MAX)).await, "`pageSize` is invalid");
    refused(request::<Form>(&client, page().total(-2)).await, "`total` is invalid: -2");
    let set = page().size(7).total(0);
    assert_eq!(set, Page::default().size(7));
    request::<Json>(&client, set).await.unwrap();
    assert_eq!(server.only().body, r#"{"pageSize":7,"total":0}"#);
}

#[derive(Clone, Default)]
pub struct Wrapped {
    choice: Option<Paged>,
    unknown: UnknownProperties,
}

internal::object! { Wrapped { choice: .. } unknown }

#[derive(Clone)]
pub enum Paged {
    Page(Page),
    Unknown(openapi_bindings_runtime::UnknownVariant),
}

internal::choice! { Paged { Page writes { "kind" = "page" } } object => tag "kind" { "page" => Page } }

operation!(ChoiceForm, "pages", PUT, "/pages", Paged => (), |call, body| {
    call.form_body(body, &[])
});
operation!(WrappedForm, "pages", PUT, "/pages", Wrapped => (), |call, body| {
    call.form_body(body, &[])
});

#[tokio::test]
async fn properties_out_of_range_in_the_variant_of_a_union_fail_a_form() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let paged = || Paged::Page(Page::default().size(i64::MAX));
    let wrapped = Wrapped { choice: Some(paged()), ..Wrapped::default() };
    refused(request::<WrappedForm>(&client, wrapped).await, "`pageSize` is invalid");
    refused(request::<ChoiceForm>(&client, paged()).await, "`pageSize` is invalid");
}

impl EditEndpoint for Json {
    type Object = Page;
    const MASK: &'static Mask =
        &Mask { object: None, place: MaskPlace::Query("mask"), separator: ",", nested: false };
}

#[tokio::test]
async fn an_edit_clears_no_property_whose_integer_was_refused() {
    let client = client("https://pages.test").build().unwrap();
    let large = Page::default().size(i64::MAX);
    for original in [Page::default(), Page::default().size(5)] {
        let edit = Edit::between(original, large.clone());
        let error = request::<Json>(&client, Page::default()).with_edit(&edit).unwrap_err();
        assert!(error.to_string().contains("`pageSize` is invalid"), "{error}");
    }
    let edit = Edit::between(Page::default(), Page::default().total(6));
    let error = request::<Json>(&client, large).with_edit(&edit).unwrap_err();
    assert!(error.to_string().contains("`pageSize` is invalid"), "{error}");
}

#[cfg(feature = "test-util")]
#[test]
#[should_panic(expected = "the value of the property `total` is invalid: -5 is not an unsigned")]
fn replies_out_of_range_are_refused() {
    use openapi_bindings_runtime::testing::FakeTransport;

    use crate::support::api::Request;

    operation!(Read, "pages.read", GET, "/pages", () => Page, |call, _body| call);

    FakeTransport::new().reply::<Request<Read>>(Page::default().total(-5));
}

#[test]
fn integer_types_of_the_program_are_accepted() {
    struct Size(u8);

    impl IntoInteger<i32> for Size {
        fn into_integer(self) -> i128 {
            self.0.into()
        }
    }

    assert_eq!(json!(Page::default().size(Size(3)))["pageSize"], 3);
}

#[tokio::test]
async fn no_error_of_a_setter_shows_a_secret() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let mut safe = Safe::default();
    safe.pin = safe.unknown.integer("pin", 12_345_678_901_u64);
    let why = "the value of the property `pin` is invalid: the value is not a 32-bit integer";
    refused(request::<Lock>(&client, safe.clone()).await, why);
    safe.pin = safe.unknown.integer("pin", Secret::<i32>::from(1234));
    request::<Lock>(&client, safe).await.unwrap();
    assert_eq!(server.only().body, r#"{"pin":1234}"#);
}

#[derive(Clone, Default)]
pub struct Figures {
    ratio: Option<f64>,
    list: Vec<f64>,
    unknown: UnknownProperties,
}

internal::object! { Figures { ratio: "ratio", list: "list" } unknown }

operation!(JsonFigures, "figures", PUT, "/figures", Figures => (), |call, body| call.json(body));
operation!(FormFigures, "figures", PUT, "/figures", Figures => (), |call, body| {
    call.form_body(body, &[])
});
operation!(PartFigures, "figures", PUT, "/figures", Figures => (), |call, body| {
    call.multipart_body(body, "multipart/form-data", &[])
});

#[tokio::test]
async fn numbers_that_json_does_not_have_are_refused() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let why = &format!("{value}, which is not a number in JSON");
        for figures in [
            Figures { ratio: Some(value), ..Figures::default() },
            Figures { list: vec![1.0, value], ..Figures::default() },
        ] {
            refused(request::<JsonFigures>(&client, figures.clone()).await, why);
            refused(request::<FormFigures>(&client, figures.clone()).await, why);
            refused(request::<PartFigures>(&client, figures.clone()).await, why);
            assert!(serde_json::to_string(&figures).unwrap_err().to_string().contains(why));
        }
        let get = || internal::call::<Get>(&client).path("id", "7");
        let price = Parameter::query("price");
        for call in [
            get().path("id", &value),
            get().query("price", &value),
            get().header("price", &value),
            get().text(price, &value),
            get().text(price, &Some(value).iter().next().unwrap()),
            get().list(price, [1.0, value]),
            get().value(price, vec![value]),
        ] {
            refused(request_of::<Get>(call, ()).await, why);
        }
        let sent = get().query("price", &value).query("price", &1.5_f32);
        request_of::<Get>(sent, ()).await.unwrap();
    }
    assert!(server.seen().iter().all(|seen| seen.target == "/pages/7?price=1.5"));
    assert_eq!(server.seen().len(), 3);
}
