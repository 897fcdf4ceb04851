//! The hot folder: what may be printed appears there whole and once, and what comes back below `printed` moves its lines on.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::Value;

use support::fakes::s3::FakeS3;
use support::staff::{Clerk, printable};
use support::uploads::sha256;
use support::wait::{eventually, until};
use support::{Caller, Server, names_in, on_both_engines, rounds};

on_both_engines!(
    a_kill_at_any_moment_loses_and_doubles_nothing,
    in_a_bucket_two_machines_put_one_job,
    ; on_sqlite:
    a_job_appears_whole_and_once,
    what_must_not_be_printed_is_taken_back,
    a_kill_between_two_steps_is_made_up_for,
    what_hangs_is_said,
    what_is_printed_again_is_a_job_of_its_own,
);

const PAGE: &str = "/staff/hot-folder";
const OWN: [&str; 5] = [".bindery", ".incoming", "printed", "withdrawn", "done"];

/// A folder that a server is told to put jobs in.
struct Hot(tempfile::TempDir);

impl Hot {
    fn of(server: &mut Server) -> Self {
        let hot = Self(tempfile::tempdir().unwrap());
        server.kill();
        server.set("BINDERY_HOT_FOLDER", hot.0.path().to_str().unwrap());
        server.restart();
        hot
    }

    fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// The jobs in their places.
    fn jobs(&self) -> Vec<String> {
        let names = names_in(self.0.path()).into_iter().map(|name| name.to_str().unwrap().to_owned());
        names.filter(|name| !OWN.contains(&name.as_str())).collect()
    }

    /// The one job in its place, once there is one.
    async fn job(&self) -> String {
        until("a job is there", async || !self.jobs().is_empty()).await;
        let jobs = self.jobs();
        let [job] = &jobs[..] else { panic!("{jobs:?}") };
        job.clone()
    }

    /// Moves what is at one place to another, as a workflow does.
    fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) {
        std::fs::rename(self.at(from), self.at(to)).unwrap();
    }
}

fn read_job(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("job.json")).unwrap()).unwrap()
}

/// What a job's folder holds is all that its `job.json` lists, byte for byte. The order's number.
fn assert_whole(folder: &Path) -> String {
    let job = read_job(folder);
    let listed: Vec<&Value> = job["files"].as_array().unwrap().iter().collect();
    assert!(!listed.is_empty());
    for file in &listed {
        let bytes = std::fs::read(folder.join(file["name"].as_str().unwrap())).unwrap();
        assert_eq!(bytes.len() as u64, file["bytes"].as_u64().unwrap(), "{file}");
        assert_eq!(sha256(&bytes), file["sha256"].as_str().unwrap(), "{file}");
    }
    assert_eq!(names_in(folder).len(), listed.len() + 1);
    job["order"].as_str().unwrap().to_owned()
}

async fn state_of(server: &Server, job: &str) -> String {
    let (order, number) = job.rsplit_once('-').unwrap();
    let query = format!("select state from hot_folder_jobs where order_id = '{order}' and number = {number}");
    server.read(&query).await
}

async fn becomes(server: &Server, job: &str, state: &str) {
    let (order, number) = job.rsplit_once('-').unwrap();
    let query = format!("select state from hot_folder_jobs where order_id = '{order}' and number = {number}");
    eventually(server, &query, state).await;
}

/// Waits until the page says something.
async fn says(clerk: &Caller, words: &str) {
    until(words, async || clerk.page(PAGE).await.contains(words)).await;
}

async fn says_no_more(clerk: &Caller, words: &str) {
    until(words, async || !clerk.page(PAGE).await.contains(words)).await;
}

/// How often each line of an order was noted as printed.
async fn printed_times(server: &Server, order: &str) -> String {
    let printed = "kind = 'done' and stage = 'printing' and actor = '热文件夹'";
    server
        .read(&format!(
            "select cast(count(*) as text) from production_events where order_id = '{order}' and {printed}"
        ))
        .await
}

