//! A bucket of Amazon S3, or of a service that speaks its protocol, as the place of files.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use axum::http::Method;
use axum::http::header::DATE;
use http_body_util::BodyExt;
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use object_store::path::Path as Key;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, Error, ObjectStore, RetryConfig};

use crate::variables::ConfigError;

/// How long a connection may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// How long an answer may pause, before it begins, too.
const PAUSE: Duration = Duration::from_secs(10);
/// The same for what sends bytes or lets the service copy them: the client's clock runs while they go, and a part of 8 MB
/// takes a minute at 1 Mbit/s.
const PAUSE_OF_WRITES: Duration = Duration::from_secs(180);
/// How often, and for how long, a question is asked again that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Somebody waits for the answer.
    Asked,
    /// Nobody does: a service that is busy for some minutes is waited for.
    Unattended,
}

impl Patience {
    fn retry(self) -> RetryConfig {
        match self {
            Self::Asked => RetryConfig {
                max_retries: 3,
                retry_timeout: Duration::from_secs(20),
                ..RetryConfig::default()
            },
            // a pause is by chance anything up to three times the one before: how many fit into the time, nobody knows
            Self::Unattended => RetryConfig {
                backoff: BackoffConfig {
                    init_backoff: Duration::from_millis(500),
                    base: 3.0,
                    ..BackoffConfig::default()
                },
                max_retries: usize::MAX,
                retry_timeout: Duration::from_secs(300),
            },
        }
    }
}

/// A folder of a bucket.
#[derive(Clone)]
pub struct Bucket {
    store: AmazonS3,
    folder: Key,
    clock: Clock,
}

/// How far this machine's clock was ahead of the service's when it answered last, in ms; to a second.
type Clock = Arc<Mutex<Option<i64>>>;

impl Bucket {
    /// `bucket` or `bucket/folder`, with the settings that the service's own tools have: `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL` and so on. Others are left alone. What is wrong is said of the
    /// variable that names it.
    pub fn new(
        variable: &str,
        place: &str,
        settings: impl IntoIterator<Item = (String, String)>,
        patience: Patience,
    ) -> Result<Self, ConfigError> {
        let (bucket, folder) = place.split_once('/').unwrap_or((place, ""));
        if bucket.is_empty() {
            return Err(ConfigError::new(&format!("{variable}: s3: lacks the name of a bucket")));
        }
        let folder = Key::parse(folder)
            .map_err(|error| ConfigError::new(&format!("{variable}: {folder:?}: {error}")))?;
        let clock = Clock::default();
        let builder = AmazonS3Builder::new()
            .with_http_connector(Connector(clock.clone()))
            .with_retry(patience.retry())
            .with_bucket_name(bucket);
        let builder = settings.into_iter().fold(builder, |builder, (name, value)| {
            let key = name.strip_prefix("AWS_").map(|name| name.to_ascii_lowercase().parse());
            match key {
                None | Some(Err(_) | Ok(AmazonS3ConfigKey::Bucket)) => builder,
                Some(Ok(key)) => builder.with_config(key, value),
            }
        });
        let store = builder.build().map_err(|error| ConfigError::new(&format!("{variable}: {error}")))?;
        Ok(Self { store, folder, clock })
    }

    /// How far this machine's clock was ahead of the service's, in ms, when it answered last.
    pub fn ahead_ms(&self) -> Option<i64> {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its files.
    pub fn store(&self) -> Arc<dyn ObjectStore> {
        Arc::new(PrefixStore::new(self.store.clone(), self.folder.clone()))
    }
}

impl fmt::Debug for Bucket {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.store, self.folder)
    }
}

/// The HTTP client that the rest of the program has, with the certificates that are in it.
#[derive(Debug)]
struct Connector(Clock);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = |pause| {
            let client =
                reqwest::Client::builder().connect_timeout(CONNECT_WITHIN).read_timeout(pause).build();
            client.map_err(|error| Error::Generic { store: "S3", source: Box::new(error) })
        };
        Ok(HttpClient::new(Client {
            reads: client(PAUSE)?,
            writes: client(PAUSE_OF_WRITES)?,
            clock: self.0.clone(),
        }))
    }
}

#[derive(Debug)]
struct Client {
    reads: reqwest::Client,
    writes: reqwest::Client,
    clock: Clock,
}

#[async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let request = reqwest::Request::try_from(request.map(reqwest::Body::wrap)).map_err(failed)?;
        let client = if *request.method() == Method::PUT { &self.writes } else { &self.reads };
        let response: axum::http::Response<reqwest::Body> =
            client.execute(request).await.map_err(failed)?.into();
        let date = response.headers().get(DATE).and_then(|date| date.to_str().ok());
        if let Some(there) = date.and_then(|date| httpdate::parse_http_date(date).ok()) {
            let here = SystemTime::now();
            let ms = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
            let ahead = here.duration_since(there).map_or_else(|behind| -ms(behind.duration()), ms);
            *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = Some(ahead);
        }
        Ok(response.map(|body| HttpResponseBody::new(body.map_err(failed))))
    }
}

/// Says what may be tried again.
fn failed(error: reqwest::Error) -> HttpError {
    let kind = if error.is_timeout() {
        HttpErrorKind::Timeout
    } else if error.is_connect() {
        HttpErrorKind::Connect
    } else if error.is_builder() {
        HttpErrorKind::Unknown
    } else {
        HttpErrorKind::Interrupted
    };
    HttpError::new(kind, error.without_url())
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Patience};

    fn bucket(place: &str, settings: &[(&str, &str)]) -> Result<Bucket, String> {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Bucket::new("BINDERY_STORAGE_URL", place, settings, Patience::Asked)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_bucket_may_have_a_folder_and_tells_no_secret() {
        let keys = [
            ("AWS_ACCESS_KEY_ID", "AKID"),
            ("AWS_SECRET_ACCESS_KEY", "s3cret"),
            ("AWS_PAGER", "less"),
            ("AWS_BUCKET", "another"),
            ("SKIP_SIGNATURE", "perhaps"),
        ];
        let shown = format!("{:?}", bucket("books/bindery", &keys).unwrap());
        assert!(shown.contains("books") && shown.contains("bindery"), "{shown}");
        assert!(!shown.contains("s3cret") && !shown.contains("another"), "{shown}");
    }

    #[test]
    fn what_is_no_bucket_is_refused_with_the_name_of_the_variable() {
        let wrong: &[(&str, &[(&str, &str)])] = &[
            ("", &[]),
            ("/folder", &[]),
            ("books/..", &[]),
            ("books", &[("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "perhaps")]),
        ];
        for (place, settings) in wrong {
            let refusal = bucket(place, settings).unwrap_err();
            assert!(refusal.starts_with("BINDERY_STORAGE_URL: "), "{place}: {refusal}");
        }
    }
}
