#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicUsize, Ordering};

use base::testing::Engine;
use tokio::time::timeout;

use super::*;
use crate::app::testing::{Nobody, app};
use crate::slice::{House, Slice};

static PANICS: AtomicUsize = AtomicUsize::new(0);
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

const SOON: Duration = Duration::from_millis(5);

static HOUSE: House = House {
    slices: &[&Slice {
        background: &[
            Background::every(SOON, "one that never ends", |_| Box::pin(std::future::pending())),
            Background::every(SOON, "one that panics", |_| {
                Box::pin(async {
                    PANICS.fetch_add(1, Ordering::SeqCst);
                    panic!("once more");
                })
            }),
            Background {
                name: "one that writes",
                every: Duration::from_secs(3600),
                at_end: true,
                for_all: false,
                in_read_only: false,
                run: |_| {
                    Box::pin(async {
                        // long enough to be broken off
                        tokio::time::sleep(4 * SOON).await;
                        WRITTEN.fetch_add(1, Ordering::SeqCst);
                        Ok(())
                    })
                },
            },
        ],
        ..Slice::new("busy")
    }],
    identity: &Nobody,
};

#[tokio::test]
async fn what_never_ends_is_broken_off_and_what_has_to_be_written_is() {
    let (app, _folder) = app(Engine::Sqlite, &HOUSE).await.unwrap().expect("SQLite is always there");
    let stop = CancellationToken::new();
    let tasks = begin(&app, &stop);
    let again = async {
        while PANICS.load(Ordering::SeqCst) < 3 {
            tokio::time::sleep(SOON).await;
        }
    };
    timeout(Duration::from_secs(30), again).await.expect("one that panicked is done again");
    stop.cancel();
    for task in tasks {
        timeout(Duration::from_secs(30), task).await.expect("it ends").expect("no task panics");
    }
    assert_eq!(WRITTEN.load(Ordering::SeqCst), 1, "the round under way");
    end(&app).await.unwrap();
    assert_eq!(WRITTEN.load(Ordering::SeqCst), 2, "and the last one");
}
