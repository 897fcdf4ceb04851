//! What a database and a storage grow by with each member, photo, book and order.

use std::fs;
use std::path::Path;

use reqwest::header::COOKIE;
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use sqlx::{Connection as _, Executor, PgConnection};

use crate::orders::{empty_database, unpaid};
use crate::program::Program;
use crate::report::{Section, shown};
use crate::room::Room;
use crate::{Failure, samples};

const MEMBERS: usize = 100;
/// Of each member: photos, books that are made of them, orders that are paid.
const PHOTOS: usize = 4;
const BOOKS: usize = 2;
const ORDERS: usize = 10;

pub fn measure(room: &Room) -> Result<Section, Failure> {
    room.runtime.block_on(async {
        let database = empty_database("growth").await?;
        let program = Program::start_on(room, Some(&database)).await?;
        let client = Client::builder().redirect(Policy::none()).build()?;
        let send = async |path: &str, cookie: &str, form: Form| -> Result<(), Failure> {
            let address = format!("http://{}{path}", program.process.address);
            let answer = client.post(address).header(COOKIE, cookie).multipart(form).send().await?;
            match answer.status() {
                StatusCode::SEE_OTHER => Ok(()),
                status => Err(format!("{path}: {status}: {}", answer.text().await?).into()),
            }
        };
        let mut rows = Vec::new();
        let mut before = size(&program, &database).await?;
        let mut grown = async |what: &str, count: usize| -> Result<(), Failure> {
            let now = size(&program, &database).await?;
            let each = |bytes: u64, before: u64| shown(bytes.saturating_sub(before) as f64 / 1e3 / count as f64);
            rows.push(vec![
                what.to_owned(),
                count.to_string(),
                each(now.database, before.database),
                each(now.storage, before.storage),
            ]);
            before = now;
            Ok(())
        };
        let mut cookies = Vec::new();
        for number in 0..MEMBERS {
            cookies.push(program.member(number, "100000").await?);
        }
        grown("a member who is signed in", MEMBERS).await?;
        let mut painted = Vec::new();
        for number in 0..PHOTOS as u32 {
            painted.push(samples::paint(number)?);
        }
        let weight = painted.iter().map(Vec::len).sum::<usize>() as f64 / PHOTOS as f64;
        for (number, cookie) in cookies.iter().enumerate() {
            // each member's are its own, though they look alike
            let own = painted.iter().map(|photo| [photo, &number.to_be_bytes()[..]].concat());
            let form = own.fold(Form::new(), |form, photo| {
                form.part("photos", Part::bytes(photo).file_name("照片.jpg"))
            });
            send("/manager/photos", cookie, form).await?;
        }
        grown("a photo", MEMBERS * PHOTOS).await?;
        for (number, cookie) in cookies.iter().enumerate() {
            let page = client.get(format!("http://{}/manager/photos", program.process.address));
            let page = page.header(COOKIE, cookie).send().await?.text().await?;
            let mut photos: Vec<String> = page
                .split("/manager/photo/")
                .skip(1)
                .map(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).collect())
                .collect();
            photos.dedup();
            for book in 0..BOOKS {
                let form = Form::new()
                    .text("format", "square-210")
                    .text("theme", "calm")
                    .text("title", format!("{number} 的第 {book} 本书"))
                    .text("author", "");
                let form = photos.iter().fold(form, |form, photo| form.text("photo", photo.clone()));
                send("/manager/make_ebook", cookie, form).await?;
            }
        }
        grown(&format!("a book of {PHOTOS} photos that nobody looked at"), MEMBERS * BOOKS).await?;
        for (number, cookie) in cookies.iter().enumerate() {
            let account = format!("member-{number}@example.com");
            unpaid(&database, &account, &format!("{number}"), ORDERS).await?;
            for order in 0..ORDERS {
                let address = format!("http://{}/manager/shopping/pay", program.process.address);
                let order = [("order", format!("{number}-{order}"))];
                client.post(address).header(COOKIE, cookie).form(&order).send().await?.error_for_status()?;
            }
        }
        grown("an order that is paid, without its print files", MEMBERS * ORDERS).await?;
        let about = format!(
            "PostgreSQL's whole size with its indexes after `VACUUM FULL`, and the storage's, before and after {MEMBERS} members \
             come, send {PHOTOS} photos each (12 megapixels, {:.1} MB), make {BOOKS} books and pay {ORDERS} orders. In kB for \
             one. What updates leave behind until it is vacuumed comes on top: reckon twice.",
            weight / 1e6,
        );
        let head = ["", "measured", "database", "storage"].map(str::to_owned).to_vec();
        Ok(Section { title: "What grows", about, head, rows })
    })
}

/// Bytes that are kept.
struct Size {
    database: u64,
    storage: u64,
}

/// Once nothing is left to do.
async fn size(program: &Program, database: &str) -> Result<Size, Failure> {
    tokio::task::block_in_place(|| program.process.settle())?;
    let mut connection = PgConnection::connect(database).await?;
    connection.execute("vacuum full").await?;
    let bytes: i64 =
        sqlx::query_scalar("select pg_database_size(current_database())").fetch_one(&mut connection).await?;
    Ok(Size { database: bytes as u64, storage: weight(&program.storage())? })
}

fn weight(folder: &Path) -> Result<u64, Failure> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { weight(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}
