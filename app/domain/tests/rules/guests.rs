//! When photos of guests are taken, and what is said where they are not.

use std::collections::HashSet;

use domain::days::{DAY_MS, day_start};
use domain::guests::{
    CollectionState, Counts, MOST, NotADay, NotTaken, Others, PieceState, may_add, read_last_day, read_most,
};

#[test]
fn a_collection_is_open_until_its_last_day_is_over_or_its_owner_ends_it() {
    for (is_ended, now, state) in [
        (false, 9, CollectionState::Open),
        (false, 10, CollectionState::Over),
        (true, 9, CollectionState::Ended),
        (true, 10, CollectionState::Ended),
    ] {
        assert_eq!(CollectionState::of(10, is_ended, now), state);
        assert_eq!(state.refusal().is_none(), state == CollectionState::Open);
    }
}

#[test]
fn every_refusal_has_its_own_sentence_and_says_what_became_of_the_rest() {
    let said: HashSet<String> = NotTaken::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), NotTaken::ALL.len());
    for (reason, status) in [
        (NotTaken::Ended, 410),
        (NotTaken::Over, 410),
        (NotTaken::CollectionFull, 409),
        (NotTaken::GuestFull, 422),
        (NotTaken::RoomFull, 507),
        (NotTaken::TooManyGuests, 409),
        (NotTaken::TooManyOpen, 409),
    ] {
        assert_eq!(reason.status(), status);
        // whoever has a place, or room that was set apart, is not sent away for those who have none
        let ends = matches!(reason, NotTaken::Ended | NotTaken::Over | NotTaken::TooManyGuests);
        assert_eq!(reason.others() == Others::AllRefused, ends, "{reason}");
        let is_said = reason.to_string().contains("之前发来的都在") || reason == NotTaken::TooManyGuests;
        assert!(is_said, "{reason}");
    }
}

#[test]
fn the_last_place_is_taken_and_no_further_one() {
    for (all, own, answer) in [
        (0, 0, Ok(())),
        (9, 2, Ok(())),
        (10, 2, Err(NotTaken::CollectionFull)),
        (9, 3, Err(NotTaken::GuestFull)),
        // what the guest can mend is told first
        (10, 3, Err(NotTaken::GuestFull)),
        // its owner made the numbers smaller meanwhile
        (12, 5, Err(NotTaken::GuestFull)),
    ] {
        assert_eq!(may_add(Counts { all, own }, 10, 3), answer, "{all} and {own}");
    }
}

#[test]
fn a_last_day_counts_to_its_end() {
    let now = day_start("2026-11-28").unwrap() + DAY_MS / 2;
    for (typed, read) in [
        ("2026-11-28", Ok(day_start("2026-11-29").unwrap())),
        ("2026年12月31日", Ok(day_start("2027-01-01").unwrap())),
        ("2026-11-27", Err(NotADay::Past)),
        ("2028-01-01", Err(NotADay::TooFar)),
        ("", Err(NotADay::Unread)),
        ("下周", Err(NotADay::Unread)),
    ] {
        assert_eq!(read_last_day(typed, now), read, "{typed}");
    }
}

#[test]
fn numbers_are_read_as_people_type_them() {
    for (typed, number) in
        [("1", Some(1)), ("200 张", Some(200)), ("１０００", Some(1_000)), ("10000", Some(MOST))]
    {
        assert_eq!(read_most(typed, MOST).ok(), number, "{typed}");
    }
    for wrong in ["", "0", "-1", "10001", "很多"] {
        assert!(read_most(wrong, MOST).is_err(), "{wrong}");
    }
}

#[test]
fn what_was_not_accepted_is_its_guests_still() {
    for state in PieceState::ALL {
        assert_eq!(PieceState::of_code(state.code()), Some(state));
        assert_eq!(state.is_guests(), state != PieceState::Accepted);
    }
}
