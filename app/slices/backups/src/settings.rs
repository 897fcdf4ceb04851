//! What a host says of its backups.

use std::str::FromStr;

use age::x25519::Recipient;
use base::config::Place;
use base::storage::Patience;
use base::variables::{ConfigError, Kind, Usual, Variable, variable};
use domain::backup::{Retention, clock};

/// All of them, as README lists them.
pub const VARIABLES: &[&Variable] = &[
    &TO,
    &AT,
    &KEEP,
    &RECIPIENT,
    &ACCESS_KEY,
    &SECRET,
    &TOKEN,
    &REGION,
    &ENDPOINT,
    &VIRTUAL_HOSTED,
    &SCRATCH,
];

pub static TO: Variable = Variable::new(
    "BINDERY_BACKUP_TO",
    Kind::Text,
    Usual::Words("none are made by themselves"),
    "where backups go that the program makes every day: an absolute path to a folder that is there, on another disk, or \
     `s3://bucket/folder`; see [Backups that make themselves](docs/hosting.md#backups-that-make-themselves)",
);
static AT: Variable = Variable::new(
    "BINDERY_BACKUP_AT",
    Kind::Own(|text| clock(text).map(drop)),
    Usual::Value("03:30"),
    "when, in China's time",
);
static KEEP: Variable = Variable::new(
    "BINDERY_BACKUP_KEEP",
    Kind::Own(|text| text.parse::<Retention>().map(drop)),
    Usual::Value("7d,4w,12m"),
    "of how many last days, weeks and months the newest one stays",
);
static RECIPIENT: Variable = Variable::new(
    "BINDERY_BACKUP_RECIPIENT",
    Kind::Own(|text| Recipient::from_str(text).map(drop).map_err(|_| no_recipient(text))),
    Usual::Words("not encrypted"),
    "whom they are encrypted for: a public key of `age-keygen` (`age1…`), whose other half opens them and is kept elsewhere",
);
static ACCESS_KEY: Variable = Variable::new(
    "BINDERY_BACKUP_ACCESS_KEY_ID",
    Kind::Text,
    Usual::Words("those of `AWS_…` are used"),
    "the key of the bucket for backups; with it, nothing of `AWS_…` counts for that bucket",
);
static SECRET: Variable =
    Variable::new("BINDERY_BACKUP_SECRET_ACCESS_KEY", Kind::Text, Usual::Words("none"), "its secret")
        .secret();
static TOKEN: Variable = Variable::new(
    "BINDERY_BACKUP_SESSION_TOKEN",
    Kind::Text,
    Usual::Words("none"),
    "a token that goes with a passing key",
)
.secret();
static REGION: Variable =
    Variable::new("BINDERY_BACKUP_REGION", Kind::Text, Usual::Value("us-east-1"), "where that bucket is");
static ENDPOINT: Variable = Variable::new(
    "BINDERY_BACKUP_ENDPOINT_URL",
    Kind::Text,
    Usual::Words("Amazon's"),
    "the address of another service than Amazon's",
);
static VIRTUAL_HOSTED: Variable = Variable::new(
    "BINDERY_BACKUP_VIRTUAL_HOSTED_STYLE_REQUEST",
    Kind::Text,
    Usual::Value("false"),
    "as `AWS_VIRTUAL_HOSTED_STYLE_REQUEST`, of that bucket",
);

pub static SCRATCH: Variable = Variable::new(
    "BINDERY_BACKUP_SCRATCH_URL",
    Kind::Text,
    Usual::Words("SQLite"),
    "a PostgreSQL on which `backups verify --postgres` makes a database that goes again, by a user that may",
)
.secret();

/// The settings of the bucket for backups, each with the name that its service's tools know it by.
const OF_BUCKET: [(&Variable, &str); 6] = [
    (&ACCESS_KEY, "AWS_ACCESS_KEY_ID"),
    (&SECRET, "AWS_SECRET_ACCESS_KEY"),
    (&TOKEN, "AWS_SESSION_TOKEN"),
    (&REGION, "AWS_REGION"),
    (&ENDPOINT, "AWS_ENDPOINT_URL"),
    (&VIRTUAL_HOSTED, "AWS_VIRTUAL_HOSTED_STYLE_REQUEST"),
];

/// What is done by itself.
#[derive(Debug, Clone)]
pub struct Settings {
    pub repository: Named,
    pub recipient: Option<Recipient>,
    /// Minutes after midnight, in China's time.
    pub at: i64,
    pub keep: Retention,
}

/// Where a repository is.
#[derive(Debug, Clone)]
pub struct Named {
    /// As the host wrote it.
    pub named: String,
    pub place: Place,
}

impl Named {
    /// A path or an address, with the settings of the bucket for backups.
    pub fn read(text: &str) -> Result<Self, ConfigError> {
        let place = Place::read(&TO, text, bucket(), Patience::Unattended)?;
        Ok(Self { named: text.to_owned(), place })
    }
}

impl Settings {
    /// Reads the environment; nothing where no repository is named.
    pub fn from_env() -> Result<Option<Self>, ConfigError> {
        let set = OF_BUCKET.iter().find(|(own, _)| own.get().is_some()).map(|(own, _)| *own);
        if let Some(set) = set
            && (ACCESS_KEY.get().is_none() || SECRET.get().is_none())
        {
            return Err(set.refusal(&format!("{} and {} go with it", ACCESS_KEY.name, SECRET.name)));
        }
        let Some(to) = TO.get() else {
            // a bucket's own may stand alone: commands name one with --from
            let alone = [&AT, &KEEP, &RECIPIENT].into_iter().find(|variable| variable.get().is_some());
            return alone.map_or(Ok(None), |alone| Err(alone.refusal(&format!("{} is not set", TO.name))));
        };
        let read = |variable: &Variable| {
            let text = variable.or_usual();
            variable.check(&text)?;
            Ok::<_, ConfigError>(text)
        };
        Ok(Some(Self {
            repository: Named::read(&to)?,
            recipient: RECIPIENT
                .get()
                .map(|text| Recipient::from_str(&text).map_err(|_| RECIPIENT.refusal(&no_recipient(&text))))
                .transpose()?,
            at: clock(&read(&AT)?).map_err(|reason| AT.refusal(&reason))?,
            keep: read(&KEEP)?.parse().map_err(|reason: String| KEEP.refusal(&reason))?,
        }))
    }
}

fn no_recipient(text: &str) -> String {
    // what begins so is the secret half
    match text.to_ascii_uppercase().starts_with("AGE-SECRET-KEY-") {
        true => "that is the secret half of a key; its public one begins with age1".to_owned(),
        false => format!("{text:?} is no public key of age (age1…)"),
    }
}

/// The settings of the bucket, under the names that its service's tools have: its own, or those of the bucket of files.
fn bucket() -> impl Iterator<Item = (String, String)> {
    let is_own = ACCESS_KEY.get().is_some();
    OF_BUCKET.iter().filter_map(move |(own, common)| {
        let value = if is_own { own.get() } else { variable(common) };
        Some(((*common).to_owned(), value?))
    })
}
