//! The program behind PgBouncer with `pool_mode = transaction`: five connections, each lent for one transaction, to whoever asks.

use futures::future::join_all;

use support::{Engine, Server, jpeg, pooled};

/// More than there are connections.
const MEMBERS: u8 = 12;

#[tokio::test]
async fn a_pooler_lends_connections_for_one_transaction_each() {
    let Some(mut server) = Server::start(Engine::Postgres).await else { return };
    let Some(address) = pooled(&server.database_url) else {
        eprintln!("skipped: PgBouncer is not installed");
        return;
    };
    server.emptied().await;
    let settings = [("BINDERY_DATABASE_URL", address.as_str())];
    let first = server.run_with(&settings, &["check"]);
    assert!(
        String::from_utf8_lossy(&first.stdout).contains("empty; the first start makes its tables"),
        "{first:?}"
    );
    // as many who bring it up to date at once: one does, and the others leave it the connections that this needs
    let done: Vec<_> = std::thread::scope(|scope| {
        let begun: Vec<_> =
            (0..MEMBERS).map(|_| scope.spawn(|| server.run_with(&settings, &["migrate"]))).collect();
        begun.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(done.iter().all(|one| one.status.success()), "{done:?}");

    server.set("BINDERY_DATABASE_URL", address.clone());
    server.restart();
    let orders = join_all((0..MEMBERS).map(|number| {
        let server = &server;
        async move {
            let member = server.member(&format!("buyer{number}@example.com"), "500").await;
            let photos =
                member.upload((0..2).map(|n| ("照片.jpg", jpeg(640, 480, 2 * number + n))).collect()).await;
            let work = member.album("square-210", "海边的夏天", &photos).await;
            let line = member.add_to_cart(&work, "album-210").await;
            let order = member.order(&line).await;
            member.post("/manager/shopping/pay", &[("order", &order)]).await;
            assert!(member.page(&format!("/manager/order/{order}")).await.contains("已付款"));
            // derived by jobs
            for photo in &photos {
                assert_eq!(member.get(&format!("/manager/photo/{photo}/320")).await.status(), 200);
            }
            order
        }
    }))
    .await;
    let paid = server.column("select id from orders where state = 'paid' order by id").await;
    let mut orders = orders;
    orders.sort();
    assert_eq!(paid, orders);
    for (words, expected) in [(&["check"][..], "can be written to, up to date"), (&["ledger", "check"], "")] {
        let told = server.run_with(&settings, words);
        assert!(
            told.status.success() && String::from_utf8_lossy(&told.stdout).contains(expected),
            "{told:?}"
        );
    }
}
