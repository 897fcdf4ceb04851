//! Three instances behind HAProxy, on PostgreSQL behind PgBouncer and on a bucket. Whoever asks is sent to another one each time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use rand::RngExt;
use reqwest::{Response, StatusCode};

use super::money::{as_told, books_hold, id_of, pay_and_cancel, unpaid_orders};
use support::balancer::{self, Balancer};
use support::fakes::s3;
use support::publications::{editor, issue, paper, title};
use support::uploads::{header, metadata, noise, sha256, try_tus};
use support::wait::{carried_out, until};
use support::{Caller, Engine, Server, between, day, jpeg, location, pooled, rounds};

/// Orders that are paid in each round.
const ORDERS: usize = 12;
/// Bytes of an upload that are sent at once.
const PIECE: usize = 60_000;

struct Site {
    /// Each says that it is asked where the balancer is.
    instances: Vec<Server>,
    balancer: Balancer,
}

impl Site {
    /// `None` where something of it is not at hand.
    async fn start() -> Option<Self> {
        let mut first = Server::start(Engine::Postgres).await?;
        let Some(database) = pooled(&first.database_url) else {
            eprintln!("skipped: PgBouncer is not installed");
            return None;
        };
        let addresses = [balancer::address(), balancer::address(), balancer::address()];
        let balancer = Balancer::before(&addresses)?;
        first.kill();
        for (name, value) in s3::for_all() {
            first.set(name, value);
        }
        first.set("BINDERY_DATABASE_URL", database);
        first.set("BINDERY_TRUST_PROXY", "1");
        // as long as the balancer takes to see that an instance leaves
        first.set("BINDERY_DRAIN", "3");
        let at = |number: usize| [("LEPTOS_SITE_ADDR", addresses[number].clone())];
        let (second, third) = (first.elsewhere_with(&at(1)), first.elsewhere_with(&at(2)));
        first.set("LEPTOS_SITE_ADDR", addresses[0].clone());
        first.restart();
        let mut site = Self { instances: vec![first, second, third], balancer };
        for instance in &mut site.instances {
            instance.base.clone_from(&site.balancer.base);
        }
        site.all_asked().await;
        Some(site)
    }

    /// One that answers for all.
    fn front(&self) -> &Server {
        &self.instances[0]
    }

    /// Starts an instance again where it was.
    fn restart(&mut self, number: usize) {
        let instance = &mut self.instances[number];
        instance.restart();
        instance.base.clone_from(&self.balancer.base);
    }

    async fn all_asked(&self) {
        until("all three are asked", async || self.balancer.asked().await.len() == 3).await;
    }
}

/// What was answered by the site itself; `None` where an instance ended before it did.
fn acknowledged(answer: Option<Response>) -> Option<Response> {
    answer.filter(|answer| !answer.status().is_server_error())
}

/// Uploads a photo piece by piece, as a program that follows tus does: what was not acknowledged is asked for.
async fn upload(member: Caller, bytes: Vec<u8>) {
    let send = async |method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]| {
        acknowledged(try_tus(&member, method, path, headers, body).await)
    };
    let (length, name) = (bytes.len().to_string(), metadata("海边.jpg", Some(&sha256(&bytes))));
    let head = [("upload-length", &*length), ("upload-metadata", &*name)];
    let place = loop {
        if let Some(answer) = send("POST", "/manager/uploads", &head, b"").await {
            assert_eq!(answer.status(), StatusCode::CREATED);
            break header(&answer, "location");
        }
    };
    loop {
        let Some(answer) = send("HEAD", &place, &[], b"").await else { continue };
        assert_eq!(answer.status(), StatusCode::OK);
        let mut at: usize = header(&answer, "upload-offset").parse().unwrap();
        while at < bytes.len() {
            let (end, offset) = (bytes.len().min(at + PIECE), at.to_string());
            let head = [("upload-offset", &*offset), ("content-type", "application/offset+octet-stream")];
            match send("PATCH", &place, &head, &bytes[at..end]).await {
                Some(answer) if answer.status() == StatusCode::NO_CONTENT => at = end,
                // the one that ended had it already, or holds it still
                Some(answer) => {
                    let status = answer.status();
                    assert!([StatusCode::CONFLICT, StatusCode::LOCKED].contains(&status), "{status}");
                    break;
                }
                None => break,
            }
        }
        if at == bytes.len() {
            return;
        }
    }
}

