//! The ways to pay that the host has configured.

use std::path::Path;

use base::config::own;
use base::variables::{ConfigError, Kind, Usual, Variable};
use domain::payment::{METHODS, Method};
use domain::statement::Merchant;
use reqwest::Url;

use super::providers::{self, Alipay, Provider, StandIn, WechatPay};
use super::signing::{Broken, OpeningKey, SigningKey, VerifyingKey};

/// Where notifications arrive.
pub const NOTIFY_WECHATPAY: &str = "/notify/wechatpay";
pub const NOTIFY_ALIPAY: &str = "/notify/alipay";

const WECHATPAY: [&str; 7] = [
    "BINDERY_WECHATPAY_MCHID",
    "BINDERY_WECHATPAY_APPID",
    "BINDERY_WECHATPAY_SERIAL",
    "BINDERY_WECHATPAY_KEY_FILE",
    "BINDERY_WECHATPAY_API_KEY",
    "BINDERY_WECHATPAY_PLATFORM_SERIAL",
    "BINDERY_WECHATPAY_PLATFORM_KEY_FILE",
];
const ALIPAY: [&str; 4] = [
    "BINDERY_ALIPAY_APP_ID",
    "BINDERY_ALIPAY_SELLER_ID",
    "BINDERY_ALIPAY_KEY_FILE",
    "BINDERY_ALIPAY_PUBLIC_KEY_FILE",
];
const BANK: [&str; 3] = ["BINDERY_BANK_HOLDER", "BINDERY_BANK_NAME", "BINDERY_BANK_ACCOUNT"];
const WECHATPAY_BASE: &str = "BINDERY_WECHATPAY_BASE_URL";
const ALIPAY_GATEWAY: &str = "BINDERY_ALIPAY_GATEWAY_URL";

const NO_WECHATPAY: Usual = Usual::Words("no WeChat Pay");
const NO_ALIPAY: Usual = Usual::Words("no Alipay");
const NO_TRANSFERS: Usual = Usual::Words("no transfers");

/// What the host may set.
pub static VARIABLES: &[&Variable] = &[
    &Variable::new(
        WECHATPAY[0],
        Kind::Text,
        NO_WECHATPAY,
        "merchant 商户号 of WeChat Pay; with all seven variables members pay by QR code (Native). They need \
         `BINDERY_PUBLIC_URL`: notifications come to `/notify/wechatpay` there",
    ),
    &Variable::new(WECHATPAY[1], Kind::Text, NO_WECHATPAY, "the merchant's application"),
    &Variable::new(WECHATPAY[2], Kind::Text, NO_WECHATPAY, "serial number of the merchant's certificate"),
    &Variable::new(
        WECHATPAY[3],
        Kind::Text,
        NO_WECHATPAY,
        "its private key, a PEM file (`apiclient_key.pem`)",
    ),
    &Variable::new(WECHATPAY[4], Kind::Text, NO_WECHATPAY, "the APIv3 key, 32 characters").secret(),
    &Variable::new(
        WECHATPAY[5],
        Kind::Text,
        NO_WECHATPAY,
        "id of WeChat Pay's public key (`PUB_KEY_ID_…`), or serial number of a platform certificate",
    ),
    &Variable::new(WECHATPAY[6], Kind::Text, NO_WECHATPAY, "its PEM file"),
    &Variable::new(
        WECHATPAY_BASE,
        Kind::Text,
        Usual::Value("https://api.mch.weixin.qq.com"),
        "where WeChat Pay is asked",
    ),
    &Variable::new(
        ALIPAY[0],
        Kind::Text,
        NO_ALIPAY,
        "an application of Alipay with 电脑网站支付 and keys (not certificates); with all four variables members pay on Alipay's \
         page. They need `BINDERY_PUBLIC_URL`: notifications come to `/notify/alipay` there",
    ),
    &Variable::new(ALIPAY[1], Kind::Text, NO_ALIPAY, "whose account is paid (`2088…`)"),
    &Variable::new(ALIPAY[2], Kind::Text, NO_ALIPAY, "the application's private key, a PEM file"),
    &Variable::new(ALIPAY[3], Kind::Text, NO_ALIPAY, "Alipay's public key, a PEM file"),
    &Variable::new(
        ALIPAY_GATEWAY,
        Kind::Text,
        Usual::Value("https://openapi.alipay.com/gateway.do"),
        "where Alipay is asked",
    ),
    &Variable::new(
        BANK[0],
        Kind::Text,
        NO_TRANSFERS,
        "户名; with all three members pay by bank transfer 对公转账, which `bindery recharge confirm` credits",
    ),
    &Variable::new(BANK[1], Kind::Text, NO_TRANSFERS, "开户行"),
    &Variable::new(BANK[2], Kind::Text, NO_TRANSFERS, "账号"),
];

/// The ways that the host configured.
pub fn read() -> Result<Ways, ConfigError> {
    Ways::from_variables(base::variables::variable, own::PUBLIC_URL.get().as_deref())
}

/// Whether what belongs together is there, and the keys can be read.
pub fn check() -> Result<(), ConfigError> {
    read().map(drop)
}

/// The configured ways.
#[derive(Default)]
pub struct Ways {
    wechat: Option<WechatPay>,
    alipay: Option<Alipay>,
    /// Where bank transfers go.
    pub bank: Option<Bank>,
    demo: Option<StandIn>,
}