async fn a_job_appears_whole_and_once(mut server: Server) {
    let hot = Hot::of(&mut server);
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    says(&wang, "没有卡住的").await;
    // one whose member may still cancel it
    let early = server.member("early@example.com", "500").await;
    let line = early.cart_with_album().await;
    let early = (early.order(&line).await, early);
    early.1.post("/manager/shopping/pay", &[("order", &early.0)]).await;
    let (_, order) = printable(&server, "buyer@example.com").await;
    let job = hot.job().await;
    let number = format!("{order}-1");
    assert!(job.contains(&number) && job.ends_with("1本 海边的夏天"), "{job}");
    let folder = hot.at(&job);
    assert_eq!(assert_whole(&folder), order);
    let told = read_job(&folder);
    assert_eq!(told["format"], "bindery-job/1");
    assert_eq!((told["job"].as_str(), told["copies"].as_u64()), (Some(&*number), Some(1)));
    assert_eq!(told["name"], job.as_str());
    assert_eq!(told["ticket"]["lines"][0]["copies"], 1);
    assert!(job.starts_with(told["due"].as_str().unwrap()), "{job}");
    let names: BTreeSet<String> =
        names_in(&folder).into_iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    for name in ["1-inner.pdf", "1-cover.pdf", "1-preflight.json", "ticket.pdf", "job.json"] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    let given = wang.get(&format!("/staff/orders/{order}/file/1-inner.pdf")).await.bytes().await.unwrap();
    assert!(std::fs::read(folder.join("1-inner.pdf")).unwrap() == given, "what the back office gives out");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join("1-inner.pdf"))), (0o755, 0o644));
    assert!(names_in(&hot.at(".incoming")).is_empty());
    assert!(wang.page(PAGE).await.contains(&job));

    // another press setting makes other files, and no second job
    server.kill();
    server.set("BINDERY_PRINT_STANDARD", "pdfx-1a");
    server.restart();
    let wang = wang.at(&server.base);
    // it is taken, and comes back under a name of the workflow's own
    hot.rename(&job, "printed/now-at-work");
    becomes(&server, &number, "taken").await;
    says(&wang, "now-at-work”").await;
    assert!(wang.page(PAGE).await.contains("看不出是哪个任务"));
    hot.rename("printed/now-at-work", format!("printed/{number}_imposed"));
    becomes(&server, &number, "printed").await;
    assert!(hot.jobs().is_empty());
    says(&wang, "没有卡住的").await;
    assert_eq!(printed_times(&server, &order).await, "1");
    let state = format!("select state from orders where id = '{order}'");
    assert_eq!(server.read(&state).await, "in_production", "printing has begun, whoever forgot to say so");
    let page = wang.page(&format!("/staff/floor/{order}/1")).await;
    assert!(page.contains("热文件夹") && page.contains("接下来：装订"), "{page}");
    let audit = String::from_utf8(server.run(&["audit", &order]).stdout).unwrap();
    assert!(audit.contains("热文件夹: job place") && audit.contains("热文件夹: job printed"), "{audit}");
    // the same again is nothing, and what was read is put away in a while
    std::fs::write(hot.at(format!("printed/{number}.txt")), "again").unwrap();
    server.sql("update hot_folder_jobs set since = since - 660000").await;
    until("what was read is put away", async || names_in(&hot.at("printed")).is_empty()).await;
    assert_eq!(names_in(&hot.at("done")).len(), 2);
    assert_eq!(printed_times(&server, &order).await, "1");
    assert_eq!(server.column("select order_id from hot_folder_jobs").await, [order]);
    assert!(!wang.page(PAGE).await.contains(&early.0), "not in the hour in which its member may cancel it");
}

