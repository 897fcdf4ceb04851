//! Asking others to look at a work: rounds, links, places, what an approval was given for.

use domain::days::DAY_MS;
use domain::document::{Page, Trim};
use domain::ids::PageId;
use domain::review::{
    Asking, FIELDS, MOST_DAYS, MOST_LINKS, MOST_OF_REVIEWER, MOST_OF_ROUND, MOST_ROUNDS, NAME, NotTaken,
    PRESSED, Round, Said, Shut, Spot, Verdict, asking, last_day, may_judge, may_take_back, may_write, names,
    opens, stands_at,
};
use proptest::prelude::*;

fn round(number: i64, revision: i64, ordered_at: Option<i64>) -> Round {
    Round { number, revision, until: 100, ordered_at }
}

#[test]
fn the_same_pages_are_the_same_round() {
    for (newest, revision, expected) in [
        (None, 7, Ok(Asking::Anew(1))),
        (Some(round(1, 7, None)), 7, Ok(Asking::Same(1))),
        (Some(round(1, 7, None)), 8, Ok(Asking::Anew(2))),
        // what was ordered stands as it was said
        (Some(round(1, 7, Some(1))), 7, Ok(Asking::Anew(2))),
        (Some(round(MOST_ROUNDS, 7, None)), 8, Err(NotTaken::Rounds)),
        (Some(round(MOST_ROUNDS, 7, None)), 7, Ok(Asking::Same(MOST_ROUNDS))),
    ] {
        assert_eq!(asking(newest, revision), expected, "{newest:?} {revision}");
    }
}

#[test]
fn a_link_opens_until_its_last_day_is_over() {
    for (withdrawn, trashed, now, expected) in [
        (false, false, 99, Ok(())),
        (false, false, 100, Err(Shut::Over)),
        (false, true, 99, Err(Shut::Away)),
        (true, true, 100, Err(Shut::Withdrawn)),
    ] {
        assert_eq!(opens(withdrawn, trashed, round(1, 1, None), now), expected);
    }
    assert!(last_day(None, 0).is_err() && last_day(Some(0), 0).is_err());
    assert_eq!(last_day(Some(DAY_MS), 0), Ok(DAY_MS));
    assert!(last_day(Some((MOST_DAYS + 2) * DAY_MS), 0).is_err());
}

#[test]
fn names_stand_one_a_line_and_each_has_one_link() {
    assert_eq!(names("林老师\n 周 先生 \n\n林老师、阿姨", &["阿姨"]).unwrap(), ["林老师", "周 先生"]);
    assert!(names(&"长".repeat(NAME + 1), &[]).unwrap_err().contains("太长"));
    let many: Vec<String> = (0..=MOST_LINKS).map(|number| format!("第{number}位")).collect();
    assert!(names(&many.join("\n"), &[]).unwrap_err().contains("最多同时有"));
    assert_eq!(names(&many[1..].join("\n"), &[]).unwrap().len(), MOST_LINKS);
}

#[test]
fn who_may_write_take_back_and_judge() {
    let (open, ordered) = (round(2, 5, None), round(2, 5, Some(1)));
    for (round, own, all, expected) in [
        (open, Some(0), 0, Ok(())),
        (open, Some(MOST_OF_REVIEWER), 500, Err(NotTaken::OfReviewer)),
        (open, None, 500, Ok(())),
        (open, None, MOST_OF_ROUND, Err(NotTaken::OfRound)),
        (ordered, Some(0), 0, Err(NotTaken::Ordered)),
    ] {
        assert_eq!(may_write(round, own, all), expected);
    }
    assert_eq!(may_take_back(2, open, 0), Ok(()));
    assert_eq!(may_take_back(1, open, 0), Err(NotTaken::Older));
    assert_eq!(may_take_back(2, open, 1), Err(NotTaken::Answered));
    assert_eq!(may_take_back(2, ordered, 0), Err(NotTaken::Ordered));
    assert_eq!(may_judge(2, open), Ok(()));
    assert_eq!(may_judge(1, open), Err(NotTaken::Newer));
    assert_eq!(may_judge(2, ordered), Err(NotTaken::Ordered));
}

#[test]
fn the_nine_fields_are_where_they_say() {
    for (index, name) in FIELDS.into_iter().enumerate() {
        assert_eq!(Spot::of_field(index + 1).unwrap().field(), name);
    }
    assert_eq!((Spot::of_field(0), Spot::of_field(10)), (None, None));
    assert_eq!(Spot::new(1001, 0), None);
    assert_eq!(Spot::new(-1, 0), None);
}

proptest! {
    /// Wherever somebody presses, in whatever width, the place is the same part of the page.
    #[test]
    fn a_press_is_where_it_was(across in 1u32..=99, down in 1u32..=99, which in 0usize..PRESSED.len(), tall in 50.0..400.0f64) {
        let trim = Trim { width: 210.0, height: tall };
        let width = PRESSED[which];
        let height = f64::from(width) * tall / 210.0;
        let x = f64::from(width) * f64::from(across) / 100.0;
        let y = height * f64::from(down) / 100.0;
        let spot = Spot::pressed(width, trim, x.round() as i64, y.round() as i64);
        // half a pixel, rounded
        if let Some(spot) = spot {
            prop_assert!((f64::from(spot.x) - f64::from(across) * 10.0).abs() <= 500.0 / f64::from(width) + 1.0);
            prop_assert!((f64::from(spot.y) - f64::from(down) * 10.0).abs() <= 500.0 / height + 1.0);
        } else {
            prop_assert_eq!((x.round() as i64, y.round() as i64), (0, 0));
        }
        prop_assert_eq!(Spot::pressed(width + 1, trim, 5, 5), None);
        prop_assert_eq!(Spot::pressed(width, trim, -5, 5), None);
    }
}

#[test]
fn a_page_is_known_wherever_it_stands() {
    let mut pages = vec![Page::default(); 3];
    let ids: Vec<PageId> = ["a", "b", "c"].map(|id| id.parse().unwrap()).to_vec();
    for (page, id) in pages.iter_mut().zip(&ids) {
        page.id = Some(id.clone());
    }
    assert_eq!(stands_at(0, None, &pages), Some(0));
    assert_eq!(stands_at(1, Some(&ids[2]), &pages), Some(3));
    pages.remove(1);
    assert_eq!(stands_at(2, Some(&ids[1]), &pages), None);
    assert_eq!(stands_at(3, Some(&ids[2]), &pages), Some(2));
    assert_eq!((stands_at(2, None, &pages), stands_at(3, None, &pages)), (Some(2), None));
}

#[test]
fn an_approval_says_what_it_was_given_for() {
    let said = |verdict, is_same| Said { who: "林老师".into(), round: 1, verdict, at: 0, is_same };
    for (verdict, is_same, approves, words) in [
        (Verdict::Print, true, true, "看的就是这一版（第 1 稿）"),
        (Verdict::Print, false, false, "这份同意是给第 1 稿的，作品之后又改过"),
        (Verdict::Change, true, false, "第 1 稿还要改"),
        (Verdict::Change, false, false, "作品之后改过"),
    ] {
        let said = said(verdict, is_same);
        assert_eq!(said.approves(), approves);
        assert!(said.sentence().contains(words), "{}", said.sentence());
        let kept = serde_json::to_string(&said).unwrap();
        assert_eq!(serde_json::from_str::<Said>(&kept).unwrap(), said);
    }
    for verdict in Verdict::ALL {
        assert_eq!(Verdict::of_code(verdict.code()), Some(verdict));
    }
}
