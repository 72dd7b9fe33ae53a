//! The device authorization grant (RFC 8628).

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use serde_json::{Map, Value};

use super::Login;
use super::session::LoginSession;
use crate::auth::endpoint::Endpoint;
use crate::auth::form::Form;
use crate::auth::response;
use crate::auth::token::TokenError;
use crate::error::clip;
use crate::secrets::debug::shown;
use crate::time::bounds::MAX_PAUSE;
use crate::time::deadline::Deadline;
use crate::url::origin::Origin;

/// The pause between two requests, unless the provider sets it (RFC 8628, section 3.2).
const INTERVAL: Duration = Duration::from_secs(5);

/// The increase of the pause when the provider asks to slow down (RFC 8628, section 3.5).
const SLOWER: Duration = Duration::from_secs(5);

/// The shortest pause: a provider that allows any pause is asked once in a second.
const SHORTEST: Duration = Duration::from_secs(1);

/// The lifetime of a code without one, and the maximum lifetime.
const LIFETIME: Duration = Duration::from_secs(1800);

/// A login on another device: the code and the URL to show to the user.
pub struct DeviceLogin {
    login: Login,
    device_code: SecretString,
    user_code: String,
    verification_uri: String,
    complete: Option<String>,
    interval: Duration,
    deadline: Deadline,
}

impl Login {
    /// Begins a login on another device, for programs without a browser: the user opens a URL there and enters a code.
    ///
    /// ```no_run
    /// # use openapi_bindings_runtime::{BoxError, Login};
    /// # async fn example(login: Login) -> Result<(), BoxError> {
    /// let device = login.device().await?;
    /// println!("Open {} and enter {}", device.verification_uri(), device.user_code());
    /// let session = device.wait().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the provider has no valid device URL, or does not return a code.
    pub async fn device(self) -> Result<DeviceLogin, TokenError> {
        let mut endpoint = self.endpoint("device", self.provider.device_url.as_deref())?;
        endpoint.scope.clone_from(&self.scope);
        let mut form = Form::default();
        self.context.authenticate(&self.client, &mut form, &endpoint).await?;
        let answer = endpoint.answer(form, self.context.of_tokens(), Ok);
        let answer = self.context.within(answer).await?;
        let missing =
            |name| TokenError::new(format!("the response of the device endpoint has no `{name}`"));
        let required = |name| text(&answer, &[name]).ok_or_else(|| missing(name));
        // Some providers use the name of an early draft.
        let uri = text(&answer, &["verification_uri", "verification_url"]);
        let complete = text(&answer, &["verification_uri_complete"]);
        let lifetime =
            response::seconds(answer.get("expires_in")).unwrap_or(LIFETIME).min(LIFETIME);
        Ok(DeviceLogin {
            device_code: required("device_code")?.into(),
            user_code: clip(&required("user_code")?),
            verification_uri: displayable(uri.ok_or_else(|| missing("verification_uri"))?)?,
            complete: complete.map(displayable).transpose()?,
            interval: interval(answer.get("interval"), lifetime),
            deadline: Deadline::new(&*self.context.clock, lifetime),
            login: self,
        })
    }
}

impl DeviceLogin {
    /// Returns the code that the user enters. It can be printed: control characters are spaces, and characters that
    /// change the direction of text are escaped.
    pub fn user_code(&self) -> &str {
        &self.user_code
    }

    /// Returns the URL that the user opens: http or https, in printable ASCII.
    pub fn verification_uri(&self) -> &str {
        &self.verification_uri
    }

    /// Returns the URL with the code in it, such as for a QR code, if the provider has one.
    pub fn verification_uri_complete(&self) -> Option<&str> {
        self.complete.as_deref()
    }

    /// Waits until the user has logged in.
    ///
    /// # Errors
    ///
    /// Fails if the user refuses, if the code expires, or if the provider fails. Transient failures are retried until
    /// the code expires.
    pub async fn wait(mut self) -> Result<LoginSession, TokenError> {
        let clock = Arc::clone(&self.login.context.clock);
        let endpoint =
            self.login.endpoint(Endpoint::TOKEN, self.login.provider.token_url.as_deref())?;
        let mut asked = Duration::ZERO;
        loop {
            let pause = self.interval.max(asked);
            if self.deadline.left(&*clock) <= pause {
                return Err(TokenError::new("the user did not log in before the code expired"));
            }
            clock.sleep(pause).await;
            let mut form = Form::new("urn:ietf:params:oauth:grant-type:device_code");
            form.push_secret("device_code", &self.device_code);
            let error = match self.login.token(form, &endpoint).await {
                Ok(token) => return self.login.begin(token).await,
                Err(error) => error,
            };
            asked = error.retry_after().unwrap_or_default().min(MAX_PAUSE);
            match error.code() {
                Some("authorization_pending") => {}
                Some("slow_down") => self.interval += SLOWER,
                // RFC 8628, section 3.5: exponential backoff.
                _ if error.is_transient() => {
                    self.interval = self.interval.max((self.interval * 2).min(MAX_PAUSE));
                }
                _ => return Err(error),
            }
        }
    }
}

/// Returns the pause of a provider: whole seconds, at least one. One that is negative, or no shorter than the lifetime of the
/// code, counts as absent.
fn interval(value: Option<&Value>, lifetime: Duration) -> Duration {
    let seconds = value.and_then(response::number).filter(|seconds| *seconds >= 0.0);
    let pause = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.ceil()).ok());
    pause.filter(|pause| *pause < lifetime).unwrap_or(INTERVAL).max(SHORTEST)
}

/// Checks that a URL can be shown to a user and opened: no other scheme, such as `javascript`, and no character that a
/// terminal or a QR code would not show.
fn displayable(url: String) -> Result<String, TokenError> {
    let is_printable = url.chars().all(|char| char.is_ascii_graphic());
    if is_printable && url.parse().is_ok_and(|url| Origin::new(&url).is_some()) {
        return Ok(url);
    }
    Err(TokenError::new(
        "the response of the device endpoint has a `verification_uri` that is not an http or https URL",
    ))
}

fn text(answer: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let mut values = names.iter().filter_map(|name| answer.get(*name)?.as_str());
    values.find(|value| !value.is_empty()).map(str::to_owned)
}

// Does not show the device code.
shown!(DeviceLogin, |it| verification_uri: it.verification_uri, interval: it.interval);
