//! The variables of this floor.

use std::net::SocketAddr;

use axum::http::Uri;
use domain::money::Fen;
use press::PrintStandard;

use super::{reached_at, site};
use crate::db::DATABASE_URL;
use crate::variables::{Kind, Usual, Variable};

/// All of them, as README lists them.
pub static ALL: &[&Variable] = &[
    &DATA,
    &DATABASE_URL,
    &DATABASE_CONNECTIONS,
    &DATABASE_WAIT,
    &STORAGE_URL,
    &Variable::new(
        "AWS_ACCESS_KEY_ID",
        Kind::Text,
        Usual::Words("none"),
        "the bucket's key, as the service's own tools read it",
    ),
    &Variable::new("AWS_SECRET_ACCESS_KEY", Kind::Text, Usual::Words("none"), "its secret").secret(),
    &Variable::new(
        "AWS_SESSION_TOKEN",
        Kind::Text,
        Usual::Words("none"),
        "a token that goes with a passing key",
    )
    .secret(),
    &Variable::new("AWS_REGION", Kind::Text, Usual::Value("us-east-1"), "where the bucket is"),
    &Variable::new(
        "AWS_ENDPOINT_URL",
        Kind::Text,
        Usual::Words("Amazon's"),
        "the address of another service than Amazon's",
    ),
    &Variable::new(
        "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
        Kind::Text,
        Usual::Value("false"),
        "`true` for services that know buckets by their host's name alone (OSS, COS)",
    ),
    &STAFF_LIMIT,
    &HEIF,
    &FACES,
    &DISK_RESERVE,
    &PICTURE_SPACE,
    &PRINT_STANDARD,
    &OUTPUT_PROFILE,
    &TOTAL_INK,
    &OVERPRINT_BELOW,
    &SUPPLIERS,
    &IMPOSITION,
    &HOT_FOLDER,
    &SIGN_KEY,
    &SITE_ADDR,
    &METRICS_ADDR,
    &DRAIN,
    &SECURE_COOKIES,
    &TRUST_PROXY,
    &READ_ONLY,
    &PUBLIC_URL,
    &SMTP_URL,
    &MAIL_FROM,
    &SMTP_CA,
    &SMS_URL,
    &SMS_KEY,
    &REGIONS,
    &COMPANY,
    &CONTACT_EMAIL,
    &CONTACT_PHONE,
    &SECURITY_CONTACT,
    &LOG,
    &LOG_FORMAT,
    &OTLP_URL,
    &OTLP_HEADERS,
    &OTLP_SHARE,
];

