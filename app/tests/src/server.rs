//! Servers and their databases.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::StatusCode;
use sha2::{Digest, Sha256};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard, OnceCell};

use crate::balancer::{self, Balancer};
use crate::caller::{Caller, PASSWORD};
use crate::fakes::s3;
use crate::own::Own;
use crate::program::{command, migrate, serve, serve_for_all};
use crate::seed;
use crate::text::between;

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// A running `bindery serve`: a test's alone with a data folder of its own, or shared by all tests of a binary.
pub struct Server {
    /// None for a shared one, which nobody ends.
    process: Option<Process>,
    pub base: String,
    pub folder: Arc<tempfile::TempDir>,
    pub engine: Engine,
    pub database_url: String,
    own: Own,
    /// The test's own connection to PostgreSQL, which begins a process for each.
    postgres: Mutex<Option<PgConnection>>,
    _leftovers: Option<Leftovers>,
    /// What the host configured beside the usual.
    settings: Vec<(&'static str, String)>,
    /// Where its log goes, when not to the tests' own.
    log: Option<PathBuf>,
}

/// Runs each named test on both engines, on the server that the test binary's `server` gives it. PostgreSQL is the one named
/// in BINDERY_TEST_POSTGRES; without it those tests say so and pass.
///
/// Behind `on_sqlite:` stand tests that draw pages or take their time and where no engine has a danger of its own: on
/// PostgreSQL they run in `make soak` alone. The test of all statements sees that both engines understand theirs.
#[macro_export]
#[allow(clippy::crate_in_macro_def)] // each suite has a `server` of its own
macro_rules! on_both_engines {
    ($($name:ident),* $(,)? $(; on_sqlite: $($slow:ident),+ $(,)?)?) => {
        mod sqlite {
            $(#[tokio::test] async fn $name() {
                super::$name(crate::server($crate::Engine::Sqlite).await.expect("SQLite is always there")).await;
            })*
            $($(#[tokio::test] async fn $slow() {
                super::$slow(crate::server($crate::Engine::Sqlite).await.expect("SQLite is always there")).await;
            })+)?
        }
        mod postgres {
            $(#[tokio::test] async fn $name() {
                match crate::server($crate::Engine::Postgres).await {
                    Some(server) => super::$name(server).await,
                    None => eprintln!("skipped: BINDERY_TEST_POSTGRES is not set"),
                }
            })*
            $($(#[tokio::test] async fn $slow() {
                if !$crate::is_soak() {
                    return;
                }
                match crate::server($crate::Engine::Postgres).await {
                    Some(server) => super::$slow(server).await,
                    None => eprintln!("skipped: BINDERY_TEST_POSTGRES is not set"),
                }
            })+)?
        }
    };
}

