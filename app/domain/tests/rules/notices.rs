//! Who hears of what, when mails are joined, how often a webhook is tried, which day is summed up.

use domain::notices::{
    APART_MS, Kind, PATIENCE_MS, day_to_sum_up, hears, is_given_up, next_mail, pause_after, read_kinds,
    write_kinds,
};
use domain::staff::Role;
use domain::typed::date;

#[test]
fn each_role_hears_of_what_it_may_see() {
    use Role::{Editor, Finance, Owner, Printing, Service};
    for (kind, roles) in [
        (Kind::OrderPaid, [Service, Printing, Finance, Owner].as_slice()),
        (Kind::OrderLate, &[Service, Printing, Finance, Owner]),
        (Kind::OrderBehind, &[Service, Printing, Finance, Owner]),
        (Kind::RefundAsked, &[Service, Finance, Owner]),
        (Kind::RefundFailed, &[Finance, Owner]),
        (Kind::InvoiceAsked, &[Finance, Owner]),
        (Kind::Reported, &[Service, Editor, Owner]),
        (Kind::JobFailed, &[Printing, Owner]),
        (Kind::DiskLow, &[Printing, Owner]),
        (Kind::WebhookEnded, &[Owner]),
    ] {
        for role in Role::ALL {
            assert_eq!(hears(&[role], &Kind::ALL, kind), roles.contains(&role), "{role} {kind:?}");
            assert!(!hears(&[role], &[], kind), "nobody is told who did not choose it");
        }
        assert!(!hears(&[], &Kind::ALL, kind));
        let others: Vec<Kind> = Kind::ALL.into_iter().filter(|other| *other != kind).collect();
        assert!(!hears(&Role::ALL, &others, kind));
    }
}

#[test]
fn kinds_come_back_as_they_were_stored() {
    assert_eq!(read_kinds(&write_kinds(&Kind::ALL)), Kind::ALL);
    assert_eq!(read_kinds("order.paid something.newer  disk.low"), [Kind::OrderPaid, Kind::DiskLow]);
    assert!(read_kinds("").is_empty());
}

#[test]
fn mails_leave_five_minutes_apart() {
    for (last, now, at) in [
        (0, 1_000_000, 1_000_000),
        (1_000_000, 1_000_001, 1_000_000 + APART_MS),
        (1_000_000, 1_000_000 + APART_MS - 1, 1_000_000 + APART_MS),
        (1_000_000, 1_000_000 + APART_MS, 1_000_000 + APART_MS),
        (1_000_000, 9_000_000, 9_000_000),
    ] {
        assert_eq!(next_mail(last, now), at, "{last} {now}");
    }
    assert_eq!(APART_MS, 300_000);
}

#[test]
fn a_webhook_is_tried_ever_more_rarely_for_a_day() {
    let mut pauses = Vec::new();
    while let Some(pause) = pause_after(pauses.len() as i64 + 1) {
        pauses.push(pause);
    }
    assert_eq!(pauses.len(), 9, "ten tries");
    assert!(pauses.is_sorted(), "{pauses:?}");
    let hours = pauses.iter().sum::<i64>() as f64 / 3_600_000.0;
    assert!((23.0..=24.0).contains(&hours), "{hours}");
    assert_eq!((pause_after(0), pause_after(-1), pause_after(i64::MAX)), (None, None, None));
    assert!(!is_given_up(5, 5 + PATIENCE_MS - 1) && is_given_up(5, 5 + PATIENCE_MS));
}

#[test]
fn yesterday_is_summed_up_from_the_hour_on() {
    for (day, (hours, minutes), hour, summed_up) in [
        ("2026-11-27", (7, 59), 8, None),
        ("2026-11-27", (8, 0), 8, Some("2026-11-26")),
        ("2026-11-27", (23, 59), 8, Some("2026-11-26")),
        ("2026-11-28", (0, 0), 0, Some("2026-11-27")),
        ("2027-01-01", (22, 30), 22, Some("2026-12-31")),
        ("2026-11-27", (22, 59), 23, None),
    ] {
        let now = date(day).unwrap().with_hms(hours, minutes, 0).unwrap();
        assert_eq!(day_to_sum_up(now, hour), summed_up.and_then(date), "{now} at {hour}");
    }
}
