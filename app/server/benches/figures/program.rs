//! The program under test: `bindery serve` on an empty database, with one member who is signed in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, COOKIE, HeaderMap, LOCATION, SET_COOKIE};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use tempfile::TempDir;

use crate::process::Process;
use crate::room::Room;
use crate::{Failure, samples};

pub const ACCOUNT: &str = "maker@example.com";
pub const PASSWORD: &str = "correct horse battery";

/// Works on the shelf that is measured.
pub const WORKS: usize = 50;
pub const SHELF: &str = "/manager/opus_list/all";

pub struct Program {
    pub process: Process,
    /// The member's session, as a request carries it.
    pub cookie: String,
    pub client: Client,
    folder: TempDir,
    /// The database's address.
    pub database: String,
}

fn bindery(folder: &Path, database: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bindery"));
    command
        .args(arguments)
        .env("BINDERY_DATA", folder)
        .env("BINDERY_DATABASE_URL", database)
        .env("LEPTOS_SITE_ADDR", "127.0.0.1:0");
    for other in ["BINDERY_STORAGE_URL", "BINDERY_LOG", "BINDERY_LOG_FORMAT"] {
        command.env_remove(other);
    }
    command
}

fn run(mut command: Command) -> Result<String, Failure> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

pub async fn sign_in(address: &str, account: &str, password: &str) -> Result<String, Failure> {
    let client = Client::builder().redirect(Policy::none()).build()?;
    let answer = client
        .post(format!("http://{address}/manager/login"))
        .form(&[("account", account), ("password", password)])
        .send()
        .await?;
    let cookie = answer.headers().get(SET_COOKIE).ok_or("a member could not sign in")?.to_str()?;
    Ok(cookie.split(';').next().unwrap_or("").to_owned())
}

impl Program {
    pub async fn start(room: &Room) -> Result<Self, Failure> {
        Self::start_on(room, None).await
    }

    /// On a database of its own, or on an empty one that is named.
    pub async fn start_on(room: &Room, database: Option<&str>) -> Result<Self, Failure> {
        let folder = tempfile::tempdir_in(room.path())?;
        let database = match database {
            Some(url) => url.to_owned(),
            None => format!("sqlite:{}", folder.path().join("bindery.db").display()),
        };
        run(bindery(
            folder.path(),
            &database,
            &["member", "add", "--account", ACCOUNT, "--password", PASSWORD],
        ))?;
        Self::serve(folder, database, ACCOUNT, PASSWORD).await
    }

    /// With what `bindery demo` makes, seen by the demo member: its cart holds a line of every goods.
    pub async fn start_demo(room: &Room) -> Result<Self, Failure> {
        let folder = tempfile::tempdir_in(room.path())?;
        let database = format!("sqlite:{}", folder.path().join("bindery.db").display());
        run(bindery(folder.path(), &database, &["demo"]))?;
        Self::serve(folder, database, "demo@example.com", "bindery-demo").await
    }

    async fn serve(
        folder: TempDir,
        database: String,
        account: &str,
        password: &str,
    ) -> Result<Self, Failure> {
        let serve = bindery(folder.path(), &database, &["serve"]);
        Self::begin(serve, folder, database, account, password).await
    }

    /// The same, made and served by one process, as `make run` does.
    pub async fn start_showing_demo(room: &Room) -> Result<Self, Failure> {
        let folder = tempfile::tempdir_in(room.path())?;
        let database = format!("sqlite:{}", folder.path().join("bindery.db").display());
        let serve = bindery(folder.path(), &database, &["serve", "--demo"]);
        Self::begin(serve, folder, database, "demo@example.com", "bindery-demo").await
    }

    async fn begin(
        mut serve: Command,
        folder: TempDir,
        database: String,
        account: &str,
        password: &str,
    ) -> Result<Self, Failure> {
        // callers say which address they are at, so that a measurement can be many of them
        let process = Process::start(serve.env("BINDERY_TRUST_PROXY", "1"))?;

        let cookie = sign_in(&process.address, account, password).await?;
        let headers = HeaderMap::from_iter([(COOKIE, cookie.parse()?)]);
        let client = Client::builder().redirect(Policy::none()).default_headers(headers).build()?;
        Ok(Self { process, cookie, client, folder, database })
    }

    /// Another instance on the same files, which reaches the database by another way and listens at an address of its own.
    pub fn another(&self, database: &str, address: &str) -> Result<Process, Failure> {
        let mut serve = bindery(self.folder.path(), database, &["serve"]);
        Process::start(serve.env("BINDERY_TRUST_PROXY", "1").env("LEPTOS_SITE_ADDR", address))
    }

