//! Paged lists: the token of a request, and pages that are passed on as they are.

use openapi_bindings_runtime::internal::{self, PagedEndpoint, TakesPageParameter};
use openapi_bindings_runtime::{Map, UnknownProperties};

use crate::paging::{ready_pages, three_pages};
use crate::support::api::{list, operation, request};

#[tokio::test]
async fn the_token_that_a_request_has_is_known() {
    let (_server, client) = three_pages();
    let described = list(&client).with_query("page_token", "lost").items();
    let undescribed = list(&client).set_query("start", "lost").items_by("start");
    for mut items in [described, undescribed] {
        assert_eq!(items.page_token(), Some("lost"));
        assert_eq!(items.try_next().await.unwrap_err().status(), Some(400));
        assert_eq!(items.page_token(), Some("lost"), "the page that failed");
        assert_eq!(items.resume_from("c").collect().await.unwrap(), [3]);
    }
    let mut all = list(&client).with_query("page_token", "").items();
    assert_eq!(all.page_token(), None);
    assert_eq!(all.try_next().await.unwrap(), Some(1.into()));
}

/// A page, which no list copies.
#[derive(Default)]
pub struct Tally {
    counts: Option<Vec<i64>>,
    next: Option<String>,
    unknown: UnknownProperties,
}

impl Clone for Tally {
    fn clone(&self) -> Self {
        panic!("a page is copied")
    }
}

internal::object! { Tally { counts: "counts", next: "next" } unknown }

operation!(ListCounts, "counts.list", GET, "/counts", Map => Tally);

impl PagedEndpoint for ListCounts {
    type Item = i64;

    fn next_page_token(page: &Tally) -> Option<String> {
        page.next.clone()
    }

    fn items(page: &mut Tally) -> Option<&mut Vec<i64>> {
        page.counts.as_mut()
    }
}

impl TakesPageParameter for ListCounts {}

#[tokio::test]
async fn a_page_is_not_copied_for_its_first_item() {
    let client = ready_pages(|number| match number {
        0 => r#"{"counts":[1],"next":"a"}"#.to_owned(),
        _ => r#"{"counts":[2,3]}"#.to_owned(),
    });
    let counts = request::<ListCounts>(&client, None).items_by("after").collect().await.unwrap();
    assert_eq!(counts, [1, 2, 3]);
}
