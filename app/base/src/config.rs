//! What the host decides: addresses and folders, from the environment over the built-in Leptos.toml.

pub mod own;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::http::Uri;
use domain::money::Fen;
use leptos_config::{LeptosOptions, get_config_from_str};
use photo::{PhotoFormat, PhotoRefusal};
use press::PrintStandard;

use crate::db::{DATABASE_URL, DatabasePool};
use crate::delivery::Delivery;
use crate::presses::{PressSettings, Suppliers};
use crate::regions::Regions;
use crate::storage::{Bucket, Patience};
use crate::variables::{ConfigError, Variable, from_file, variable};

/// The content of Leptos.toml, so that the binary needs nothing beside it.
const LEPTOS_TOML: &str = include_str!("../../../Leptos.toml");

/// The settings of one running program.
#[derive(Debug, Clone)]
pub struct Config {
    /// The data folder (`BINDERY_DATA`, by default `data` in the working folder).
    pub data: PathBuf,
    /// `sqlite:…` or `postgres://…` (`BINDERY_DATABASE_URL`, by default a SQLite file in the data folder).
    pub database_url: String,
    /// Connections to PostgreSQL.
    pub database_pool: DatabasePool,
    /// The folder of originals and derivatives (`BINDERY_STORAGE_URL`, `file:…`, by default `storage` in the data
    /// folder); with a bucket `copies` there.
    pub storage: PathBuf,
    /// Where they are kept instead (`BINDERY_STORAGE_URL`, `s3:…`); the folder then has what arrives, and copies.
    pub bucket: Option<Bucket>,
    /// Leptos's own options; among them where the server listens (`LEPTOS_SITE_ADDR`).
    pub leptos: LeptosOptions,
    /// Where the program tells how it is (`BINDERY_METRICS_ADDR`).
    pub metrics_addr: Option<SocketAddr>,
    /// How long it goes on answering once it is told to stop (`BINDERY_DRAIN`, in seconds, none by default).
    pub drain: Duration,
    /// What print files follow (`BINDERY_PRINT_STANDARD`: `pdfx-4`, or `pdfx-1a` for shops that insist).
    pub print_standard: PrintStandard,
    /// The press that print files are made for; offset on coated paper where nothing is said of it.
    pub printed_on: PressSettings,
    /// Others who print, and what they want of files (`BINDERY_SUPPLIERS`, a TOML file).
    pub suppliers: Suppliers,
    /// Whether saddle-stitched books are also written as they lie on their sheets
    /// (`BINDERY_IMPOSITION=saddle-stitch`).
    pub imposes: bool,
    /// Where jobs that may be printed are put for a prepress workflow (`BINDERY_HOT_FOLDER`: a path, `file:…` or `s3:…`).
    pub hot_folder: Option<HotFolder>,
    /// What signed calls are signed with (`BINDERY_SIGN_KEY`); without it a signature is always wrong.
    pub sign_key: Option<String>,
    /// Whether cookies are sent over https only (`BINDERY_SECURE_COOKIES=1`, behind a TLS proxy).
    pub secure_cookies: bool,
    /// Whether the client's address is the last one of `X-Forwarded-For`, and its scheme that of
    /// `X-Forwarded-Proto` (`BINDERY_TRUST_PROXY=1`).
    pub trust_proxy: bool,
    /// Whether nothing is written that people send (`BINDERY_READ_ONLY=1`).
    pub read_only: bool,
    /// Where the world finds the site, without a slash at the end (`BINDERY_PUBLIC_URL`); without it, what a request
    /// says.
    pub public_url: Option<String>,
    /// What one person in the back office may give away alone ([`domain::approval`]); more needs a second one
    /// (`BINDERY_STAFF_LIMIT`, in yuan, 500 by default).
    pub staff_limit: Fen,
    /// Whether photos are taken that phones store as HEIC or AVIF (`BINDERY_HEIF`, on by default, `0` switches it off): where
    /// the patents on HEVC forbid it. Those that are here already are shown and printed.
    pub takes_heif: bool,
    /// Whether faces are looked for in photos, so that pages cut through nobody (`BINDERY_FACES`, on by default, `0` switches
    /// it off).
    pub looks_for_faces: bool,
    /// Bytes that stay free on the disk: below that no file is taken in, so that everything else can still be written
    /// (`BINDERY_DISK_RESERVE`, in MB, 256 by default).
    pub disk_reserve: u64,
    /// Bytes that pictures of pages may take (`BINDERY_PICTURE_SPACE`, in MB, 10,240 by default): beyond, those that nobody
    /// looked at go first.
    pub picture_space: u64,
    /// Who hears of security holes, as an address with its scheme (`BINDERY_SECURITY_CONTACT`).
    pub security_contact: Option<String>,
    /// In which provinces addresses are (`BINDERY_REGIONS`).
    pub regions: Option<Arc<Regions>>,
    /// Whether pages that present themselves do so in weixin, too (`BINDERY_WEIXIN_ACCOUNT_APP_ID`).
    pub shares_in_weixin: bool,
    /// Whether this is a demo (`serve --demo`), where members may pay with no money.
    pub is_demo: bool,
    /// Who runs the shop.
    pub contact: Contact,
    /// How codes and notices reach members (`BINDERY_SMTP_URL`, `BINDERY_MAIL_FROM`, `BINDERY_SMTP_CA`,
    /// `BINDERY_SMS_URL`, `BINDERY_SMS_KEY`).
    pub delivery: Delivery,
}

