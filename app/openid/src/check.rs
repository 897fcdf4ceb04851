//! What `bindery check` says of the provider.

use base::config::own::PUBLIC_URL;
use base::config::site;
use base::variables::variable;
use openidconnect::JsonWebKey;
use openidconnect::core::{CoreJsonWebKeyType, CoreJsonWebKeyUse, CoreResponseType};
use web::checks::{Asked, Found};

use crate::config::{self, CLIENT_ID, CLIENT_SECRET, FOR_MEMBERS, ISSUER, is_safe};
use crate::door::{Code, Door, OF_CLERKS, OF_MEMBERS};
use crate::provider::{ALGORITHMS, Description, Failure, Provider, secret_shown};

/// How a code is tied to who asks for it (RFC 7636, section 4.2).
const S256: &str = "S256";

/// Asks the provider, where that is asked for, everything that signing in asks of it but for a person.
pub async fn probe(asked: &Asked) -> Vec<Found> {
    let one = |what: &str, how| vec![(what.to_owned(), how)];
    // what is wrong with the settings is told before
    let Ok(config) = config::read(variable) else { return Vec::new() };
    let Some(config) = config else {
        let none = if asked.oidc {
            let names = [ISSUER.name, CLIENT_ID.name, CLIENT_SECRET.name].join(", ");
            Err(format!("there is no provider; set {names}"))
        } else {
            Ok(format!("none; {} names a provider", ISSUER.name))
        };
        return one("company accounts", none);
    };
    let name = config.name.clone();
    if !asked.oidc {
        return one(&name, Ok("not tried; --oidc does".to_owned()));
    }
    let provider = match Provider::new(config) {
        Ok(provider) => provider,
        Err(error) => return one(&name, Err(error.to_string())),
    };
    let base = PUBLIC_URL.get().and_then(|url| site(&url).ok());
    let base = base.as_deref().unwrap_or("https://books.example");
    let mut said = vec![Ok(to_register(&provider, base))];
    match provider.describe().await {
        Ok(description) => {
            said.push(Ok(format!("{} describes itself", provider.config.issuer.as_str())));
            said.extend([keys(&description), addresses(&description), flow(&description)]);
            said.push(client(&provider, base).await);
        }
        Err(failure) => said.push(Err(format!("{failure}; look at {}", ISSUER.name))),
    }
    said.into_iter().map(|how| (name.clone(), how)).collect()
}

/// Where it leads back to.
fn to_register(provider: &Provider, base: &str) -> String {
    let whole = |door: &Door| format!("{base}{}", door.back);
    let members = if provider.config.is_for_members {
        format!(" and {} (members)", whole(&OF_MEMBERS))
    } else {
        format!("; with {}=1 another one for members", FOR_MEMBERS.name)
    };
    format!("to be registered there: {} (clerks){members}", whole(&OF_CLERKS))
}

fn keys(description: &Description) -> Result<String, String> {
    let signs = |key: &&_| {
        let (kind, used) = (JsonWebKey::key_type(*key), JsonWebKey::key_use(*key));
        *kind != CoreJsonWebKeyType::Symmetric
            && used.is_none_or(|used| *used == CoreJsonWebKeyUse::Signature)
    };
    let known = description.jwks().keys().iter().filter(signs).count();
    let ways = description.id_token_signing_alg_values_supported();
    if !ways.iter().any(|way| ALGORITHMS.contains(way)) {
        return Err(
            "it signs tokens in no way that is taken here (RS256, ES256, EdDSA and their kin)".to_owned()
        );
    }
    match known {
        0 => Err("it names no key that tokens could be signed by".to_owned()),
        1 => Ok("one key signs its tokens".to_owned()),
        known => Ok(format!("{known} keys sign its tokens")),
    }
}

/// Whether everything that people and this site ask there goes over https.
fn addresses(description: &Description) -> Result<String, String> {
    let Some(tokens) = description.token_endpoint() else {
        return Err("it names no address where codes are handed in".to_owned());
    };
    let all = [description.authorization_endpoint().url(), tokens.url(), description.jwks_uri().url()];
    match all.into_iter().find(|url| !is_safe(url)) {
        Some(url) => Err(format!("{url} is asked without https")),
        None => Ok("what is asked there goes over https, or stays on this machine".to_owned()),
    }
}

fn flow(description: &Description) -> Result<String, String> {
    if !description.response_types_supported().iter().any(|type_| **type_ == [CoreResponseType::Code]) {
        return Err("it knows no code flow (response type code)".to_owned());
    }
    if secret_shown(description).is_none() {
        return Err("it takes the secret neither as client_secret_basic nor as client_secret_post".to_owned());
    }
    match &description.additional_metadata().code_challenge_methods_supported {
        Some(ways) if ways.iter().any(|way| way == S256) => Ok(format!("code flow with PKCE ({S256})")),
        Some(_) => Err(format!("it does not take PKCE with {S256}")),
        None => Ok(format!("code flow; it does not say whether it takes PKCE, which is sent ({S256})")),
    }
}

/// Hands in a code that nobody was given: whoever finds it wrong has taken the secret.
async fn client(provider: &Provider, base: &str) -> Result<String, String> {
    let made_up = || "bindery-check".to_owned();
    let code = Code {
        code: made_up(),
        nonce: made_up(),
        verifier: "0".repeat(43),
        back: format!("{base}{}", OF_CLERKS.back),
    };
    match provider.hand_in(code).await {
        Err(Failure::Refused) => Ok("this site and its secret are known there".to_owned()),
        Ok(_) | Err(Failure::Untrusted(_)) => Err("it takes a code that nobody was given".to_owned()),
        Err(failure) => Err(format!("{failure}; look at {} and {}", CLIENT_ID.name, CLIENT_SECRET.name)),
    }
}
