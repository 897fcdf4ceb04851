//! Random business beside a plain model of it, and many hands at once, over all slices.

/// Runs tests of an empty program on both engines.
macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 8)] async fn $name() {
                if let Some((app, _folder)) = crate::testing::app(crate::testing::Engine::Sqlite).await {
                    super::$name(app).await;
                }
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 8)] async fn $name() {
                if let Some((app, _folder)) = crate::testing::app(crate::testing::Engine::Postgres).await {
                    super::$name(app).await;
                }
            })+
        }
    };
}

mod approvals;
mod coupons;
mod gift_cards;
mod giving;
mod ledger;
mod membership;
mod orders;
mod orders_races;
mod photos;
mod selling;
mod transfers;
mod uses;
mod weights;
