//! Random makings, edits, undone saves, orders, trash, deletions, thinning and ends of the program: nothing that is shown
//! anywhere is ever deleted, and in the end nothing is left that is not. What is shown is looked for here in the texts of
//! all documents, which is slow and can't be wrong.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use base::db::{Tx, now_ms, with_db, with_tx, with_write};
use base::error::Error;
use base::jobs;
use base::storage::{ORIGINALS, original_key};
use domain::days::DAY_MS;
use domain::document::{Crop, Document, Element, Page, PdfPage, PhotoFrame, Rect, Trim};
use domain::ids::{FileDigest, MemberId, PhotoId, WorkId};
use futures::FutureExt;
use press::pdf::PdfFacts;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use tokio_util::sync::CancellationToken;
use web::app::App;
use web::workers;
use web::{files, uses};

use super::orders::place_showing;
use crate::testing::{self, Engine};
use photos::{self, Limit};
use works::documents::{self, PdfFile};
use works::store::{self, Cause};

/// On each engine, for each seed.
const OPERATIONS: usize = 500;
const SEEDS: u64 = 4;
/// After so many everything is looked at.
const LOOK: usize = 10;
const MEMBERS: usize = 2;

/// Who shows which file: the id of a photo, or the digest of a PDF.
type Shown = BTreeSet<(String, String)>;

struct Model {
    app: App,
    members: Vec<MemberId>,
    random: StdRng,
    /// Of files: no two are alike.
    made: usize,
    /// There is a program that knows no uses.
    has_past: bool,
}

/// A future that is made where it lies: on the heap.
fn later<'a, F: Future<Output = ()> + 'a>(
    make: impl FnOnce() -> F,
) -> Pin<Box<dyn Future<Output = ()> + 'a>> {
    Box::pin(make())
}

impl Model {
    fn one_of<T: Clone>(&mut self, things: &[T]) -> Option<T> {
        things.choose(&mut self.random).cloned()
    }

    async fn texts(&self, sql: &str, member: &MemberId) -> Vec<String> {
        with_db!(&self.app.db, |pool| sqlx::query_scalar(AssertSqlSafe(sql))
            .bind(member.as_str())
            .fetch_all(pool)
            .await)
        .unwrap()
    }

    /// Whoever hung up may have left a save that goes on by itself, and these statements lock rows in no order of the
    /// program's: who is undone so that the other goes on tries again.
    async fn change(&self, sql: &str) {
        loop {
            let done = with_write!(&self.app.db, |pool| sqlx::query(AssertSqlSafe(sql))
                .execute(pool)
                .await
                .map(drop));
            match done.map_err(Error::from) {
                Err(Error::Busy) => {}
                done => return done.unwrap(),
            }
        }
    }

    /// Photos and PDFs, a few of each. Those that were removed lately are among them, as in a form that was open before.
    async fn document(&mut self, member: &MemberId) -> Document {
        let library = self.texts("select id from photos where member_id = $1", member).await;
        let known = self
            .texts(
                "select file_name from pdf_files where member_id = $1 order by created_at desc limit 2",
                member,
            )
            .await;
        let mut elements = Vec::new();
        let frame = Rect { x: 0.0, y: 0.0, width: 10.0, height: 10.0 };
        for _ in 0..self.random.random_range(0..4) {
            if let Some(id) = self.one_of(&library) {
                let photo: PhotoId = id.parse().unwrap();
                elements.push(Element::Photo(PhotoFrame::new(photo, frame, Crop::WHOLE)));
            }
        }
        if self.random.random_bool(0.3)
            && let Some(name) = self.one_of(&known)
        {
            // brought again, as every work that is made of one begins
            let file = self.pdf(member, name).await;
            elements.push(Element::Pdf(PdfPage::new(file, 1, frame, Crop::WHOLE)));
        }
        let trim = Trim { width: 200.0, height: 200.0 };
        let page = Page { elements, ..Page::default() };
        Document {
            trim,
            theme: "calm".into(),
            title: format!("作品 {}", self.random.random_range(0..100)),
            author: String::new(),
            description: String::new(),
            category: None,
            emoji: Default::default(),
            variants: None,
            cover: Page::default(),
            pages: vec![page],
        }
    }