    /// Where it keeps files.
    pub fn storage(&self) -> PathBuf {
        self.folder.path().join("storage")
    }

    /// Runs a command of the program on the same data, and answers what it printed.
    pub fn run(&self, arguments: &[&str]) -> Result<String, Failure> {
        run(bindery(self.folder.path(), &self.database, arguments))
    }

    /// Another member, signed in: the session, as a request carries it.
    pub async fn member(&self, number: usize, balance: &str) -> Result<String, Failure> {
        let account = format!("member-{number}@example.com");
        let words = ["member", "add", "--account", &account, "--password", PASSWORD, "--balance", balance];
        self.run(&words)?;
        sign_in(&self.process.address, &account, PASSWORD).await
    }

    /// With [`WORKS`] works, and nothing left to do in the background.
    pub async fn start_with_shelf(room: &Room) -> Result<Self, Failure> {
        let program = Self::start(room).await?;
        program.fill_shelf(WORKS).await?;
        Ok(program)
    }

    /// Makes so many works of one photo.
    pub async fn fill_shelf(&self, works: usize) -> Result<(), Failure> {
        self.upload(vec![samples::paint(0)?]).await?;
        self.derived(1).await?;
        let photo = self.photos(1).await?.remove(0);
        for number in 1..=works {
            let form = Form::new()
                .text("format", "square-210")
                .text("theme", "calm")
                .text("title", format!("第 {number} 本书"))
                .text("author", "")
                .text("photo", photo.clone());
            self.post("/manager/make_ebook", form).await?;
        }
        Ok(())
    }

    /// The newest photos of the library, so many.
    pub async fn photos(&self, most: usize) -> Result<Vec<String>, Failure> {
        let (mut photos, mut place): (Vec<String>, _) = (Vec::new(), "/manager/photos".to_owned());
        loop {
            let page = self.get(&place, "identity").await?.text().await?;
            for rest in page.split("/manager/photo/").skip(1) {
                let id: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
                if !photos.contains(&id) {
                    photos.push(id);
                }
            }
            if photos.len() >= most {
                photos.truncate(most);
                return Ok(photos);
            }
            let next = page.split("<a ").find_map(|link| {
                let link = link.split('>').next().filter(|link| link.contains("rel=\"next\""))?;
                link.split("href=\"").nth(1)?.split('"').next()
            });
            place = next.ok_or("the library has fewer photos")?.replace("&amp;", "&");
        }
    }

    /// An answer of 200, in an encoding such as `br`.
    pub async fn get(&self, path: &str, encoding: &str) -> Result<Response, Failure> {
        let request = self.client.get(format!("http://{}{path}", self.process.address));
        Ok(request.header(ACCEPT_ENCODING, encoding).send().await?.error_for_status()?)
    }

    /// Sends a form; it must be taken.
    async fn post(&self, path: &str, form: Form) -> Result<(), Failure> {
        let address = format!("http://{}{path}", self.process.address);
        let answer = self.client.post(address).multipart(form).send().await?;
        match (answer.status(), answer.headers().get(LOCATION)) {
            (StatusCode::SEE_OTHER, Some(_)) => Ok(()),
            (status, _) => Err(format!("{path} answered {status}: {}", answer.text().await?).into()),
        }
    }

    /// Sends a form without files, wherever it leads.
    pub async fn send(&self, path: &str, fields: &[(&str, &str)]) -> Result<Response, Failure> {
        Ok(self.client.post(format!("http://{}{path}", self.process.address)).form(fields).send().await?)
    }

    /// Uploads photos in one form, as the page does.
    pub async fn upload(&self, photos: Vec<Vec<u8>>) -> Result<(), Failure> {
        let form = photos
            .into_iter()
            .fold(Form::new(), |form, photo| form.part("photos", Part::bytes(photo).file_name("照片.jpg")));
        self.post("/manager/photos", form).await
    }

    /// Waits until so many photos have all their derivatives.
    pub async fn derived(&self, photos: usize) -> Result<(), Failure> {
        while self.derivatives()?.len() < photos * photo::LONG_SIDES.len() {
            // looking costs the program a little of a core
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// The derivatives that are there, whole.
    fn derivatives(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut found = Vec::new();
        let Ok(folders) = fs::read_dir(self.folder.path().join("storage/derivatives")) else {
            return Ok(found);
        };
        for folder in folders {
            for file in fs::read_dir(folder?.path())? {
                found.push(file?.path());
            }
        }
        found.retain(|path| path.extension().is_some_and(|extension| extension == "webp"));
        Ok(found)
    }
}
