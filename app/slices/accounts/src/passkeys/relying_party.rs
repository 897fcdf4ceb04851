//! What the standard asks of a relying party (section 7: registering a credential, verifying an assertion), done by
//! `webauthn_rp`. Everything that is kept leaves here as text.

use axum::http::Uri;
use base::config::Config;
use base::error::Error;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::{AuthenticationVerificationOptions, DiscoverableCredentialRequestOptions};
use webauthn_rp::request::register::{
    CredProtect, Nickname, PublicKeyCredentialCreationOptions, PublicKeyCredentialUserEntity,
    RegistrationVerificationOptions, UserHandle, Username,
};
use webauthn_rp::request::{AsciiDomain, ExtensionInfo, PublicKeyCredentialDescriptor, RpId};
use webauthn_rp::response::auth::error::AuthCeremonyErr;
use webauthn_rp::response::auth::ser_relaxed::DiscoverableAuthenticationRelaxed;
use webauthn_rp::response::register::error::RegCeremonyErr;
use webauthn_rp::response::register::ser_relaxed::RegistrationRelaxed;
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId};
use webauthn_rp::{AuthenticatedCredential, DiscoverableAuthenticationServerState, RegistrationServerState};

/// Bytes of a user handle.
pub const HANDLE: usize = 32;
/// A public key as it is kept, of any of the four kinds that the library knows.
type CarriedForm = StaticState<CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>>;

/// Who asks for passkeys: this site, under its public address.
pub struct RelyingParty {
    id: RpId,
    origin: String,
}

/// Why a site can't ask for passkeys, as a sentence for whoever looks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotOffered {
    #[error("本站还没有设置对外的网址，所以暂时不能使用通行密钥。")]
    NoAddress,
    #[error("本站的网址不是 https 开头，浏览器不允许在这里使用通行密钥。")]
    NotSecure,
    #[error("本站的网址是一串数字而不是域名，浏览器不允许在这里使用通行密钥。")]
    NoName,
}

/// Why a passkey is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It took longer than five minutes.
    Late,
    /// Its counter went back: there may be a copy.
    Counter,
    /// Anything else.
    Wrong,
}

/// Something that was begun: what is kept of it, and what the browser is asked, as JSON.
pub struct Begun {
    pub state: String,
    pub options: String,
}

/// A passkey as a browser shows it, unchecked.
pub struct Shown(DiscoverableAuthenticationRelaxed<HANDLE>);

impl Shown {
    pub fn read(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok().map(Self)
    }

    /// What its device calls it, as it is kept.
    pub fn credential(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.0.raw_id().inner())
    }
}

/// What is kept of a passkey to know it again, whoever it belongs to.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Key {
    /// What the device calls it, base64url.
    pub credential: String,
    pub transports: i64,
    /// The public key as the library writes it, base64.
    pub public_key: String,
    /// Counter and flags as of its last use, base64.
    pub state: String,
}

impl RelyingParty {
    /// By the configured public address.
    pub fn of(config: &Config) -> Result<Self, NotOffered> {
        Self::at(config.public_url.as_deref().ok_or(NotOffered::NoAddress)?)
    }

    fn at(address: &str) -> Result<Self, NotOffered> {
        let uri: Uri = address.parse().map_err(|_| NotOffered::NoAddress)?;
        let host = uri.host().ok_or(NotOffered::NoAddress)?.to_ascii_lowercase();
        let is_local = host == "localhost" || host.ends_with(".localhost");
        if uri.scheme_str() != Some("https") && !is_local {
            return Err(NotOffered::NotSecure);
        }
        if host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok() {
            return Err(NotOffered::NoName);
        }
        let id = AsciiDomain::try_from(host).map_err(|_| NotOffered::NoName)?;
        Ok(Self { id: RpId::Domain(id), origin: origin(&uri) })
    }

