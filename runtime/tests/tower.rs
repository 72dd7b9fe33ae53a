//! Any tower service as a transport.

use std::future::{Ready, ready};
use std::task::{Context, Poll};

use openapi_bindings_runtime::{
    Body, Client, ClientBuilder, ErrorKind, RequestBody, TowerTransport, TransportError, http,
};
use tower_service::Service;

use crate::support::api::{SERVICE, create};

#[derive(Clone)]
struct Echo;

impl Service<http::Request<RequestBody>> for Echo {
    type Response = http::Response<Body>;
    type Error = TransportError;
    type Future = Ready<Result<http::Response<Body>, TransportError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<RequestBody>) -> Self::Future {
        ready(match request.uri().host() {
            Some("echo.example") => Ok(http::Response::new(Body::from(request.into_body()))),
            _ => Err(TransportError::connect("no such host").lasting()),
        })
    }
}

#[tokio::test]
async fn requests_go_through_the_service() {
    let client = |url| {
        ClientBuilder::<Client>::new(&SERVICE, url)
            .transport(TowerTransport::new(Echo))
            .build()
            .unwrap()
    };
    assert_eq!(create(&client("https://echo.example")).await.unwrap()["name"], "Rex");
    let error = create(&client("https://other.example")).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Connect, 1));
    assert!(error.to_string().contains("failed to connect: no such host"), "{error}");
}
