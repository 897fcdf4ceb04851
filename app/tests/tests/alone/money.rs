//! Money under load: killed processes, two processes, everything at once.

use std::convert::identity;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand::RngExt;
use reqwest::{Response, StatusCode};

use support::wait::carried_out;
use support::{Caller, Engine, PASSWORD, Server, jpeg, location, on_both_engines, rounds};

on_both_engines!(
    no_kill_loses_a_payment,
    sixty_four_presses_pay_once,
    sixty_four_orders_share_one_balance,
    waiting_payments_leave_pages_alone,
);

/// Orders that each round pays and cancels.
const ORDERS: usize = 12;

/// Orders of 12.34 that wait for their payment, as many as there are names. What is printed does not matter here.
pub async fn unpaid_orders(server: &Server, member: &str, names: impl Iterator<Item = String>) {
    let address = r#"{"id":"a","receiver":"林知夏","phone":"13800138000","province":"浙江省","city":"杭州市","district":"西湖区","street":"龙井路 18 号","is_default":true}"#;
    let rows: Vec<String> = names
        .map(|name| format!("('{name}', '{member}', '{name}', 'unpaid', 1034, 200, 1234, '{address}', 1, 1)"))
        .collect();
    server
        .sql(&format!(
            "insert into orders
                (id, member_id, request_key, state, goods_total, shipping, total, address, created_at, state_since)
             values {}",
            rows.join(",")
        ))
        .await;
}

pub async fn id_of(server: &Server, account: &str) -> String {
    server.read(&format!("select id from members where account = '{account}'")).await
}

pub fn books_hold(server: &Server) {
    let output = server.run(&["ledger", "check"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.starts_with("The books hold"), "{said}");
}

/// What a member was told about an order before the power went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    Nothing,
    Paid,
    Cancelled,
}

/// Pays an order and cancels it at once where asked to, as long as somebody answers: what counts as an answer says `answered`.
pub async fn pay_and_cancel(
    member: Caller,
    order: String,
    cancel: bool,
    answers: Arc<AtomicUsize>,
    answered: fn(Option<Response>) -> Option<Response>,
) -> Told {
    let paid = member.try_post("/manager/shopping/pay", &[("order", &order)]).await;
    let Some(answer) = answered(paid) else { return Told::Nothing };
    answers.fetch_add(1, Ordering::Relaxed);
    assert!(location(&answer).starts_with("/manager/shopping/success"));
    if !cancel {
        return Told::Paid;
    }
    let cancelled = member.try_post(&format!("/manager/order/{order}/cancellation"), &[]).await;
    let Some(answer) = answered(cancelled) else { return Told::Paid };
    answers.fetch_add(1, Ordering::Relaxed);
    assert_eq!(location(&answer), format!("/manager/order/{order}"));
    Told::Cancelled
}

/// Each order of a round, by its place, must be as its buyer was told; answers how many were told anything.
pub async fn as_told(server: &Server, round: usize, expected: Vec<Told>) -> usize {
    let states = format!("select id || ' ' || state from orders where id like '{round}-%'");
    let states = server.column(&states).await;
    for (index, expected) in expected.iter().enumerate() {
        let name = format!("{round}-{index}");
        let (_, state) =
            states.iter().filter_map(|row| row.split_once(' ')).find(|(id, _)| *id == name).unwrap();
        match expected {
            Told::Nothing => assert_ne!(state, "cancelled", "nobody asked for that"),
            // the cancellation may have been carried out and its answer lost
            Told::Paid => assert!(["paid", "cancelled"].contains(&state), "{name} is {state}"),
            Told::Cancelled => assert_eq!(state, "cancelled", "{name}"),
        }
    }
    expected.into_iter().filter(|told| *told != Told::Nothing).count()
}

async fn no_kill_loses_a_payment(mut server: Server) {
    let mut member = server.member("buyer@example.com", "100000").await;
    let id = id_of(&server, "buyer@example.com").await;
    let mut told = 0;
    let rounds = rounds(30, 200);
    for round in 0..rounds {
        let name = |index: usize| format!("{round}-{index}");
        unpaid_orders(&server, &id, (0..ORDERS).map(name)).await;
        let answers = Arc::new(AtomicUsize::new(0));
        let tasks: Vec<_> = (0..ORDERS)
            .map(|index| {
                pay_and_cancel(member.clone(), name(index), index % 3 == 0, answers.clone(), identity)
            })
            .map(tokio::spawn)
            .collect();
        // somewhere between two answers, however fast the machine is
        let (enough, pause) = (rand::rng().random_range(0..ORDERS), rand::rng().random_range(0..3_000));
        let patience = Instant::now() + Duration::from_secs(5);
        while answers.load(Ordering::Relaxed) < enough && Instant::now() < patience {
            tokio::time::sleep(Duration::from_micros(500)).await;
        }
        tokio::time::sleep(Duration::from_micros(pause)).await;
        server.kill();
        let mut expected = Vec::new();
        for task in tasks {
            expected.push(task.await.unwrap());
        }
        server.restart();
        // the session is in the database, so the browser is still signed in
        member.base.clone_from(&server.base);
        told += as_told(&server, round, expected).await;
        if round % 20 == 19 {
            books_hold(&server);
        }
    }
    books_hold(&server);
    assert!(told > rounds, "the rounds ended before anything happened: {told}");
}

