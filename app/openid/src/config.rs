//! The provider of company accounts, as the host configured it.

use base::variables::{ConfigError, Kind, Usual, Variable, variable};
use openidconnect::IssuerUrl;
use openidconnect::url::{Host, Url};

/// Characters that the accounts' name may have: it stands on buttons.
const MOST_NAME: usize = 20;

/// Who says who somebody is.
pub static ISSUER: Variable = Variable::new(
    "BINDERY_OIDC_ISSUER",
    Kind::Own(|text| issuer(text).map(drop)),
    Usual::Words("no company accounts"),
    "an OpenID Connect provider, as it writes itself in its tokens, such as `https://login.example.com`; a clerk who has connected its account \
     there comes into the back office by it. Registered there is this site's `/staff/login/oidc/return`",
);
/// What this site is called there.
pub static CLIENT_ID: Variable = Variable::new(
    "BINDERY_OIDC_CLIENT_ID",
    Kind::Text,
    Usual::Words("no company accounts"),
    "what this site is registered as there",
);
/// By what it shows that it is this site.
pub static CLIENT_SECRET: Variable = Variable::new(
    "BINDERY_OIDC_CLIENT_SECRET",
    Kind::Text,
    Usual::Words("no company accounts"),
    "its secret",
)
.secret();
/// What people call these accounts.
pub static NAME: Variable = Variable::new(
    "BINDERY_OIDC_NAME",
    Kind::Own(|text| match text.chars().count() {
        1..=MOST_NAME => Ok(()),
        _ => Err(format!("{text:?} has more than {MOST_NAME} characters")),
    }),
    Usual::Value("公司账号"),
    "what people call these accounts; it stands on the buttons",
);
/// Whether members come in by it, too.
pub static FOR_MEMBERS: Variable = Variable::new(
    "BINDERY_OIDC_MEMBERS",
    Kind::Switch,
    Usual::Value("0"),
    "`1`: members come in by it, too, once they have bound their account there. Registered there is then also this site's \
     `/manager/login_oidc`",
);

/// The provider, and what this site is there.
#[derive(Clone)]
pub struct OidcConfig {
    /// `BINDERY_OIDC_ISSUER`.
    pub issuer: IssuerUrl,
    /// `BINDERY_OIDC_CLIENT_ID`.
    pub client_id: String,
    /// `BINDERY_OIDC_CLIENT_SECRET`.
    pub client_secret: String,
    /// `BINDERY_OIDC_NAME`.
    pub name: String,
    /// `BINDERY_OIDC_MEMBERS`.
    pub is_for_members: bool,
}

impl std::fmt::Debug for OidcConfig {
    /// Without the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OidcConfig").field("issuer", &self.issuer.as_str()).finish_non_exhaustive()
    }
}

/// Whether what belongs together is there; what may not stand in one of them is told with the variable.
pub fn check() -> Result<(), ConfigError> {
    together(&variable).map(drop)
}

/// Reads the host's settings.
pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Option<OidcConfig>, ConfigError> {
    let Some([url, client_id, client_secret]) = together(&variable)? else { return Ok(None) };
    let issuer = issuer(&url).map_err(|reason| ISSUER.refusal(&reason))?;
    let name = variable(NAME.name).unwrap_or_else(|| NAME.or_usual());
    let is_for_members = is_for_members(&variable)?;
    Ok(Some(OidcConfig { issuer, client_id, client_secret, name, is_for_members }))
}

fn is_for_members(variable: &impl Fn(&str) -> Option<String>) -> Result<bool, ConfigError> {
    variable(FOR_MEMBERS.name).map_or(Ok(false), |word| FOR_MEMBERS.taken(&word))
}