/// Reads how PostgreSQL is reached.
pub fn database_pool() -> Result<DatabasePool, ConfigError> {
    Ok(DatabasePool {
        connections: own::DATABASE_CONNECTIONS.parsed()?,
        wait: Duration::from_secs(own::DATABASE_WAIT.parsed()?),
    })
}

/// A folder that a prepress workflow watches, or a folder of a bucket.
#[derive(Debug, Clone)]
pub struct HotFolder {
    /// As the host wrote it.
    pub named: String,
    pub place: Place,
}

impl HotFolder {
    fn new(url: &str, settings: impl Iterator<Item = (String, String)>) -> Result<Self, ConfigError> {
        let place = Place::read(&own::HOT_FOLDER, url, settings, Patience::Asked)?;
        Ok(Self { named: url.to_owned(), place })
    }
}

/// A folder anywhere on this machine, or of a bucket.
#[derive(Debug, Clone)]
pub enum Place {
    Folder(PathBuf),
    Bucket(Bucket),
}

impl Place {
    /// An absolute path, `file:…` or `s3://bucket/folder`, as it stands in a variable; `settings` are the bucket's.
    pub fn read(
        variable: &Variable,
        url: &str,
        settings: impl IntoIterator<Item = (String, String)>,
        patience: Patience,
    ) -> Result<Self, ConfigError> {
        let folder = |path: &str| match Path::new(path) {
            path if path.is_absolute() => Ok(Self::Folder(path.to_owned())),
            _ => Err(variable.refusal(&format!("{url:?} is neither an absolute path nor an s3: address"))),
        };
        match url.split_once(':') {
            Some(("file", path)) => folder(path.strip_prefix("//").unwrap_or(path)),
            Some(("s3", place)) => {
                let place = place.trim_start_matches("//");
                Ok(Self::Bucket(Bucket::new(variable.name, place, settings, patience)?))
            }
            _ => folder(url),
        }
    }
}

/// What visitors are told about the host; what is not set is not shown.
#[derive(Debug, Clone, Default)]
pub struct Contact {
    /// `BINDERY_COMPANY`.
    pub company: Option<String>,
    /// `BINDERY_CONTACT_EMAIL`.
    pub email: Option<String>,
    /// `BINDERY_CONTACT_PHONE`.
    pub phone: Option<String>,
}

/// The official account of weixin that the site has.
pub const WEIXIN_ACCOUNT: &str = "BINDERY_WEIXIN_ACCOUNT_APP_ID";

impl Config {
    /// Reads the environment.
    pub fn from_env() -> Result<Self, ConfigError> {
        let data = PathBuf::from(own::DATA.or_usual());
        let database_url =
            DATABASE_URL.get().unwrap_or_else(|| format!("sqlite:{}", data.join("bindery.db").display()));
        let (storage, bucket) = storage(&data, own::STORAGE_URL.get(), settings())?;
        let megabytes =
            |variable: &Variable| variable.parsed::<u64>().map(|size| size.saturating_mul(1 << 20));
        let read = |variable: &Variable, by: fn(&str) -> Result<String, String>| {
            let read = variable.get().map(|text| by(&text)).transpose();
            read.map_err(|reason| variable.refusal(&reason))
        };
        Ok(Self {
            data,
            database_url,
            database_pool: database_pool()?,
            storage,
            bucket,
            leptos: leptos_options()?,
            metrics_addr: own::METRICS_ADDR.get().map(|_| own::METRICS_ADDR.parsed()).transpose()?,
            drain: Duration::from_secs(own::DRAIN.parsed()?),
            print_standard: own::PRINT_STANDARD.parsed()?,
            printed_on: printed_on()?,
            suppliers: match own::SUPPLIERS.get() {
                None => Suppliers::default(),
                Some(path) => Suppliers::open(Path::new(&path))
                    .map_err(|error| own::SUPPLIERS.refusal(&error.to_string()))?,
            },
            imposes: {
                let word = own::IMPOSITION.or_usual();
                own::IMPOSITION.check(&word)?;
                word == "saddle-stitch"
            },
            hot_folder: own::HOT_FOLDER.get().map(|url| HotFolder::new(&url, settings())).transpose()?,
            sign_key: own::SIGN_KEY.get(),
            secure_cookies: own::SECURE_COOKIES.is_on()?,
            trust_proxy: own::TRUST_PROXY.is_on()?,
            read_only: own::READ_ONLY.is_on()?,
            public_url: read(&own::PUBLIC_URL, site)?,
            staff_limit: own::STAFF_LIMIT.parsed()?,
            takes_heif: own::HEIF.is_on()?,
            looks_for_faces: own::FACES.is_on()?,
            disk_reserve: megabytes(&own::DISK_RESERVE)?,
            picture_space: megabytes(&own::PICTURE_SPACE)?,
            security_contact: read(&own::SECURITY_CONTACT, reached_at)?,
            regions: match own::REGIONS.get() {
                None => None,
                Some(path) => {
                    let regions = Regions::open(Path::new(&path));
                    Some(Arc::new(regions.map_err(|error| own::REGIONS.refusal(&error))?))
                }
            },
            shares_in_weixin: variable(WEIXIN_ACCOUNT).is_some(),
            is_demo: false,
            contact: Contact {
                company: own::COMPANY.get(),
                email: own::CONTACT_EMAIL.get(),
                phone: own::CONTACT_PHONE.get(),
            },
            delivery: Delivery::from_variables(variable)?,
        })
    }
}

