//! /manager/opus_share_buy: reading and printed copies of somebody else's work, and what its maker has of them.

use reqwest::StatusCode;

use support::payments::said;
use support::printed_copies::{chosen, order_form, shared};
use support::wait::{eventually, until};
use support::{Server, between, location, on_both_engines};

on_both_engines!(
    reading_is_bought_once_and_opens,
    what_was_bought_stays_or_is_given_back;
    on_sqlite:
    a_printed_copy_is_the_readers_order_and_its_markup_the_makers,
);

fn books_hold(server: &Server) {
    assert!(said(&server.run(&["ledger", "check"])).contains("The books hold"));
}

async fn reading_is_bought_once_and_opens(server: Server) {
    let (_, work) = shared(&server, &[("reading", "sold"), ("price", "9.90"), ("preview_pages", "1")]).await;
    let buyer = server.member("buyer@example.com", "50").await;
    let (read, desk) = (format!("/read/{work}"), format!("/manager/opus_share_buy/{work}"));
    assert!(buyer.page(&read).await.contains(&format!("href=\"{desk}\"")), "the offer leads there");
    let page = buyer.page(&desk).await;
    assert!(page.contains("9.90") && page.contains("value=\"reading\""), "{page}");
    // pressed twice it is one purchase, and paid twice it is paid once
    let till = location(&buyer.post(&desk, &[("what", "reading")]).await);
    assert_eq!(location(&buyer.post(&desk, &[("what", "reading")]).await), till);
    assert_eq!(buyer.get(&format!("{read}/2")).await.status(), StatusCode::FORBIDDEN);
    for _ in 0..2 {
        assert_eq!(location(&buyer.post(&till, &[]).await), till);
    }
    assert!(buyer.page(&till).await.contains(&format!("href=\"{read}\"")), "and leads to the book");
    assert_eq!(buyer.get(&format!("{read}/2")).await.status(), StatusCode::OK);
    assert_eq!(buyer.balance().await, "40.10");
    assert!(buyer.page(&desk).await.contains("您可以读完整本"));
    assert_eq!(location(&buyer.post(&desk, &[("what", "reading")]).await), desk);
    books_hold(&server);
}