/// Calls itself otherwise again and again until told to stop; answers the last name that was acknowledged and those that may be there.
async fn rename(member: Caller, round: usize, stop: Arc<AtomicBool>) -> (String, Vec<String>) {
    let (mut last, mut since, mut number) = (String::new(), Vec::new(), 0);
    while !stop.load(Ordering::Relaxed) || last.is_empty() {
        let name = format!("林{round}又{number}");
        number += 1;
        match acknowledged(member.try_post("/manager/userInfo", &[("name", &name)]).await) {
            Some(answer) => {
                assert_eq!(location(&answer), "/manager/userInfo?done=name");
                (last, since) = (name, Vec::new());
            }
            None => since.push(name),
        }
    }
    (last, since)
}

/// Makes an issue whose time has come.
async fn due(site: &Site, maker: &Caller, paper_id: &str, on: &str) -> String {
    let server = site.front();
    let id = issue(maker, "epaper", paper_id, on, paper()).await;
    let state = format!("/manager/epaper_issue/{id}/state");
    location(&maker.post(&state, &[("act", "schedule"), ("on", &day(2)), ("at", "06:30")]).await);
    let job = format!("kind = 'publish_issue' and payload like '%{id}%'");
    let payload = server.read(&format!("select payload from jobs where {job}")).await;
    let at = between(&payload, "\"at\":", ",").trim_end_matches('}').to_owned();
    server.sql(&format!("update issues set scheduled_at = 1000 where id = '{id}'")).await;
    let payload = payload.replace(&at, "1000");
    server.sql(&format!("update jobs set payload = '{payload}', run_at = 1 where {job}")).await;
    id
}