impl Server {
    /// Starts a server on an empty database; `None` when the engine is not at hand.
    pub async fn start(engine: Engine) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let database_url = match engine {
            Engine::Sqlite => migrated_sqlite_database(folder.path()),
            Engine::Postgres => migrated_postgres_database().await?,
        };
        Some(Self::serving(command(folder.path(), &database_url), folder, engine, database_url))
    }

    fn serving(command: Command, folder: tempfile::TempDir, engine: Engine, database_url: String) -> Self {
        let (child, base) = serve(command);
        let (process, folder) = (Some(Process(child)), Arc::new(folder));
        let (own, postgres, settings, log) = (Own::default(), Mutex::default(), Vec::new(), None);
        Self { process, base, folder, engine, database_url, own, postgres, _leftovers: None, settings, log }
    }

    /// The server that all tests of this binary share on an engine, with accounts and a network address of this test's own;
    /// `None` when the engine is not at hand.
    pub async fn shared(engine: Engine) -> Option<Self> {
        static SERVERS: [OnceCell<Option<Shared>>; 2] = [OnceCell::const_new(), OnceCell::const_new()];
        let shared = SERVERS[engine as usize].get_or_init(|| Shared::start(engine)).await.as_ref()?;
        let (own, database_url) = (Own::next(), shared.database_url.clone());
        let leftovers = Leftovers { engine, database_url: database_url.clone(), own };
        Some(Self {
            process: None,
            base: shared.base.clone(),
            folder: shared.folder.clone(),
            engine,
            database_url,
            own,
            postgres: Mutex::default(),
            _leftovers: Some(leftovers),
            settings: shared.settings.clone(),
            log: None,
        })
    }

    /// This test's own form of an account or a contact, by which others on the same server don't meet it. Where the server
    /// is the test's alone, the name itself.
    pub fn own(&self, name: &str) -> String {
        self.own.name(name)
    }

    /// Starts a server on SQLite in a folder that is there.
    pub fn start_in(folder: tempfile::TempDir, settings: &[(&'static str, &str)]) -> Self {
        let database_url = format!("sqlite:{}", folder.path().join("bindery.db").display());
        let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let mut command = command(folder.path(), &database_url);
        command.envs(settings.iter().map(|(name, value)| (*name, value)));
        Self { settings, ..Self::serving(command, folder, Engine::Sqlite, database_url) }
    }

    /// This test's members, as SQL.
    pub fn members(&self) -> String {
        self.own.members()
    }

    /// The network address that its callers come from.
    pub fn callers_address(&self) -> String {
        self.own.address().unwrap_or_else(|| "127.0.0.1".to_owned())
    }

    /// Whether its files are in a bucket.
    pub fn is_in_a_bucket(&self) -> bool {
        self.settings.iter().any(|(name, value)| *name == "BINDERY_STORAGE_URL" && value.starts_with("s3:"))
    }

    /// Whether it is several, behind a balancer.
    pub fn is_balanced(&self) -> bool {
        self.engine == Engine::Postgres && Shared::are_several()
    }

    /// Where it listens, as `address:port`.
    pub fn address(&self) -> String {
        self.base.trim_start_matches("http://").to_owned()
    }

    /// A second process on the same data; it ends with this value, the data with the first.
    pub fn another(&self) -> Self {
        let command = command(self.folder.path(), &self.database_url);
        Self::serving(command, tempfile::tempdir().unwrap(), self.engine, self.database_url.clone())
    }

    /// A process on another machine: the same database and settings, a folder of its own.
    pub fn elsewhere(&self) -> Self {
        self.elsewhere_with(&[])
    }

    /// The same with some settings that are its own.
    pub fn elsewhere_with(&self, own: &[(&'static str, String)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = command(folder.path(), &self.database_url);
        let settings = [&self.settings, own].concat();
        command.envs(settings.iter().map(|(name, value)| (*name, value)));
        Self { settings, ..Self::serving(command, folder, self.engine, self.database_url.clone()) }
    }

    /// Ends the process without any warning, as a power cut or `kill -9` does.
    pub fn kill(&mut self) {
        self.process().kill().unwrap();
        self.process().wait().unwrap();
    }

    fn process(&mut self) -> &mut Child {
        &mut self.process.as_mut().expect("the server is this test's alone").0
    }

    /// Asks the program to end, as whoever supervises it does, and waits until it has.
    pub fn stop(&mut self) {
        let pid = self.process().id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        assert!(self.process().wait().unwrap().success());
    }

    /// Ends the program and takes everything from PostgreSQL's database, as if nobody had ever started one there.
    ///
    /// One that still runs asks several tables at once: dropping them meanwhile is a deadlock now and then.
    pub async fn emptied(&mut self) {
        self.stop();
        for statement in [
            "drop schema public cascade",
            "create schema public",
            "drop schema if exists tower_sessions cascade",
        ] {
            self.sql(statement).await;
        }
    }

    /// Starts the program again on the same data.
    pub fn restart(&mut self) {
        let mut command = command(self.folder.path(), &self.database_url);
        command.envs(self.settings.iter().map(|(name, value)| (*name, value)));
        if let Some(log) = &self.log {
            command.stderr(std::fs::File::create(log).unwrap());
        }
        let (child, base) = serve(command);
        self.process = Some(Process(child));
        self.base = base;
    }

    /// The most memory that the program has had at once, in MB.
    pub fn peak_memory(&self) -> u64 {
        let process = self.process.as_ref().expect("the server is this test's alone");
        let status = std::fs::read_to_string(format!("/proc/{}/status", process.0.id())).unwrap();
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
                let mut connection = sqlite(&self.database_url).await;
                sqlx::query_scalar(AssertSqlSafe(query)).fetch_all(&mut connection).await.unwrap()
            }
            Engine::Postgres => {
                sqlx::query_scalar(AssertSqlSafe(query)).fetch_all(&mut *self.postgres().await).await.unwrap()
            }
        }
    }

    /// Runs another command of the program on the same data.
    pub fn run(&self, arguments: &[&str]) -> std::process::Output {
        self.on_its_data().args(arguments).output().unwrap()
    }

    /// The program, told where this server's data are and nothing else.
    fn on_its_data(&self) -> Command {
        let mut command = command(self.folder.path(), &self.database_url);
        let is_place = |name: &str| name == "BINDERY_STORAGE_URL" || name.starts_with("AWS_");
        command.envs(self.settings.iter().filter(|(name, _)| is_place(name)).cloned());
        command
    }

    /// The same with everything that the server is configured with; providers that the test plays go on answering.
    pub async fn run_configured(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = self.command(arguments);
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    }

    /// The same, not begun yet.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(self.folder.path(), &self.database_url);
        command.envs(self.settings.iter().map(|(name, value)| (*name, value))).args(arguments);
        command
    }

    /// The same with settings of its own.
    pub fn run_with(&self, settings: &[(&str, &str)], arguments: &[&str]) -> std::process::Output {
        self.on_its_data().envs(settings.iter().copied()).args(arguments).output().unwrap()
    }

    /// The same with a file for its standard input.
    pub fn run_fed(&self, arguments: &[&str], file: &Path) -> std::process::Output {
        self.on_its_data().stdin(std::fs::File::open(file).unwrap()).args(arguments).output().unwrap()
    }

    /// What the operator reads in the outbox.
    pub fn outbox(&self) -> String {
        let output = self.run(&["outbox"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Whether nothing was written to anybody of this test's.
    pub fn wrote_to_nobody(&self) -> bool {
        self.own.wrote_to_nobody(&self.outbox())
    }

    /// The newest message to a contact.
    pub fn message_to(&self, contact: &str) -> String {
        let outbox = self.outbox();
        let to = format!(" to {} (", self.own(contact));
        let (_, message) =
            outbox.rsplit_once(&to).unwrap_or_else(|| panic!("nothing to {contact} in {outbox}"));
        message.lines().nth(1).unwrap().trim().to_owned()
    }

    /// The newest code sent to a contact.
    pub fn code_to(&self, contact: &str) -> String {
        between(&self.message_to(contact), "验证码是 ", "，")
    }

    /// Queues a job for a photo, as a migration does.
    pub async fn queue_of_photo(&self, kind: &str, id: &str) {
        self.sql(&format!(
            "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at, lane, owner)
             select '{kind}-' || id, '{kind}', '{{\"kind\":\"{kind}\",\"photo\":\"' || id || '\"}}', 0, 0, 0, 0, 2, member_id
             from photos where id = '{id}'"
        ))
        .await;
    }

    /// Changes the database behind the program's back, such as what the clock would change.
    pub async fn sql(&self, statement: &str) {
        match self.engine {
            Engine::Sqlite => execute(self.engine, &self.database_url, statement).await,
            Engine::Postgres => {
                self.postgres().await.execute(AssertSqlSafe(statement)).await.unwrap();
            }
        }
    }

    async fn postgres(&self) -> MappedMutexGuard<'_, PgConnection> {
        let mut open = self.postgres.lock().await;
        if open.is_none() {
            *open = Some(PgConnection::connect(&self.database_url).await.unwrap());
        }
        MutexGuard::map(open, |open| open.as_mut().unwrap())
    }

    /// One text in the database that no page shows.
    pub async fn read(&self, query: &str) -> String {
        match self.engine {
            Engine::Sqlite => {
                let mut connection = sqlite(&self.database_url).await;
                sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut connection).await.unwrap()
            }
            Engine::Postgres => {
                sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut *self.postgres().await).await.unwrap()
            }
        }
    }

    /// Several statements, all of them or none.
    pub(crate) async fn transaction(&self, statements: &[String]) {
        // a transaction that begins by reading may not be let in to write
        let begin = if self.engine == Engine::Sqlite { "begin immediate" } else { "begin" };
        self.sql(&format!("{begin};\n{};\ncommit", statements.join(";\n"))).await;
    }

    /// Keeps everybody from writing to a table until the answer is dropped: of SQLite, to any.
    pub async fn hold(&self, table: &str) -> Box<dyn Send> {
        match self.engine {
            Engine::Sqlite => {
                let mut connection = sqlite(&self.database_url).await;
                connection.execute("begin immediate").await.unwrap();
                Box::new(connection)
            }
            Engine::Postgres => {
                let mut connection = PgConnection::connect(&self.database_url).await.unwrap();
                let statement = format!("begin; lock table {table} in exclusive mode");
                connection.execute(AssertSqlSafe(statement.as_str())).await.unwrap();
                Box::new(connection)
            }
        }
    }

    /// A minute goes by for whoever waits to be sent another code.
    pub async fn wait_a_minute(&self) {
        assert!(!self.own.is_shared(), "others wait here, too");
        self.sql("update sign_in_attempts set last_failure_at = last_failure_at - 61000").await;
    }

    /// A minute goes by for whoever waits to send a contact another code.
    pub async fn wait_a_minute_for(&self, contact: &str) {
        // throttles are called by the digests of what they count
        let digest = hex::encode(&Sha256::digest(self.own(contact))[..16]);
        let earlier = "update sign_in_attempts set last_failure_at = last_failure_at - 61000";
        self.sql(&format!("{earlier} where subject like '%:{digest}:%'")).await;
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
        seed::member(self, &self.own(account), balance, tier).await;
        let caller = self.visitor();
        let answer = caller.sign_in(account, PASSWORD).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        caller
    }

    /// Somebody with an empty cookie jar, who doesn't follow redirects.
    pub fn visitor(&self) -> Caller {
        Caller::new(&self.base, self.own)
    }
}

