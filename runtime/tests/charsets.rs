//! Texts of requests in the charsets of their media types.

use openapi_bindings_runtime::internal::Encoding;
use openapi_bindings_runtime::testing::FakeTransport;
use openapi_bindings_runtime::{ErrorKind, UnknownProperties, internal};

use crate::support::api::{Request, operation, request};
use crate::support::client;

const LATIN: &str = "text/plain; charset=iso-8859-1";

/// A form with a text.
#[derive(Clone, Default)]
pub struct Note {
    text: String,
    unknown: UnknownProperties,
}

internal::object! {
    Note { text!: "text" }
    unknown
}

operation!(SendText, "SendText", POST, "/notes", String => (), |call, body| {
    call.text_body(body, LATIN)
});
operation!(SendPart, "SendPart", POST, "/notes", Note => (), |call, body| {
    call.multipart_body(body, "multipart/form-data", &[Encoding::content("text", LATIN)])
});

#[tokio::test]
async fn texts_are_sent_in_the_charset_of_their_media_type() {
    let fake = FakeTransport::new();
    fake.reply::<Request<SendText>>(()).reply::<Request<SendPart>>(());
    let client = client("http://127.0.0.1").transport(fake.clone()).build().unwrap();
    let note = |text: &str| Note { text: text.into(), ..Note::default() };
    request::<SendText>(&client, "café".to_owned()).await.unwrap();
    request::<SendPart>(&client, note("café")).await.unwrap();
    let requests = fake.requests();
    assert_eq!(&requests[0].content[..], b"caf\xe9");
    assert_eq!(&requests[1].part("text").unwrap().content[..], b"caf\xe9");
    for error in [
        request::<SendText>(&client, "€".to_owned()).await.unwrap_err(),
        request::<SendPart>(&client, note("€")).await.unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Request);
        assert!(error.to_string().contains("has characters that iso-8859-1 lacks"), "{error}");
    }
}
