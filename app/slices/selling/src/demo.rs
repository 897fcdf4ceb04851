//! What the demo member sells.

use base::db::{new_id, now_ms};
use base::error::Error;
use domain::days::DAY_MS;
use domain::ids::PackageId;
use domain::money::Fen;
use domain::package::Term;
use web::app::App;
use web::demo::{Demo, NAME};

use super::store::licences::{Licence, insert};
use super::{Content, NewCodes, NewPackage, keep_package, licences, make_codes};

/// Packages of the demo member's books: what they are called, what is said of them, their term, price in 分, and books.
const PACKAGES: &[(&str, &str, Term, i64, std::ops::Range<usize>)] = &[
    ("山野与远方", "三本在路上拍的画册，一年里随时翻看。", Term::Months(12), 4_800, 0..3),
    ("家里的书", "老屋、婚礼和家书，买一次，一直可以读。", Term::Forever, 2_900, 3..6),
];
/// Codes of the first one, as a school would get them.
const CODES: u32 = 50;
/// Seats of its licence for a library, and how long that runs, in ms.
const SEATS: i64 = 30;
const LICENCE_MS: i64 = 365 * DAY_MS;

/// Two packages, a batch of codes for the first, and seats of it for a library.
pub async fn fill(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let member = &demo.member;
    let now = now_ms();
    let mut packages = Vec::new();
    for (title, description, term, price, range) in PACKAGES {
        let books = demo.books.get(range.clone()).unwrap_or_default();
        let contents: Vec<_> = books
            .iter()
            .map(|(id, title)| Content {
                kind: "work".to_owned(),
                id: id.to_string(),
                title: (*title).to_owned(),
            })
            .collect();
        let id: PackageId = new_id();
        packages.push(id.clone());
        let new = NewPackage {
            id,
            seller: member,
            seller_name: NAME,
            title,
            description,
            term: *term,
            price: Fen(*price),
            trial_pages: 4,
            trial_days: if *term == Term::Forever { 0 } else { 7 },
            on_sale_from: now,
            on_sale_until: None,
        };
        keep_package(app, new, &contents, now).await?;
    }
    if let Some(package) = packages.into_iter().next() {
        let note = "春季学期，三年级二班".to_owned();
        let id = new_id();
        let wanted =
            NewCodes { id, package: package.clone(), note, codes: CODES, active: true, expires_at: None };
        make_codes(app, member, wanted, now).await?;
        let id = new_id();
        let licence = Licence {
            digest: Some(licences::kept(&app.key, &id, 0)),
            id,
            package,
            title: String::new(),
            seller: member.clone(),
            name: "市图书馆".to_owned(),
            seats: SEATS,
            taken: 0,
            turn: 0,
            domains: Vec::new(),
            ranges: Vec::new(),
            until: now + LICENCE_MS,
            created_at: now,
            ended_at: None,
        };
        let mut tx = app.db.begin().await?;
        insert(&mut tx, &licence).await?;
        tx.commit().await?;
    }
    Ok(())
}
