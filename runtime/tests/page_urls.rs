//! Paged lists whose pages have the URL of the next one.

use openapi_bindings_runtime::{Client, ErrorKind};

use crate::paging::linked;
use crate::support::FirstScheme as _;
use crate::support::api::list_by_url;
use crate::support::client;
use crate::support::server::Server;

/// Returns a server whose pages have these URLs, one after the other, and a client.
fn pages_with_urls(urls: &'static [&'static str]) -> (Server, Client) {
    let server = Server::new(move |number, _| {
        let next = urls.get(number).map_or(String::new(), |url| format!(r#","next":{url}"#));
        linked(&format!(r#"{{"list":[{number}]{next}}}"#), "<?page=9>; rel=next")
    });
    let client = client(server.url()).bearer_token("hunter2").build().unwrap();
    (server, client)
}

#[tokio::test]
async fn pages_are_found_by_urls_in_the_body() {
    for last in ["", "null", "\"\""] {
        let urls = [r#""/api/v1/vets?page=2&q=a%20b""#, r#""?page=3""#];
        let urls: Vec<&str> =
            urls.into_iter().chain([last].into_iter().filter(|it| !it.is_empty())).collect();
        let (server, client) = pages_with_urls(urls.leak());
        let list = list_by_url(&client).with_query("page_size", "1");
        let mut items = list.clone().items();
        assert_eq!(items.try_next().await.unwrap().unwrap(), 0);
        let second = format!("{}/api/v1/vets?page=2&q=a%20b", server.url());
        assert_eq!(items.page_token(), Some(second.as_str()));
        assert_eq!(items.collect().await.unwrap(), [1, 2]);
        let seen = server.take();
        let targets: Vec<_> = seen.iter().map(|seen| seen.target.as_str()).collect();
        let expected =
            ["/api/v1/vets?page_size=1", "/api/v1/vets?page=2&q=a%20b", "/api/v1/vets?page=3"];
        assert_eq!(targets, expected, "{last}");
        assert!(seen.iter().all(|seen| seen.headers["authorization"] == "Bearer hunter2"));
        assert_eq!(list.items().resume_from(second).try_next().await.unwrap().unwrap(), 3);
        assert_eq!(server.take()[0].target, "/api/v1/vets?page=2&q=a%20b");
    }
    for url in [r#""https://evil.example/x?key=hunter2""#, r#""?page=1""#] {
        let (server, client) = pages_with_urls(vec![r#""?page=1""#, url].leak());
        let mut items = list_by_url(&client).items();
        for item in 0..2 {
            assert_eq!(items.try_next().await.unwrap().unwrap(), item);
        }
        let error = items.try_next().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Paging, "{url}: {error}");
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
        assert_eq!(server.seen().len(), 2, "{url}");
    }
}
