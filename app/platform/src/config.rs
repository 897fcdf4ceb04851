//! What the host decides: addresses and folders, from the environment over the built-in Leptos.toml.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::http::Uri;
use domain::money::Fen;
use leptos::config::{LeptosOptions, get_config_from_str};
use photo::{PhotoFormat, PhotoRefusal};
use press::PrintStandard;
use serde::{Deserialize, Serialize};

use crate::delivery::Delivery;
use crate::presses::Suppliers;
use crate::regions::Regions;
use crate::storage::Bucket;

/// The content of Leptos.toml, so that the binary needs nothing beside it.
const LEPTOS_TOML: &str = include_str!("../../../Leptos.toml");

/// The settings of one running program.
#[derive(Debug, Clone)]
pub struct Config {
    /// The data folder (`BINDERY_DATA`, by default `data` in the working folder).
    pub data: PathBuf,
    /// `sqlite:…` or `postgres://…` (`BINDERY_DATABASE_URL`, by default a SQLite file in the data folder).
    pub database_url: String,
    /// The folder of originals and derivatives (`BINDERY_STORAGE_URL`, `file:…`, by default `storage` in the data
    /// folder); with a bucket `copies` there.
    pub storage: PathBuf,
    /// Where they are kept instead (`BINDERY_STORAGE_URL`, `s3:…`); the folder then has what arrives, and copies.
    pub bucket: Option<Bucket>,
    /// Leptos's own options; among them where the server listens (`LEPTOS_SITE_ADDR`).
    pub leptos: LeptosOptions,
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

/// A folder that a prepress workflow watches, or a folder of a bucket.
#[derive(Debug, Clone)]
pub struct HotFolder {
    /// As the host wrote it.
    pub named: String,
    pub place: HotPlace,
}

/// See [`HotFolder`].
#[derive(Debug, Clone)]
pub enum HotPlace {
    Folder(PathBuf),
    Bucket(Bucket),
}

impl HotFolder {
    fn new(url: &str, settings: impl Iterator<Item = (String, String)>) -> Result<Self, ConfigError> {
        let folder = |path: &str| match Path::new(path) {
            path if path.is_absolute() => Ok(HotPlace::Folder(path.to_owned())),
            _ => Err(ConfigError(format!(
                "{HOT_FOLDER}: {url:?} is neither an absolute path nor an s3: address"
            ))),
        };
        let place = match url.split_once(':') {
            Some(("file", path)) => folder(path.strip_prefix("//").unwrap_or(path))?,
            Some(("s3", place)) => {
                HotPlace::Bucket(Bucket::new(HOT_FOLDER, place.trim_start_matches("//"), settings)?)
            }
            _ => folder(url)?,
        };
        Ok(Self { named: url.to_owned(), place })
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

/// A setting that cannot be used, as a sentence for the host.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    /// What is wrong, as a sentence that names the variable.
    pub fn new(sentence: &str) -> Self {
        Self(sentence.to_owned())
    }
}

/// The official account of weixin that the site has.
pub const WEIXIN_ACCOUNT: &str = "BINDERY_WEIXIN_ACCOUNT_APP_ID";

impl Config {
    /// Reads the environment.
    pub fn from_env() -> Result<Self, ConfigError> {
        let data = PathBuf::from(variable("BINDERY_DATA").unwrap_or_else(|| "data".into()));
        let database_url = variable("BINDERY_DATABASE_URL")
            .unwrap_or_else(|| format!("sqlite:{}", data.join("bindery.db").display()));
        let (storage, bucket) = storage(&data, variable("BINDERY_STORAGE_URL"), settings())?;
        let public_url = variable(PUBLIC_URL).map(|url| site(PUBLIC_URL, &url)).transpose()?;
        Ok(Self {
            data,
            database_url,
            storage,
            bucket,
            leptos: leptos_options()?,
            print_standard: match variable(PRINT_STANDARD) {
                None => PrintStandard::default(),
                Some(name) => {
                    name.parse().map_err(|error| ConfigError(format!("{PRINT_STANDARD}: {error}")))?
                }
            },
            printed_on: printed_on()?,
            suppliers: match variable(SUPPLIERS) {
                None => Suppliers::default(),
                Some(path) => Suppliers::open(Path::new(&path))
                    .map_err(|error| ConfigError(format!("{SUPPLIERS}: {error}")))?,
            },
            imposes: match variable(IMPOSITION).as_deref() {
                None | Some("none") => false,
                Some("saddle-stitch") => true,
                Some(name) => {
                    return Err(ConfigError(format!(
                        "{IMPOSITION}: {name:?} is neither saddle-stitch nor none"
                    )));
                }
            },
            hot_folder: variable(HOT_FOLDER).map(|url| HotFolder::new(&url, settings())).transpose()?,
            sign_key: variable("BINDERY_SIGN_KEY"),
            secure_cookies: switch("BINDERY_SECURE_COOKIES", false)?,
            trust_proxy: switch("BINDERY_TRUST_PROXY", false)?,
            public_url,
            staff_limit: match variable(STAFF_LIMIT) {
                None => Fen(50_000),
                Some(text) => text.parse().map_err(|error| ConfigError(format!("{STAFF_LIMIT}: {error}")))?,
            },
            takes_heif: switch(HEIF, true)?,
            looks_for_faces: switch(FACES, true)?,
            disk_reserve: megabytes(DISK_RESERVE, 256)?,
            picture_space: megabytes(PICTURE_SPACE, 10_240)?,
            security_contact: variable(SECURITY_CONTACT).map(|text| reached_at(&text)).transpose()?,
            regions: match variable(REGIONS) {
                None => None,
                Some(path) => {
                    let regions = Regions::open(Path::new(&path));
                    Some(Arc::new(regions.map_err(|error| ConfigError(format!("{REGIONS}: {error}")))?))
                }
            },
            shares_in_weixin: variable(WEIXIN_ACCOUNT).is_some(),
            is_demo: false,
            contact: Contact {
                company: variable("BINDERY_COMPANY"),
                email: variable("BINDERY_CONTACT_EMAIL"),
                phone: variable("BINDERY_CONTACT_PHONE"),
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

/// A variable that is set to something. A slice reads its own when the program opens.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A number of megabytes in bytes.
fn megabytes(name: &str, usual: u64) -> Result<u64, ConfigError> {
    let read = |text: String| text.parse::<u64>().map_err(|error| ConfigError(format!("{name}: {error}")));
    Ok(variable(name).map_or(Ok(usual), read)?.saturating_mul(1 << 20))
}

/// Every variable that is a text.
fn settings() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
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
            let bucket = Bucket::new("BINDERY_STORAGE_URL", place.trim_start_matches("//"), settings)?;
            // copies come and go: never where files were kept before there was a bucket
            Ok((data.join("copies"), Some(bucket)))
        }
        _ => Err(ConfigError(format!("BINDERY_STORAGE_URL: {url:?} is neither a file: nor an s3: address"))),
    }
}

const HOT_FOLDER: &str = "BINDERY_HOT_FOLDER";
const HEIF: &str = "BINDERY_HEIF";
const FACES: &str = "BINDERY_FACES";
const IMPOSITION: &str = "BINDERY_IMPOSITION";
const PICTURE_SPACE: &str = "BINDERY_PICTURE_SPACE";
const DISK_RESERVE: &str = "BINDERY_DISK_RESERVE";
const STAFF_LIMIT: &str = "BINDERY_STAFF_LIMIT";
const SUPPLIERS: &str = "BINDERY_SUPPLIERS";
const PRINT_STANDARD: &str = "BINDERY_PRINT_STANDARD";
/// An ICC profile of the shop's press.
const OUTPUT_PROFILE: &str = "BINDERY_OUTPUT_PROFILE";
/// The most ink that it can lay on one place, in percent.
const TOTAL_INK: &str = "BINDERY_TOTAL_INK";
/// Black words smaller than this print over what is under them, in pt.
const OVERPRINT_BELOW: &str = "BINDERY_OVERPRINT_BELOW";

/// What is said of a shop's press.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PressSettings {
    pub(crate) profile: Option<PathBuf>,
    /// A share: 3.2 is 320 %.
    pub(crate) total_ink: Option<f64>,
    pub(crate) overprint_below_pt: Option<f64>,
    /// Spot colours that are printed as such.
    #[serde(default)]
    pub(crate) spots: Vec<String>,
}

fn printed_on() -> Result<PressSettings, ConfigError> {
    let number = |name: &str, range: std::ops::RangeInclusive<f64>| match variable(name) {
        None => Ok(None),
        Some(text) => match text.parse::<f64>() {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(ConfigError(format!(
                "{name}: {text:?} is no number from {} to {}",
                range.start(),
                range.end()
            ))),
        },
    };
    let settings = PressSettings {
        profile: variable(OUTPUT_PROFILE).map(PathBuf::from),
        total_ink: number(TOTAL_INK, 150.0..=400.0)?.map(|percent| percent / 100.0),
        overprint_below_pt: number(OVERPRINT_BELOW, 0.0..=200.0)?,
        spots: Vec::new(),
    };
    // a profile that is none is said at the start, and not when the first order is printed
    if settings.profile.is_some() {
        settings.condition().map_err(|error| ConfigError(format!("{OUTPUT_PROFILE}: {error}")))?;
    }
    Ok(settings)
}
const PUBLIC_URL: &str = "BINDERY_PUBLIC_URL";
const REGIONS: &str = "BINDERY_REGIONS";
const SECURITY_CONTACT: &str = "BINDERY_SECURITY_CONTACT";

/// Scheme and host, such as `https://books.example`; the program answers at the root of its host.
pub fn site(name: &str, url: &str) -> Result<String, ConfigError> {
    let uri: Option<Uri> = url.parse().ok();
    let plain = uri.filter(|uri| {
        let web = matches!(uri.scheme_str(), Some("http" | "https"));
        let host = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        web && host && uri.path() == "/" && uri.query().is_none()
    });
    match plain {
        Some(_) => Ok(url.trim_end_matches('/').to_owned()),
        None => Err(ConfigError(format!(
            "{name}: {url:?} is not an address like https://books.example, without a path"
        ))),
    }
}

/// A contact as RFC 9116, section 2.5.3 wants it, an address with its scheme; a bare e-mail address gets its own.
fn reached_at(text: &str) -> Result<String, ConfigError> {
    let text = text.trim();
    let plain = text.bytes().all(|b| b.is_ascii_graphic());
    if plain && ["https://", "mailto:", "tel:"].iter().any(|scheme| text.starts_with(scheme)) {
        Ok(text.to_owned())
    } else if plain && text.contains('@') && !text.contains(':') {
        Ok(format!("mailto:{text}"))
    } else {
        Err(ConfigError(format!(
            "{SECURITY_CONTACT}: {text:?} is neither an e-mail address nor an address with https:, mailto: or tel:"
        )))
    }
}

/// A switch, and how it stands where nothing is said of it.
///
/// # Errors
/// A word that means neither: what somebody wrote to be safer must not be taken for "off".
pub fn switch(name: &str, usual: bool) -> Result<bool, ConfigError> {
    variable(name).map_or(Ok(usual), |word| is_on(name, &word))
}

fn is_on(name: &str, word: &str) -> Result<bool, ConfigError> {
    match word.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(ConfigError(format!("{name}: {word:?} is neither 1 nor 0"))),
    }
}

/// Leptos's own options: the built-in file, overridden by `LEPTOS_*` variables.
fn leptos_options() -> Result<LeptosOptions, ConfigError> {
    get_config_from_str(LEPTOS_TOML).map_err(|error| ConfigError(format!("Leptos.toml: {error}")))
}

#[cfg(test)]
mod tests {
    use super::{PUBLIC_URL, is_on, reached_at, site};