async fn sqlite(database_url: &str) -> SqliteConnection {
    // the program may have a lot to write, and it is not asked to let us in
    let options: SqliteConnectOptions = database_url.parse().unwrap();
    SqliteConnection::connect_with(&options.busy_timeout(Duration::from_secs(60))).await.unwrap()
}

/// Changes a database over a connection of its own.
async fn execute(engine: Engine, database_url: &str, statement: &str) {
    match engine {
        Engine::Sqlite => {
            sqlite(database_url).await.execute(AssertSqlSafe(statement)).await.unwrap();
        }
        Engine::Postgres => {
            PgConnection::connect(database_url)
                .await
                .unwrap()
                .execute(AssertSqlSafe(statement))
                .await
                .unwrap();
        }
    }
}

/// Drawing that a test on a shared server has caused and did not wait for: it ends with the test, as it does with a server
/// of its own.
struct Leftovers {
    engine: Engine,
    database_url: String,
    own: Own,
}

impl Drop for Leftovers {
    fn drop(&mut self) {
        let Self { engine, database_url, own } = self;
        let mine = own.members();
        let statement = format!(
            "delete from jobs where kind in ('prepare_pages', 'derive_photo') and exists
                 (select 1 from (select id, member_id from works union all select id, member_id from photos) of_mine
                  where member_id in {mine} and payload like '%' || of_mine.id || '%')"
        );
        let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        // the test's own runtime can't be waited for here
        std::thread::scope(|scope| {
            // a test that failed has said why, and this need not succeed
            let _ = scope.spawn(|| runtime().block_on(execute(*engine, database_url, &statement))).join();
        });
    }
}