    /// Begins to make a passkey for somebody, on a device that has none of these.
    pub fn begin_making<'a>(
        &self,
        handle: [u8; HANDLE],
        account: &str,
        name: &str,
        known: impl Iterator<Item = &'a Key>,
    ) -> Result<Begun, Error> {
        let id = UserHandle::<HANDLE>::decode(handle).map_err(Error::internal)?;
        // the account is what tells passkeys of one site apart; some addresses are no name by RFC 8265
        let user_name = Username::try_from(account).or_else(|_| Username::try_from("member"));
        let user = PublicKeyCredentialUserEntity {
            name: user_name.map_err(Error::internal)?,
            id: &id,
            display_name: Nickname::try_from(name).ok(),
        };
        let known = known.filter_map(descriptor).collect();
        let mut options = PublicKeyCredentialCreationOptions::passkey(&self.id, user, known);
        // wished for and not demanded: browsers offer no device that can't promise it, and many phones and laptops are such
        options.extensions.cred_protect =
            CredProtect::UserVerificationRequired(ExtensionInfo::AllowDontEnforceValue);
        let (server, client) = options.start_ceremony().map_err(Error::internal)?;
        let state = STANDARD.encode(server.encode().map_err(Error::internal)?);
        Ok(Begun { state, options: serde_json::to_string(&client)? })
    }

    /// The passkey that a browser made, as it answers what was begun.
    pub fn made(&self, state: &str, handle: [u8; HANDLE], json: &str) -> Result<Key, Refused> {
        let answer: RegistrationRelaxed = serde_json::from_str(json).map_err(|_| Refused::Wrong)?;
        let state = STANDARD.decode(state).map_err(|_| Refused::Wrong)?;
        let state =
            RegistrationServerState::<HANDLE>::decode(state.as_slice()).map_err(|_| Refused::Wrong)?;
        let options = RegistrationVerificationOptions::<&str, &str> {
            allowed_origins: &[self.origin.as_str()],
            error_on_unsolicited_extensions: false,
            ..Default::default()
        };
        let registered = state.verify(&self.id, &answer.0, &options).map_err(|error| match error {
            RegCeremonyErr::Timeout => Refused::Late,
            error => wrong(&error),
        })?;
        let (id, transports, whose, key, dynamic, _) = registered.into_parts();
        // begun by whoever was signed in here before
        if whose.as_ref() != handle {
            return Err(Refused::Wrong);
        }
        let (Ok(transports), Ok(key), Ok(dynamic)) = (transports.encode(), key.encode(), dynamic.encode());
        Ok(Key {
            credential: URL_SAFE_NO_PAD.encode(id.inner()),
            transports: transports.into(),
            public_key: STANDARD.encode(key),
            state: STANDARD.encode(dynamic),
        })
    }

    /// Begins to ask for any passkey that a device has for this site.
    pub fn begin_asking(&self) -> Result<Begun, Error> {
        let options = DiscoverableCredentialRequestOptions::passkey(&self.id);
        let (server, client) = options.start_ceremony().map_err(Error::internal)?;
        let state = STANDARD.encode(server.encode().map_err(Error::internal)?);
        Ok(Begun { state, options: serde_json::to_string(&client)? })
    }

    /// Checks a passkey against what is kept of it, and answers its counter and flags now.
    pub fn check(
        &self,
        state: &str,
        shown: &Shown,
        kept: &Key,
        handle: [u8; HANDLE],
    ) -> Result<String, Refused> {
        let bytes = |text: &str| STANDARD.decode(text).map_err(|error| wrong(&error));
        let begun = DiscoverableAuthenticationServerState::decode(bytes(state)?.as_slice())
            .map_err(|error| wrong(&error))?;
        let key = CarriedForm::decode(bytes(&kept.public_key)?.as_slice()).map_err(|error| wrong(&error))?;
        let dynamic: [u8; 7] = bytes(&kept.state)?.try_into().map_err(|_| Refused::Wrong)?;
        let dynamic = DynamicState::decode(dynamic).map_err(|error| wrong(&error))?;
        let Ok(handle) = UserHandle::<HANDLE>::decode(handle);
        let answer = &shown.0.0;
        let mut known = AuthenticatedCredential::new(answer.raw_id(), &handle, key, dynamic)
            .map_err(|error| wrong(&error))?;
        let options = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &[self.origin.as_str()],
            error_on_unsolicited_extensions: false,
            ..Default::default()
        };
        begun.verify(&self.id, answer, &mut known, &options).map_err(|error| match error {
            AuthCeremonyErr::Timeout => Refused::Late,
            AuthCeremonyErr::SignatureCounter => Refused::Counter,
            error => wrong(&error),
        })?;
        let Ok(dynamic) = known.dynamic_state().encode();
        Ok(STANDARD.encode(dynamic))
    }
}

/// Members are told that it went wrong; what exactly is for the host's log.
fn wrong(error: &impl std::fmt::Display) -> Refused {
    tracing::debug!(%error, "A passkey was refused");
    Refused::Wrong
}

/// Scheme, host and a port that is not the scheme's own, as browsers write it.
fn origin(uri: &Uri) -> String {
    let scheme = uri.scheme_str().unwrap_or_default();
    let own = if scheme == "https" { 443 } else { 80 };
    let host = uri.host().unwrap_or_default().to_ascii_lowercase();
    match uri.port_u16().filter(|port| *port != own) {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    }
}

/// A known passkey, for the browser to leave its device out.
fn descriptor(known: &Key) -> Option<PublicKeyCredentialDescriptor<Vec<u8>>> {
    let id = CredentialId::<Vec<u8>>::decode(URL_SAFE_NO_PAD.decode(&known.credential).ok()?).ok()?;
    let transports = AuthTransports::decode(u8::try_from(known.transports).ok()?).ok()?;
    Some(PublicKeyCredentialDescriptor { id, transports })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_with_a_name_that_browsers_trust_can_ask() {
        for (address, origin) in [
            ("https://books.example", "https://books.example"),
            ("https://Books.Example:8443", "https://books.example:8443"),
            ("https://books.example:443", "https://books.example"),
            ("http://localhost:3000", "http://localhost:3000"),
        ] {
            assert_eq!(RelyingParty::at(address).map(|party| party.origin).as_deref(), Ok(origin));
        }
        for (address, reason) in [
            ("http://books.example", NotOffered::NotSecure),
            ("http://127.0.0.1:3000", NotOffered::NotSecure),
            ("https://127.0.0.1", NotOffered::NoName),
            ("https://[::1]:3000", NotOffered::NoName),
        ] {
            assert_eq!(RelyingParty::at(address).map(|party| party.origin), Err(reason), "{address}");
        }
    }
}