async fn what_must_not_be_printed_is_taken_back(mut server: Server) {
    let hot = Hot::of(&mut server);
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (member, order) = printable(&server, "buyer@example.com").await;
    let job = hot.job().await;
    let step = format!("/staff/floor/{order}/1/step");
    wang.post(&step, &[("step", "hold"), ("hold_why", "等纸到货")]).await;
    becomes(&server, &format!("{order}-1"), "withdrawn").await;
    assert_whole(&hot.at(format!("withdrawn/{job}")));
    assert!(hot.jobs().is_empty());
    assert!(wang.page(PAGE).await.contains("《海边的夏天》暂停着：等纸到货"));
    // once it is released it is there again, under a number of its own
    wang.post(&step, &[("step", "release")]).await;
    let second = hot.job().await;
    assert!(second.contains(&format!("{order}-2")), "{second}");
    // printed by hand: nobody prints it twice
    wang.post(&format!("/staff/orders/{order}/step"), &[("step", "start")]).await;
    wang.post(&step, &[("step", "done"), ("at", "prepress")]).await;
    wang.post(&step, &[("step", "done"), ("at", "printing")]).await;
    becomes(&server, &format!("{order}-2"), "withdrawn").await;
    assert!(wang.page(PAGE).await.contains("生产里已经记为印好"));

    // one that asks to be cancelled waits; one that was taken before it was cancelled is said
    let (asks, other) = printable(&server, "other@example.com").await;
    let third = hot.job().await;
    hot.rename(&third, "done/at-work");
    becomes(&server, &format!("{other}-1"), "taken").await;
    asks.post(&format!("/manager/order/{other}/cancellation_request"), &[("reason", "不要了")]).await;
    let refunded = server.run(&["order", "refund", &other, "--reason", "会员不要了"]);
    assert!(refunded.status.success(), "{}", String::from_utf8_lossy(&refunded.stderr));
    says(&wang, "订单已取消或退款，不用再印；可是流程已经取走").await;
    let sign = hot.at(format!("withdrawn/{third}.txt"));
    until("a sign stands beside what was taken back", async || sign.exists()).await;
    assert!(std::fs::read_to_string(&sign).unwrap().contains("订单已取消或退款"));
    hot.rename("done/at-work", format!("printed/{third}"));
    says(&wang, "印好了，可是订单已取消或退款").await;
    assert_eq!(printed_times(&server, &other).await, "0");
    // a page that is old does nothing, and neither does one that makes no sense
    let close = |seen: &'static str| {
        [("step", "close".to_owned()), ("job", format!("{other}-1")), ("seen", seen.to_owned())]
    };
    let old = wang.post(PAGE, &close("placed").each_ref().map(|(name, value)| (*name, value.as_str()))).await;
    assert_eq!(old.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(old.text().await.unwrap().contains("现在是“已取走”"));
    for wrong in
        [&[("step", "burn")][..], &[("step", "close"), ("job", "x")], &[("step", "close"), ("job", "1-9")]]
    {
        assert!(wang.post(PAGE, wrong).await.status().is_client_error());
    }
    let right =
        wang.post(PAGE, &close("taken").each_ref().map(|(name, value)| (*name, value.as_str()))).await;
    assert_eq!(right.status(), StatusCode::SEE_OTHER);
    says(&wang, "没有卡住的").await;
    assert_eq!(state_of(&server, &format!("{other}-1")).await, "closed");

    // somebody works on it: it is left where it is, and said
    let (_, busy) = printable(&server, "busy@example.com").await;
    let fourth = hot.job().await;
    std::fs::write(hot.at(&fourth).join("lock"), "").unwrap();
    let hold = format!("/staff/floor/{busy}/1/step");
    wang.post(&hold, &[("step", "hold"), ("hold_why", "缺油墨")]).await;
    says(&wang, "流程已经动过它的文件").await;
    assert_eq!(hot.jobs(), std::slice::from_ref(&fourth));
    wang.post(&hold, &[("step", "release")]).await;
    says_no_more(&wang, "流程已经动过它的文件").await;
    until("its sign is gone", async || !hot.at(format!("withdrawn/{fourth}.txt")).exists()).await;
    drop(member);
}

/// Takes every job that is in its place, as a workflow does that may take them at any moment: each once, and whole.
fn take_all(hot: &Hot, taken: &mut Vec<String>) {
    for job in hot.jobs() {
        let order = assert_whole(&hot.at(&job));
        assert!(!taken.contains(&order), "{order} twice");
        hot.rename(&job, format!("printed/{job}"));
        taken.push(order);
    }
}