/// An account at a bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bank {
    /// 户名.
    pub holder: String,
    /// 开户行.
    pub name: String,
    /// 账号.
    pub account: String,
}

impl std::fmt::Debug for Ways {
    /// Without any key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.all()).finish()
    }
}

impl Ways {
    /// Reads the settings and the key files that they name. Providers send their notifications to the public address.
    pub fn from_variables(
        variable: impl Fn(&str) -> Option<String>,
        public_url: Option<&str>,
    ) -> Result<Self, ConfigError> {
        let http = || providers::client().map_err(|error| ConfigError::new(&error.to_string()));
        let address = |name: &str, known: &str| {
            let text = variable(name).unwrap_or_else(|| known.to_owned());
            let url = Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            url.ok_or_else(|| ConfigError::new(&format!("{name}: {text:?} is not an https address")))
        };
        let public = |name: &str| {
            public_url.map(str::to_owned).ok_or_else(|| {
                ConfigError::new(&format!(
                    "{name} needs BINDERY_PUBLIC_URL: notifications of payments go there"
                ))
            })
        };

        let wechat = match whole(&variable, WECHATPAY)? {
            None => None,
            Some([mchid, appid, serial, key_file, api_key, platform_serial, platform_key_file]) => {
                let public = public(WECHATPAY[0])?;
                let base = address(WECHATPAY_BASE, "https://api.mch.weixin.qq.com")?;
                Some(WechatPay {
                    mchid,
                    appid,
                    serial,
                    key: key(WECHATPAY[3], &key_file, SigningKey::from_pem)?,
                    platform_serial,
                    platform_key: key(WECHATPAY[6], &platform_key_file, VerifyingKey::from_pem)?,
                    api_key: OpeningKey::new(&api_key).map_err(|_| {
                        ConfigError::new(&format!("{}: the APIv3 key has 32 characters", WECHATPAY[4]))
                    })?,
                    base: base.as_str().trim_end_matches('/').to_owned(),
                    notify_url: format!("{public}{NOTIFY_WECHATPAY}"),
                    http: http()?,
                })
            }
        };
        let alipay = match whole(&variable, ALIPAY)? {
            None => None,
            Some([app_id, seller_id, key_file, public_key_file]) => {
                let public_url = public(ALIPAY[0])?;
                Some(Alipay {
                    app_id,
                    seller_id,
                    key: key(ALIPAY[2], &key_file, SigningKey::from_pem)?,
                    alipay_key: key(ALIPAY[3], &public_key_file, VerifyingKey::from_pem)?,
                    gateway: address(ALIPAY_GATEWAY, "https://openapi.alipay.com/gateway.do")?,
                    notify_url: format!("{public_url}{NOTIFY_ALIPAY}"),
                    public_url,
                    http: http()?,
                })
            }
        };
        let bank = whole(&variable, BANK)?.map(|[holder, name, account]| Bank { holder, name, account });
        Ok(Self { wechat, alipay, bank, demo: None })
    }

    /// With a provider that takes no money where there is no way to pay: a shop that can take some never gives its books
    /// away.
    pub fn or_stand_in(self) -> Self {
        let demo = self.all().next().is_none().then_some(StandIn);
        Self { demo, ..self }
    }

    /// The provider of a way; a bank is none.
    pub fn provider(&self, method: Method) -> Option<&dyn Provider> {
        match method {
            Method::Wechat => self.wechat.as_ref().map(|provider| provider as &dyn Provider),
            Method::Alipay => self.alipay.as_ref().map(|provider| provider as &dyn Provider),
            Method::Demo => self.demo.as_ref().map(|provider| provider as &dyn Provider),
            Method::Transfer => None,
        }
    }

    /// Whose statements are the shop's.
    pub fn merchant(&self) -> Merchant {
        Merchant {
            wechat: self.wechat.as_ref().map(|provider| (provider.mchid.clone(), provider.appid.clone())),
            alipay: self.alipay.as_ref().map(|provider| provider.seller_id.clone()),
        }
    }

    /// Whether members can pay so.
    pub fn has(&self, method: Method) -> bool {
        match method {
            Method::Transfer => self.bank.is_some(),
            other => self.provider(other).is_some(),
        }
    }

    /// The ways that there are.
    pub fn all(&self) -> impl Iterator<Item = Method> + '_ {
        METHODS.into_iter().filter(|method| self.has(*method))
    }
}

/// All of some variables, or none of them.
fn whole<const N: usize>(
    variable: impl Fn(&str) -> Option<String>,
    names: [&str; N],
) -> Result<Option<[String; N]>, ConfigError> {
    let values = names.map(&variable);
    if values.iter().all(Option::is_none) {
        return Ok(None);
    }
    let missing: Vec<&str> =
        names.iter().zip(&values).filter(|(_, value)| value.is_none()).map(|(name, _)| *name).collect();
    if missing.is_empty() {
        return Ok(Some(values.map(Option::unwrap_or_default)));
    }
    Err(ConfigError::new(&format!("{} belong together; missing: {}", names.join(", "), missing.join(", "))))
}

fn key<T>(name: &str, file: &str, read: impl Fn(&[u8]) -> Result<T, Broken>) -> Result<T, ConfigError> {
    let pem = std::fs::read(Path::new(file))
        .map_err(|error| ConfigError::new(&format!("{name}: {file} can't be read: {error}")))?;
    read(&pem).map_err(|broken| ConfigError::new(&format!("{name}: {file}: {broken}")))
}
