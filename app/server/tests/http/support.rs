//! Starting servers, signing in, making photos.

use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use image::{ImageFormat, Rgb, RgbImage};
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Response, StatusCode, redirect};
use sqlx::{Connection, Executor};
use tokio::sync::OnceCell;

pub const PASSWORD: &str = "correct horse battery";

/// How often something is tried that chance decides: a few times in every check, many in `make soak`.
pub fn rounds(usual: usize, soak: usize) -> usize {
    if std::env::var_os("BINDERY_SOAK").is_some() { soak } else { usual }
}

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// A running `bindery serve` with a data folder of its own.
pub struct Server {
    child: Child,
    pub base: String,
    pub folder: tempfile::TempDir,
    pub engine: Engine,
    pub database_url: String,
    /// What the host configured beside the usual.
    settings: Vec<(&'static str, String)>,
    /// Where its log goes, when not to the tests' own.
    log: Option<PathBuf>,
}

/// Runs each named test on both engines. PostgreSQL is the one named in BINDERY_TEST_POSTGRES; without it those
/// tests say so and pass.
macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            use $crate::support::{Engine, Server};
            $(#[tokio::test] async fn $name() {
                super::$name(Server::start(Engine::Sqlite).await.expect("SQLite is always there")).await;
            })+
        }
        mod postgres {
            use $crate::support::{Engine, Server};
            $(#[tokio::test] async fn $name() {
                match Server::start(Engine::Postgres).await {
                    Some(server) => super::$name(server).await,
                    None => eprintln!("skipped: BINDERY_TEST_POSTGRES is not set"),
                }
            })+
        }
    };
}
pub(crate) use on_both_engines;