pub static DATA: Variable = Variable::new("BINDERY_DATA", Kind::Text, Usual::Value("data"), "data folder");
pub static DATABASE_CONNECTIONS: Variable = Variable::new(
    "BINDERY_DATABASE_CONNECTIONS",
    Kind::Whole(8..=400),
    Usual::Value("20"),
    "connections to PostgreSQL at most; half of them may write at once, the others are kept for pages and signing in. A \
     migration takes one more",
);
pub static DATABASE_WAIT: Variable = Variable::new(
    "BINDERY_DATABASE_WAIT",
    Kind::Whole(1..=120),
    Usual::Value("10"),
    "seconds that a request waits for a connection to PostgreSQL before it is refused",
);
pub static STORAGE_URL: Variable = Variable::new(
    "BINDERY_STORAGE_URL",
    Kind::Text,
    Usual::Words("`storage` in the data folder"),
    "originals and derivatives: `file:…`, or `s3://bucket/folder` (Amazon S3, MinIO, R2, OSS and others that speak its \
     protocol); the data folder's `copies` then holds each file for a day after its use",
);
pub static STAFF_LIMIT: Variable = Variable::new(
    "BINDERY_STAFF_LIMIT",
    Kind::Own(|text| text.parse::<Fen>().map(drop).map_err(|error| error.to_string())),
    Usual::Value("500"),
    "what one person in the back office may give alone within a day (of orders, payments, gift cards and coupons, and by saying \
     that a bank transfer has arrived, or was not made), and all of them ever of one order, payment or buyer of gift cards, in yuan; more waits \
     until a second one agrees",
);
pub static HEIF: Variable = Variable::new(
    "BINDERY_HEIF",
    Kind::Switch,
    Usual::Value("1"),
    "`0` takes no photos in HEIC and AVIF, on which there are patents; those that are here are shown and printed",
);
pub static FACES: Variable = Variable::new(
    "BINDERY_FACES",
    Kind::Switch,
    Usual::Value("1"),
    "`0` looks for no faces in photos; then crops keep their upper thirds",
);
pub static DISK_RESERVE: Variable = Variable::new(
    "BINDERY_DISK_RESERVE",
    Kind::Whole(0..=u64::MAX),
    Usual::Value("256"),
    "megabytes that files leave free on the disk, so that saving and ordering go on",
);
pub static PICTURE_SPACE: Variable = Variable::new(
    "BINDERY_PICTURE_SPACE",
    Kind::Whole(0..=u64::MAX),
    Usual::Value("10240"),
    "megabytes that pictures of pages may take; beyond, those that nobody looked at go first, and are drawn again when \
     somebody does",
);
pub static PRINT_STANDARD: Variable = Variable::new(
    "BINDERY_PRINT_STANDARD",
    Kind::Own(|text| text.parse::<PrintStandard>().map(drop).map_err(|error| error.to_string())),
    Usual::Value("pdfx-4"),
    "what print files follow: `pdfx-4`, or `pdfx-1a`, everything in four inks, for shops that insist",
);
pub static OUTPUT_PROFILE: Variable = Variable::new(
    "BINDERY_OUTPUT_PROFILE",
    Kind::Text,
    Usual::Words("the house's coated profile"),
    "ICC profile of the shop's press (CMYK): what print files are made for, and how photos in inks that say nothing of \
     themselves look on the screen (those received from then on)",
);
/// In percent.
pub static TOTAL_INK: Variable = Variable::new(
    "BINDERY_TOTAL_INK",
    Kind::Number(150.0..=400.0),
    Usual::Words("as the profile says"),
    "the most ink that the press lays in one place, in percent",
);
/// In pt.
pub static OVERPRINT_BELOW: Variable = Variable::new(
    "BINDERY_OVERPRINT_BELOW",
    Kind::Number(0.0..=200.0),
    Usual::Words("as the profile says"),
    "the size in pt below which black words print over what is under them",
);
pub static SUPPLIERS: Variable = Variable::new(
    "BINDERY_SUPPLIERS",
    Kind::Text,
    Usual::Words("only the house prints"),
    "a TOML file of others who print: `[profiles]` with names of ICC files beside it, `[suppliers.\"城西一厂\"]` with \
     `standard`, `profile`, `total_ink` and `spots` (spot colours that are printed with inks of their own); goods name their \
     `supplier`, and may say the same four in `[print]`, which goes before",
);
pub static IMPOSITION: Variable = Variable::new(
    "BINDERY_IMPOSITION",
    Kind::Word(&["saddle-stitch", "none"]),
    Usual::Value("none"),
    "`saddle-stitch`: orders in 骑马钉 also get a file of their sheets as they are printed, front and back in turn, with marks \
     and creep",
);
pub static HOT_FOLDER: Variable = Variable::new(
    "BINDERY_HOT_FOLDER",
    Kind::Text,
    Usual::Words("none"),
    "where jobs that may be printed appear for a prepress workflow: an absolute path (a share of the network, too), or \
     `s3://bucket/folder`; see [printing](docs/decisions/printing.md#a-hot-folder)",
);
pub static SIGN_KEY: Variable = Variable::new(
    "BINDERY_SIGN_KEY",
    Kind::Text,
    Usual::Words("none"),
    "what signed calls are signed with; without it a signature is wrong",
)
.secret();
pub static SITE_ADDR: Variable = Variable::new(
    "LEPTOS_SITE_ADDR",
    Kind::Own(listens),
    Usual::Value("127.0.0.1:3000"),
    "where the server listens",
);
pub static METRICS_ADDR: Variable = Variable::new(
    "BINDERY_METRICS_ADDR",
    Kind::Own(listens),
    Usual::Words("nowhere"),
    "where Prometheus reads `/metrics`, such as `127.0.0.1:9464`: a port that the world does not reach; see \
     [what is watched](docs/decisions/running.md#what-is-watched)",
);
pub static DRAIN: Variable = Variable::new(
    "BINDERY_DRAIN",
    Kind::Whole(0..=300),
    Usual::Value("0"),
    "seconds that the program goes on answering once it is told to stop, while `/readyz` already says 503: as long as a \
     balancer takes to see that and ask the other instances",
);
pub static SECURE_COOKIES: Variable = Variable::new(
    "BINDERY_SECURE_COOKIES",
    Kind::Switch,
    Usual::Value("0"),
    "`1` behind a TLS proxy: cookies are sent over https only and bear names that tie them to this host, and browsers are told \
     to ask by https for two years",
);
pub static TRUST_PROXY: Variable = Variable::new(
    "BINDERY_TRUST_PROXY",
    Kind::Switch,
    Usual::Value("0"),
    "`1` takes the client's address from the last `X-Forwarded-For`, its scheme from `X-Forwarded-Proto`",
);
pub static READ_ONLY: Variable = Variable::new(
    "BINDERY_READ_ONLY",
    Kind::Switch,
    Usual::Value("0"),
    "`1` shows pages and writes nothing that people send, while a database or a disk is moved; the back office can say so, too, \
     with a reason and an end",
);
pub static PUBLIC_URL: Variable = Variable::new(
    "BINDERY_PUBLIC_URL",
    Kind::Own(|text| site(text).map(drop)),
    Usual::Words("the request's host"),
    "where the world finds the site, such as `https://books.example`; search engines are told this address",
);
pub static SMTP_URL: Variable = Variable::new(
    "BINDERY_SMTP_URL",
    Kind::Text,
    Usual::Words("kept in the outbox"),
    "mail server for codes and notices: `smtps://user:password@host:465`, `smtp://user:password@host:587?tls=required` \
     (STARTTLS), `smtp://host:25`",
)
.secret();
pub static MAIL_FROM: Variable = Variable::new(
    "BINDERY_MAIL_FROM",
    Kind::Text,
    Usual::Words("needed with `BINDERY_SMTP_URL`"),
    "their sender, such as `书坊 <books@example.com>`",
);
pub static SMTP_CA: Variable = Variable::new(
    "BINDERY_SMTP_CA",
    Kind::Text,
    Usual::Words("the web's authorities"),
    "PEM file of the authority that a mail server inside a company has its certificate from",
);
pub static SMS_URL: Variable = Variable::new(
    "BINDERY_SMS_URL",
    Kind::Text,
    Usual::Words("kept in the outbox"),
    "gateway for short messages: it gets `POST {\"phone\":\"13800138000\",\"text\":\"…\"}` as JSON with `Authorization: Bearer \
     KEY`; 2xx takes the message, 408, 429 and 5xx ask for another try, anything else refuses it",
);
pub static SMS_KEY: Variable =
    Variable::new("BINDERY_SMS_KEY", Kind::Text, Usual::Words("needed with `BINDERY_SMS_URL`"), "its key")
        .secret();