async fn a_kill_at_any_moment_loses_and_doubles_nothing(mut server: Server) {
    let hot = Hot::of(&mut server);
    server.kill();
    let kills = rounds(8, 40);
    server.restart();
    let mut orders = Vec::new();
    for number in 0..4 {
        orders.push(printable(&server, &format!("buyer{number}@example.com")).await.1);
    }
    let mut taken = Vec::new();
    for number in 0..kills {
        // from before the first look to long after it
        tokio::time::sleep(Duration::from_millis(number as u64 * 137 % 900)).await;
        if number % 3 == 1 {
            take_all(&hot, &mut taken);
        }
        server.kill();
        if number % 3 == 2 {
            take_all(&hot, &mut taken);
        }
        server.restart();
    }
    until("every job was there", async || hot.jobs().len() + taken.len() == orders.len()).await;
    take_all(&hot, &mut taken);
    let open = "select cast(count(*) as text) from hot_folder_jobs where state <> 'printed'";
    eventually(&server, open, "0").await;
    assert_eq!(
        taken.iter().collect::<BTreeSet<_>>(),
        orders.iter().collect::<BTreeSet<_>>(),
        "each order once"
    );
    for order in &orders {
        assert_eq!(printed_times(&server, order).await, "1", "{order}");
        assert_eq!(
            server
                .column(&format!("select name from hot_folder_jobs where order_id = '{order}'"))
                .await
                .len(),
            1
        );
    }
    assert_eq!(server.column("select words from hot_folder_troubles").await, [""; 0]);
}

async fn a_kill_between_two_steps_is_made_up_for(mut server: Server) {
    let hot = Hot::of(&mut server);
    let (_, order) = printable(&server, "buyer@example.com").await;
    let job = hot.job().await;
    let number = format!("{order}-1");
    becomes(&server, &number, "placed").await;
    let staging = format!(".incoming/{}", server.read("select staging from hot_folder_jobs").await);
    let placing = "update hot_folder_jobs set state = 'placing', placed_at = null";
    // after the row, before the rename
    server.kill();
    server.sql(placing).await;
    hot.rename(&job, &staging);
    server.restart();
    assert_eq!(hot.job().await, job);
    becomes(&server, &number, "placed").await;
    // after the rename, before the row of it
    server.kill();
    server.sql(placing).await;
    server.restart();
    becomes(&server, &number, "placed").await;
    assert_eq!(hot.jobs(), std::slice::from_ref(&job));
    // a power cut that undid the rename
    server.kill();
    hot.rename(&job, &staging);
    server.restart();
    assert_eq!(hot.job().await, job);
    // after the rename, and somebody has taken it since
    server.kill();
    server.sql(placing).await;
    hot.rename(&job, "done/at-work");
    // a half of one that never got its row
    std::fs::create_dir(hot.at(".incoming/half")).unwrap();
    server.restart();
    becomes(&server, &number, "taken").await;
    assert!(hot.jobs().is_empty());
    // it was withdrawn, and nobody wrote that down
    server.kill();
    hot.rename("done/at-work", format!("withdrawn/{job}"));
    server.restart();
    becomes(&server, &number, "withdrawn").await;
    // whose lines may be printed, so that they are there again
    let second = hot.job().await;
    assert!(second.contains(&format!("{order}-2")), "{second}");
    assert_whole(&hot.at(&second));
}