impl Config {
    /// Refuses a kind of photo that whoever runs the program does not take.
    pub fn check_kind(&self, format: PhotoFormat) -> Result<(), PhotoRefusal> {
        if format.is_heif() && !self.takes_heif { Err(PhotoRefusal::Heic) } else { Ok(()) }
    }

    /// The kinds of photos that are taken, for a sentence.
    pub fn photo_kinds(&self) -> &'static str {
        if self.takes_heif { "JPEG、PNG、WebP、HEIC、AVIF" } else { "JPEG、PNG、WebP" }
    }

    /// Says what members would find missing; the host must not learn it from their complaints.
    pub fn log(&self) {
        self.delivery.log();
        if self.public_url.is_none() {
            tracing::info!(
                "No BINDERY_PUBLIC_URL: messages to members hold no links, and pages name the address that they are asked at"
            );
        }
    }
}

/// Every variable that is a text, and the secrets out of files.
fn settings() -> impl Iterator<Item = (String, String)> {
    let secrets = own::ALL.iter().filter_map(|one| Some((one.name.to_owned(), from_file(one.name)?)));
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .chain(secrets)
}

/// The folder, and the bucket behind it.
fn storage(
    data: &Path,
    url: Option<String>,
    settings: impl Iterator<Item = (String, String)>,
) -> Result<(PathBuf, Option<Bucket>), ConfigError> {
    let Some(url) = url else { return Ok((data.join("storage"), None)) };
    match url.split_once(':') {
        Some(("file", path)) => Ok((PathBuf::from(path.trim_start_matches("//")), None)),
        Some(("s3", place)) => {
            let bucket = Bucket::new(
                own::STORAGE_URL.name,
                place.trim_start_matches("//"),
                settings,
                Patience::Asked,
            )?;
            // copies come and go: never where files were kept before there was a bucket
            Ok((data.join("copies"), Some(bucket)))
        }
        _ => Err(own::STORAGE_URL.refusal(&format!("{url:?} is neither a file: nor an s3: address"))),
    }
}

fn printed_on() -> Result<PressSettings, ConfigError> {
    let number = |variable: &Variable| variable.get().map(|_| variable.parsed::<f64>()).transpose();
    let settings = PressSettings {
        profile: own::OUTPUT_PROFILE.get().map(PathBuf::from),
        total_ink: number(&own::TOTAL_INK)?.map(|percent| percent / 100.0),
        overprint_below_pt: number(&own::OVERPRINT_BELOW)?,
        spots: Vec::new(),
    };
    // a profile that is none is said at the start, and not when the first order is printed
    if settings.profile.is_some() {
        settings.condition().map_err(|error| own::OUTPUT_PROFILE.refusal(&error.to_string()))?;
    }
    Ok(settings)
}

/// Scheme and host, such as `https://books.example`; the program answers at the root of its host.
pub fn site(url: &str) -> Result<String, String> {
    let uri: Option<Uri> = url.parse().ok();
    let plain = uri.filter(|uri| {
        let web = matches!(uri.scheme_str(), Some("http" | "https"));
        let host = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        web && host && uri.path() == "/" && uri.query().is_none()
    });
    match plain {
        Some(_) => Ok(url.trim_end_matches('/').to_owned()),
        None => Err(format!("{url:?} is not an address like https://books.example, without a path")),
    }
}

/// A contact as RFC 9116, section 2.5.3 wants it, an address with its scheme; a bare e-mail address gets its own.
fn reached_at(text: &str) -> Result<String, String> {
    let text = text.trim();
    let plain = text.bytes().all(|b| b.is_ascii_graphic());
    if plain && ["https://", "mailto:", "tel:"].iter().any(|scheme| text.starts_with(scheme)) {
        Ok(text.to_owned())
    } else if plain && text.contains('@') && !text.contains(':') {
        Ok(format!("mailto:{text}"))
    } else {
        Err(format!("{text:?} is neither an e-mail address nor an address with https:, mailto: or tel:"))
    }
}

/// Leptos's own options: the built-in file, overridden by `LEPTOS_SITE_ADDR`.
fn leptos_options() -> Result<LeptosOptions, ConfigError> {
    get_config_from_str(LEPTOS_TOML).map_err(|error| ConfigError::new(&format!("Leptos.toml: {error}")))
}
