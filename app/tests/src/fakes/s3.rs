//! A service that speaks the protocol of S3, checks signatures, and keeps its bucket in a folder.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock, mpsc};

use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::Server;

const BUCKET: &str = "books";
const FOLDER: &str = "bindery";
const ACCESS_KEY: &str = "AKIDTEST";
const SECRET: &str = "a-secret-of-the-host";

pub struct FakeS3 {
    folder: tempfile::TempDir,
    service: S3Service,
    address: SocketAddr,
    stop: CancellationToken,
    /// How many requests it answers before it is busy.
    patience: Arc<AtomicI64>,
}

impl FakeS3 {
    /// One with an empty bucket.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(BUCKET)).unwrap();
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET));
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let (service, stop, patience) =
            (service.build(), CancellationToken::new(), Arc::new(AtomicI64::new(i64::MAX)));
        let mut fake = Self { folder, service, address, stop, patience };
        fake.answer().await;
        fake
    }

    /// Answers, at the address that it had.
    pub async fn answer(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.address = listener.local_addr().unwrap();
        self.stop = CancellationToken::new();
        let (service, stop, patience) = (self.service.clone(), self.stop.clone(), self.patience.clone());
        tokio::spawn(stop.clone().run_until_cancelled_owned(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (service, patience) = (service.clone(), patience.clone());
                let answer = service_fn(move |request: hyper::Request<Incoming>| {
                    let is_busy = patience.fetch_sub(1, Ordering::SeqCst) <= 0;
                    let service = service.clone();
                    async move {
                        if is_busy {
                            let mut busy = hyper::Response::new(s3s::Body::empty());
                            *busy.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
                            return Ok(busy);
                        }
                        service.call(request.map(s3s::Body::from)).await
                    }
                });
                let connection = http1::Builder::new().serve_connection(TokioIo::new(socket), answer);
                tokio::spawn(stop.clone().run_until_cancelled_owned(async { connection.await.ok() }));
            }
        }));
    }

    /// Answers so many requests, and then 503 to everything, as S3 does where it is asked too much.
    pub fn be_busy_after(&self, requests: i64) {
        self.patience.store(requests, Ordering::SeqCst);
    }

    /// Answers everything again.
    pub fn be_free(&self) {
        self.patience.store(i64::MAX, Ordering::SeqCst);
    }

    /// Is gone, with every connection, until it answers again.
    pub async fn vanish(&self) {
        self.stop.cancel();
        while tokio::net::TcpStream::connect(self.address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    }

    /// Makes it the place of a server's files; a restart reads it.
    pub fn configure(&self, server: &mut Server) {
        for (name, value) in self.settings() {
            server.set(name, value);
        }
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("BINDERY_STORAGE_URL", format!("s3://{BUCKET}/{FOLDER}")),
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }

    /// Makes it the place of a server's backups.
    pub fn configure_backups(&self, server: &mut Server) {
        server.set("BINDERY_BACKUP_TO", format!("s3://{BUCKET}/{FOLDER}"));
        server.set("BINDERY_BACKUP_ENDPOINT_URL", format!("http://{}", self.address));
        server.set("BINDERY_BACKUP_ACCESS_KEY_ID", ACCESS_KEY);
        server.set("BINDERY_BACKUP_SECRET_ACCESS_KEY", SECRET);
    }

    /// Where it keeps a file.
    pub fn place(&self, key: &str) -> PathBuf {
        self.folder.path().join(BUCKET).join(FOLDER).join(key)
    }
}

/// The settings of a bucket for everybody who asks in this process, as long as it lives: of the service that whoever runs the tests
/// has (`BINDERY_TEST_BUCKET` names a file of such settings), or of one that answers on a thread of its own.
pub fn for_all() -> Vec<(&'static str, String)> {
    static SETTINGS: OnceLock<Vec<(&'static str, String)>> = OnceLock::new();
    SETTINGS.get_or_init(|| in_environment().unwrap_or_else(on_a_thread)).clone()
}

fn in_environment() -> Option<Vec<(&'static str, String)>> {
    let file = std::fs::read_to_string(std::env::var_os("BINDERY_TEST_BUCKET")?).unwrap();
    let value = |name: &str| file.lines().find_map(|line| line.strip_prefix(&format!("{name}=")));
    let names = [
        "BINDERY_STORAGE_URL",
        "AWS_ENDPOINT_URL",
        "AWS_REGION",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
    ];
    Some(names.into_iter().map(|name| (name, value(name).expect(name).to_owned())).collect())
}

/// One on a runtime that no test ends.
fn on_a_thread() -> Vec<(&'static str, String)> {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async {
            let bucket = FakeS3::start().await;
            tell.send(bucket.settings()).unwrap();
            std::future::pending::<()>().await;
        });
    });
    told.recv().unwrap()
}
