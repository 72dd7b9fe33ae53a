//! Parameters as servers see them.

mod edges;
mod rfc6570;
mod styles;

use openapi_bindings_runtime::internal::{self, ListKeys, Parameter, Style, Wire, call};
use openapi_bindings_runtime::{Client, Error, Map};

use crate::support::api::operation;
use crate::support::client;
use crate::support::server::Server;

internal::requests!();
operation!(PaintOne, "paint.one", GET, "/paint/{color}/now", Map => Map);
operation!(PaintAll, "paint.all", GET, "/paint", Map => Map);

/// Where a parameter is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Path,
    Query,
    Header,
    Cookie,
}

impl Place {
    /// Returns the parameter `color` in this place.
    fn color(self) -> Parameter {
        match self {
            Self::Path => Parameter::path("color"),
            Self::Query => Parameter::query("color"),
            Self::Header => Parameter::header("color"),
            Self::Cookie => Parameter::cookie("color"),
        }
    }
}

const DEEP: Style = Style::DeepObject(ListKeys::Indices);

/// A client of a server that records requests.
struct Painter {
    server: Server,
    client: Client,
}

impl Painter {
    fn new() -> Self {
        let server = Server::json("{}");
        let client = client(server.url()).build().unwrap();
        Self { server, client }
    }

    /// Sends a value, and returns it as the server received it.
    async fn send(
        &self,
        place: Place,
        parameter: Parameter,
        value: impl Wire,
    ) -> Result<String, Error> {
        if place == Place::Path {
            let call = call::<PaintOne>(&self.client).value(parameter, value);
            Request::<PaintOne> { call, body: None }.await?;
        } else {
            let call = call::<PaintAll>(&self.client).value(parameter, value);
            Request::<PaintAll> { call, body: None }.await?;
        }
        let seen = self.server.take().pop().unwrap();
        let target = seen.target.as_str();
        Ok(match place {
            Place::Path => target
                .strip_prefix("/paint/")
                .and_then(|rest| rest.strip_suffix("/now"))
                .unwrap()
                .to_owned(),
            Place::Query => target.split_once('?').unwrap_or_default().1.to_owned(),
            Place::Header => seen.headers["color"].clone(),
            Place::Cookie => seen.headers["cookie"].clone(),
        })
    }
}