    #[test]
    fn the_public_address_is_scheme_and_host() {
        assert_eq!(site(PUBLIC_URL, "https://books.example/").ok().as_deref(), Some("https://books.example"));
        assert_eq!(site(PUBLIC_URL, "http://[::1]:3000").ok().as_deref(), Some("http://[::1]:3000"));
        for wrong in [
            "books.example",
            "ftp://books.example",
            "https://a@b",
            "https://b/shop",
            "https://b/?x",
            "https://",
        ] {
            assert!(site(PUBLIC_URL, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_lie_in_a_folder_or_a_bucket() {
        let storage = |url: Option<&str>| {
            super::storage("data".as_ref(), url.map(str::to_owned), std::iter::empty())
                .map(|(folder, bucket)| (folder.display().to_string(), bucket.is_some()))
                .map_err(|error| error.to_string())
        };
        assert_eq!(storage(None), Ok(("data/storage".into(), false)));
        assert_eq!(storage(Some("file:///srv/books")), Ok(("/srv/books".into(), false)));
        assert_eq!(storage(Some("file:books")), Ok(("books".into(), false)));
        assert_eq!(storage(Some("s3://books/bindery")), Ok(("data/copies".into(), true)));
        assert_eq!(storage(Some("s3:books")), Ok(("data/copies".into(), true)));
        for wrong in ["s3://", "gs://books", "/srv/books"] {
            let refusal = storage(Some(wrong)).unwrap_err();
            assert!(refusal.starts_with("BINDERY_STORAGE_URL: "), "{refusal}");
        }
    }

    #[test]
    fn a_hot_folder_is_a_whole_path_or_in_a_bucket() {
        let place =
            |url: &str| match super::HotFolder::new(url, std::iter::empty()).map(|folder| folder.place) {
                Ok(super::HotPlace::Folder(path)) => Ok(path.display().to_string()),
                Ok(super::HotPlace::Bucket(bucket)) => Ok(format!("{bucket:?}")),
                Err(error) => Err(error.to_string()),
            };
        assert_eq!(place("/mnt/prepress/in"), Ok("/mnt/prepress/in".into()));
        assert_eq!(place("file:///mnt/prepress"), Ok("/mnt/prepress".into()));
        assert!(place("s3://jobs/prepress").unwrap().contains("prepress"));
        for wrong in ["prepress", "file:prepress", "s3://", "gs://jobs"] {
            let refusal = place(wrong).unwrap_err();
            assert!(refusal.starts_with("BINDERY_HOT_FOLDER: "), "{refusal}");
        }
    }

    #[test]
    fn a_switch_is_on_or_off_or_refused() {
        for (word, expected) in
            [("1", true), ("yes", true), ("On", true), ("TRUE ", true), ("0", false), ("off", false)]
        {
            assert_eq!(is_on("BINDERY_SECURE_COOKIES", word).ok(), Some(expected), "{word}");
        }
        for word in ["2", "ja", "enabled", "tru"] {
            let refusal = is_on("BINDERY_SECURE_COOKIES", word).unwrap_err().to_string();
            assert!(refusal.starts_with("BINDERY_SECURE_COOKIES: ") && refusal.contains(word), "{refusal}");
        }
    }

    #[test]
    fn whoever_hears_of_holes_has_an_address_with_a_scheme() {
        assert_eq!(reached_at(" safety@books.example").unwrap(), "mailto:safety@books.example");
        for good in ["https://books.example/safety", "mailto:a@b.example", "tel:+86-571-87654321"] {
            assert_eq!(reached_at(good).unwrap(), good);
        }
        for bad in ["", "books.example", "http://books.example", "a@b\nExpires: never", "javascript:a@b"] {
            assert!(reached_at(bad).is_err(), "{bad:?}");
        }
    }
}
