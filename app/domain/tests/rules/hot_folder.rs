//! What a job of the hot folder is called, which one a name means, and what becomes of it when the floor changes.

use domain::hot_folder::{
    Cover, JobNumber, NotNamed, Part, Parts, Place, Standing, Verdict, file_name, folder_name, named_in,
    to_place, verdict,
};
use domain::production::Stage;
use proptest::prelude::*;
use time::{Date, Month};

const ORDER: &str = "202611270123456789";

fn job(number: u32) -> JobNumber {
    JobNumber { order: ORDER.parse().unwrap(), number }
}

#[test]
fn a_job_is_found_wherever_its_number_stands_in_a_name() {
    for (name, expected) in [
        ("202611270123456789-1", Ok(job(1))),
        ("2026-12-01 202611270123456789-2 3本 海边的夏天", Ok(job(2))),
        ("202611270123456789-12.pdf", Ok(job(12))),
        ("imposed_202611270123456789-1_final.jdf", Ok(job(1))),
        ("202611270123456789-1-cover.pdf", Ok(job(1))),
        ("海边202611270123456789-1本", Ok(job(1))),
        ("202611270123456789-1 202611270123456789-1", Ok(job(1))),
        ("202611270123456789-1 202611270123456789-2", Err(NotNamed::Several)),
        ("202611270123456789", Err(NotNamed::None)),
        ("202611270123456789-0", Err(NotNamed::None)),
        ("202611270123456789-", Err(NotNamed::None)),
        ("2026-12-01", Err(NotNamed::None)),
        ("2026112701234567890-1", Err(NotNamed::None)),
        ("1-inner.pdf", Err(NotNamed::None)),
        ("", Err(NotNamed::None)),
    ] {
        assert_eq!(named_in(name), expected, "{name}");
    }
}

proptest! {
    #[test]
    fn every_system_takes_a_name_and_it_names_its_job(title in "\\PC{0,80}", number in 1u32..1000, copies in 1u32..100_000) {
        let due = Date::from_calendar_date(2026, Month::December, 1).unwrap();
        let name = folder_name(Some(due), &job(number), copies, &title);
        prop_assert!(name.len() <= 160, "{name}");
        prop_assert!(!name.contains(|c: char| c.is_control() || r#"\/:*?"<>|"#.contains(c)), "{name}");
        prop_assert!(!name.ends_with([' ', '.']), "{name}");
        // a title may hold another job's number: that is the one name that is told to nobody
        match named_in(&name) {
            Ok(found) => prop_assert_eq!(found, job(number)),
            Err(error) => prop_assert_eq!(error, NotNamed::Several),
        }
        prop_assert!(file_name(&title).len() <= 60);
    }

    #[test]
    fn parts_are_read_as_they_are_written(lines in proptest::collection::vec((1i64..50, 1i64..9, 1u32..10_000), 0..6)) {
        let parts = Parts(lines.into_iter().map(|(line, round, copies)| Part { line, round, copies }).collect());
        prop_assert_eq!(parts.to_string().parse::<Parts>(), Ok(parts));
    }
}

fn line(line: i64, place: Place) -> Standing {
    Standing { line, round: 1, copies: 2, title: format!("书{line}"), place, held: None }
}

fn held(standing: Standing) -> Standing {
    Standing { held: Some("等纸".to_owned()), ..standing }
}

fn parts(text: &str) -> Parts {
    text.parse().unwrap()
}

#[test]
fn what_becomes_of_a_job_follows_the_floor() {
    let at = |stage| line(1, Place::At(stage));
    let other = |place| line(2, place);
    let cases: &[(&str, Vec<Standing>, Result<bool, &str>)] = &[
        // whether it is printed, or why it goes back
        ("1.1:2", vec![line(1, Place::Waiting)], Ok(false)),
        ("1.1:2", vec![at(Stage::Prepress)], Ok(false)),
        ("1.1:2", vec![at(Stage::Printing)], Ok(false)),
        ("1.1:2", vec![at(Stage::Lamination)], Ok(true)),
        ("1.1:2", vec![line(1, Place::Sent)], Ok(true)),
        ("1.1:2", vec![Standing { round: 2, ..at(Stage::Prepress) }], Ok(true)),
        ("1.1:2 2.1:2", vec![at(Stage::Binding), other(Place::At(Stage::Printing))], Ok(false)),
        ("1.1:2", vec![line(1, Place::Dropped)], Err("取消")),
        ("1.1:2 2.1:2", vec![at(Stage::Printing), other(Place::Dropped)], Err("取消")),
        ("1.1:3", vec![at(Stage::Prepress)], Err("《书1》从 3 本改成 2 本")),
        ("1.1:3", vec![at(Stage::Binding)], Ok(true)),
        ("1.1:2", vec![held(at(Stage::Printing))], Err("《书1》暂停着：等纸")),
        ("1.1:2", vec![held(at(Stage::Binding))], Ok(true)),
    ];
    for (text, floor, expected) in cases {
        let now = verdict(&parts(text), floor);
        match (expected, &now) {
            (Ok(true), Verdict::Printed) | (Ok(false), Verdict::Stands) => {}
            (Err(words), Verdict::Recalled(why)) if why.contains(words) => {}
            _ => panic!("{text} {floor:?}: {now:?}, not {expected:?}"),
        }
    }
}

#[test]
fn what_is_put_there_is_not_there_and_not_past_prepress() {
    let placed = |floor: &[Standing], jobs: &[(Cover, &str)]| {
        let jobs: Vec<_> = jobs.iter().map(|(cover, text)| (*cover, parts(text))).collect();
        Parts(to_place(floor, &jobs)).to_string()
    };
    let at = |stage| line(1, Place::At(stage));
    let waiting = || vec![line(1, Place::Waiting), line(2, Place::Waiting)];
    assert_eq!(placed(&waiting(), &[]), "1.1:2 2.1:2");
    assert_eq!(placed(&waiting(), &[(Cover::Covers, "1.1:2")]), "2.1:2");
    assert_eq!(placed(&waiting(), &[(Cover::Covers, "1.1:2 2.1:2")]), "");
    // other copies of what somebody has are no second job
    assert_eq!(placed(&waiting(), &[(Cover::Covers, "1.1:9 2.1:2")]), "");
    assert_eq!(placed(&waiting(), &[(Cover::TakenBack, "1.1:2 2.1:2")]), "1.1:2 2.1:2");
    assert_eq!(placed(&[line(1, Place::Waiting), held(line(2, Place::Waiting))], &[]), "");
    assert_eq!(placed(&[at(Stage::Prepress)], &[]), "1.1:2");
    assert_eq!(placed(&[at(Stage::Printing)], &[]), "", "whoever began it has the files");
    assert_eq!(placed(&[at(Stage::Printing)], &[(Cover::TakenBack, "1.1:2")]), "1.1:2");
    assert_eq!(placed(&[at(Stage::Binding)], &[(Cover::TakenBack, "1.1:2")]), "");
    assert_eq!(placed(&[at(Stage::Binding)], &[(Cover::Again, "1.1:2")]), "1.1:2");
    assert_eq!(
        placed(&[line(1, Place::Sent), line(2, Place::Dropped)], &[(Cover::Again, "1.1:2 2.1:2")]),
        ""
    );
    // what is printed again is another round
    let again = Standing { round: 2, copies: 1, ..line(1, Place::Waiting) };
    assert_eq!(placed(&[again, line(2, Place::Sent)], &[(Cover::Covers, "1.1:2 2.1:2")]), "1.2:1");
}
