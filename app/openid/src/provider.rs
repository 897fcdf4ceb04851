//! What is asked of the provider: where people sign in there, and who somebody is that came back with a code. What its answers
//! have to be is the crate `openidconnect`'s to know; who asks is ours, as everywhere.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use base::error::Error;
use domain::typed;
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthenticationFlow, CoreClaimName, CoreClaimType, CoreClient, CoreClientAuthMethod,
    CoreErrorResponseType, CoreGrantType, CoreIdTokenClaims, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm, CoreJwsSigningAlgorithm,
    CoreResponseMode, CoreResponseType, CoreSubjectIdentifierType,
};
use openidconnect::http;
use openidconnect::{
    AdditionalProviderMetadata, AsyncHttpClient, AuthType, AuthorizationCode, ClaimsVerificationError,
    ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest,
    HttpResponse, Nonce, PkceCodeChallenge, PkceCodeVerifier, ProviderMetadata, RedirectUrl,
    RequestTokenError, Scope, TokenResponse,
};
use serde::{Deserialize, Serialize};

use crate::config::{OidcConfig, is_safe};
use crate::door::{Code, Trouble};

const CONNECT: Duration = Duration::from_secs(5);
/// From the first question to the last byte of the last answer.
const WHOLE: Duration = Duration::from_secs(10);
/// The largest answer that is read, in bytes. Keys have a few KB; a token may name many groups.
const LARGEST: usize = 256 * 1024;
/// The longest that a provider may call somebody, in bytes (OpenID Connect Core 1.0, section 2).
const LONGEST_SUBJECT: usize = 255;
/// The longest name that is kept, in characters.
const LONGEST_NAME: usize = 60;

/// How a token may be signed: never by the client's secret, which more people know than the provider's key.
pub const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];
/// By what a token says that more than one thing was shown: among its methods (RFC 8176, section 2), or as its class
/// (REFEDS MFA Profile).
const METHOD: &str = "mfa";
const CLASS: &str = "https://refeds.org/profile/mfa";

/// Somebody at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider, as it calls itself.
    pub issuer: String,
    /// Whom it means; never given to somebody else there.
    pub subject: String,
    /// What it is called there, for looking at: nobody is known by it.
    pub name: String,
    /// Whether it was shown more than a password.
    pub is_multi_factor: bool,
}

/// Why the provider told us nothing. None of these texts holds a secret, a code or a token.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("the provider did not answer in time")]
    Late,
    #[error("the provider could not be asked: {0}")]
    Unreachable(String),
    /// A code that is wrong, over, or was used.
    #[error("the provider does not take the code")]
    Refused,
    #[error("the provider's token is not to be trusted: {0}")]
    Untrusted(String),
}

impl From<ClaimsVerificationError> for Failure {
    fn from(error: ClaimsVerificationError) -> Self {
        Self::Untrusted(error.to_string())
    }
}

/// A sign-in that begins at the provider.
pub struct Beginning {
    /// Where the browser goes.
    pub address: String,
    pub state: String,
    pub nonce: String,
    pub verifier: String,
}

/// What a provider says of itself besides (RFC 8414, section 2).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Besides {
    /// How codes may be tied to who asks for them; nothing where it does not say.
    pub code_challenge_methods_supported: Option<Vec<String>>,
}

impl AdditionalProviderMetadata for Besides {}

/// What a provider says of itself, with its keys.
pub type Description = ProviderMetadata<
    Besides,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// The provider, ready to be asked.
pub struct Provider {
    pub config: OidcConfig,
    asking: Asking,
}

impl Provider {
    /// Ready to ask.
    pub fn new(config: OidcConfig) -> Result<Self, Error> {
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            .timeout(WHOLE)
            .redirect(reqwest::redirect::Policy::none())
            // its own description names the other addresses, and one of them is told the secret
            .https_only(config.issuer.url().scheme() == "https")
            .build()
            .map_err(Error::internal)?;
        Ok(Self { config, asking: Asking(http) })
    }