async fn what_hangs_is_said(mut server: Server) {
    let hot = Hot::of(&mut server);
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (_, order) = printable(&server, "buyer@example.com").await;
    let job = hot.job().await;
    becomes(&server, &format!("{order}-1"), "placed").await;
    // things that nobody here put there
    std::fs::write(hot.at("printed/扫描.pdf"), "x").unwrap();
    std::fs::write(hot.at("printed/202001010000000001-1.pdf"), "x").unwrap();
    std::fs::write(hot.at("printed/Thumbs.db"), "x").unwrap();
    says(&wang, "printed 里的“扫描.pdf”").await;
    let page = wang.page(PAGE).await;
    assert!(
        page.contains("看不出是哪个任务") && page.contains("202001010000000001-1 不是本店放出去的任务"),
        "{page}"
    );
    assert!(!page.contains("Thumbs.db"));
    assert!(wang.page("/staff").await.contains("热文件夹里卡住的"));
    assert!(hot.at("printed/扫描.pdf").exists(), "nothing of it is touched");
    // a share that is not mounted: the folder is gone, or an empty one stands in its place, and nothing is taken for taken
    let root = hot.0.path().to_owned();
    let away = root.with_extension("away");
    std::fs::rename(&root, &away).unwrap();
    says(&wang, "不在，或者没有挂载").await;
    std::fs::create_dir(&root).unwrap();
    says(&wang, "没有本店的记号 .bindery").await;
    assert!(names_in(&root).is_empty());
    assert_eq!(state_of(&server, &format!("{order}-1")).await, "placed");
    std::fs::remove_dir(&root).unwrap();
    std::fs::rename(&away, &root).unwrap();
    says_no_more(&wang, "没有本店的记号").await;
    assert_eq!(hot.jobs(), std::slice::from_ref(&job));
    // another shop's
    let mark = std::fs::read(hot.at(".bindery")).unwrap();
    std::fs::write(hot.at(".bindery"), "another\n").unwrap();
    says(&wang, "这个热文件夹是另一家店的").await;
    let refused = wang.post(PAGE, &[("step", "begin")]).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // somebody emptied it, and a clerk says so: what was there can be put there once more
    std::fs::write(hot.at(".bindery"), mark).unwrap();
    says_no_more(&wang, "这个热文件夹是另一家店的").await;
    std::fs::remove_file(hot.at(".bindery")).unwrap();
    std::fs::remove_dir_all(hot.at(&job)).unwrap();
    says(&wang, "重新启用").await;
    assert_eq!(wang.post(PAGE, &[("step", "begin")]).await.status(), StatusCode::SEE_OTHER);
    becomes(&server, &format!("{order}-1"), "taken").await;
    let number = format!("{order}-1");
    let again = [("step", "again"), ("job", &*number), ("seen", "taken")];
    assert_eq!(wang.post(PAGE, &again).await.status(), StatusCode::SEE_OTHER);
    let second = hot.job().await;
    assert!(second.contains(&format!("{order}-2")), "{second}");
    becomes(&server, &number, "replaced").await;
    // where nothing can be written nothing is half there
    hot.rename(".incoming", "printed/.moved");
    std::fs::write(hot.at(".incoming"), "").unwrap();
    let (_, late) = printable(&server, "late@example.com").await;
    says(&wang, &format!("订单 {late}")).await;
    assert!(wang.page(PAGE).await.contains("读写不成"));
    assert_eq!(hot.jobs(), [second]);
}