impl Server {
    /// Starts a server on an empty database; `None` when the engine is not at hand.
    pub async fn start(engine: Engine) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let database_url = match engine {
            Engine::Sqlite => migrated_sqlite_database(folder.path()),
            Engine::Postgres => migrated_postgres_database().await?,
        };
        let (child, base) = spawn(command(folder.path(), &database_url));
        Some(Self { child, base, folder, engine, database_url, settings: Vec::new(), log: None })
    }

    /// Starts a server on SQLite in a folder that is there.
    pub fn start_in(folder: tempfile::TempDir, settings: &[(&'static str, &str)]) -> Self {
        let database_url = format!("sqlite:{}", folder.path().join("bindery.db").display());
        let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let mut command = command(folder.path(), &database_url);
        command.envs(settings.iter().map(|(name, value)| (*name, value)));
        let (child, base) = spawn(command);
        Self { child, base, folder, engine: Engine::Sqlite, database_url, settings, log: None }
    }

    /// Where it listens, as `address:port`.
    pub fn address(&self) -> String {
        self.base.trim_start_matches("http://").to_owned()
    }

    /// A second process on the same data; it ends with this value, the data with the first.
    pub fn another(&self) -> Self {
        let (child, base) = spawn(command(self.folder.path(), &self.database_url));
        let folder = tempfile::tempdir().unwrap();
        let (engine, database_url) = (self.engine, self.database_url.clone());
        Self { child, base, folder, engine, database_url, settings: Vec::new(), log: None }
    }

    /// A process on another machine: the same database and settings, a folder of its own.
    pub fn elsewhere(&self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = command(folder.path(), &self.database_url);
        command.envs(self.settings.iter().map(|(name, value)| (*name, value)));
        let (child, base) = spawn(command);
        let (engine, database_url) = (self.engine, self.database_url.clone());
        Self { child, base, folder, engine, database_url, settings: self.settings.clone(), log: None }
    }

    /// Ends the process without any warning, as a power cut or `kill -9` does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks the program to end, as whoever supervises it does, and waits until it has.
    pub fn stop(&mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }

    /// Starts the program again on the same data.
    pub fn restart(&mut self) {
        let mut command = command(self.folder.path(), &self.database_url);
        command.envs(self.settings.iter().map(|(name, value)| (*name, value)));
        if let Some(log) = &self.log {
            command.stderr(std::fs::File::create(log).unwrap());
        }
        let (child, base) = spawn(command);
        self.child = child;
        self.base = base;
    }

    /// The most memory that the program has had at once, in MB.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        between(&status, "VmHWM:", "kB").trim().parse::<u64>().unwrap() / 1024
    }

    /// Configures the program; a restart reads it.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.settings.push((name, value.into()));
    }

    /// From the next restart on, everything down to debug is logged into a file.
    pub fn log_everything(&mut self) -> PathBuf {
        let file = self.folder.path().join("log.txt");
        self.set("BINDERY_LOG", "debug");
        self.log = Some(file.clone());
        file
    }

    /// What a query answers, its first column as text.
    pub async fn column(&self, query: &str) -> Vec<String> {
        match self.engine {
            Engine::Sqlite => {
                let pool = sqlx::SqlitePool::connect(&self.database_url).await.unwrap();
                sqlx::query_scalar(query).fetch_all(&pool).await.unwrap()
            }
            Engine::Postgres => {
                let pool = sqlx::PgPool::connect(&self.database_url).await.unwrap();
                sqlx::query_scalar(query).fetch_all(&pool).await.unwrap()
            }
        }
    }

    /// Runs another command of the program on the same data.
    pub fn run(&self, arguments: &[&str]) -> std::process::Output {
        command(self.folder.path(), &self.database_url).args(arguments).output().unwrap()
    }

    /// The same with everything that the server is configured with; providers that the test plays go on answering.
    pub async fn run_configured(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = command(self.folder.path(), &self.database_url);
        command.envs(self.settings.iter().map(|(name, value)| (*name, value))).args(arguments);
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    }

    /// The same with settings of its own.
    pub fn run_with(&self, settings: &[(&str, &str)], arguments: &[&str]) -> std::process::Output {
        let mut command = command(self.folder.path(), &self.database_url);
        command.envs(settings.iter().copied()).args(arguments).output().unwrap()
    }

    /// What the operator reads in the outbox.
    pub fn outbox(&self) -> String {
        let output = self.run(&["outbox"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The newest message to a contact.
    pub fn message_to(&self, contact: &str) -> String {
        let outbox = self.outbox();
        let to = format!(" to {contact} (");
        let (_, message) =
            outbox.rsplit_once(&to).unwrap_or_else(|| panic!("nothing to {contact} in {outbox}"));
        message.lines().nth(1).unwrap().trim().to_owned()
    }

    /// The newest code sent to a contact.
    pub fn code_to(&self, contact: &str) -> String {
        between(&self.message_to(contact), "验证码是 ", "，")
    }

    /// Changes the database behind the program's back, such as what the clock would change.
    pub async fn sql(&self, statement: &str) {
        match self.engine {
            Engine::Sqlite => {
                let mut connection = sqlx::SqliteConnection::connect(&self.database_url).await.unwrap();
                connection.execute(statement).await.unwrap();
            }
            Engine::Postgres => {
                let mut connection = sqlx::PgConnection::connect(&self.database_url).await.unwrap();
                connection.execute(statement).await.unwrap();
            }
        }
    }

    /// One text in the database that no page shows.
    pub async fn read(&self, query: &str) -> String {
        match self.engine {
            Engine::Sqlite => {
                let mut connection = sqlx::SqliteConnection::connect(&self.database_url).await.unwrap();
                sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap()
            }
            Engine::Postgres => {
                let mut connection = sqlx::PgConnection::connect(&self.database_url).await.unwrap();
                sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap()
            }
        }
    }

    /// A minute goes by for whoever waits to be sent another code.
    pub async fn wait_a_minute(&self) {
        self.sql("update sign_in_attempts set last_failure_at = last_failure_at - 61000").await;
    }

    /// From now on the program believes what a proxy says of network addresses.
    pub fn behind_a_proxy(&mut self) {
        self.kill();
        self.set("BINDERY_TRUST_PROXY", "1");
        self.restart();
    }

    /// A new member with a balance in yuan, signed in.
    pub async fn member(&self, account: &str, balance: &str) -> Caller {
        self.member_of(account, balance, "普通会员").await
    }

    /// The same of a tier.
    pub async fn member_of(&self, account: &str, balance: &str, tier: &str) -> Caller {
        let arguments = ["member", "add", "--account", account, "--password", PASSWORD];
        let added = self.run(&[&arguments[..], &["--balance", balance, "--tier", tier]].concat());
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
        let caller = self.visitor();
        let answer = caller.sign_in(account, PASSWORD).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        caller
    }

    /// Somebody with an empty cookie jar, who doesn't follow redirects.
    pub fn visitor(&self) -> Caller {
        // the server ends connections that are silent for 20 s, and a test that makes pictures meanwhile does not notice
        let client = Client::builder()
            .cookie_store(true)
            .redirect(redirect::Policy::none())
            .pool_idle_timeout(Duration::from_secs(10))
            .build()
            .unwrap();
        Caller { client, base: self.base.clone() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(folder: &Path, database_url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bindery"));
    command
        .env("BINDERY_DATA", folder)
        .env("BINDERY_DATABASE_URL", database_url)
        .env("BINDERY_STORAGE_URL", format!("file:{}", folder.join("storage").display()))
        .env("BINDERY_LOG", "bindery=warn")
        .env("LEPTOS_SITE_ADDR", "127.0.0.1:0");
    command
}

fn spawn(mut command: Command) -> (Child, String) {
    let mut child = command.arg("serve").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let base = line.split_whitespace().last().unwrap_or_default().to_owned();
    assert!(base.starts_with("http://"), "the server said {line:?}");
    (child, base)
}

/// What most servers begin with: an empty database whose migrations ran once for all of them.
static TEMPLATE: OnceLock<tempfile::TempDir> = OnceLock::new();
static POSTGRES_TEMPLATE: OnceCell<String> = OnceCell::const_new();

fn migrate(folder: &Path, database_url: &str) {
    let done = command(folder, database_url).arg("migrate").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn migrated_sqlite_database(folder: &Path) -> String {
    let url = |folder: &Path| format!("sqlite:{}", folder.join("bindery.db").display());
    let template = TEMPLATE.get_or_init(|| {
        let template = tempfile::tempdir().unwrap();
        migrate(template.path(), &url(template.path()));
        template
    });
    std::fs::copy(template.path().join("bindery.db"), folder.join("bindery.db")).unwrap();
    url(folder)
}

/// A new database, a copy of another one where its name is given: its address and its name.
async fn postgres_database(template: Option<&str>) -> Option<(String, String)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let url = std::env::var("BINDERY_TEST_POSTGRES").ok()?;
    let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let pool = sqlx::PgPool::connect(&url).await.unwrap();
    let copied = template.map(|template| format!(" template {template}")).unwrap_or_default();
    pool.execute(format!("create database {name}{copied}").as_str()).await.unwrap();
    pool.close().await;
    Some((url.replace("/postgres?", &format!("/{name}?")), name))
}

async fn migrated_postgres_database() -> Option<String> {
    std::env::var("BINDERY_TEST_POSTGRES").ok()?;
    let template = POSTGRES_TEMPLATE.get_or_init(|| async {
        let (url, name) = postgres_database(None).await.expect("an engine");
        let folder = tempfile::tempdir().unwrap();
        migrate(folder.path(), &url);
        name
    });
    Some(postgres_database(Some(template.await)).await?.0)
}

/// A browser without scripts: cookies, forms, nothing else.
#[derive(Clone)]
pub struct Caller {
    client: Client,
    pub base: String,
}

impl Caller {
    pub async fn get(&self, path: &str) -> Response {
        self.client.get(format!("{}{path}", self.base)).send().await.unwrap()
    }

    pub async fn head(&self, path: &str) -> Response {
        self.client.head(format!("{}{path}", self.base)).send().await.unwrap()
    }

    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        let request = self.client.get(format!("{}{path}", self.base));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.send().await.unwrap()
    }

    /// The page's HTML; it must be there.
    pub async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.text().await.unwrap()
    }

    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        self.client.post(format!("{}{path}", self.base)).form(fields).send().await.unwrap()
    }

    /// A form from a network address, to a server that trusts its proxy.
    pub async fn post_via(&self, address: &str, path: &str, fields: &[(&str, &str)]) -> Response {
        let request = self.client.post(format!("{}{path}", self.base)).header("x-forwarded-for", address);
        request.form(fields).send().await.unwrap()
    }

    /// A form to a server that may die meanwhile; `None` when nobody answered.
    pub async fn try_post(&self, path: &str, fields: &[(&str, &str)]) -> Option<Response> {
        self.client.post(format!("{}{path}", self.base)).form(fields).send().await.ok()
    }

    /// The same browser at another process of the same site.
    pub fn at(&self, base: &str) -> Self {
        Self { client: self.client.clone(), base: base.to_owned() }
    }

    /// A program's call: a token, no cookies of its own.
    pub async fn call(&self, method: &str, path: &str, token: &str, fields: &[(&str, &str)]) -> Response {
        let address = format!("{}{path}", self.base);
        let request = self.client.request(method.parse().unwrap(), address).header("authorization", token);
        let request = if method == "POST" { request.form(fields) } else { request };
        request.send().await.unwrap()
    }

    /// A form that stood on another page of the site.
    pub async fn post_from(&self, page: &str, path: &str, fields: &[(&str, &str)]) -> Response {
        let request = self.client.post(format!("{}{path}", self.base));
        request.header("referer", format!("{}{page}", self.base)).form(fields).send().await.unwrap()
    }

    pub async fn post_with_origin(&self, path: &str, origin: &str) -> Response {
        let request = self.client.post(format!("{}{path}", self.base)).header("origin", origin);
        // what only a browser may say, and what it never says beside a foreign origin
        request.header("sec-fetch-site", "same-origin").send().await.unwrap()
    }

    pub async fn post_with_headers(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let request = self.client.post(format!("{}{path}", self.base)).body(body.to_owned());
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.send().await.unwrap()
    }

    /// A form from a browser with another jar than this caller's.
    pub async fn post_with_cookie(&self, path: &str, cookie: &str, fields: &[(&str, &str)]) -> Response {
        let request = self.client.post(format!("{}{path}", self.base));
        request.header("cookie", cookie).form(fields).send().await.unwrap()
    }

    /// Any request; a body is sent as a form.
    pub async fn ask(
        &self,
        method: reqwest::Method,
        path: &str,
        form: String,
        origin: Option<&str>,
    ) -> Response {
        let mut request = self.client.request(method.clone(), format!("{}{path}", self.base));
        // what tus asks of every request; others don't know the name
        request = request.header("tus-resumable", "1.0.0");
        if method == reqwest::Method::POST {
            request = request.header("content-type", "application/x-www-form-urlencoded").body(form);
        }
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        request.send().await.unwrap()
    }

    /// Any request with any body to a server that may die meanwhile; `None` when nobody answered.
    pub async fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Option<Response> {
        let request = self.client.request(method.parse().unwrap(), format!("{}{path}", self.base));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(body).send().await.ok()
    }

    pub async fn post_multipart(&self, path: &str, form: Form) -> Response {
        self.client.post(format!("{}{path}", self.base)).multipart(form).send().await.unwrap()
    }

    /// The same from a page of the site.
    pub async fn post_multipart_from(&self, page: &str, path: &str, form: Form) -> Response {
        let request = self.client.post(format!("{}{path}", self.base));
        request.header("referer", format!("{}{page}", self.base)).multipart(form).send().await.unwrap()
    }

    /// What a browser of a member sends as `Cookie`.
    pub async fn cookie(&self, account: &str) -> String {
        let client = Client::builder().redirect(redirect::Policy::none()).build().unwrap();
        let request = client.post(format!("{}/manager/login", self.base));
        let answer = request.form(&[("account", account), ("password", PASSWORD)]).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let cookies = answer.headers().get_all("set-cookie").iter();
        let pairs = cookies.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap().to_owned());
        pairs.collect::<Vec<_>>().join("; ")
    }

    pub async fn sign_in(&self, account: &str, password: &str) -> Response {
        self.post("/manager/login", &[("account", account), ("password", password)]).await
    }

    /// Uploads photos and answers the ids of the whole library, in the page's order.
    pub async fn upload(&self, photos: Vec<(&str, Vec<u8>)>) -> Vec<String> {
        let answer = self.post_multipart("/manager/photos", photo_form(photos)).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        self.library().await
    }

    /// Uploads one photo to a server that may die meanwhile; whether it acknowledged.
    pub async fn try_upload(&self, photo: Vec<u8>) -> bool {
        let request = self.client.post(format!("{}/manager/photos", self.base));
        let answer = request.multipart(photo_form(vec![("照片.jpg", photo)])).send().await;
        answer.is_ok_and(|answer| answer.status() == StatusCode::SEE_OTHER)
    }

    pub async fn library(&self) -> Vec<String> {
        let page = self.page("/manager/photos").await;
        between_all(&page, "/manager/photo/", "/320")
    }

    /// Makes an album of photos in the library and answers its id.
    pub async fn album(&self, format: &str, title: &str, photos: &[String]) -> String {
        let mut form = Form::new()
            .text("format", format.to_owned())
            .text("theme", "calm")
            .text("title", title.to_owned())
            .text("author", "");
        for id in photos {
            form = form.text("photo", id.clone());
        }
        let answer = self.post_multipart("/manager/make_ebook", form).await;
        let place = location(&answer);
        place.strip_prefix("/manager/opus/").unwrap_or_else(|| panic!("went to {place}")).to_owned()
    }

    /// Sends the form of a work's sharing, with some of it changed.
    pub async fn share_as(&self, work: &str, changes: &[(&str, &str)]) -> Response {
        let mut fields = vec![
            ("visibility", "public"),
            ("direction", "left"),
            ("title", "山海之间"),
            ("description", "一路向西"),
            ("ends_on", ""),
            ("card_page", "0"),
            ("embed_sites", ""),
            ("act", "publish"),
        ];
        fields.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        fields.extend_from_slice(changes);
        self.post(&format!("/manager/opus_share_edit/{work}"), &fields).await
    }

    /// Lets everybody read a work.
    pub async fn share(&self, work: &str) {
        let answer = self.share_as(work, &[]).await;
        assert_eq!(location(&answer), format!("/manager/opus_share_edit/{work}?saved=published"));
    }

    /// Puts a work in the cart and answers the line's id.
    pub async fn add_to_cart(&self, work: &str, goods: &str) -> String {
        let address = format!("/manager/add_shopping/{work}");
        let page = self.page(&address).await;
        let line = between(&page, "name=\"line\" value=\"", "\"");
        let answer = self.post(&address, &[("line", &line), ("goods", goods)]).await;
        assert_eq!(location(&answer), format!("/manager/shopping/cart/{line}/options"));
        line
    }

    /// Six small photos, a square album of them, one copy in the cart; answers the cart line's id.
    pub async fn cart_with_album(&self) -> String {
        let photos = self.upload((0..6).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
        let work = self.album("square-210", "海边的夏天", &photos).await;
        self.add_to_cart(&work, "album-210").await
    }

    /// Saves an address on the order page of these lines and answers the fields that place the order.
    pub async fn order_form(&self, lines: &str) -> Vec<(String, String)> {
        let address = format!("/manager/shopping/order/{lines}");
        let answer = self
            .post(
                &address,
                &[
                    ("address", "new"),
                    ("receiver", "林知夏"),
                    ("phone", "13800138000"),
                    ("province", "浙江省"),
                    ("city", "杭州市"),
                    ("district", "西湖区"),
                    ("street", "龙井路 18 号"),
                ],
            )
            .await;
        let place = location(&answer);
        let page = self.page(&place).await;
        vec![
            ("request_key".into(), between(&page, "name=\"request_key\" value=\"", "\"")),
            ("address".into(), place.rsplit('=').next().unwrap().to_owned()),
            ("total".into(), between(&page, "name=\"total\" value=\"", "\"")),
        ]
    }

    /// Places an order for cart lines and answers its number.
    pub async fn order(&self, lines: &str) -> String {
        let fields = self.order_form(lines).await;
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        let answer = self.post(&format!("/manager/shopping/order/{lines}"), &fields).await;
        let place = location(&answer);
        place
            .strip_prefix("/manager/shopping/pay?order=")
            .unwrap_or_else(|| panic!("went to {place}"))
            .to_owned()
    }

    /// The balance in the top bar.
    pub async fn balance(&self) -> String {
        let page = self.page("/manager/order").await;
        between(&page, "余额</span> <span class=\"money\"><small>¥</small>", "<")
    }
}

/// Where an answer leads; it must be a redirect after a POST.
pub fn location(answer: &Response) -> String {
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    answer.headers()["location"].to_str().unwrap().to_owned()
}

pub fn photo_form(photos: Vec<(&str, Vec<u8>)>) -> Form {
    photos.into_iter().fold(Form::new(), |form, (name, bytes)| {
        form.part("photos", Part::bytes(bytes).file_name(name.to_owned()))
    })
}

/// How large bytes are when a browser gets them compressed.
pub fn brotli_size(bytes: &[u8]) -> usize {
    let mut out = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
    brotli::BrotliCompress(&mut &*bytes, &mut out, &parameters).unwrap();
    out.len()
}

/// What stands between two marks, the first time.
pub fn between(text: &str, start: &str, end: &str) -> String {
    let rest = text.split_once(start).unwrap_or_else(|| panic!("no {start:?} in {text}")).1;
    rest.split_once(end).unwrap().0.to_owned()
}

/// What stands between two marks, every time, each once.
pub fn between_all(text: &str, start: &str, end: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for rest in text.split(start).skip(1) {
        if let Some((inner, _)) = rest.split_once(end)
            && !found.iter().any(|known| known == inner)
        {
            found.push(inner.to_owned());
        }
    }
    found
}

/// A picture with four differently coloured quarters; `seed` makes its bytes unlike all others.
pub fn quarters(width: u32, height: u32, seed: u8) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => Rgb([220, 40, seed]),
        (false, true) => Rgb([40, 200, seed]),
        (true, false) => Rgb([40, 60, 220]),
        (false, false) => Rgb([240, 220, 60]),
    })
}

pub fn jpeg(width: u32, height: u32, seed: u8) -> Vec<u8> {
    // far enough apart that compression can't make two of them the same
    let seed = seed.wrapping_mul(16);
    encoded(&quarters(width, height, seed), ImageFormat::Jpeg)
}

pub fn encoded(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Files directly in a folder, by name.
pub fn names_in(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into()).collect();
    names.sort();
    names
}