    /// Where somebody signs in there, who is then led to `back`.
    pub(crate) async fn begin(&self, back: &str, scopes: &[&str]) -> Result<Beginning, Failure> {
        let client = self.client(back).await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (address, state, nonce) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                || CsrfToken::new_random_len(32),
                || Nonce::new_random_len(32),
            )
            .add_scopes(scopes.iter().map(|scope| Scope::new((*scope).to_owned())))
            .set_pkce_challenge(challenge)
            .url();
        Ok(Beginning {
            address: address.into(),
            state: state.into_secret(),
            nonce: nonce.secret().clone(),
            verifier: verifier.into_secret(),
        })
    }

    /// Who somebody is that came back with a code.
    pub async fn identify(&self, code: Code) -> Result<Identity, Trouble> {
        Ok(self.hand_in(code).await?)
    }

    pub(crate) async fn hand_in(&self, code: Code) -> Result<Identity, Failure> {
        let Code { code, nonce, verifier, back } = code;
        in_time(async move {
            let client = self.client(&back).await?;
            let request = client.exchange_code(AuthorizationCode::new(code)).map_err(unreachable)?;
            let request = request.set_pkce_verifier(PkceCodeVerifier::new(verifier));
            let tokens = request.request_async(&self.asking).await.map_err(|error| match error {
                RequestTokenError::ServerResponse(told)
                    if *told.error() == CoreErrorResponseType::InvalidGrant =>
                {
                    Failure::Refused
                }
                // what it says besides is a text of its own
                RequestTokenError::ServerResponse(told) => unreachable(told.error().as_ref()),
                RequestTokenError::Request(reason) => reason,
                error => unreachable(error),
            })?;
            let token = tokens.id_token().ok_or_else(|| Failure::Untrusted("there is none".to_owned()))?;
            let tester = client.id_token_verifier().set_allowed_algs(ALGORITHMS);
            self.read(token.claims(&tester, &Nonce::new(nonce))?)
        })
        .await
    }

    /// What the provider says of itself, and the keys that it signs by.
    pub(crate) async fn describe(&self) -> Result<Description, Failure> {
        let asked = Description::discover_async(self.config.issuer.clone(), &self.asking);
        in_time(async {
            asked.await.map_err(|error| match error {
                openidconnect::DiscoveryError::Request(reason) => reason,
                error => unreachable(error),
            })
        })
        .await
    }

    /// Asks the provider how it is asked and by which keys it signs: each time, as people sign in seldom and keys change when they
    /// have leaked.
    async fn client(&self, back: &str) -> Result<Client, Failure> {
        let description = self.describe().await?;
        if !is_safe(description.authorization_endpoint().url()) {
            return Err(unreachable("people would sign in there without https"));
        }
        let shown = secret_shown(&description).unwrap_or(AuthType::BasicAuth);
        let client_id = ClientId::new(self.config.client_id.clone());
        let secret = ClientSecret::new(self.config.client_secret.clone());
        let back = RedirectUrl::new(back.to_owned()).map_err(unreachable)?;
        Ok(CoreClient::from_provider_metadata(description, client_id, Some(secret))
            .set_auth_type(shown)
            .set_redirect_uri(back))
    }

    /// What a token says that was looked at.
    fn read(&self, claims: &CoreIdTokenClaims) -> Result<Identity, Failure> {
        let subject = claims.subject().as_str();
        if !(1..=LONGEST_SUBJECT).contains(&subject.len()) || subject.chars().any(char::is_control) {
            return Err(Failure::Untrusted("it names nobody".to_owned()));
        }
        let by_method = claims.auth_method_refs().is_some_and(|all| all.iter().any(|one| **one == METHOD));
        let name = claims.name().and_then(|names| names.get(None)).map(|name| name.as_str());
        let name = name.or_else(|| claims.preferred_username().map(|name| name.as_str()));
        let name = typed::name(name.unwrap_or_default(), LONGEST_NAME);
        let name = if typed::is_blank(&name) { typed::name(subject, LONGEST_NAME) } else { name };
        let by_class = claims.auth_context_ref().is_some_and(|class| **class == CLASS);
        Ok(Identity {
            issuer: self.config.issuer.as_str().to_owned(),
            subject: subject.to_owned(),
            name,
            is_multi_factor: by_method || by_class,
        })
    }
}

/// How the secret is shown to a provider; nothing where it takes none of the ways that are known here.
pub fn secret_shown(description: &Description) -> Option<AuthType> {
    let ways = description.token_endpoint_auth_methods_supported();
    let takes = |way| ways.is_none_or(|ways| ways.contains(&way));
    if takes(CoreClientAuthMethod::ClientSecretBasic) {
        Some(AuthType::BasicAuth)
    } else {
        takes(CoreClientAuthMethod::ClientSecretPost).then_some(AuthType::RequestBody)
    }
}

fn unreachable(reason: impl std::fmt::Display) -> Failure {
    Failure::Unreachable(reason.to_string())
}

async fn in_time<T>(asking: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::time::timeout(WHOLE, asking).await.unwrap_or(Err(Failure::Late))
}

/// Our own client, as the crate wants one.
struct Asking(reqwest::Client);

impl<'c> AsyncHttpClient<'c> for Asking {
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Failure>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.ask(request))
    }
}

impl Asking {
    async fn ask(&self, request: HttpRequest) -> Result<HttpResponse, Failure> {
        let request = reqwest::Request::try_from(request).map_err(of_client)?;
        let mut answer = self.0.execute(request).await.map_err(of_client)?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(of_client)? {
            if body.len() + chunk.len() > LARGEST {
                return Err(unreachable(format!("it answered more than {LARGEST} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        let mut response = http::Response::new(body);
        *response.status_mut() = answer.status();
        *response.headers_mut() = std::mem::take(answer.headers_mut());
        Ok(response)
    }
}

fn of_client(error: reqwest::Error) -> Failure {
    if error.is_timeout() { Failure::Late } else { unreachable(error.without_url()) }
}