    async fn pdf(&self, member: &MemberId, name: String) -> FileDigest {
        let mut bytes = self.app.storage.incoming().unwrap();
        std::io::Write::write_all(&mut bytes, name.as_bytes()).unwrap();
        let sha256: FileDigest = hex::encode(Sha256::digest(&name)).parse().unwrap();
        let facts = PdfFacts::default();
        let file = PdfFile {
            sha256: sha256.clone(),
            file_name: name,
            bytes: 1,
            facts,
            notes: Vec::new(),
            source: None,
            undrawable: 0,
        };
        documents::keep(&self.app, member, Limit::NONE, bytes, &file).await.unwrap().unwrap();
        sha256
    }

    async fn bring(&mut self, member: &MemberId) {
        self.made += 1;
        let name = format!("{} {}", self.random.random::<u64>(), self.made);
        if self.random.random_bool(0.3) {
            self.pdf(member, name).await;
        } else {
            photos::keep_jpeg(&self.app, member, "照片.jpg", name.into_bytes(), 4, 3, 0).await.unwrap();
        }
    }

    /// One of a member's works that are on the shelf, with its newest revision.
    async fn work(&mut self, member: &MemberId) -> Option<store::Work> {
        let ids =
            self.texts("select id from works where member_id = $1 and trashed_at is null", member).await;
        let id: WorkId = self.one_of(&ids)?.parse().unwrap();
        Some(store::find_for_owner(&self.app.db, &id, member).await.unwrap())
    }

    /// Carries an operation out; now and then whoever asks hangs up half-way.
    async fn ask(&mut self, operation: impl Future<Output = Result<(), Error>>) {
        let patience = self.random.random_bool(0.1).then(|| self.random.random_range(0..4_000));
        let patience = patience.map_or(Duration::from_secs(60), Duration::from_micros);
        if let Ok(Err(error)) = tokio::time::timeout(patience, operation).await {
            assert!(matches!(error, Error::Conflict(_) | Error::NotFound), "{error}");
        }
    }

    async fn step(&mut self) {
        let member = &self.one_of(&self.members.clone()).unwrap();
        let step = self.random.random_range(0..100);
        let model = self;
        // each on the heap: together they were most of a thread's stack
        match step {
            0..14 => later(move || model.bring(member)).await,
            14..20 => later(move || model.make(member)).await,
            20..55 => later(move || model.edit(member)).await,
            55..60 => later(move || model.undo(member)).await,
            60..64 if model.has_past => later(move || model.save_as_before(member)).await,
            60..67 => later(move || model.thin(member)).await,
            67..72 => later(move || model.order(member)).await,
            72..75 => later(move || model.trash(member)).await,
            75..80 => later(move || model.forget(member)).await,
            80..93 => later(move || model.take_out(member)).await,
            93..97 => later(move || model.a_day_passes()).await,
            97.. if model.has_past => later(move || model.before_there_were_uses()).await,
            _ => {}
        }
    }

    async fn make(&mut self, member: &MemberId) {
        let app = self.app.clone();
        let document = self.document(member).await;
        self.ask(async { works::keep(&app, member, "album", &document).await.map(drop) }).await;
    }

    async fn thin(&mut self, member: &MemberId) {
        let app = self.app.clone();
        let Some(work) = self.work(member).await else { return };
        // as if there were too much of it
        let first = |bytes: i64| {
            let id = &work.id;
            format!("update work_revisions set bytes = {bytes} where work_id = '{id}' and revision = 1")
        };
        self.change(&first(70_000_000)).await;
        self.ask(store::thin(&app, &work.id, now_ms())).await;
        self.change(&first(1)).await;
    }

    async fn order(&mut self, member: &MemberId) {
        let app = self.app.clone();
        let Some(work) = self.work(member).await else { return };
        self.ask(place_showing(&app, member, &work.document).map(|_| Ok(()))).await;
    }

    async fn trash(&mut self, member: &MemberId) {
        let app = self.app.clone();
        let Some(work) = self.work(member).await else { return };
        self.ask(async {
            let mut tx = app.db.begin().await?;
            store::trash(&mut tx, &work.id, member, now_ms()).await?;
            Ok(tx.commit().await?)
        })
        .await;
    }

    async fn forget(&mut self, member: &MemberId) {
        let app = self.app.clone();
        let trashed = "select id from works where member_id = $1 and trashed_at is not null";
        let ids = self.texts(trashed, member).await;
        let Some(id) = self.one_of(&ids) else { return };
        let id: WorkId = id.parse().unwrap();
        self.ask(store::forget(&app, &id, now_ms())).await;
    }

    async fn take_out(&mut self, member: &MemberId) {
        let app = self.app.clone();
        let library = "select id from photos where member_id = $1 and removed_at is null";
        let ids = self.texts(library, member).await;
        let chosen: Vec<PhotoId> = ids.iter().take(3).map(|id| id.parse().unwrap()).collect();
        self.ask(async { photos::take_out(&app, member, &chosen).await.map(drop) }).await;
    }

