//! The examples in the documentation of operations, sent to the fake tenant.

#[allow(unused_variables, reason = "examples show what is returned")]
mod emitted {
    use access_governance::runtime::BoxFuture;
    use access_governance::{Client, Error};

    type Example = BoxFuture<'static, Result<(), Error>>;

    include!(concat!(env!("OUT_DIR"), "/documented.rs"));
}

/// The tenant refuses masks with unknown names, and references without one of their identifiers.
#[tokio::test]
async fn documented_examples_are_accepted() {
    let examples = emitted::examples(&crate::tenant::client());
    assert!(examples.len() >= 20, "the documentation was not read");
    let mut errors = Vec::new();
    for example in examples {
        errors.extend(example.await.err());
    }
    // The identifiers in examples are not of objects of the tenant.
    errors.retain(|error| !error.is_not_found());
    assert!(errors.is_empty(), "{errors:#?}");
}
