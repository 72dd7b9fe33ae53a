//! The device authorization grant (RFC 8628).

use std::fmt;
use std::time::Duration;

use secrecy::SecretString;
use serde_json::{Map, Value};

use super::Login;
use super::session::Session;
use crate::auth::form::Form;
use crate::auth::response;
use crate::auth::token::TokenError;
use crate::time::deadline::Deadline;

/// The pause between two requests, unless the provider sets it (RFC 8628, section 3.2).
const INTERVAL: Duration = Duration::from_secs(5);

/// The increase of the pause when the provider asks to slow down (RFC 8628, section 3.5).
const SLOWER: Duration = Duration::from_secs(5);

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
        let mut endpoint = self.endpoint(self.provider.device_url.as_deref(), "device URL")?;
        endpoint.scope.clone_from(&self.scope);
        let form = self.form(Form::default(), &endpoint).await?;
        let answer = endpoint.object(form, self.context.of_tokens());
        let answer = self.context.within(answer).await?;
        let missing =
            |name| TokenError::new(format!("the response of the device URL has no `{name}`"));
        let required = |name| text(&answer, &[name]).ok_or_else(|| missing(name));
        // Some providers use the name of an early draft.
        let uri = text(&answer, &["verification_uri", "verification_url"]);
        let lifetime =
            response::seconds(answer.get("expires_in")).unwrap_or(LIFETIME).min(LIFETIME);
        Ok(DeviceLogin {
            device_code: required("device_code")?.into(),
            user_code: required("user_code")?,
            verification_uri: uri.ok_or_else(|| missing("verification_uri"))?,
            complete: text(&answer, &["verification_uri_complete"]),
            interval: response::seconds(answer.get("interval")).unwrap_or(INTERVAL),
            deadline: Deadline::new(&*self.context.clock, lifetime),
            login: self,
        })
    }
}

impl DeviceLogin {
    /// Returns the code that the user enters.
    pub fn user_code(&self) -> &str {
        &self.user_code
    }

    /// Returns the URL that the user opens.
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
    pub async fn wait(mut self) -> Result<Session, TokenError> {
        let context = self.login.context.clone();
        let endpoint =
            self.login.endpoint(self.login.provider.token_url.as_deref(), "token URL")?;
        loop {
            let left = self.deadline.left(&*context.clock);
            if left <= self.interval {
                return Err(TokenError::new("the user did not log in before the code expired"));
            }
            context.clock.sleep(self.interval).await;
            let mut form = Form::new("urn:ietf:params:oauth:grant-type:device_code");
            form.push_secret("device_code", &self.device_code);
            let form = self.login.form(form, &endpoint).await?;
            let token = context.within(endpoint.request(form, context.of_tokens())).await;
            let error = match token {
                Ok(token) => return self.login.begin(token).await,
                Err(error) => error,
            };
            match error.code() {
                Some("authorization_pending") => {}
                Some("slow_down") => self.interval += SLOWER,
                // RFC 8628, section 3.5: exponential backoff.
                _ if error.is_transient() => self.interval *= 2,
                _ => return Err(error),
            }
        }
    }
}

fn text(answer: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let mut values = names.iter().filter_map(|name| answer.get(*name)?.as_str());
    values.find(|value| !value.is_empty()).map(str::to_owned)
}

/// Does not show the device code.
impl fmt::Debug for DeviceLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceLogin")
            .field("verification_uri", &self.verification_uri)
            .field("interval", &self.interval)
            .finish_non_exhaustive()
    }
}
