//! Which answers end a reader's following, when a letter is tried again, how titles take turns.

use domain::newsletter::{Refusal, Reported, host_of, in_base64, is_news, pause_after, turn_after};
use domain::publication::{Day, Kind};
use proptest::prelude::*;

#[test]
fn a_refusal_of_the_mailbox_is_told_from_one_of_the_sender() {
    // as mail systems write them: Postfix, Exim, Gmail, Outlook, QQ, 163, Aliyun
    for (code, words, meant) in [
        (550, "no such mailbox", Refusal::Mailbox),
        (
            550,
            "5.1.1 <a@example.com>: Recipient address rejected: User unknown in local recipient table",
            Refusal::Mailbox,
        ),
        (550, "5.1.1 The email account that you tried to reach does not exist.", Refusal::Mailbox),
        (550, "5.5.0 Requested action not taken: mailbox unavailable", Refusal::Mailbox),
        (550, "Mailbox unavailable or access denied", Refusal::Mailbox),
        (550, "User not found: a@163.com", Refusal::Mailbox),
        (552, "5.2.2 Mailbox full", Refusal::Passing),
        (552, "mailbox is over its quota", Refusal::Passing),
        (550, "5.2.1 The email account that you tried to reach is disabled", Refusal::Mailbox),
        (501, "5.1.3 Bad recipient address syntax", Refusal::Mailbox),
        (550, "5.1.6 Mailbox has moved", Refusal::Mailbox),
        (550, "Mailbox not found", Refusal::Mailbox),
        (550, "用户不存在", Refusal::Mailbox),
        (550, "Invalid User: no such user here", Refusal::Mailbox),
        (551, "Recipient does not exist", Refusal::Mailbox),
        (553, "5.1.2 bad destination", Refusal::Mailbox),
        (554, "5.1.0 delivery error: no account", Refusal::Mailbox),
        (556, "5.1.10 recipient domain takes no mail", Refusal::Mailbox),
        (553, "Mail from must equal authorized user", Refusal::Sender),
        (501, "mail from address must be same as authorization user", Refusal::Sender),
        (
            550,
            "5.7.26 Unauthenticated email from example.com is not accepted due to domain's DMARC policy",
            Refusal::Sender,
        ),
        (550, "SPF check failed", Refusal::Sender),
        (553, "5.1.8 sender's domain does not exist", Refusal::Sender),
        (554, "5.7.1 <a@example.com>: Relay access denied", Refusal::Sender),
        (
            554,
            "5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example",
            Refusal::Sender,
        ),
        (550, "5.7.1 recipient does not accept mail from outside its organisation", Refusal::Passing),
        (
            550,
            "5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since \
             part of their network is on our block list (S3140).",
            Refusal::Sender,
        ),
        (550, "Domain frequency limited [reason]", Refusal::Sender),
        (550, "Ip frequency limited [reason]", Refusal::Sender),
        (550, "Mail content denied [reason]", Refusal::Sender),
        (554, "HL:IPB 163 smtp10", Refusal::Sender),
        (554, "HL:ITC 163 smtp10", Refusal::Sender),
        (554, "MI:SFQ 163 smtp10", Refusal::Sender),
        (550, "RP:CEL 163 smtp10", Refusal::Sender),
        (550, "User suspended", Refusal::Passing),
        (550, "Daily quota exceeded", Refusal::Sender),
        (554, "Service not available", Refusal::Passing),
        (521, "mx.example does not accept mail", Refusal::Passing),
        (554, "5.6.0 message is malformed", Refusal::Sender),
        (554, "5.6.7 no internationalized addresses here", Refusal::Sender),
        (550, "5.1.0 Sender denied", Refusal::Sender),
        (550, "5.4.1 Recipient address rejected: Access denied", Refusal::Passing),
        (554, "Transaction failed", Refusal::Passing),
        (599, "", Refusal::Passing),
        (552, "5.3.4 Message size exceeds fixed limit", Refusal::Sender),
        (554, "DT:SPM 163 smtp", Refusal::Sender),
        (535, "5.7.8 Authentication credentials invalid", Refusal::Sender),
        (530, "Must issue a STARTTLS command first", Refusal::Sender),
        (503, "bad sequence of commands", Refusal::Sender),
        (421, "4.7.0 try again later", Refusal::Passing),
        (450, "4.2.1 mailbox busy", Refusal::Passing),
        (451, "greylisted", Refusal::Passing),
        (452, "4.5.3 too many recipients", Refusal::Passing),
    ] {
        assert_eq!(Refusal::of(code, words), meant, "{code} {words}");
    }
}

