//! The settings of the builder and of requests.

use super::Setting;
use super::about::About;
use super::item::{Definition, Item, MemberKind};
use super::print::quoted;
use crate::ir::{
    ClientCredentials, CredentialScheme, Mask, MaskPlace, Operation, PageToken, PageUnit, SentAs,
    StreamKind, StreamReply, Total, WaitEnd,
};

impl Item {
    /// Adds a setting: `of` is the member that it belongs to, or empty.
    pub(super) fn set(&mut self, setting: Setting, of: &str, value: String, about: About) {
        let name = [setting.name(), of].join(" ");
        self.add(name.trim_end(), Definition::Setting(setting, value), about);
    }

    /// Returns the names of the update mask and of its object, if both are in the body of a request.
    pub(crate) fn edited(&self) -> Option<(&str, &str)> {
        let key = (MemberKind::Setting, Setting::Mask.name().to_owned());
        let Definition::Setting(_, value) = &self.members.get(&key)?.definition else {
            return None;
        };
        let (mask, object) = value.strip_prefix("in body ")?.split_once(" of ")?;
        mask.split('"').nth(1).zip(object.split('"').nth(1))
    }

    /// Adds the settings of a scheme of credentials to the builder.
    pub(super) fn set_scheme(&mut self, scheme: &CredentialScheme) {
        if !matches!(scheme.place, SentAs::Certificate) {
            let variable = quoted(&scheme.variable);
            self.set(Setting::Variable, scheme.method.bare(), variable, About::at(&scheme.pointer));
        }
        if let Some(ClientCredentials { method, token_url, scopes, pointer, .. }) =
            &scheme.client_credentials
        {
            if let Some(url) = token_url {
                self.set(Setting::TokenUrl, method.bare(), quoted(url), About::at(pointer));
            }
            let scopes = quoted(&scopes.join(" "));
            self.set(Setting::Scopes, method.bare(), scopes, About::at(pointer));
        }
        let Some(login) = &scheme.login else { return };
        for (setting, url) in [
            (Setting::TokenUrl, &login.token_url),
            (Setting::AuthorizationUrl, &login.authorization_url),
            (Setting::DeviceUrl, &login.device_url),
            (Setting::DiscoveryUrl, &login.discovery_url),
        ] {
            if let Some(url) = url {
                let about = About::at(&login.pointer);
                self.set(setting, login.method.bare(), quoted(url), about);
            }
        }
    }

    /// Adds the settings of an operation to its request.
    pub(super) fn set_operation(&mut self, operation: &Operation) {
        let about = || About::at(operation.place());
        if let Some(mask) = &operation.mask {
            self.set(Setting::Mask, "", self::mask(mask), about());
        }
        if let Some(WaitEnd { property, values }) = &operation.wait {
            let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
            let is = if values.is_empty() { "" } else { " is " };
            let value = format!("until {:?}{is}{}", property.join("."), values.join(" or "));
            self.set(Setting::Wait, "", value, about());
        }
        if let Some(header) = operation.idempotency_key() {
            self.set(Setting::IdempotencyKey, "", quoted(header), about());
        }
        for stream in &operation.successes.streams {
            let method = stream.method.bare();
            // The reply that is read as bytes is the one that is decoded.
            if stream.kind == StreamKind::Bytes {
                let accept = operation.successes.accept.join(", ");
                self.set(Setting::MediaType, method, quoted(&accept), about());
                continue;
            }
            self.set(Setting::MediaType, method, quoted(&stream.media), about());
            if stream.kind == StreamKind::Whole {
                continue;
            }
            let sentinel = stream.sentinel.as_deref().unwrap_or(StreamReply::SENTINEL);
            self.set(Setting::Sentinel, method, quoted(sentinel), about());
        }
        let Some(paging) = &operation.paging else { return };
        let value = match &paging.token {
            None => return,
            Some(PageToken::Query(parameter)) => format!("in query {parameter:?}"),
            Some(PageToken::Number(number)) => {
                let unit = if number.unit == PageUnit::Item { "item" } else { "page" };
                let end = match &number.total {
                    None => String::new(),
                    Some(Total::Property(path)) => format!(" to {:?}", path.wire),
                    Some(Total::Header(name)) => format!(" to header {name:?}"),
                };
                format!("by {unit} in query {:?} from {}{end}", number.parameter, number.first)
            }
            Some(PageToken::Link) => match &*paging.next_token.wire {
                "" => "by header \"Link\"".to_owned(),
                path => format!("by URL in {path:?}"),
            },
            Some(PageToken::Body(field)) => format!("in body as {}", field.bare()),
        };
        let first = paging.first_token.iter().map(|token| format!(" from {token:?}"));
        self.set(Setting::PageToken, "", value + &first.collect::<String>(), about());
    }
}

fn mask(mask: &Mask) -> String {
    let Mask { name, .. } = mask;
    let place = match mask.place {
        MaskPlace::BodyText => format!("in body {name:?}"),
        MaskPlace::BodyList => format!("in body {name:?} as list"),
        MaskPlace::BodyPaths => format!("in body {name:?} as paths"),
        MaskPlace::Query => format!("in query {name:?}"),
        MaskPlace::QueryList => format!("in query {name:?} as list"),
    };
    let object = mask.object.as_ref().map(|object| format!(" of {object:?}")).unwrap_or_default();
    let nested = if mask.nested { " nested" } else { "" };
    format!("{place}{object} separated by {:?}{nested}", mask.separator)
}