async fn what_is_printed_again_is_a_job_of_its_own(mut server: Server) {
    let hot = Hot::of(&mut server);
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let member = server.member("buyer@example.com", "9000").await;
    let (one, other) = (member.cart_with_album().await, member.cart_with_album().await);
    member.post(&format!("/manager/shopping/cart/{other}/quantity"), &[("quantity", "5")]).await;
    let order = member.order(&format!("{one},{other}")).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    let hour = "paid_at = paid_at - 3660000, state_since = state_since - 3660000";
    server.sql(&format!("update orders set {hour} where id = '{order}'")).await;
    let first = hot.job().await;
    assert!(first.contains(&format!("{order}-1 6本")), "{first}");
    hot.rename(&first, format!("printed/{first}"));
    becomes(&server, &format!("{order}-1"), "printed").await;
    assert_eq!(printed_times(&server, &order).await, "2", "both lines");
    let step = format!("/staff/orders/{order}/step");
    wang.post(&step, &[("step", "ship"), ("carrier", "顺丰"), ("tracking", "SF1234567890123")]).await;
    let again = server.run(&["order", "reprint", &order, "--reason", "第 3 页脱墨", "--copies", "1:2"]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    let second = hot.job().await;
    assert!(second.contains(&format!("{order}-2 2本")), "{second}");
    let job = read_job(&hot.at(&second));
    let lines = job["ticket"]["lines"].as_array().unwrap();
    assert_eq!((lines.len(), &lines[0]["copies"]), (1, &Value::from(2)));
    assert!(!hot.at(&second).join("2-inner.pdf").exists(), "those copies alone");
    hot.rename(&second, format!("printed/{second}"));
    becomes(&server, &format!("{order}-2"), "printed").await;
    assert_eq!(printed_times(&server, &order).await, "3");
    // what comes back once more moves nothing a second time
    std::fs::write(hot.at(format!("printed/{order}-1.txt")), "").unwrap();
    let (_, next) = printable(&server, "next@example.com").await;
    until("the next one is there", async || hot.jobs().iter().any(|job| job.contains(&next))).await;
    assert_eq!(printed_times(&server, &order).await, "3");
}

async fn in_a_bucket_two_machines_put_one_job(mut server: Server) {
    let bucket = FakeS3::start().await;
    bucket.configure(&mut server);
    server.kill();
    server.set("BINDERY_HOT_FOLDER", "s3://books/bindery/prepress");
    server.restart();
    let mut other = server.elsewhere();
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let at = |key: &str| bucket.place(&format!("prepress/{key}"));
    let jobs = || -> Vec<String> {
        let found = if at("").exists() { names_in(&at("")) } else { Vec::new() };
        let names = found.into_iter().map(|name| name.to_str().unwrap().to_owned());
        names.filter(|name| !OWN.contains(&name.as_str()) && at(name).join("job.json").exists()).collect()
    };
    let (_, order) = printable(&server, "buyer@example.com").await;
    until("a job is there", async || !jobs().is_empty()).await;
    let [job] = &jobs()[..] else { panic!("{:?}", jobs()) };
    assert_eq!(assert_whole(&at(job)), order, "all is there before job.json is");
    let number = format!("{order}-1");
    becomes(&server, &number, "placed").await;
    assert_eq!(server.column("select name from hot_folder_jobs").await, [job.as_str()]);
    // held, and given free again
    let step = format!("/staff/floor/{order}/1/step");
    wang.post(&step, &[("step", "hold"), ("hold_why", "等纸到货")]).await;
    becomes(&server, &number, "withdrawn").await;
    // one machine says so while the other still moves the files behind `job.json`
    until("its files are gone", async || !at(job).exists() || names_in(&at(job)).is_empty()).await;
    assert_whole(&at(&format!("withdrawn/{job}")));
    assert!(jobs().is_empty());
    wang.post(&step, &[("step", "release")]).await;
    until("it is there again", async || !jobs().is_empty()).await;
    let second = jobs().remove(0);
    let number = format!("{order}-2");
    becomes(&server, &number, "placed").await;
    // a kill while its files are copied to their place, before its job.json is written, and after that: whichever machine is
    // there goes on with it
    for step in 0..3 {
        // both: one that is still at the step before would write down what it saw there
        server.kill();
        other.kill();
        let staging = server.read("select staging from hot_folder_jobs where number = 2").await;
        let beside = at(&format!(".incoming/{staging}"));
        std::fs::create_dir_all(&beside).unwrap();
        for file in names_in(&at(&second)) {
            std::fs::copy(at(&second).join(&file), beside.join(&file)).unwrap();
        }
        if step == 0 {
            std::fs::remove_file(at(&second).join("1-inner.pdf")).unwrap();
        } else {
            std::fs::rename(beside.join("job.json"), beside.join("ready.json")).unwrap();
        }
        if step < 2 {
            std::fs::remove_file(at(&second).join("job.json")).unwrap();
        }
        let placing = "update hot_folder_jobs set state = 'placing', since = since - 60000 where number = 2";
        server.sql(placing).await;
        let (first, then) = if step == 1 { (&mut other, &mut server) } else { (&mut server, &mut other) };
        first.restart();
        becomes(first, &number, "placed").await;
        assert_eq!(assert_whole(&at(&second)), order);
        then.restart();
    }
    // taken, its job.json as the last, and back as one file
    for file in names_in(&at(&second)) {
        std::fs::remove_file(at(&second).join(file)).unwrap();
    }
    becomes(&server, &number, "taken").await;
    std::fs::create_dir_all(at("printed")).unwrap();
    std::fs::write(at(&format!("printed/{number}.pdf")), "imposed").unwrap();
    becomes(&server, &number, "printed").await;
    assert_eq!(printed_times(&server, &order).await, "1");
    assert_eq!(server.column("select words from hot_folder_troubles").await, [""; 0]);
    server.sql("update hot_folder_jobs set since = since - 660000").await;
    until("what was read is put away", async || !at(&format!("printed/{number}.pdf")).exists()).await;
    assert_eq!(names_in(&at("done")).len(), 1);
    drop(other);
}