async fn sixty_four_presses_pay_once(server: Server) {
    let member = server.member("buyer@example.com", "100").await;
    let id = id_of(&server, "buyer@example.com").await;
    unpaid_orders(&server, &id, std::iter::once("one".to_owned())).await;
    let presses: Vec<_> = (0..64)
        .map(|_| {
            let member = member.clone();
            tokio::spawn(async move { member.post("/manager/shopping/pay", &[("order", "one")]).await })
        })
        .collect();
    for press in presses {
        assert_eq!(location(&press.await.unwrap()), "/manager/shopping/success?order=one");
    }
    assert_eq!(member.balance().await, "87.66");
    books_hold(&server);
}

async fn sixty_four_orders_share_one_balance(server: Server) {
    let member = server.member("buyer@example.com", "20").await;
    let id = id_of(&server, "buyer@example.com").await;
    unpaid_orders(&server, &id, (0..64).map(|index| format!("o{index}"))).await;
    let presses: Vec<_> = (0..64)
        .map(|index| {
            let (member, order) = (member.clone(), format!("o{index}"));
            tokio::spawn(async move { member.post("/manager/shopping/pay", &[("order", &order)]).await })
        })
        .collect();
    let mut paid = 0;
    for press in presses {
        let answer = press.await.unwrap();
        if answer.status() == StatusCode::SEE_OTHER {
            paid += 1;
        } else {
            assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
            assert!(answer.text().await.unwrap().contains("余额不足"));
        }
    }
    assert_eq!(paid, 1);
    assert_eq!(member.balance().await, "7.66");
    books_hold(&server);
}

/// Whoever waits for its turn to write holds nothing that a page needs.
async fn waiting_payments_leave_pages_alone(server: Server) {
    let member = server.member("buyer@example.com", "100000").await;
    let id = id_of(&server, "buyer@example.com").await;
    unpaid_orders(&server, &id, (0..256).map(|index| format!("w{index}"))).await;
    let presses: Vec<_> = (0..256)
        .map(|index| {
            let (member, order) = (member.clone(), format!("w{index}"));
            tokio::spawn(async move { member.post("/manager/shopping/pay", &[("order", &order)]).await })
        })
        .collect();
    for _ in 0..5 {
        assert_eq!(member.get("/manager/order").await.status(), StatusCode::OK);
    }
    for press in presses {
        assert_eq!(press.await.unwrap().status(), StatusCode::SEE_OTHER);
    }
    books_hold(&server);
}

/// Two processes on one PostgreSQL and one storage; one of them dies in the middle of everything.
#[tokio::test]
async fn two_servers_share_one_database() {
    let Some(mut one) = Server::start(Engine::Postgres).await else {
        eprintln!("skipped: BINDERY_TEST_POSTGRES is not set");
        return;
    };
    let other = one.another();
    let member = one.member("buyer@example.com", "1000").await;
    // the session of one holds at the other
    let there = member.at(&other.base);
    assert_eq!(there.get("/manager/order").await.status(), StatusCode::OK);
    let line = member.cart_with_album().await;
    let order = there.order(&line).await;
    let answer = member.post("/manager/shopping/pay", &[("order", &order)]).await;
    assert_eq!(location(&answer), format!("/manager/shopping/success?order={order}"));
    assert!(there.page(&format!("/manager/order/{order}")).await.contains("已付款"));

    // both are paid at, while one makes pictures of new photos, and dies
    let id = id_of(&one, "buyer@example.com").await;
    unpaid_orders(&one, &id, (0..40).map(|index| format!("t{index}"))).await;
    let photos = member.upload((100..108).map(|n| ("照片.jpg", jpeg(1600, 1200, n))).collect()).await;
    let tasks: Vec<_> = (0..40)
        .map(|index| {
            let caller = if index % 2 == 0 { member.clone() } else { there.clone() };
            tokio::spawn(pay_and_cancel(
                caller,
                format!("t{index}"),
                index % 5 == 0,
                Arc::default(),
                identity,
            ))
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(30)).await;
    one.kill();
    for (index, task) in tasks.into_iter().enumerate() {
        let told = task.await.unwrap();
        if index % 2 == 1 {
            assert_ne!(told, Told::Nothing, "the other one answers on");
        }
        let state = other.read(&format!("select state from orders where id = 't{index}'")).await;
        match told {
            Told::Nothing => {}
            Told::Paid => assert!(state == "paid" || state == "cancelled", "t{index} is {state}"),
            Told::Cancelled => assert_eq!(state, "cancelled"),
        }
    }
    // half a minute goes by, in which the dead one gives no sign of life
    other.sql("update jobs set leased_until = 0").await;
    carried_out(&other, &["derive_photo"]).await;
    for photo in photos {
        assert_eq!(there.get(&format!("/manager/photo/{photo}/320")).await.status(), StatusCode::OK);
    }
    books_hold(&other);
    // whoever was signed in at the dead one goes on at the other
    let again = other.visitor();
    assert_eq!(again.sign_in("buyer@example.com", PASSWORD).await.status(), StatusCode::SEE_OTHER);
}
