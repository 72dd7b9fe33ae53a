//! What a server repeats of a request in replies that are read in other ways than by `.await`.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::internal::{self, Json, Text};
use openapi_bindings_runtime::{BoxFuture, Client, Error};

use super::repeated::{Nothing, assert_shows_none, assert_withheld, filled, sent};
use crate::support::server::{Server, response};

type Door = fn(Client) -> BoxFuture<'static, Result<(), Error>>;

const DOORS: &[Door] = &[
    // `send_raw`
    |client| {
        Box::pin(async move {
            let reply = filled(&client).send_raw().await?;
            assert!(!format!("{reply:?}").contains("k3y"), "{reply:?}");
            reply.decode().map(drop)
        })
    },
    // `send_as`
    |client| {
        let sent = internal::send_as::<_, Text>(filled(&client), (&[200], "text/csv"));
        Box::pin(async move { sent.await.map(drop) })
    },
    // `stream`
    |client| {
        Box::pin(async move {
            let mut stream = internal::open(filled(&client), (&[200], "image/*")).await?;
            assert!(!format!("{stream:?}").contains("k3y"), "{stream:?}");
            while stream.try_next().await?.is_some() {}
            Ok(())
        })
    },
    // `resumed`
    |client| {
        Box::pin(async move {
            let opening = internal::open(filled(&client), (&[200, 206], "image/*"));
            let mut stream = opening.resume_at(3).if_unchanged("\"v1\"").await?;
            while stream.try_next().await?.is_some() {}
            Ok(())
        })
    },
    // `save`
    #[cfg(feature = "fs")]
    |client| {
        Box::pin(async move {
            let folder = tempfile::tempdir().unwrap();
            let stream = internal::open(filled(&client), (&[200], "image/*")).await?;
            stream.save(folder.path().join("file")).await.map(drop)
        })
    },
    // `events`
    |client| {
        let content = (&[200][..], "text/event-stream");
        let mut events = internal::events::<Nothing, Json>(filled(&client), content);
        Box::pin(async move {
            while let Some(event) = events.try_next().await? {
                assert!(!format!("{event:?}").contains("k3y1"), "{event:?}");
            }
            Ok(())
        })
    },
    // `lines`
    |client| {
        let content = (&[200][..], "application/x-ndjson");
        let mut lines = internal::lines::<Nothing, Json>(filled(&client), content);
        Box::pin(async move {
            while lines.try_next().await?.is_some() {}
            Ok(())
        })
    },
];

#[tokio::test]
async fn no_door_shows_what_a_server_repeats_of_its_request() {
    let (mut failed, mut drifted) = (0, 0);
    for door in DOORS {
        for (status, header) in [
            (200, "content-type"),
            (200, "content-encoding"),
            (200, "x-other"),
            (206, "content-range"),
            (299, "x-request-id"),
            (302, "location"),
            (400, "x-request-id"),
        ] {
            for body in ["{\"TEXT\":1}", "data: {\"TEXT\":1}\n\n", "{\"a\":", "TEXT"] {
                let server = Server::new(move |_, seen| {
                    let text = sent(seen);
                    let value = match header {
                        "content-encoding" => format!("gzip, {text}"),
                        "content-range" => format!("bytes {text}"),
                        _ => text.clone(),
                    };
                    response(
                        status,
                        &[(header, &value), ("etag", "\"v1\"")],
                        &body.replace("TEXT", &text),
                    )
                });
                let reports = Arc::new(Mutex::new(String::new()));
                let seen = Arc::clone(&reports);
                let client = crate::support::client(server.url())
                    .strict()
                    .on_drift(move |report| {
                        write!(seen.lock().unwrap(), "{report} {report:?}").unwrap();
                    })
                    .build()
                    .unwrap();
                if let Err(error) = door(client).await {
                    failed += 1;
                    assert_withheld(&error);
                }
                let reports = reports.lock().unwrap();
                drifted += usize::from(reports.contains("[redacted]"));
                assert_shows_none(&reports);
            }
        }
    }
    assert!(failed > 100 && drifted > 10, "{failed} {drifted}");
}