    /// Over the newest revision, or over one that somebody else has changed meanwhile.
    async fn edit(&mut self, member: &MemberId) {
        let app = self.app.clone();
        let Some(work) = self.work(member).await else { return };
        let document = self.document(member).await;
        let base = work.revision - i64::from(self.random.random_bool(0.2));
        self.ask(async {
            works::save(&app, member, &work.id, base, &document, Cause::Design).await.map(drop)
        })
        .await;
    }

    /// Goes back to a version, or forgets a refused save.
    async fn undo(&mut self, member: &MemberId) {
        let app = self.app.clone();
        let Some(work) = self.work(member).await else { return };
        let sql = format!(
            "select cast(r.revision as text) from work_revisions r join works w on w.id = r.work_id
             where w.member_id = $1 and w.id = '{}' order by r.revision",
            work.id
        );
        let numbers = self.texts(&sql, member).await;
        let Some(number) = self.one_of(&numbers) else { return };
        let number: i64 = number.parse().unwrap();
        let only_forget = number < 0 && self.random.random_bool(0.5);
        let undo = async {
            if only_forget {
                return store::drop_kept(&app.db, &work.id, number).await;
            }
            let (_, document) = store::revision(&app.db, &work.id, member, number).await?;
            let cause = (Cause::Restored, Some(number));
            store::save(&app, &work.id, member, work.revision, &document, cause, now_ms()).await?;
            store::drop_kept(&app.db, &work.id, number).await
        };
        self.ask(undo).await;
    }