/// A program that ends with its test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// One server for each engine and test binary.
struct Shared {
    base: String,
    folder: Arc<tempfile::TempDir>,
    database_url: String,
    settings: Vec<(&'static str, String)>,
    /// They end when these are dropped, which is when the test binary ends.
    _processes: Vec<Child>,
    _balancer: Option<Balancer>,
}

impl Shared {
    /// Whether those on PostgreSQL are, behind a balancer.
    fn are_several() -> bool {
        std::env::var_os("BINDERY_THROUGH_BALANCER").is_some()
    }

    async fn start(engine: Engine) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let database_url = match engine {
            Engine::Sqlite => migrated_sqlite_database(folder.path()),
            Engine::Postgres => migrated_postgres_database().await?,
        };
        if engine == Engine::Postgres && Shared::are_several() {
            return Self::start_three(folder, database_url);
        }
        let (process, base) = serve_for_all(folder.path(), &database_url, &[]);
        let (folder, settings) = (Arc::new(folder), Vec::new());
        Some(Self { base, folder, database_url, settings, _processes: vec![process], _balancer: None })
    }

    /// Three that share the database and a bucket, behind a balancer that lets no browser ask the same one twice in a row.
    fn start_three(folder: tempfile::TempDir, database_url: String) -> Option<Self> {
        let settings = s3::for_all();
        let addresses = [balancer::address(), balancer::address(), balancer::address()];
        let balancer = Balancer::before(&addresses)?;
        let start = |address: &String| {
            let own = [settings.clone(), vec![("LEPTOS_SITE_ADDR", address.clone())]].concat();
            serve_for_all(&tempfile::tempdir().unwrap().keep(), &database_url, &own).0
        };
        let processes = addresses.iter().map(start).collect();
        let (base, folder, balancer) = (balancer.base.clone(), Arc::new(folder), Some(balancer));
        Some(Self { base, folder, database_url, settings, _processes: processes, _balancer: balancer })
    }
}

