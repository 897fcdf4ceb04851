//! `bindery ledger check` finds whatever somebody changes behind the program's back.

use base::db::with_write;
use domain::money::Fen;
use web::app::App;

use crate::testing::{self, Engine};
use ledger::{check, grant};

/// What is changed, and a part of what is said of it.
const TAMPERING: [(&str, &str); 12] = [
    ("update ledger_accounts set balance = balance + 1 where id = 'revenue'", "the sum of its entries"),
    ("update ledger_entries set amount = amount + 1 where account_id = 'revenue'", "sum to zero"),
    // both sides alike: the sums still fit
    ("update ledger_entries set amount = amount * 2, balance_after = balance_after * 2", "that were posted"),
    ("delete from ledger_entries where account_id = 'shipping'", "two or more"),
    ("update ledger_entries set balance_after = balance_after + 1 where sequence = 2", "running balance"),
    ("update ledger_entries set sequence = sequence + 10 where account_id = 'shipping'", "without a gap"),
    ("update ledger_transactions set digest = 'x'", "that were posted"),
    ("update orders set paid_at = null", "exactly when its total was posted"),
    ("update orders set total = total - 1", "exactly when its total was posted"),
    ("update orders set refunded = refunded + 1", "the sum of its refunds"),
    ("update orders set state = 'unpaid'", "says whether it was paid"),
    ("delete from order_refunds", "has its order and its refund"),
];

async fn what_was_changed_is_found(engine: Engine) {
    for (change, said) in TAMPERING {
        let Some((app, _folder)) = testing::app(engine).await else { return };
        some_business(&app).await;
        assert_eq!(check::check(&app).await.unwrap().faults, Vec::<String>::new());
        with_write!(&app.db, |pool| sqlx::query(change).execute(pool).await.map(drop)).unwrap();
        let faults = check::check(&app).await.unwrap().faults;
        assert!(faults.iter().any(|fault| fault.contains(said)), "{change}: {faults:#?}");
    }
}

/// Two granted balances, an order that was paid, and a part of it given back.
async fn some_business(app: &App) {
    let member = testing::member(app).await;
    for key in ["opening:one", "opening:two"] {
        grant(&app.db, &member, Fen(1_000), key, 1).await.unwrap();
    }
    let order = super::orders::place(app, &member, 900, 100, 1).await;
    let mut tx = app.db.begin().await.unwrap();
    orders::pay(&mut tx, &order, &member, 1).await.unwrap();
    tx.commit().await.unwrap();
    let part = orders::Part::Some { amount: Fen(300), key: "complaint".into() };
    orders::refund(app, &order, part, "补偿", 1).await.unwrap();
}

#[tokio::test]
async fn what_was_changed_is_found_on_sqlite() {
    what_was_changed_is_found(Engine::Sqlite).await;
}

#[tokio::test]
async fn what_was_changed_is_found_on_postgres() {
    what_was_changed_is_found(Engine::Postgres).await;
}