#[tokio::test]
async fn no_kill_of_an_instance_loses_anything_acknowledged() {
    let Some(mut site) = Site::start().await else { return };
    let member = site.front().member("buyer@example.com", "100000").await;
    let (id, maker) = (id_of(site.front(), "buyer@example.com").await, editor(site.front()).await);
    let paper_id = title(&maker, "epaper", "xihu", &[]).await;
    let following = format!("/manager/publication/{paper_id}/following");
    location(&member.post(&following, &[("act", "follow"), ("by_message", "1")]).await);
    let (mut told, mut uploaded, mut issues) = (0, Vec::new(), Vec::new());
    let rounds = rounds(4, 30);
    for round in 0..rounds {
        let name = |index: usize| format!("{round}-{index}");
        unpaid_orders(site.front(), &id, (0..ORDERS).map(name)).await;
        let photo = noise(500, 400, round as u32 + 1);
        uploaded.push(sha256(&photo));
        let on = format!("2026-{:02}-{:02}", 1 + round / 28, 1 + round % 28);
        issues.push((due(&site, &maker, &paper_id, &on).await, on));
        let (answers, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let sending = tokio::spawn(upload(member.clone(), photo));
        let renaming = tokio::spawn(rename(member.clone(), round, stop.clone()));
        let paying: Vec<_> = (0..ORDERS)
            .map(|index| {
                pay_and_cancel(member.clone(), name(index), index % 3 == 0, answers.clone(), acknowledged)
            })
            .map(tokio::spawn)
            .collect();
        let (enough, pause) = (rand::rng().random_range(0..ORDERS), rand::rng().random_range(0..3_000));
        until("some have been answered", async || answers.load(Ordering::Relaxed) >= enough).await;
        tokio::time::sleep(Duration::from_micros(pause)).await;
        let ended = round % 3;
        site.instances[ended].kill();
        let mut expected = Vec::new();
        for task in paying {
            expected.push(task.await.unwrap());
        }
        // two go on with what the third one had begun
        sending.await.unwrap();
        stop.store(true, Ordering::Relaxed);
        let (last, since) = renaming.await.unwrap();
        let named = site.front().read(&format!("select name from members where id = '{id}'")).await;
        assert!(named == last || since.contains(&named), "{named} is neither {last} nor of {since:?}");
        told += as_told(site.front(), round, expected).await;
        site.restart(ended);
        site.all_asked().await;
    }
    books_hold(site.front());
    assert!(told > rounds, "the rounds ended before anything happened: {told}");
    let mut kept = site.front().column(&format!("select sha256 from photos where member_id = '{id}'")).await;
    kept.sort();
    uploaded.sort();
    assert_eq!(kept, uploaded, "each once");
    carried_out(site.front(), &["publish_issue", "tell_readers_of_issue"]).await;
    let outbox = site.front().outbox();
    for (issue, on) in &issues {
        let told = format!("select member_id from issue_news where issue_id = '{issue}'");
        assert_eq!(site.front().column(&told).await.len(), 1, "{on}");
        assert_eq!(outbox.matches(&format!("西湖晚报》{on}")).count(), 1, "{on}: {outbox}");
    }
}

#[tokio::test]
async fn an_upgrade_of_one_after_the_other_fails_no_request() {
    let Some(mut site) = Site::start().await else { return };
    let member = site.front().member("buyer@example.com", "100").await;
    let stop = Arc::new(AtomicBool::new(false));
    let done = Arc::new(AtomicUsize::new(0));
    // readers, somebody who writes, and somebody who sends photos
    let asking: Vec<_> = (0..6)
        .map(|who| {
            let (member, stop, done) = (member.clone(), stop.clone(), done.clone());
            tokio::spawn(async move {
                let mut number = 0;
                while !stop.load(Ordering::Relaxed) {
                    match who {
                        0 => {
                            let name = format!("林知夏{number}");
                            let answer = member.post("/manager/userInfo", &[("name", &name)]).await;
                            assert_eq!(location(&answer), "/manager/userInfo?done=name");
                        }
                        1 => assert!(member.try_upload(jpeg(320 + 8 * number, 240, 1)).await),
                        2 => drop(member.page("/about").await),
                        _ => drop(member.page("/manager/opus_list/all").await),
                    }
                    number += 1;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for number in 0..3 {
        let before = done.load(Ordering::Relaxed);
        // another thread: the requests go on meanwhile
        let mut instance = site.instances.remove(number);
        let instance = tokio::task::spawn_blocking(move || {
            instance.stop();
            instance
        });
        site.instances.insert(number, instance.await.unwrap());
        assert!(done.load(Ordering::Relaxed) > before, "the others answer");
        assert_eq!(site.balancer.asked().await.len(), 2);
        site.restart(number);
        site.all_asked().await;
    }
    stop.store(true, Ordering::Relaxed);
    for task in asking {
        task.await.expect("every request is answered");
    }
}

#[tokio::test]
async fn a_phone_signs_a_browser_in_wherever_each_is_sent() {
    let Some(site) = Site::start().await else { return };
    let phone = site.front().member("reader@example.com", "0").await;
    for _ in 0..3 {
        let browser = site.front().visitor();
        let page = browser.page("/manager/login/L21hbmFnZXIvb3JkZXI=").await;
        let ask = between(&page, "name=\"ask\" value=\"", "\"");
        let scan = format!("/manager/scan/{ask}");
        assert!(phone.page(&scan).await.contains("确认登录"));
        assert_eq!(location(&phone.post(&scan, &[("answer", "confirm")]).await), scan);
        let state = browser.page(&format!("/manager/login_state?ask={ask}")).await;
        assert!(state.contains("\"state\":\"confirmed\""), "{state}");
        let claim = [("way", "qr"), ("ask", &*ask)];
        let claims = (0..6).map(|_| browser.post("/manager/login/L21hbmFnZXIvb3JkZXI=", &claim));
        let claims = futures::future::join_all(claims).await;
        let signed_in = claims.iter().filter(|answer| answer.status() == StatusCode::SEE_OTHER);
        assert_eq!(signed_in.count(), 1, "exactly once");
        browser.page("/manager/order").await;
    }
}
