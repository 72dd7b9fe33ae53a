//! Extension traits for pointers: programs choose an implementation at run time, or share it.

/// Implements a trait for pointers by calling the same methods of what they point to. Methods that take `&mut self` are
/// marked `mut`, and come last. Clippy reports a method that is not forwarded although it has a default.
macro_rules! forward {
    ($trait:ident for $($pointer:ident),+ => $methods:tt) => {
        $(forward!(@impl $trait for $pointer $methods);)+
    };
    (@impl $trait:ident for $pointer:ident {
        $(
            fn $name:ident $(<$life:lifetime>)? (
                &$($of:lifetime)? self $(, $argument:ident: $type:ty)* $(,)?
            ) $(-> $result:ty)?;
        )*
        $(
            mut fn $mut_name:ident (
                &mut self $(, $mut_argument:ident: $mut_type:ty)*
            ) $(-> $mut_result:ty)?;
        )*
    }) => {
        #[warn(clippy::missing_trait_methods)]
        impl<T: $trait + ?Sized> $trait for $pointer<T> {
            $(
                fn $name $(<$life>)? (
                    &$($of)? self $(, $argument: $type)*
                ) $(-> $result)? {
                    (**self).$name($($argument),*)
                }
            )*
            $(
                fn $mut_name(&mut self $(, $mut_argument: $mut_type)*) $(-> $mut_result)? {
                    (**self).$mut_name($($mut_argument),*)
                }
            )*
        }
    };
}

pub(crate) use forward;

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    use http::{HeaderMap, StatusCode};
    use jiff::Timestamp;

    use crate::auth::assertion::{AssertionClaims, AssertionSigner, SigningFuture};
    use crate::auth::context::AuthContext;
    use crate::auth::context::{TokenContext, TokenSetup};
    use crate::auth::source::TokenSource;
    use crate::auth::token::{Token, TokenError};
    use crate::error::Error;
    use crate::error::operation::Operation;
    use crate::time::clock::{Clock, SystemClock};
    use crate::time::future::{BoxError, BoxFuture};
    use crate::transport::interceptor::{Attempt, Interceptor};
    use crate::transport::{ResponseFuture, SendProgress, Transport};
    use crate::url::base_url::BaseUrl;
    use crate::wire::upload::body::RequestBody;

    /// Records the methods that are called, also those with defaults.
    #[derive(Clone, Default)]
    struct Probe(Arc<Mutex<Vec<&'static str>>>);

    impl Probe {
        fn called<T>(&self, method: &'static str, value: T) -> T {
            self.0.lock().unwrap().push(method);
            value
        }
    }

    impl Transport for Probe {
        fn send(&self, _: http::Request<RequestBody>) -> ResponseFuture<'_> {
            self.called("send", Box::pin(async { Ok(http::Response::default()) }))
        }

        fn send_observed<'a>(
            &'a self,
            _: http::Request<RequestBody>,
            _: &'a SendProgress,
        ) -> ResponseFuture<'a> {
            self.called("send_observed", Box::pin(async { Ok(http::Response::default()) }))
        }

        fn timed_out(&self, _: Instant) {
            self.called("timed_out", ());
        }
    }

    impl Interceptor for Probe {
        fn before<'a>(
            &'a self,
            _: &'a Attempt,
            _: &'a mut http::Request<RequestBody>,
        ) -> BoxFuture<'a, Result<(), BoxError>> {
            self.called("before", Box::pin(async { Ok(()) }))
        }

        fn after(&self, _: &Attempt, _: StatusCode, _: &HeaderMap) {
            self.called("after", ());
        }

        fn failed(&self, _: &Attempt, _: &Error) {
            self.called("failed", ());
        }
    }

    impl AssertionSigner for Probe {
        fn sign<'a>(&'a self, _: AssertionClaims<'a>) -> SigningFuture<'a> {
            self.called("sign", Box::pin(async { Ok("jwt".into()) }))
        }
    }

    impl TokenSource for Probe {
        fn token<'a>(&'a self, _: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
            self.called("token", Box::pin(async { Err(TokenError::new("none")) }))
        }

        fn describe(&self) -> Cow<'_, str> {
            self.called("describe", "a probe".into())
        }

        fn check(&self, _: TokenSetup<'_>) -> Result<(), BoxError> {
            self.called("check", Ok(()))
        }

        fn uses_https(&self, _: TokenSetup<'_>) -> bool {
            self.called("uses_https", false)
        }
    }

    fn call_transport(transport: &impl Transport) {
        drop(transport.send(http::Request::default()));
        drop(transport.send_observed(http::Request::default(), &SendProgress::default()));
        transport.timed_out(Instant::now());
    }

    fn call_interceptor(interceptor: &impl Interceptor) {
        let operation = &Operation { id: "get", method: "GET", path: "/" };
        let attempt = Attempt { operation, call: 1, number: 1 };
        drop(interceptor.before(&attempt, &mut http::Request::default()));
        interceptor.after(&attempt, StatusCode::OK, &HeaderMap::new());
        interceptor.failed(&attempt, &Error::request("refused"));
    }

    fn call_clock(clock: &impl Clock) {
        assert!(clock.now() <= Instant::now() && clock.random() < 1.0);
        assert!(clock.wall() <= Timestamp::now());
        drop(clock.sleep(Duration::ZERO));
    }

    fn call_signer(signer: &impl AssertionSigner) {
        let (issued_at, expires_at) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        let (issuer, subject, audience) = ("i", "s", "a");
        drop(signer.sign(AssertionClaims { issuer, subject, audience, issued_at, expires_at }));
    }

    fn call_source(source: &impl TokenSource) {
        let context = AuthContext {
            transport: Arc::new(Probe::default()),
            clock: Arc::new(SystemClock),
            headers: Arc::default(),
            base_url: BaseUrl::parse("https://pets.example").unwrap(),
            allow_http: false,
            limit: Duration::ZERO,
        };
        source.check(context.setup()).unwrap();
        assert_eq!((&*source.describe(), source.uses_https(context.setup())), ("a probe", false));
        drop(source.token(context.of_tokens()));
    }

    #[tokio::test]
    async fn pointers_forward_every_method() {
        let probe = Probe::default();
        let shared = || Arc::new(probe.clone());
        let owned = || Box::new(probe.clone());
        call_transport(&(shared() as Arc<dyn Transport>));
        call_transport(&(owned() as Box<dyn Transport>));
        call_interceptor(&(shared() as Arc<dyn Interceptor>));
        call_interceptor(&(owned() as Box<dyn Interceptor>));
        call_signer(&(shared() as Arc<dyn AssertionSigner>));
        call_signer(&(owned() as Box<dyn AssertionSigner>));
        call_source(&(shared() as Arc<dyn TokenSource>));
        call_source(&(owned() as Box<dyn TokenSource>));
        let called = [
            ["send", "send_observed", "timed_out"].repeat(2),
            ["before", "after", "failed"].repeat(2),
            ["sign"].repeat(2),
            ["check", "describe", "uses_https", "token"].repeat(2),
        ];
        assert_eq!(*probe.0.lock().unwrap(), called.concat());
        call_clock(&(Arc::new(SystemClock) as Arc<dyn Clock>));
        call_clock(&(Box::new(SystemClock) as Box<dyn Clock>));
    }
}