async fn what_was_bought_stays_or_is_given_back(server: Server) {
    let sold = [("reading", "sold"), ("price", "28"), ("preview_pages", "1")];
    let (maker, work) = shared(&server, &sold).await;
    let (read, settings) = (format!("/read/{work}"), format!("/manager/opus_share_edit/{work}"));
    let mut buyers = Vec::new();
    for account in ["one@example.com", "two@example.com"] {
        let buyer = server.member(account, "50").await;
        let desk = format!("/manager/opus_share_buy/{work}");
        let till = location(&buyer.post(&desk, &[("what", "reading")]).await);
        buyer.post(&till, &[]).await;
        buyers.push(buyer);
    }
    let page = maker.page(&settings).await;
    assert!(page.contains("有 2 位读者买过它，收回以后他们仍然可以读"), "{page}");
    assert!(page.contains("单独买过它的 2 位读者，共付 ¥56.00"), "{page}");
    // whatever its maker does with it, it is theirs, and nobody else's
    let stays = async |what: &str| {
        for path in [read.clone(), format!("{read}/2")] {
            let status = buyers[0].get(&path).await.status();
            assert_eq!(status, StatusCode::OK, "{what}: {path}");
        }
        assert_ne!(server.visitor().get(&read).await.status(), StatusCode::OK, "{what}");
        let study = buyers[0].page("/manager/book-study").await;
        assert!(study.contains(&format!("href=\"{read}\"")), "{what}: {study}");
    };
    maker.post(&format!("{settings}/withdrawal"), &[]).await;
    stays("withdrawn").await;
    maker.share_as(&work, &[sold.as_slice(), &[("ends_on", "2020-01-01")]].concat()).await;
    maker.post(&format!("/manager/opus/{work}/trash"), &[]).await;
    stays("in the trash").await;
    let answer = maker.post(&format!("/manager/opus/{work}/deletion"), &[]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(answer.text().await.unwrap().contains("还有 2 位读者买了"));
    carried_out_later(&server).await;
    stays("after its time in the trash").await;
    maker.post(&format!("/manager/opus/{work}/restoration"), &[]).await;
    maker.share_as(&work, &sold).await;
    // what the house withdraws for cause nobody reads
    assert!(server.run(&["share", "withdraw", &work, "--reason", "侵权"]).status.success());
    assert_eq!(buyers[0].get(&read).await.status(), StatusCode::GONE);
    assert!(server.run(&["share", "allow", &work]).status.success());
    maker.share_as(&work, &sold).await;
    // one step gives everybody the money back, and ends their reading
    let answer = maker.post(&format!("{settings}/withdrawal?refund=all"), &[]).await;
    assert_eq!(location(&answer), format!("{settings}?saved=refunded"));
    until("all have their money", async || {
        buyers[0].balance().await == "50.00" && buyers[1].balance().await == "50.00"
    })
    .await;
    assert_eq!(buyers[0].get(&read).await.status(), StatusCode::GONE);
    let orders = maker.page("/manager/epaper_order").await;
    assert!(orders.contains("已退款") && !orders.contains("badge good\">已付款"), "{orders}");
    let days = maker.get("/manager/statisticMag/days.csv").await.text().await.unwrap();
    assert!(days.lines().any(|line| line.contains("全部") && line.ends_with(",2,0.00,2,0")), "{days}");
    books_hold(&server);
    let deleted = [("trash", StatusCode::SEE_OTHER), ("deletion", StatusCode::SEE_OTHER)];
    for (step, status) in deleted {
        assert_eq!(maker.post(&format!("/manager/opus/{work}/{step}"), &[]).await.status(), status);
    }
}

/// The time of works in the trash comes, and they are looked at.
async fn carried_out_later(server: &Server) {
    let waits = "select cast(count(*) as text) from jobs where kind = 'forget_work' and run_at <= 1";
    server.sql("update jobs set run_at = 1 where kind = 'forget_work'").await;
    eventually(server, waits, "0").await;
}

async fn a_printed_copy_is_the_readers_order_and_its_markup_the_makers(server: Server) {
    let (maker, work) = shared(&server, &[("print", "1"), ("markup", "5.00")]).await;
    let buyer = server.member("buyer@example.com", "500").await;
    let desk = format!("/manager/opus_share_buy/{work}");
    assert!(buyer.page(&format!("/read/{work}")).await.contains(&format!("{desk}#print-title")));
    assert!(buyer.page(&desk).await.contains("goods=album-210"));
    let fields = chosen(&buyer, &desk, "2").await;
    let of = |changed: &str, value: &str| {
        let mut fields = fields.clone();
        fields.iter_mut().filter(|(name, _)| name == changed).for_each(|(_, old)| *old = value.to_owned());
        fields
    };
    let post = async |page: &str, fields: &[(String, String)]| {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        buyer.post(page, &fields).await
    };
    for (field, value) in [("quantity", "0"), ("quantity", "1e9"), ("goods", "booklet-a5")] {
        let answer = post(&desk, &of(field, value)).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
    }
    let page = location(&post(&desk, &fields).await);
    assert!(page.starts_with(&format!("{desk}/order?")), "{page}");
    let (shown, form) = order_form(&buyer, &page).await;
    assert!(shown.contains("送老师") && shown.contains("山海之间"), "{shown}");
    // sent twice it is one order
    let till = location(&post(&page, &form).await);
    assert_eq!(location(&post(&page, &form).await), till);
    let order = till.rsplit('=').next().unwrap().to_owned();
    // what its maker does afterwards changes nothing
    maker.share_as(&work, &[("markup", "9.00"), ("print", "1"), ("title", "另一本")]).await;
    for _ in 0..2 {
        buyer.post("/manager/shopping/pay", &[("order", &order)]).await;
    }
    let paid = buyer.page(&format!("/manager/order/{order}")).await;
    assert!(paid.contains("作者加价") && paid.contains("5.00 × 2 本"), "{paid}");
    assert!(!paid.contains("/reorder"));
    let picture = between(&paid, "<img src=\"/manager/order/", "\"");
    assert_eq!(buyer.get(&format!("/manager/order/{picture}")).await.status(), StatusCode::OK);
    assert_eq!(maker.get(&format!("/manager/order/{order}")).await.status(), StatusCode::NOT_FOUND);
    let on = "select cast(coalesce(sum(balance), 0) as text) from ledger_accounts where id like";
    assert_eq!(server.read(&format!("{on} 'royalty:%'")).await, "1000");
    books_hold(&server);
    // photos that are printed stay
    let photos = maker.library().await;
    maker.post(&format!("/manager/opus_share_edit/{work}/withdrawal"), &[]).await;
    maker.post(&format!("/manager/opus/{work}/trash"), &[]).await;
    let chosen: Vec<(&str, &str)> = photos.iter().map(|photo| ("photo", photo.as_str())).collect();
    let told = maker.post("/manager/photos/removal", &chosen).await.text().await.unwrap();
    assert!(told.contains("正用在"), "{told}");
    // the maker has its part when the copies are there
    server.sql("update orders set paid_at = paid_at - 3700000").await;
    for step in [vec!["start"], vec!["ship", "--carrier", "中通", "--tracking", "Z1"], vec!["deliver"]] {
        let arguments = [&["order", step[0], &order][..], &step[1..]].concat();
        assert!(server.run(&arguments).status.success(), "{step:?}");
    }
    assert_eq!(server.read(&format!("{on} 'income:%'")).await, "1000");
    assert!(said(&server.run(&["payout", "list"])).contains("10.00"));
    books_hold(&server);
    // and nothing of what is called off
    maker.post(&format!("/manager/opus/{work}/restoration"), &[]).await;
    maker.share_as(&work, &[("print", "1"), ("markup", "5.00")]).await;
    let page = location(&post(&desk, &fields).await);
    let (_, form) = order_form(&buyer, &page).await;
    let order = location(&post(&page, &form).await).rsplit('=').next().unwrap().to_owned();
    let before = buyer.balance().await;
    buyer.post("/manager/shopping/pay", &[("order", &order)]).await;
    assert_ne!(buyer.balance().await, before);
    buyer.post(&format!("/manager/order/{order}/cancellation"), &[]).await;
    assert_eq!(buyer.balance().await, before);
    assert_eq!(server.read(&format!("{on} 'royalty:%'")).await, "0");
    books_hold(&server);
}
