//! What clerks give alone, asked of the database beside a plain reckoning of it; many presses at once; and that the ledger takes
//! nothing from a clerk who asked nobody.

use std::path::Path;

use base::audit;
use domain::approval::WINDOW_MS;
use domain::ledger::Posting;
use domain::money::Fen;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use web::app::App;
use web::approvals::{self, By, Kind, Thing};

use super::orders_races::at_once;
use crate::testing;
use ledger::Refusal;

const NOW: i64 = 1_700_000_000_000;
/// Presses on each engine.
const PRESSES: usize = 400;
const CLERKS: [&str; 3] = ["chen", "zhou", "li"];
const KINDS: [Kind; 3] = [
    Kind { name: "order", log: "order refund" },
    Kind { name: "transfer", log: "recharge confirm" },
    Kind { name: "gift_card", log: "gift card refund" },
];
/// Of each kind one of every name.
const THINGS: [&str; 3] = ["one", "two", "three"];

on_both_engines!(
    presses_come_to_what_a_plain_reckoning_says,
    presses_at_once_come_to_no_more_than_the_limit,
    the_ledger_takes_nothing_that_nobody_was_asked_about,
);

/// Whether a clerk may give so much alone now; what it may is given.
async fn gives(app: &App, clerk: &str, (kind, id): (Kind, &str), amount: i64, now: i64) -> bool {
    let press = async {
        let mut tx = app.db.begin().await.unwrap();
        let thing = Thing { kind, id };
        let may = approvals::gives(app, &mut tx, By::OwnRight, thing, Fen(amount), now).await.unwrap();
        if may {
            tx.commit().await.unwrap();
        }
        may
    };
    audit::acting(clerk, press).await.0
}

