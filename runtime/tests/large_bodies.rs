//! Bodies that are larger than the memory of a call.

use std::convert::Infallible;
use std::io::{Read as _, Write as _};

use futures_util::stream;
use openapi_bindings_runtime::{Bytes, Upload, internal};

use crate::support::api::{operation, request};
use crate::support::client;
use crate::support::server::{bytes, listen};

operation!(PutLarge, "PutLarge", PUT, "/bodies", Upload => (), |call, body| {
    call.upload_body(body, "application/octet-stream")
});

/// Serves one request: reads its head and then a body of this length, and responds.
fn sink(length: u64) -> String {
    let address = listen(0, move |mut stream| {
        let mut buffer = vec![0; 1 << 20];
        let mut head = Vec::new();
        let begin = loop {
            let read = stream.read(&mut buffer).unwrap();
            head.extend_from_slice(&buffer[..read]);
            if let Some(end) = head.windows(4).position(|window| window == b"\r\n\r\n") {
                break head.len() - end - 4;
            }
        };
        let mut left = length - u64::try_from(begin).unwrap();
        while left > 0 {
            let read = stream.read(&mut buffer).unwrap();
            left -= u64::try_from(read).unwrap();
        }
        stream.write_all(&bytes(200, &[], "")).unwrap();
    });
    format!("http://{}", address.unwrap())
}

/// The memory of a call does not grow with its body: only one chunk exists at a time.
#[test]
fn a_gibibyte_is_sent_in_constant_memory() {
    const CHUNK: usize = 64 << 10;
    const LENGTH: u64 = 1 << 30;
    let url = sink(LENGTH);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let memory = allocation_counter::measure(|| {
        let chunks = (0..LENGTH / u64::try_from(CHUNK).unwrap())
            .map(|_| Ok::<_, Infallible>(Bytes::from(vec![7; CHUNK])));
        let upload = Upload::from_stream(stream::iter(chunks)).with_length(LENGTH);
        let client = client(url).build().unwrap();
        runtime.block_on(request::<PutLarge>(&client, upload).send()).unwrap();
    });
    assert!(memory.bytes_total > LENGTH, "{memory:?}");
    assert!(memory.bytes_max < 8 << 20, "{memory:?}");
}
