//! Issues as letters: asked for without an account, sent once each, left by one press, ended by what comes back. Mails are read by
//! Python's `email`.

use std::io::Write;
use std::process::{Command, Stdio};

use reqwest::StatusCode;
use serde_json::Value;

use crate::delivery::{Inbox, mail_server};
use support::publications::{editor, issue, out, paper, set, title};
use support::wait::{carried_out, eventually, until};
use support::{Caller, Engine, PASSWORD, Server, between, jpeg, location, on_both_engines};
use time::{Duration, OffsetDateTime};

on_both_engines!(
    a_reader_without_an_account_has_each_issue_once,
    very_many_letters_are_changed_a_few_at_a_time;
    on_sqlite:
    a_host_is_handed_a_few_a_minute_and_titles_take_turns,
    three_in_a_row_end_it_however_late_they_are_reported,
    a_letter_has_nothing_that_a_visitor_may_not_see,
    a_member_follows_by_one_press,
    a_maker_sees_numbers_and_may_end_it,
    a_title_asks_few_strangers,
    what_waits_leaves_from_no_backup,
    where_no_mail_leaves_nobody_is_promised_any,
    what_cannot_be_written_holds_nobody_up,
    what_is_no_news_is_in_no_letter,
    what_comes_back_ends_it,
);

/// What python makes of a mail.
const READER: &str = r#"
import email, email.policy, json, re, sys
raw = sys.stdin.buffer.read()
mail = email.message_from_bytes(raw, policy=email.policy.default)
parts = [part for part in mail.walk() if not part.is_multipart()]
def body(kind):
    found = mail.get_body((kind,))
    return found.get_content() if found else ""
page = body("html")
print(json.dumps({
    "head": {name.lower(): str(value) for name, value in mail.items()},
    "text": body("plain"), "html": page, "bytes": len(raw), "longest": max(len(line) for line in raw.split(b"\r\n")),
    "kinds": [part.get_content_type() for part in parts], "type": mail.get_content_type(),
    "ids": [part["content-id"] for part in parts if part["content-id"]],
    "jpegs": [len(part.get_content()) for part in parts if part.get_content_type() == "image/jpeg"],
    "sources": re.findall(r"(?:src|background)=\"([^\"]*)\"|url\(([^)]*)\)", page),
    "defects": [str(defect) for part in mail.walk() for defect in part.defects],
}))
"#;