    /// A program that knows no uses, beside this one, saves.
    async fn save_as_before(&mut self, member: &MemberId) {
        let app = self.app.clone();
        let Some(work) = self.work(member).await else { return };
        let text = serde_json::to_string(&self.document(member).await).unwrap();
        let mut tx = app.db.begin().await.unwrap();
        let saved = with_tx!(&mut tx, |conn| sqlx::query(
            "update works set document = $2, revision = revision + 1 where id = $1 and revision = $3"
        )
        .bind(work.id.as_str())
        .bind(&text)
        .bind(work.revision)
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))
        .unwrap();
        // somebody hung up on a save that went on by itself, and it came first
        if saved == 0 {
            return;
        }
        with_tx!(&mut tx, |conn| sqlx::query(
            "insert into work_revisions (work_id, revision, document, created_at) values ($1, $2, $3, $4)"
        )
        .bind(work.id.as_str())
        .bind(work.revision + 1)
        .bind(&text)
        .bind(now_ms())
        .execute(conn)
        .await
        .map(drop))
        .unwrap();
        tx.commit().await.unwrap();
    }

    /// The database is one that no program has opened since it got the table.
    async fn before_there_were_uses(&self) {
        for change in ["delete from file_uses", "update works set noted = 0", "update orders set noted = 0"] {
            self.change(change).await;
        }
    }

    /// What waits for tomorrow is done, and the files are gone over.
    async fn a_day_passes(&self) {
        self.change(&format!("update photos set removed_at = removed_at - {}", 2 * DAY_MS)).await;
        self.change(&format!("update pdf_files set created_at = created_at - {}", 2 * DAY_MS)).await;
        for sha256 in self.app.storage.old_names(ORIGINALS, i64::MAX).await.unwrap() {
            let file = std::fs::File::open(self.app.storage.place(&original_key(&sha256))).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(3 * 24 * 60 * 60)).unwrap();
        }
        files::sweep(&self.app).await.unwrap();
        // nothing of these files could be decoded
        self.change("delete from jobs where kind not like 'forget%'").await;
        let stop = CancellationToken::new();
        let worker =
            tokio::spawn(workers::keep_working(self.app.clone(), jobs::Lane::of_worker(3), stop.clone()));
        for turn in 0.. {
            assert!(turn < 2_000, "jobs don't end");
            // what a job queues is for tomorrow, too
            self.change("update jobs set run_at = 0 where run_at > 0 and attempts = 0").await;
            self.app.bell.ring();
            let waiting = self.count("select count(*) from jobs").await;
            if waiting == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        stop.cancel();
        worker.await.unwrap();
    }

    async fn count(&self, sql: &'static str) -> i64 {
        with_db!(&self.app.db, |pool| sqlx::query_scalar(sql).fetch_one(pool).await).unwrap()
    }

    /// What all documents show, by their texts.
    async fn shown(&self, tx: &mut Tx) -> Shown {
        let rows: Vec<(String, String)> = with_tx!(tx, |conn| sqlx::query_as(
            "select member_id, document from works
             union all select w.member_id, r.document from work_revisions r join works w on w.id = r.work_id
             union all select o.member_id, l.document from order_lines l join orders o on o.id = l.order_id",
        )
        .fetch_all(conn)
        .await)
        .unwrap();
        let mut shown = Shown::new();
        for (member, text) in rows {
            for key in ["\"photo\":\"", "\"file\":\""] {
                let found = text.split(key).skip(1).filter_map(|rest| rest.split('"').next());
                shown.extend(found.map(|name| (member.clone(), name.to_owned())));
            }
        }
        shown
    }

    /// Everything that is shown is there, and the table of uses says the same.
    async fn look(&self) -> Shown {
        uses::note_missing(&self.app.db, self.app.house).await.unwrap();
        let mut tx = self.app.db.begin_snapshot().await.unwrap();
        let shown = self.shown(&mut tx).await;
        let rows: Vec<(String, String)> =
            with_tx!(&mut tx, |conn| sqlx::query_as("select distinct member_id, file from file_uses")
                .fetch_all(conn)
                .await)
            .unwrap();
        assert_eq!(rows.into_iter().collect::<Shown>(), shown);
        let rows: Vec<(String, String, String)> = with_tx!(&mut tx, |conn| sqlx::query_as(
            "select member_id, id, sha256 from photos union all select member_id, sha256, sha256 from pdf_files"
        )
        .fetch_all(conn)
        .await)
        .unwrap();
        for (member, name) in &shown {
            let row = rows.iter().find(|(owner, id, _)| (owner, id) == (member, name));
            let (.., sha256) = row.unwrap_or_else(|| panic!("the row of {name} is gone"));
            assert!(self.app.storage.has(&original_key(sha256)).await.unwrap(), "the file of {name} is gone");
        }
        shown
    }

    /// All photos are taken out that can be; then nothing is left but what is shown.
    async fn end(&mut self) {
        for member in self.members.clone() {
            let ids = self
                .texts("select id from photos where member_id = $1 and removed_at is null", &member)
                .await;
            let chosen: Vec<PhotoId> = ids.iter().map(|id| id.parse().unwrap()).collect();
            photos::take_out(&self.app, &member, &chosen).await.unwrap();
        }
        // what the deletions of one day queue is done on the next
        self.a_day_passes().await;
        self.a_day_passes().await;
        let shown = self.look().await;
        let sql = "select id from photos where member_id = $1 union all select sha256 from pdf_files where member_id = $1";
        let mut left = Shown::new();
        for member in &self.members {
            let names = self.texts(sql, member).await;
            left.extend(names.into_iter().map(|name| (member.to_string(), name)));
        }
        assert_eq!(left, shown);
        let named =
            "select count(*) from (select sha256 from photos union select sha256 from pdf_files) named";
        let files = self.app.storage.old_names(ORIGINALS, i64::MAX).await.unwrap();
        assert_eq!(files.len() as i64, self.count(named).await);
    }
}

async fn run(engine: Engine) {
    let mut seen = [0; 3];
    for seed in 0..SEEDS {
        let Some((app, _folder)) = testing::app(engine).await else { return };
        let mut members = Vec::new();
        for _ in 0..MEMBERS {
            members.push(testing::member(&app).await);
        }
        let mut model =
            Model { app, members, random: StdRng::seed_from_u64(seed), made: 0, has_past: seed % 2 == 1 };
        for step in 0..OPERATIONS {
            model.step().await;
            if step % LOOK == 0 {
                model.look().await;
            }
        }
        assert!(model.look().await.len() > 10);
        let ended = model.count("select count(*) from file_uses where last_version > 0").await;
        let refused = model.count("select count(*) from file_uses where first_version < 0").await;
        let thinned = "select count(*) from works where revision + refused >
                           (select count(*) from work_revisions where work_id = works.id)";
        let thinned = model.count(thinned).await;
        for (sum, count) in seen.iter_mut().zip([ended, refused, thinned]) {
            *sum += count;
        }
        model.end().await;
    }
    // runs that never came to what they are about prove nothing
    assert!(seen.iter().all(|count| *count > 0), "earlier versions, refused saves, thinned works: {seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_stays_and_nothing_else_on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_stays_and_nothing_else_on_postgres() {
    run(Engine::Postgres).await;
}