/// What most servers begin with: an empty database whose migrations ran once for all of them.
static TEMPLATE: OnceLock<tempfile::TempDir> = OnceLock::new();
static POSTGRES_TEMPLATE: OnceCell<String> = OnceCell::const_new();

fn migrated_sqlite_database(folder: &Path) -> String {
    let url = |folder: &Path| format!("sqlite:{}", folder.join("bindery.db").display());
    let template = TEMPLATE.get_or_init(|| {
        let template = tempfile::tempdir().unwrap();
        migrate(template.path(), &url(template.path()));
        template
    });
    // with what it did not move into the file before it ended: half of that may have been
    for name in ["bindery.db", "bindery.db-wal"] {
        let file = template.path().join(name);
        if file.exists() {
            std::fs::copy(file, folder.join(name)).unwrap();
        }
    }
    url(folder)
}

/// A new database, a copy of another one where its name is given: its address and its name.
async fn postgres_database(template: Option<&str>) -> Option<(String, String)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let url = std::env::var("BINDERY_TEST_POSTGRES").ok()?;
    let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let pool = sqlx::PgPool::connect(&url).await.unwrap();
    let copied = template.map(|template| format!(" template {template}")).unwrap_or_default();
    pool.execute(AssertSqlSafe(format!("create database {name}{copied}"))).await.unwrap();
    pool.close().await;
    Some((url.replace("/postgres?", &format!("/{name}?")), name))
}

async fn migrated_postgres_database() -> Option<String> {
    std::env::var("BINDERY_TEST_POSTGRES").ok()?;
    let template = POSTGRES_TEMPLATE.get_or_init(|| async {
        let (url, name) = postgres_database(None).await.expect("an engine");
        let folder = tempfile::tempdir().unwrap();
        migrate(folder.path(), &url);
        // a pooler that it came through is still there, and what somebody uses is not copied
        let others = "select pg_terminate_backend(pid) from pg_stat_activity
                      where datname = current_database() and pid <> pg_backend_pid()";
        PgConnection::connect(&url).await.unwrap().execute(others).await.unwrap();
        name
    });
    Some(postgres_database(Some(template.await)).await?.0)
}
