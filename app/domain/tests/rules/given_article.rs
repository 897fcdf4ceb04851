//! Who lets others read an article.

use domain::days::DAY_MS;
use domain::given_article::{DAYS, Giver, NotGiven, may_give, until};

#[test]
fn subscribers_give_as_many_as_the_maker_says() {
    for (limit, giver, expected) in [
        (0, Giver::Maker, Err(NotGiven::Off)),
        (0, Giver::Subscriber { given: 0 }, Err(NotGiven::Off)),
        (2, Giver::Maker, Ok(())),
        (2, Giver::Stranger, Err(NotGiven::NotASubscriber)),
        (2, Giver::Subscriber { given: 0 }, Ok(())),
        (2, Giver::Subscriber { given: 1 }, Ok(())),
        (2, Giver::Subscriber { given: 2 }, Err(NotGiven::Enough(2))),
        // its maker has lowered it
        (2, Giver::Subscriber { given: 9 }, Err(NotGiven::Enough(2))),
    ] {
        assert_eq!(may_give(limit, giver), expected, "{limit} {giver:?}");
    }
    assert_eq!(until(5) - 5, DAYS * DAY_MS);
}