#[test]
fn a_report_ends_what_is_gone() {
    for (action, status, diagnostic, reported) in [
        ("failed", "5.1.1", "", Reported::Gone),
        ("Failed", " 5.2.1 (disabled)", "", Reported::Gone),
        ("failed", "5.1.10", "smtp; 556 5.1.10 no mail", Reported::Gone),
        ("failed", "5.1.0", "", Reported::Gone),
        ("failed", "5.1.0", "smtp; 550 5.1.0 address rejected", Reported::Gone),
        ("failed", "5.1.0", "smtp; 550 sender denied", Reported::GivenUp),
        ("failed", "5.0.0", "smtp; 550 Mailbox not found", Reported::Gone),
        ("failed", "5.0.0", "SMTP;550-5.1.1 no such\r\n user", Reported::Gone),
        ("failed", "5.0.0", "smtp; 550 Domain frequency limited", Reported::GivenUp),
        ("failed", "5.0.0", "smtp; 554 Transaction failed", Reported::GivenUp),
        ("failed", "5.0.0", "x-local; 550 no such user", Reported::GivenUp),
        ("failed", "5.0.0", "smtp; 用户", Reported::GivenUp),
        ("failed", "5.0.0", "", Reported::GivenUp),
        ("failed", "5.2.2", "smtp; 552 mailbox full", Reported::GivenUp),
        ("failed", "5.3.4", "", Reported::GivenUp),
        ("failed", "5.4.4", "", Reported::GivenUp),
        ("failed", "5.6.1", "", Reported::GivenUp),
        ("failed", "5.7.1", "smtp; 550 5.7.1 no such user, says the policy", Reported::GivenUp),
        ("failed", "5.1.8", "", Reported::GivenUp),
        ("failed", "4.4.7", "", Reported::GivenUp),
        ("failed", "4.2.2", "", Reported::GivenUp),
        ("failed", "", "", Reported::GivenUp),
        ("failed", "550", "", Reported::GivenUp),
        ("delayed", "4.4.1", "", Reported::Underway),
        ("delivered", "2.0.0", "", Reported::Underway),
        ("expanded", "2.0.0", "", Reported::Underway),
        ("", "5.1.1", "", Reported::Underway),
    ] {
        assert_eq!(Reported::of(action, status, diagnostic), reported, "{action} {status} {diagnostic}");
    }
}

#[test]
fn an_issue_is_news_for_three_days() {
    const DAY: i64 = 24 * 60 * 60_000;
    let day: Day = "2026-11-21".parse().unwrap();
    let noon = day.start() + DAY / 2;
    for (kind, came_out, now, news) in [
        (Kind::Epaper, noon, noon + 1, true),
        // on the eve
        (Kind::Epaper, day.start() - DAY / 2, day.start() - DAY / 2, true),
        (Kind::Epaper, noon, noon + 2 * DAY, true),
        // once more, after days
        (Kind::Epaper, noon, noon + 3 * DAY, false),
        // brought in from elsewhere
        (Kind::Epaper, noon + 3 * DAY, noon + 3 * DAY, true),
        (Kind::Epaper, noon + 4 * DAY, noon + 4 * DAY, false),
        // a magazine's day is its month's
        (Kind::Magazine, noon + 20 * DAY, noon + 20 * DAY, true),
        (Kind::Magazine, noon, noon + 3 * DAY, false),
        (Kind::Magazine, noon + 40 * DAY, noon + 40 * DAY, false),
    ] {
        assert_eq!(is_news(kind, day, came_out, now), news, "{kind:?} {came_out} {now}");
    }
}

#[test]
fn a_letter_is_tried_ever_more_rarely() {
    let minutes: Vec<i64> = (1..=6).map(|tries| pause_after(tries) / 60_000).collect();
    assert_eq!(minutes, [5, 15, 60, 240, 240, 240]);
}

#[test]
fn hosts_are_behind_the_last_at() {
    for (address, host) in
        [("a@qq.com", Some("qq.com")), ("a@b@qq.com", Some("qq.com")), ("a@", None), ("qq.com", None)]
    {
        assert_eq!(host_of(address), host);
    }
}

#[test]
fn base64_is_as_long_as_it_is_written() {
    // python3 -c 'import base64; print(len(base64.encodebytes(bytes(n)).replace(b"\n", b"\r\n")))'
    for (bytes, written) in [(0, 0), (1, 6), (57, 78), (58, 84), (1_000, 1_372), (28_000, 38_320)] {
        assert_eq!(in_base64(bytes), written, "{bytes}");
    }
}

proptest! {
    /// However long a title's line is, another that comes later has had as many letters as the first since then.
    #[test]
    fn titles_take_turns_at_a_host(long in 1usize..400, short in 1usize..40, after in 0i64..120_000, per_minute in 1i64..600) {
        let mut all = Vec::new();
        for (title, count, begun) in [(0, long, 0), (1, short, after)] {
            let mut last = None;
            for _ in 0..count {
                let turn = turn_after(begun, last, per_minute);
                prop_assert!(turn >= begun && last.is_none_or(|last| turn > last));
                last = Some(turn);
                all.push((turn, title));
            }
        }
        all.sort_unstable();
        let from = all.iter().position(|(turn, _)| *turn >= after).unwrap();
        let (mut first, mut second) = (0i64, 0i64);
        for (_, title) in &all[from..] {
            if *title == 0 { first += 1 } else { second += 1 }
            if second < short as i64 {
                prop_assert!(first - second <= 1, "{first} letters of one before {second} of the other");
            }
        }
    }
}
