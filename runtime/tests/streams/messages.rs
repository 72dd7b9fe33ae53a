//! Messages without content, and those with mistakes.

use openapi_bindings_runtime::Value;
use openapi_bindings_runtime::internal::{self, Several, Text};

use super::{Data, events, lines, pet};
use crate::support::api::get;
use crate::support::client;
use crate::support::server::{Server, response};

/// A heartbeat is no value. Its identifier counts, and a text can be empty.
#[tokio::test]
async fn an_event_without_content_is_skipped_where_data_is_not_text() {
    let body = "data: 1\n\nid: 7\nevent: ping\ndata:\n\ndata:  \ndata: \n\ndata: 2\n\n";
    let server = Server::new(move |_, _| response(200, &[], body));
    let mut events = events(&server);
    assert_eq!(events.try_next().await.unwrap().unwrap().data, 1);
    let next = events.try_next().await.unwrap().unwrap();
    assert_eq!((next.id.as_deref(), next.data), (Some("7"), Value::from(2)));
    assert!(events.try_next().await.unwrap().is_none());

    let mut events = internal::events::<String, Text>(pet(&server), (&[200], "text/event-stream"));
    for expected in ["1", "", " \n", "2"] {
        assert_eq!(events.try_next().await.unwrap().unwrap().data, expected);
    }

    // The data of an unknown event is a text.
    let server =
        Server::new(|_, _| response(200, &[], "event: ping\ndata:\n\nevent: count\ndata:\n\n"));
    for is_strict in [false, true] {
        let client = client(server.url());
        let client = if is_strict { client.strict() } else { client };
        let pet = get(&client.build().unwrap(), "7");
        let mut events = internal::events::<Data, Several>(pet, (&[200], "text/event-stream"));
        let ping = events.try_next().await.transpose().unwrap().map(|event| event.data);
        assert_eq!(ping.ok(), (!is_strict).then(|| Data::Unknown(String::new())));
        assert!(events.try_next().await.unwrap().is_none());
    }
}

#[tokio::test]
async fn the_errors_of_lines_name_their_line() {
    let server = Server::new(|_, _| response(200, &[], "1\n\n [no]\n\u{1e}[\nno]\n\u{1e}2"));
    let mut lines = lines(&server);
    assert_eq!(lines.try_next().await.unwrap(), Some(Value::from(1)));
    for expected in [
        "line 3 of the reply: expected ident (line 1, column 3)",
        "line 4 of the reply: expected ident (line 2, column 2)",
        "line 6 of the reply: nothing follows",
    ] {
        let error = lines.try_next().await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}