/// What somebody gave: who, of which kind and name, how much, when.
type Given = (&'static str, (&'static str, &'static str), i64, i64);

async fn presses_come_to_what_a_plain_reckoning_says(app: App) {
    let seed = std::env::var("BINDERY_MODEL_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or_else(rand::random);
    let mut random = StdRng::seed_from_u64(seed);
    let limit = app.config.staff_limit.0;
    let mut given: Vec<Given> = Vec::new();
    let mut now = NOW;
    let (mut allowed, mut refused, mut at_the_edge) = (0, 0, 0);
    // what one thing may have runs out for good, so there are new ones again and again
    let names: Vec<String> = (0..PRESSES / 20).map(|_| base::db::new_id()).collect();
    let names: Vec<&'static str> = names.into_iter().map(|name| &*name.leak()).chain(THINGS).collect();
    for press in 0..PRESSES {
        let clerk = *CLERKS.choose(&mut random).unwrap();
        let kind = *KINDS.choose(&mut random).unwrap();
        let name = names[random.random_range(0..3) + (press / 20).min(names.len() - 3)];
        now += random.random_range(0..WINDOW_MS / 12);
        // at times to the ms when the first of what this one gave within the day leaves it, or just before
        if let Some((.., at)) = given.iter().find(|(who, .., at)| *who == clerk && *at > now - WINDOW_MS)
            && random.random_bool(0.2)
        {
            now = at + WINDOW_MS - random.random_range(0..=1);
            at_the_edge += 1;
        }
        let lately: i64 = given
            .iter()
            .filter(|(who, .., at)| *who == clerk && now - at < WINDOW_MS)
            .map(|(.., amount, _)| amount)
            .sum();
        let of_this: i64 =
            given.iter().filter(|(_, of, ..)| *of == (kind.name, name)).map(|(.., amount, _)| amount).sum();
        let rest = limit - lately.max(of_this);
        let amount = match random.random_range(0..5) {
            0 => rest.max(1),
            1 => rest.max(0) + 1,
            2 => limit + 1,
            _ => random.random_range(1..=limit / 3),
        };
        let may = lately + amount <= limit && of_this + amount <= limit;
        assert_eq!(
            gives(&app, clerk, (kind, name), amount, now).await,
            may,
            "seed {seed}, press {press}: {clerk} gives {amount} of {} {name}, having given {lately}, and of it {of_this}",
            kind.name
        );
        if may {
            given.push((clerk, (kind.name, name), amount, now));
            allowed += 1;
        } else {
            refused += 1;
        }
    }
    assert!(allowed > 50 && refused > 50 && at_the_edge > 20, "{allowed} {refused} {at_the_edge}");
}

/// One clerk of many things, and many clerks of one thing: a tenth of the limit each, sixty-four times.
async fn presses_at_once_come_to_no_more_than_the_limit(app: App) {
    let tenth = app.config.staff_limit.0 / 10;
    let of_many_things = at_once(|index| {
        let app = app.clone();
        async move { gives(&app, "chen", (KINDS[0], &*format!("thing-{index}")), tenth, NOW).await }
    })
    .await;
    assert_eq!(of_many_things.into_iter().filter(|may| *may).count(), 10);
    let of_one_thing = at_once(|index| {
        let app = app.clone();
        async move { gives(&app, &format!("clerk-{index}"), (KINDS[2], "a-buyer"), tenth, NOW).await }
    })
    .await;
    assert_eq!(of_one_thing.into_iter().filter(|may| *may).count(), 10);
}

async fn the_ledger_takes_nothing_that_nobody_was_asked_about(app: App) {
    let member = testing::member(&app).await;
    let post = async |key: &str| {
        let mut tx = app.db.begin().await.unwrap();
        let posting = Posting::top_up(key.parse().unwrap(), &member, Fen(100)).unwrap();
        let posted = ledger::post(&mut tx, &posting, "充值", NOW).await;
        if posted.is_ok() {
            tx.commit().await.unwrap();
        }
        posted
    };
    let (unasked, _) = audit::acting("chen", post("unasked")).await;
    assert!(matches!(unasked, Err(Refusal::Failed(_))), "{unasked:?}");
    let asked = async {
        assert!(gives(&app, "chen", (KINDS[0], "one"), 100, NOW).await);
        post("asked-elsewhere").await
    };
    // what another request was allowed allows this one nothing
    let (elsewhere, _) = audit::acting("chen", asked).await;
    assert!(matches!(elsewhere, Err(Refusal::Failed(_))), "{elsewhere:?}");
    let asked = async {
        let mut tx = app.db.begin().await.unwrap();
        let thing = Thing { kind: KINDS[0], id: "two" };
        assert!(approvals::gives(&app, &mut tx, By::OwnRight, thing, Fen(100), NOW).await.unwrap());
        let too_much = Fen(app.config.staff_limit.0);
        assert!(!approvals::gives(&app, &mut tx, By::OwnRight, thing, too_much, NOW).await.unwrap());
        tx.commit().await.unwrap();
        post("asked").await
    };
    assert!(audit::acting("chen", asked).await.0.is_ok());
    assert!(post("by-the-host").await.is_ok());
    assert_eq!(testing::balance(&app, &member).await, Fen(200));
}

/// Where money moves in a clerk's request, and nobody is asked: the ledger refuses everything else ([`audit::may_move`]).
const ASKS_NOBODY: [(&str, &str); 2] = [
    ("orders/src/progress.rs", "a parcel has arrived: what the buyer paid for the maker is the maker's"),
    (
        "payments/src/refund.rs",
        "a refund ends: what was set aside, of which somebody was asked, goes on or comes back",
    ),
];

#[test]
fn who_moves_money_and_asks_nobody_has_a_reason() {
    let mut found = Vec::new();
    for folder in ["app/slices", "app/server/src"] {
        for (path, text) in testing::sources(&Path::new(env!("BINDERY_CHECKOUT")).join(folder)) {
            if !path.ends_with("models/approvals.rs") && text.contains("gives_nothing(") {
                found.push(path);
            }
        }
    }
    let is_known = |path: &Path| ASKS_NOBODY.iter().any(|(known, _)| path.ends_with(known));
    let new: Vec<_> = found.iter().filter(|path| !is_known(path)).collect();
    assert!(new.is_empty() && found.len() == ASKS_NOBODY.len(), "{new:?} of {found:?}");
}