/// Issuer, client and secret: all or none; without them nobody comes in.
fn together(variable: &impl Fn(&str) -> Option<String>) -> Result<Option<[String; 3]>, ConfigError> {
    let names = [ISSUER.name, CLIENT_ID.name, CLIENT_SECRET.name];
    let values = names.map(variable);
    let missing: Vec<&str> =
        names.iter().zip(&values).filter(|(_, value)| value.is_none()).map(|(name, _)| *name).collect();
    match missing.len() {
        0 => Ok(Some(values.map(Option::unwrap_or_default))),
        3 if is_for_members(variable)? => Err(FOR_MEMBERS.refusal(&format!("it needs {}", names.join(", ")))),
        3 => Ok(None),
        _ => Err(ConfigError::new(&format!(
            "{} belong together; missing: {}",
            names.join(", "),
            missing.join(", ")
        ))),
    }
}

/// Whether an address may be asked: over https, or on this machine itself.
pub fn is_safe(url: &Url) -> bool {
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || url.scheme() == "http" && is_here
}

/// An issuer has https and neither query nor fragment (OpenID Connect Discovery 1.0, section 3). On this machine itself plain
/// http will do.
fn issuer(text: &str) -> Result<IssuerUrl, String> {
    let refusal =
        || format!("{text:?} is not an address like https://login.example.com, without a query behind it");
    let issuer = IssuerUrl::new(text.to_owned()).map_err(|_| refusal())?;
    let url = issuer.url();
    let is_plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    if is_safe(url) && is_plain && url.password().is_none() { Ok(issuer) } else { Err(refusal()) }
}

#[cfg(test)]
mod tests {
    use super::{issuer, read};

    #[test]
    fn a_provider_needs_its_address_a_client_and_its_secret() {
        let configured = |pairs: &'static [(&str, &str)]| {
            read(|name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(configured(&[]).is_ok_and(|config| config.is_none()));
        let lacking = configured(&[("BINDERY_OIDC_CLIENT_ID", "bindery")]).unwrap_err().to_string();
        assert!(lacking.ends_with("missing: BINDERY_OIDC_ISSUER, BINDERY_OIDC_CLIENT_SECRET"), "{lacking}");
        let all: &[(&str, &str)] = &[
            ("BINDERY_OIDC_ISSUER", "https://login.example.com/realms/shop"),
            ("BINDERY_OIDC_CLIENT_ID", "bindery"),
            ("BINDERY_OIDC_CLIENT_SECRET", "s3cret"),
        ];
        let config = configured(all).ok().flatten().expect("all are there");
        assert_eq!((config.name.as_str(), config.is_for_members), ("公司账号", false));
        assert!(!format!("{config:?}").contains("s3cret"));
    }

    #[test]
    fn members_come_in_where_there_is_a_provider() {
        let configured = |word: &'static str, whole: bool| {
            read(|name| match name {
                "BINDERY_OIDC_MEMBERS" => Some(word.to_owned()),
                "BINDERY_OIDC_ISSUER" if whole => Some("https://login.example.com".to_owned()),
                "BINDERY_OIDC_CLIENT_ID" | "BINDERY_OIDC_CLIENT_SECRET" if whole => Some("x".to_owned()),
                _ => None,
            })
        };
        assert!(configured("1", true).unwrap().is_some_and(|config| config.is_for_members));
        assert!(configured("0", true).unwrap().is_some_and(|config| !config.is_for_members));
        assert!(configured("0", false).unwrap().is_none());
        let lacking = configured("1", false).unwrap_err().to_string();
        assert!(lacking.starts_with("BINDERY_OIDC_MEMBERS: it needs BINDERY_OIDC_ISSUER"), "{lacking}");
        assert!(configured("ja", true).is_err() && configured("ja", false).is_err());
    }

    #[test]
    fn an_issuer_is_asked_over_https_or_on_this_machine() {
        for right in ["https://login.example.com", "https://login.example.com/a/", "http://127.0.0.1:9"] {
            assert_eq!(issuer(right).unwrap().as_str(), right);
        }
        for wrong in [
            "login.example.com",
            "http://login.example.com",
            "http://127.0.0.1.example.com",
            "https://login.example.com?a=b",
            "https://login.example.com#a",
            "https://me:hush@login.example.com",
            "ftp://login.example.com",
        ] {
            assert!(issuer(wrong).is_err(), "{wrong}");
        }
    }
}