fn read(mail: &str) -> Value {
    let message =
        mail.split_once("DATA\r\n").unwrap().1.trim_end_matches("\r\n.\r\n").replace("\r\n..", "\r\n.");
    let mut python = Command::new("python3")
        .args(["-c", READER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(message.as_bytes()).unwrap();
    let said = python.wait_with_output().unwrap();
    assert!(said.status.success(), "{message}");
    let read: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(read["defects"], Value::from(Vec::<Value>::new()), "{message}");
    read
}

/// Mails to an address.
fn to(inbox: &Inbox, address: &str) -> Vec<String> {
    let line = format!("RCPT TO:<{address}>");
    inbox.lock().unwrap().iter().filter(|mail| mail.contains(&line)).cloned().collect()
}

async fn arrived(inbox: &Inbox, address: &str, count: usize) -> Value {
    until(&format!("{count} mails to {address}"), async || to(inbox, address).len() >= count).await;
    let all = to(inbox, address);
    assert_eq!(all.len(), count, "to {address}");
    read(all.last().unwrap())
}

/// A day so many days ago, in China.
fn day(ago: i64) -> String {
    let now = OffsetDateTime::now_utc() + Duration::hours(8) - Duration::days(ago);
    format!("{:04}-{:02}-{:02}", now.year(), u8::from(now.month()), now.day())
}

const SITE: &str = "https://books.example";

/// A site that sends mail.
async fn sends(server: &mut Server) -> Inbox {
    let (address, inbox) = mail_server().await;
    server.set("BINDERY_SMTP_URL", format!("smtp://{address}"));
    server.set("BINDERY_MAIL_FROM", "书坊 <books@example.com>");
    server.set("BINDERY_PUBLIC_URL", SITE);
    server.kill();
    server.restart();
    inbox
}

/// Waits until nothing of an issue's letters is to be done.
async fn all_sent(server: &Server) {
    carried_out(server, &["tell_readers_of_issue", "queue_letters", "send_letters"]).await;
}

async fn publish(maker: &Caller, title: &str, day: &str) -> String {
    let issue = issue(maker, "epaper", title, day, paper()).await;
    location(&maker.post(&format!("/manager/epaper_issue/{issue}/proposals"), &[]).await);
    set(maker, "epaper", &issue, "publish").await;
    issue
}

/// Follows a title the whole way.
async fn follow(server: &Server, inbox: &Inbox, address: &str, email: &str) {
    let (visitor, page) = (server.visitor(), format!("/epaper/{address}/follow"));
    let before = to(inbox, email).len();
    location(&visitor.post(&page, &[("email", email)]).await);
    let text = arrived(inbox, email, before + 1).await["text"].as_str().unwrap().to_owned();
    location(&visitor.post(&link_in(&text), &[]).await);
}

/// The link in a message that asks for a confirmation.
fn link_in(text: &str) -> String {
    format!("/newsletter/confirm/{}", between(text, &format!("{SITE}/newsletter/confirm/"), "\n").trim_end())
}

async fn a_reader_without_an_account_has_each_issue_once(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu", &day(3), &[]).await;
    all_sent(&server).await;
    let (visitor, page) = (server.visitor(), "/epaper/xihu/follow");
    assert!(visitor.page("/epaper/xihu").await.contains("href=\"/epaper/xihu/follow\""));
    assert!(visitor.page(page).await.contains("name=\"email\""));
    for wrong in ["nobody", "13800138000", "a@b", ""] {
        let answer = visitor.post(page, &[("email", wrong)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        let html = answer.text().await.unwrap();
        assert!(html.contains("请填写邮箱地址") && html.contains(&format!("value=\"{wrong}\"")), "{html}");
    }
    let asked = visitor.post(page, &[("email", " Reader@Example.com ")]).await;
    assert_eq!((asked.status(), location(&asked)), (StatusCode::SEE_OTHER, format!("{page}?sent=1")));
    let mail = arrived(&inbox, "reader@example.com", 1).await;
    let text = mail["text"].as_str().unwrap();
    assert!(text.contains("西湖晚报") && text.contains("两天内有效"), "{text}");
    let link = link_in(text);
    // asked again at once: the same answer and no second mail, and looking at the link follows nothing
    let again = visitor.post(page, &[("email", "reader@example.com")]).await;
    assert_eq!((again.status(), location(&again)), (StatusCode::SEE_OTHER, format!("{page}?sent=1")));
    assert!(visitor.page(&link).await.contains("确认订阅"));
    let confirmed = "select cast(count(*) as text) from mail_followers where confirmed_at is not null";
    assert_eq!(server.read(confirmed).await, "0");
    for guessed in ["x", "x.y", &link["/newsletter/confirm/".len()..].replace('.', "a.")] {
        let answer = server.visitor().post(&format!("/newsletter/confirm/{guessed}"), &[]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{guessed}");
    }
    // pressed twice, by a browser that knows nothing of the first
    for _ in 0..2 {
        let done = server.visitor().post(&link, &[]).await;
        assert_eq!((done.status(), location(&done)), (StatusCode::SEE_OTHER, link.clone()));
    }
    assert!(visitor.page(&link).await.contains("会发到 reader@example.com"));
    assert_eq!(server.read(confirmed).await, "1");
    // whoever asks of an address that follows is told the same, and nothing is sent
    server.sql("update mail_followers set asked_at = 1").await;
    let known = visitor.post(page, &[("email", "reader@example.com")]).await;
    assert_eq!((known.status(), location(&known)), (StatusCode::SEE_OTHER, format!("{page}?sent=1")));

    let issue = publish(&maker, &paper_id, &day(2)).await;
    let mail = arrived(&inbox, "reader@example.com", 2).await;
    assert_eq!(mail["head"]["subject"], format!("《西湖晚报》{} 第 2 期", day(2)));
    assert_eq!(mail["head"]["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
    assert_eq!(mail["head"]["list-id"], "<epaper.xihu.books.example>");
    assert_eq!(mail["type"], "multipart/alternative");
    assert_eq!(mail["kinds"], serde_json::json!(["text/plain", "text/html", "image/jpeg"]));
    assert_eq!(mail["ids"], serde_json::json!(["<cover>"]));
    // nothing is fetched when it is opened
    assert_eq!(mail["sources"], serde_json::json!([["cid:cover", ""]]));
    assert!(mail["bytes"].as_u64().unwrap() <= 100_000 && mail["longest"].as_u64().unwrap() <= 998, "{mail}");
    let place = format!("{SITE}/epaper/xihu/{}", day(2));
    for words in [mail["text"].as_str().unwrap(), mail["html"].as_str().unwrap()] {
        for part in
            ["Trees along the river", "Football", "The first line of the lead story", &format!("{place}/a/1")]
        {
            assert!(words.contains(part), "{part} is not in {words}");
        }
    }
    assert!(mail["html"].as_str().unwrap().contains("prefers-color-scheme:dark"));
    eventually(&server, "select state || host from issue_letters", "sent").await;
    // published again, and told again, it is sent to nobody twice
    set(&maker, "epaper", &issue, "withdraw").await;
    set(&maker, "epaper", &issue, "publish").await;
    queue_again(&server, &issue).await;
    all_sent(&server).await;
    assert_eq!(to(&inbox, "reader@example.com").len(), 2);

    // left by a mail program: no cookie, no page, no redirect, whatever form it sends, and again
    let leave = mail["head"]["list-unsubscribe"].as_str().unwrap();
    let leave = between(leave, &format!("<{SITE}"), ">");
    let shown = server.visitor().page(&leave).await;
    assert!(shown.contains("name=\"by\"") && shown.contains("退订"), "{shown}");
    assert_eq!(server.read(confirmed).await, "1", "looking ends nothing");
    let multipart =
        "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n";
    for (kind, body) in [
        ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"),
        ("multipart/form-data; boundary=b", multipart),
    ] {
        let answer = server.visitor().post_with_headers(&leave, &[("content-type", kind)], body).await;
        assert_eq!(answer.status(), StatusCode::OK, "{kind}");
        assert!(answer.headers().get("set-cookie").is_none());
    }
    assert_eq!(
        server.read("select cast(count(*) as text) from mail_followers").await,
        "0",
        "it is forgotten"
    );
    assert_eq!(server.read("select cast(ended as text) from mailed_titles").await, "1");
    let by_hand = server.visitor().post(&leave, &[("by", "hand")]).await;
    assert_eq!(location(&by_hand), format!("{leave}?done=1"));
    assert!(server.visitor().page(&format!("{leave}?done=1")).await.contains("已经退订"));
    publish(&maker, &paper_id, &day(1)).await;
    all_sent(&server).await;
    assert_eq!(to(&inbox, "reader@example.com").len(), 2);
    // what was confirmed once is over with it
    assert_eq!(visitor.get(&link).await.status(), StatusCode::GONE);
}

async fn what_comes_back_ends_it(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu", &day(3), &[]).await;
    all_sent(&server).await;
    for email in ["one@example.com", "two@example.org"] {
        follow(&server, &inbox, "xihu", email).await;
    }
    // addresses that were good once
    for (id, email) in [("gone", "refused@example.net"), ("busy", "later@example.edu")] {
        server
            .sql(&format!(
                "insert into mail_followers (id, publication_id, address, asked_at, confirmed_at)
                 values ('{id}', '{paper_id}', '{email}', 1, 1)"
            ))
            .await;
    }
    publish(&maker, &paper_id, &day(2)).await;
    arrived(&inbox, "one@example.com", 2).await;
    eventually(&server, "select cast(count(*) as text) from mail_followers where id = 'gone'", "0").await;
    eventually(&server, "select state from issue_letters where reader = 'gone'", "bounced").await;
    // who is busy is asked later, and stays
    let busy = "select state || ' ' || cast(tries as text) from issue_letters where reader = 'busy'";
    eventually(&server, busy, "waiting 1").await;
    assert!(to(&inbox, "later@example.edu").is_empty());
    server.sql("update issue_letters set run_at = 1 where state = 'waiting'").await;
    server.sql("update jobs set run_at = 1, turn = 1 where kind = 'send_letters'").await;
    eventually(&server, "select state from issue_letters where reader = 'busy'", "waiting").await;
    eventually(&server, "select cast(count(*) as text) from mail_followers where id = 'busy'", "1").await;

    // a report as the host's mail server hands it over; only a letter that is ours ends anything
    let mail = arrived(&inbox, "two@example.org", 2).await;
    let name = mail["head"]["message-id"].as_str().unwrap().to_owned();
    let forged = name.replace(|letter: char| letter.is_ascii_digit(), "0");
    for (name, said) in
        [(&forged, "no report about a letter"), (&name, "sent no more"), (&name, "sent no more")]
    {
        let said_so = hand_in(&server, &report(name)).await;
        assert!(said_so.contains(said), "{said_so}");
    }
    let left = "select address from mail_followers where confirmed_at is not null order by address";
    assert_eq!(server.column(left).await, ["later@example.edu", "one@example.com"]);
    assert_eq!(server.read("select cast(bounced as text) from mailed_titles").await, "2", "each counts once");
    let plain = hand_in(&server, "From: a@b.example\r\nSubject: hello\r\n\r\nthank you\r\n").await;
    assert!(plain.contains("no report about a letter"), "{plain}");
}

fn report(name: &str) -> String {
    report_of(name, "5.1.1")
}

fn report_of(name: &str, status: &str) -> String {
    format!(
        "From: MAILER-DAEMON@mx.example\r\nTo: books@example.com\r\nSubject: Undelivered Mail Returned to Sender\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nThis is the mail system.\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n\
         Final-Recipient: rfc822; two@example.org\r\nAction: failed\r\nStatus: {status}\r\n\r\n\
         --b\r\nContent-Type: text/rfc822-headers\r\n\r\nFrom: books@example.com\r\nMessage-ID: {name}\r\n\r\n--b--\r\n"
    )
}

async fn three_in_a_row_end_it_however_late_they_are_reported(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu", &day(9), &[]).await;
    all_sent(&server).await;
    let readers = ["ends@example.com", "stays@example.com"];
    for email in readers {
        follow(&server, &inbox, "xihu", email).await;
    }
    let mut names = Vec::new();
    for number in 0..5 {
        // the last is one of tomorrow
        publish(&maker, &paper_id, &day(3 - number)).await;
        let mut of_issue = Vec::new();
        for email in readers {
            let mail = arrived(&inbox, email, 2 + number as usize).await;
            of_issue.push(mail["head"]["message-id"].as_str().unwrap().to_owned());
        }
        names.push(of_issue);
    }
    all_sent(&server).await;
    let left = "select address from mail_followers order by address";
    // days later, when others have left since
    for (reader, issue) in [(1, 0), (1, 1), (1, 3), (0, 0), (0, 2)] {
        let said = hand_in(&server, &report_of(&names[issue][reader], "4.4.7")).await;
        assert!(said.contains("came back"), "{said}");
        assert_eq!(server.column(left).await, readers, "{reader} {issue}");
    }
    let said = hand_in(&server, &report_of(&names[1][0], "4.4.7")).await;
    assert!(said.contains("sent no more"), "{said}");
    assert_eq!(server.column(left).await, [readers[1]]);
}

/// Has an issue's readers told of it once more.
async fn queue_again(server: &Server, issue: &str) {
    server
        .sql(&format!(
            "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
             values ('again-{issue}', 'queue_letters', '{{\"kind\":\"queue_letters\",\"issue\":\"{issue}\"}}', 1, 0, 0, 1)"
        ))
        .await;
}

async fn what_is_no_news_is_in_no_letter(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let (paper_id, first) = out(&maker, "epaper", "xihu", &day(2), &[]).await;
    all_sent(&server).await;
    follow(&server, &inbox, "xihu", "reader@example.com").await;
    // who followed since then is not sent what was out before
    set(&maker, "epaper", &first, "withdraw").await;
    set(&maker, "epaper", &first, "publish").await;
    all_sent(&server).await;
    // nor what is brought in of the past
    publish(&maker, &paper_id, &day(5)).await;
    all_sent(&server).await;
    // nor what came out some days ago
    let old = publish(&maker, &paper_id, &day(1)).await;
    arrived(&inbox, "reader@example.com", 2).await;
    all_sent(&server).await;
    server.sql("delete from issue_letters").await;
    server
        .sql(&format!("update issues set published_at = published_at - 300000000 where id = '{old}'"))
        .await;
    server.sql("update mail_followers set confirmed_at = 1").await;
    queue_again(&server, &old).await;
    all_sent(&server).await;
    assert_eq!(to(&inbox, "reader@example.com").len(), 2);
    assert_eq!(server.read("select cast(count(*) as text) from issue_letters").await, "0");
}

async fn what_cannot_be_written_holds_nobody_up(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let mut issues = Vec::new();
    for name in ["broken", "bare", "whole"] {
        let (title, issue) = out(&maker, "epaper", name, &day(1), &[]).await;
        server
            .sql(&format!(
                "insert into mail_followers (id, publication_id, address, asked_at, confirmed_at)
                 values ('{name}', '{title}', '{name}@example.com', 1, 1)"
            ))
            .await;
        issues.push(issue);
    }
    all_sent(&server).await;
    server.sql("delete from issue_letters").await;
    inbox.lock().unwrap().clear();
    // one whose articles can't be read, one whose cover can't be made
    server.sql(&format!("update articles set photos = 'x' where issue_id = '{}'", issues[0])).await;
    let bare = &issues[1];
    server.sql(&format!("update issues set document = 'x', edition = 9 where id = '{bare}'")).await;
    for issue in &issues {
        queue_again(&server, issue).await;
    }
    let mail = arrived(&inbox, "whole@example.com", 1).await;
    assert_eq!(mail["ids"], serde_json::json!(["<cover>"]));
    let mail = arrived(&inbox, "bare@example.com", 1).await;
    assert_eq!(mail["kinds"], serde_json::json!(["text/plain", "text/html"]));
    let waits = "select state || ' ' || cast(tries as text) from issue_letters where reader = 'broken'";
    eventually(&server, waits, "waiting 1").await;
    let failed = "select cast(count(*) as text) from jobs where kind = 'send_letters' and attempts > 1";
    assert_eq!(server.read(failed).await, "0", "no job fails by it");
    // mended, it leaves, though its job is lost
    server.kill();
    server.sql("delete from jobs where kind = 'send_letters'").await;
    server.sql("update articles set photos = '[]' where photos = 'x'").await;
    server.sql("update issue_letters set run_at = 1 where state = 'waiting'").await;
    server.restart();
    arrived(&inbox, "broken@example.com", 1).await;
}

async fn a_title_asks_few_strangers(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu", &day(1), &[]).await;
    let now = OffsetDateTime::now_utc().unix_timestamp() * 1000;
    for number in 0..60 {
        server
            .sql(&format!(
                "insert into mail_followers (id, publication_id, address, asked_at)
                 values ('x{number}', '{paper_id}', 'x{number}@example.com', {now})"
            ))
            .await;
    }
    let page = "/epaper/xihu/follow";
    for email in ["new@example.com", "x1@example.com"] {
        let answer = server.visitor().post(page, &[("email", email)]).await;
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "whoever it is");
        assert!(answer.headers().contains_key("retry-after"));
    }
    assert!(to(&inbox, "new@example.com").is_empty());
    // those that were confirmed are nobody's abuse
    server.sql("update mail_followers set confirmed_at = 1 where id = 'x1'").await;
    location(&server.visitor().post(page, &[("email", "new@example.com")]).await);
    arrived(&inbox, "new@example.com", 1).await;
}

/// More than one transaction changes: what is done to all letters of an issue or of a title is done to each.
async fn very_many_letters_are_changed_a_few_at_a_time(mut server: Server) {
    let _inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let (paper_id, id) = out(&maker, "epaper", "xihu", &day(1), &[]).await;
    all_sent(&server).await;
    let desk = format!("/manager/epaper/{paper_id}/followers");
    location(&maker.post(&desk, &[("act", "off")]).await);
    // to hosts that are handed none now
    server
        .sql(
            "insert into letter_hosts (host, minute, sent)
             values ('a.example', 1000000000, 1000000), ('b.example', 1000000000, 1000000)",
        )
        .await;
    server
        .sql(&format!(
            "insert into issue_letters
                (issue_id, publication_id, reader, is_member, host, state, turn, run_at, tries, queued_at, ended_at)
             with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1201)
             select '{id}', '{paper_id}', 'many-' || n, 0, case when n < 601 then 'a.example' else 'b.example' end,
                'off', n, 1, 3, {}, 1 from numbers",
            OffsetDateTime::now_utc().unix_timestamp() * 1_000
        ))
        .await;
    let all_are = async |state: &str| {
        let others = format!(
            "select cast(count(*) as text) from issue_letters where state = '{state}' and ended_at is {} null",
            if state == "waiting" { "" } else { "not" }
        );
        eventually(&server, &others, "1201").await;
    };
    location(&maker.post(&desk, &[("act", "on")]).await);
    all_are("waiting").await;
    let tries = "select cast(sum(tries) as text) from issue_letters";
    assert_eq!(server.read(tries).await, "0", "a day of their own begins");
    set(&maker, "epaper", &id, "withdraw").await;
    server.sql("update jobs set run_at = 1 where kind = 'send_letters'").await;
    all_are("withdrawn").await;
    set(&maker, "epaper", &id, "publish").await;
    all_are("waiting").await;
    assert_eq!(server.read("select cast(count(*) as text) from issue_letters").await, "1201");
}

async fn what_waits_leaves_from_no_backup(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu", &day(2), &[]).await;
    all_sent(&server).await;
    for (id, email) in [("busy", "later@example.edu"), ("has", "has@example.com")] {
        server
            .sql(&format!(
                "insert into mail_followers (id, publication_id, address, asked_at, confirmed_at)
                 values ('{id}', '{paper_id}', '{email}', 1, 1)"
            ))
            .await;
    }
    publish(&maker, &paper_id, &day(1)).await;
    let states = "select reader || ' ' || state || ' ' || host from issue_letters order by reader";
    arrived(&inbox, "has@example.com", 1).await;
    eventually(&server, "select cast(sum(tries) as text) from issue_letters", "2").await;
    eventually(&server, "select state from issue_letters where reader = 'has'", "sent").await;
    assert_eq!(server.column(states).await, ["busy waiting example.edu", "has sent "]);
    let folder = server.folder.path().join("backup");
    assert!(server.run(&["backup", folder.to_str().unwrap()]).status.success());
    let other = Server::start(Engine::Sqlite).await.unwrap();
    let output = other.run(&["restore", folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(other.column(states).await, ["busy expired ", "has sent "]);
    // nor does what is older than a day, while nobody has ended it yet
    server.sql("update issue_letters set queued_at = 1, run_at = 1 where state = 'waiting'").await;
    server.sql("update jobs set run_at = 1, turn = 1 where kind = 'send_letters'").await;
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    assert_eq!(server.read("select cast(tries as text) from issue_letters where reader = 'busy'").await, "1");
}

async fn hand_in(server: &Server, mail: &str) -> String {
    let file = server.folder.path().join("mail.eml");
    std::fs::write(&file, mail).unwrap();
    let output = server.run_fed(&["bounce", "take"], &file);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

async fn a_host_is_handed_a_few_a_minute_and_titles_take_turns(mut server: Server) {
    server.set("BINDERY_LETTERS_PER_MINUTE", "4");
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let other = server.member_of("other@example.com", "0", "超级会员").await;
    let large = title(&maker, "epaper", "large", &[]).await;
    let small = title(&other, "epaper", "small", &[]).await;
    for (title, count) in [(&large, 30), (&small, 3)] {
        for number in 0..count {
            server
                .sql(&format!(
                    "insert into mail_followers (id, publication_id, address, asked_at, confirmed_at)
                     values ('{title}-{number}', '{title}', 'r{number}-{}@mail.example', 1, 1)",
                    if count == 30 { "large" } else { "small" }
                ))
                .await;
        }
    }
    // one at another host waits for nobody
    server
        .sql(&format!(
            "insert into mail_followers (id, publication_id, address, asked_at, confirmed_at)
             values ('elsewhere', '{large}', 'large@elsewhere.example', 1, 1)"
        ))
        .await;
    let of = |inbox: &Inbox, word: &str| {
        inbox.lock().unwrap().iter().filter(|mail| mail.contains(&format!("-{word}@mail.example>"))).count()
    };
    let issue = publish(&maker, &large, &day(3)).await;
    publish(&other, &small, &day(3)).await;
    until("the first minutes' letters", async || of(&inbox, "large") + of(&inbox, "small") >= 4).await;
    arrived(&inbox, "large@elsewhere.example", 1).await;
    let sent_by_minute = async || {
        let sql = "select cast(sent as text) from letter_hosts where host = 'mail.example'";
        server.read(sql).await.parse::<i64>().unwrap()
    };
    assert!(sent_by_minute().await <= 4);
    // a new minute, as the clock would make it: the small title has its turn long before the large one is through
    let mut minutes = 1;
    while of(&inbox, "small") < 3 {
        minutes += 1;
        assert!(minutes <= 5, "the small title waits for the large one");
        let before = of(&inbox, "large") + of(&inbox, "small");
        server.sql("update letter_hosts set minute = 0").await;
        until("the next letters", async || of(&inbox, "large") + of(&inbox, "small") >= before + 4).await;
    }
    assert!(of(&inbox, "large") < 20, "{}", of(&inbox, "large"));
    // what has not left when an issue is withdrawn never leaves; what comes out again goes to who had none
    set(&maker, "epaper", &issue, "withdraw").await;
    let waits = format!(
        "select cast(count(*) as text) from issue_letters where issue_id = '{issue}' and state = 'waiting'"
    );
    eventually(&server, &waits, "0").await;
    let had = of(&inbox, "large");
    server.sql("update letter_hosts set minute = 0").await;
    all_sent(&server).await;
    assert_eq!(of(&inbox, "large"), had);
    set(&maker, "epaper", &issue, "publish").await;
    let sent = format!(
        "select cast(count(*) as text) from issue_letters where issue_id = '{issue}' and state = 'sent'"
    );
    let due = "update jobs set run_at = 1 where kind = 'send_letters'";
    for _ in 0..12 {
        server.sql("update letter_hosts set minute = 0").await;
        server.sql(due).await;
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    }
    until("all have it", async || {
        server.sql("update letter_hosts set minute = 0").await;
        server.read(&sent).await == "31"
    })
    .await;
    assert_eq!(of(&inbox, "large"), 30, "each once");
}

async fn a_letter_has_nothing_that_a_visitor_may_not_see(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let sold = [("reading", "sold"), ("issue_price", "3"), ("preview_pages", "1")];
    let (paper_id, _) = out(&maker, "epaper", "sold", &day(3), &sold).await;
    all_sent(&server).await;
    follow(&server, &inbox, "sold", "reader@example.com").await;
    let photo = maker.upload(vec![("a.jpg", jpeg(1600, 1200, 1))]).await.remove(0);
    let issue = issue(&maker, "epaper", &paper_id, &day(2), paper()).await;
    location(&maker.post(&format!("/manager/epaper_issue/{issue}/proposals"), &[]).await);
    server
        .sql(&format!(
            "update articles set photos = '[{{\"photo\":\"{photo}\",\"caption\":\"\"}}]', author = 'Somebody'
             where issue_id = '{issue}'"
        ))
        .await;
    server
        .sql(&format!(
            "update articles set text = 'A secret of the second page', title = 'A <b>bold</b> & \"quoted\" headline'
             where issue_id = '{issue}' and page = 2"
        ))
        .await;
    set(&maker, "epaper", &issue, "publish").await;
    let mail = arrived(&inbox, "reader@example.com", 2).await;
    let (text, html) = (mail["text"].as_str().unwrap(), mail["html"].as_str().unwrap());
    assert!(!text.contains("secret") && !html.contains("secret"), "{text}");
    assert!(text.contains("A <b>bold</b> & \"quoted\" headline") && !html.contains("<b>"), "{html}");
    assert!(text.contains("全文要订阅或购买") && html.contains("全文要订阅或购买"));
    // the cover and the photos of the open page alone
    assert_eq!(mail["ids"], serde_json::json!(["<cover>", "<photo1>", "<photo2>"]), "{mail}");
    assert!(mail["bytes"].as_u64().unwrap() <= 100_000, "{}", mail["bytes"]);
    // closed from the first page on, it has headlines and no picture
    let settings = format!("/manager/epaper/{paper_id}/settings");
    let mut fields = support::publications::TITLE.to_vec();
    fields.retain(|(name, _)| *name != "reading");
    fields.extend([("reading", "sold"), ("issue_price", "3"), ("preview_pages", "0")]);
    location(&maker.post(&settings, &fields).await);
    publish(&maker, &paper_id, &day(1)).await;
    let mail = arrived(&inbox, "reader@example.com", 3).await;
    assert_eq!(mail["kinds"], serde_json::json!(["text/plain", "text/html"]));
    let text = mail["text"].as_str().unwrap();
    assert!(text.contains("Trees along the river") && !text.contains("The first line"), "{text}");
}

async fn a_member_follows_by_one_press(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu", &day(3), &[]).await;
    all_sent(&server).await;
    let member = server.member("member@example.com", "0").await;
    let page = member.page("/epaper/xihu/follow").await;
    let action = between(&page, "<form method=\"post\" action=\"", "\"");
    assert!(page.contains("member@example.com") && !page.contains("name=\"email\""), "{page}");
    location(&member.post(&action, &[("by_message", "1"), ("act", "follow")]).await);
    assert!(member.page("/epaper/xihu/follow").await.contains("会发到 member@example.com"));
    // the same address without the account has no second letter
    follow(&server, &inbox, "xihu", "member@example.com").await;
    let issue = publish(&maker, &paper_id, &day(2)).await;
    let mail = arrived(&inbox, "member@example.com", 2).await;
    assert!(mail["text"].as_str().unwrap().contains("Trees along the river"));
    all_sent(&server).await;
    assert_eq!(to(&inbox, "member@example.com").len(), 2, "no notice beside it");
    let leave = between(mail["head"]["list-unsubscribe"].as_str().unwrap(), &format!("<{SITE}"), ">");
    let answer = server.visitor().post_with_headers(&leave, &[], "List-Unsubscribe=One-Click").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(server.read("select cast(count(*) as text) from mail_followers").await, "0");
    publish(&maker, &paper_id, &day(1)).await;
    all_sent(&server).await;
    assert_eq!(to(&inbox, "member@example.com").len(), 2, "neither the one letter nor the other");
    // the other way round: by a letter from before there was an account
    follow(&server, &inbox, "xihu", "late@example.com").await;
    publish(&maker, &paper_id, &day(0)).await;
    let letter = arrived(&inbox, "late@example.com", 2).await;
    let late = server.member("late@example.com", "0").await;
    location(&late.post(&action, &[("by_message", "1"), ("act", "follow")]).await);
    let leave = between(letter["head"]["list-unsubscribe"].as_str().unwrap(), &format!("<{SITE}"), ">");
    let answer = server.visitor().post_with_headers(&leave, &[], "List-Unsubscribe=One-Click").await;
    assert_eq!(answer.status(), StatusCode::OK);
    let by_message = "select cast(sum(by_message) as text) from publication_followers";
    assert_eq!(server.read(by_message).await, "0");
    let kept = "select cast(count(*) as text) from issue_letters where is_member = 0";
    assert_eq!(server.read(kept).await, "0", "nothing of who gave an address alone");
    // its study has the title still
    let follows = format!(
        "select cast(max(by_message) as text) from publication_followers where publication_id = '{paper_id}'"
    );
    assert_eq!(server.read(&follows).await, "0");
    assert!(member.page("/manager/book-study").await.contains(&day(0)));
    // a closed account is in no list of letters
    let of = format!(
        "select cast(count(*) as text) from issue_letters where issue_id = '{issue}' and is_member = 1"
    );
    assert_eq!(server.read(&of).await, "1");
    let fields = [("word", "注销"), ("current", PASSWORD)];
    let answer = member.post("/manager/userInfo/closing", &fields).await;
    assert!(answer.status().is_success() || answer.status().is_redirection(), "{}", answer.status());
    until("it is forgotten", async || server.read(&of).await == "0").await;
}

async fn a_maker_sees_numbers_and_may_end_it(mut server: Server) {
    let inbox = sends(&mut server).await;
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu", &day(3), &[]).await;
    all_sent(&server).await;
    follow(&server, &inbox, "xihu", "reader@example.com").await;
    publish(&maker, &paper_id, &day(2)).await;
    arrived(&inbox, "reader@example.com", 2).await;
    all_sent(&server).await;
    let desk = format!("/manager/epaper/{paper_id}/followers");
    assert!(maker.page(&format!("/manager/epaper/{paper_id}")).await.contains(&format!("href=\"{desk}\"")));
    let page = maker.page(&desk).await;
    assert!(
        page.contains("用邮箱订阅的读者</dt><dd class=\"num\">1<")
            && page.contains("发出的信</dt><dd class=\"num\">1<"),
        "{page}"
    );
    assert!(!page.contains("reader@"), "no address");
    assert_eq!(
        server.member("stranger@example.com", "0").await.get(&desk).await.status(),
        StatusCode::FORBIDDEN
    );
    assert_eq!(maker.post(&desk, &[("act", "x")]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(location(&maker.post(&desk, &[("act", "off")]).await), format!("{desk}?done=off"));
    assert!(server.visitor().page("/epaper/xihu/follow").await.contains("没有开通"));
    let answer = server.visitor().post("/epaper/xihu/follow", &[("email", "more@example.com")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // members who asked for a message have a few words then
    let member = server.member("member@example.com", "0").await;
    let following = format!("/manager/publication/{paper_id}/following");
    location(&member.post(&following, &[("act", "follow"), ("by_message", "1")]).await);
    publish(&maker, &paper_id, &day(1)).await;
    let mail = arrived(&inbox, "member@example.com", 1).await;
    assert!(
        mail["text"]
            .as_str()
            .unwrap()
            .contains(&format!("出版了：https://books.example/epaper/xihu/{}/1", day(1))),
        "{mail}"
    );
    all_sent(&server).await;
    assert_eq!((to(&inbox, "reader@example.com").len(), to(&inbox, "more@example.com").len()), (2, 0));
    location(&maker.post(&desk, &[("act", "on")]).await);
    publish(&maker, &paper_id, &day(0)).await;
    arrived(&inbox, "reader@example.com", 3).await;
    // what waits when it is switched off leaves when it is on again
    let waits = "select state from issue_letters where reader = 'waits'";
    server.sql("update letter_hosts set sent = 1000000, minute = 1000000000").await;
    server
        .sql(&format!(
            "insert into mail_followers (id, publication_id, address, asked_at, confirmed_at)
             values ('waits', '{paper_id}', 'waits@example.com', 1, 1)"
        ))
        .await;
    server
        .sql(
            "insert into issue_letters (issue_id, publication_id, reader, is_member, host, state, turn, run_at, tries, queued_at)
             select issue_id, publication_id, 'waits', 0, 'example.com', 'waiting', 1, 1, 0, max(queued_at)
             from issue_letters where state = 'sent' group by issue_id, publication_id order by max(queued_at) desc limit 1",
        )
        .await;
    location(&maker.post(&desk, &[("act", "off")]).await);
    server.sql("update letter_hosts set sent = 0, minute = 0").await;
    server
        .sql(
            "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
             select 'off', 'send_letters', '{\"issue\":\"' || issue_id || '\",\"kind\":\"send_letters\"}', 1, 0, 0, 1
             from issue_letters where reader = 'waits'",
        )
        .await;
    eventually(&server, waits, "off").await;
    assert!(to(&inbox, "waits@example.com").is_empty());
    location(&maker.post(&desk, &[("act", "on")]).await);
    arrived(&inbox, "waits@example.com", 1).await;
    // a mailbox has five that ask, whoever asks of whatever title, and who asks is told the same
    for _ in 0..7 {
        let asked = server.visitor().post("/epaper/xihu/follow", &[("email", "many@example.com")]).await;
        assert_eq!(location(&asked), "/epaper/xihu/follow?sent=1");
        server.sql("update mail_followers set asked_at = 1 where address = 'many@example.com'").await;
    }
    carried_out(&server, &["deliver"]).await;
    assert_eq!(to(&inbox, "many@example.com").len(), 5);
    // one network asks twenty times an hour
    let visitor = server.visitor();
    let mut refused = None;
    for number in 0..25 {
        let answer =
            visitor.post("/epaper/xihu/follow", &[("email", &format!("r{number}@example.com"))]).await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some((number, answer));
            break;
        }
    }
    let (number, answer) = refused.expect("it is refused");
    assert!((8..=13).contains(&number) && answer.headers().contains_key("retry-after"), "{number}");
    assert!(answer.text().await.unwrap().contains(&format!("value=\"r{number}@example.com\"")));
}

async fn where_no_mail_leaves_nobody_is_promised_any(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu", &day(3), &[]).await;
    let (visitor, page) = (server.visitor(), "/epaper/xihu/follow");
    let shown = visitor.page(page).await;
    assert!(shown.contains("还没有配置发邮件") && !shown.contains("name=\"email\""), "{shown}");
    assert!(shown.contains("/epaper/xihu/feed.atom") && shown.contains("noindex"));
    let answer = visitor.post(page, &[("email", "reader@example.com")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(server.read("select cast(count(*) as text) from mail_followers").await, "0");
    assert!(maker.page(&format!("/manager/epaper/{paper_id}/followers")).await.contains("还没有配置发邮件"));
    // of what did not come out nobody hears
    title(&maker, "epaper", "unborn", &[]).await;
    assert_eq!(visitor.get("/epaper/unborn/follow").await.status(), StatusCode::NOT_FOUND);
}