pub static REGIONS: Variable = Variable::new(
    "BINDERY_REGIONS",
    Kind::Text,
    Usual::Words("no provinces"),
    "a file in the MaxMind DB format with subdivisions (GeoLite2 City, DB-IP City Lite): statistics then say in which provinces \
     readers are; it is held in memory",
);
pub static COMPANY: Variable = Variable::new(
    "BINDERY_COMPANY",
    Kind::Text,
    Usual::Words("not shown"),
    "who runs the shop, shown on `/about/contact`",
);
pub static CONTACT_EMAIL: Variable = Variable::new(
    "BINDERY_CONTACT_EMAIL",
    Kind::Text,
    Usual::Words("not shown"),
    "where the shop reads mail, shown there",
);
pub static CONTACT_PHONE: Variable = Variable::new(
    "BINDERY_CONTACT_PHONE",
    Kind::Text,
    Usual::Words("not shown"),
    "the shop's telephone, shown there",
);
pub static SECURITY_CONTACT: Variable = Variable::new(
    "BINDERY_SECURITY_CONTACT",
    Kind::Own(|text| reached_at(text).map(drop)),
    Usual::Words("no such file"),
    "who hears of security holes, an e-mail or `https:` address; then `/.well-known/security.txt` names it",
);
pub static LOG: Variable = Variable::new(
    "BINDERY_LOG",
    Kind::Text,
    Usual::Value("bindery=info,warn"),
    "what the log holds, such as `bindery=debug`",
);
pub static LOG_FORMAT: Variable = Variable::new(
    "BINDERY_LOG_FORMAT",
    Kind::Word(&["text", "json"]),
    Usual::Value("text"),
    "`json` is for machines",
);
pub static OTLP_URL: Variable = Variable::new(
    "BINDERY_OTLP_URL",
    Kind::Own(collects),
    Usual::Words("nothing is sent"),
    "a collector of traces that takes OTLP over HTTP, such as `http://127.0.0.1:4318`; see \
     [traces](docs/decisions/running.md#traces)",
);
pub static OTLP_HEADERS: Variable = Variable::new(
    "BINDERY_OTLP_HEADERS",
    Kind::Text,
    Usual::Words("none"),
    "what it wants in headers, `name=value` between commas, such as `authorization=Bearer KEY`",
)
.secret();
pub static OTLP_SHARE: Variable = Variable::new(
    "BINDERY_OTLP_SHARE",
    Kind::Number(0.0..=1.0),
    Usual::Value("1"),
    "which share of requests and jobs is traced, such as `0.1`",
);

fn collects(text: &str) -> Result<(), String> {
    match text.parse::<Uri>() {
        Ok(uri) if matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some() => Ok(()),
        _ => Err("it is an address such as http://127.0.0.1:4318".to_owned()),
    }
}

fn listens(text: &str) -> Result<(), String> {
    match text.parse::<SocketAddr>() {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("{text:?} is no address with a port, such as 127.0.0.1:3000")),
    }
}
