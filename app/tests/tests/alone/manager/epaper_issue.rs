//! /manager/epaper_issue: what becomes of an issue that readers bought alone, when its maker or the house withdraws it.

use reqwest::StatusCode;

use support::payments::said;
use support::printed_copies::shared;
use support::publications::{editor, out, set};
use support::selling::redeem;
use support::wait::until;
use support::{Caller, Server, between, location, on_both_engines};

use super::recharge::with_bank;

on_both_engines!(
    what_was_bought_of_an_issue_stays_or_is_given_back,
    what_is_withdrawn_meanwhile_is_not_paid,
    what_the_house_withdraws_nobody_reads_or_pays,
);

/// An issue of two pages of which the first may be tried.
const SOLD: [(&str, &str); 3] = [("reading", "sold"), ("issue_price", "28"), ("preview_pages", "1")];

fn books_hold(server: &Server) {
    assert!(said(&server.run(&["ledger", "check"])).contains("The books hold"));
}

/// Begins to buy an issue, and answers the page on which it is paid.
async fn begun(reader: &Caller, issue: &str) -> String {
    location(&reader.post(&format!("/manager/issue/{issue}/purchase"), &[]).await)
}

/// Buys an issue from the balance.
async fn bought(reader: &Caller, issue: &str) {
    let till = begun(reader, issue).await;
    assert_eq!(location(&reader.post(&till, &[("method", "balance")]).await), till);
}

/// Gives an issue on a card, and answers its code.
async fn given(giver: &Caller, issue: &str) -> String {
    let page = format!("/manager/issue/{issue}/gift");
    let form = between(&giver.page(&page).await, "name=\"gift\" value=\"", "\"");
    let fields = [("gift", form.as_str()), ("giver", "小雨"), ("way", "card")];
    let till = location(&giver.post(&page, &fields).await);
    assert_eq!(location(&giver.post(&till, &[("method", "balance")]).await), till);
    let gift = till.replace("/purchase/", "/gift/");
    between(&giver.page(&gift).await, "<p class=\"gift-code num\">", "<")
}

async fn what_was_bought_of_an_issue_stays_or_is_given_back(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "kept-a", "2026-01-10", &SOLD).await;
    let (desk, base) = (format!("/manager/epaper_issue/{id}"), "/epaper/kept-a/2026-01-10");
    let mut buyers = Vec::new();
    for account in ["one@example.com", "two@example.com", "giver@example.com"] {
        buyers.push(server.member(account, "50").await);
    }
    for buyer in &buyers[..2] {
        bought(buyer, &id).await;
    }
    let code = given(&buyers[2], &id).await;
    let late = server.member("late@example.com", "50").await;
    let till = begun(&late, &id).await;
    let picture = buyers[0].page(&format!("{base}/2")).await;
    let picture = format!("{base}/picture/{}", between(&picture, "/picture/", "\""));
    let page = maker.page(&desk).await;
    assert!(page.contains("有 3 位读者买过这一期，撤回以后他们仍然可以读，别人不能"), "{page}");
    assert!(page.contains("单独买过它的 3 位读者，共付 ¥84.00"), "{page}");
    assert!(page.contains("<summary>撤回并退款</summary>"), "{page}");

    // whatever its maker does with it, it is theirs, and nobody else's
    set(&maker, "epaper", &id, "withdraw").await;
    let (first, second) = (format!("{base}/1"), format!("{base}/2"));
    let article = format!("{base}/a/3");
    for path in [&first, &second, &article, &picture, &format!("{base}/manifest.json")] {
        assert_eq!(buyers[0].get(path).await.status(), StatusCode::OK, "{path}");
        for nobody in [&server.visitor(), &late] {
            assert_eq!(nobody.get(path).await.status(), StatusCode::GONE, "{path}");
        }
    }
    let page = buyers[0].page(&second).await;
    assert!(page.contains("这一期已经撤回，别人打不开了；您买过它") && page.contains("noindex"), "{page}");
    assert!(buyers[0].page(&format!("{base}/search?q=football")).await.contains(&format!("{base}/a/4?q=")));
    let study = buyers[0].page("/manager/book-study").await;
    assert!(study.contains(&format!("href=\"{base}\"")), "{study}");
    assert_eq!(location(&buyers[0].get(&format!("/manager/issue/{id}")).await), first);
    assert_eq!(server.visitor().get("/epaper/kept-a").await.status(), StatusCode::NOT_FOUND);
    // a gift that was paid is somebody's, too
    let friend = server.member("friend@example.com", "0").await;
    assert_eq!(friend.get(&second).await.status(), StatusCode::GONE);
    assert_eq!(redeem(&friend, &code).await.1["status"], 1);
    assert_eq!(friend.get(&second).await.status(), StatusCode::OK);
    // what nobody has paid is over
    assert_eq!(late.get(&till).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(late.post(&till, &[("method", "balance")]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(late.balance().await, "50.00");
    // a magazine is no other thing
    let (_, number) = out(&maker, "magazine", "kept-m", "2026-01-10", &SOLD).await;
    bought(&late, &number).await;
    set(&maker, "magazine", &number, "withdraw").await;
    for path in ["/magazine/kept-m/1", "/magazine/kept-m/1/2"] {
        assert_eq!(late.get(path).await.status(), StatusCode::OK, "{path}");
        assert_eq!(buyers[0].get(path).await.status(), StatusCode::GONE, "{path}");
    }
    let all = [("act", "withdraw"), ("refund", "all")];
    location(&maker.post(&format!("/manager/magazine_issue/{number}/state"), &all).await);
    until("the money is back", async || late.balance().await == "50.00").await;
    assert_eq!(late.get("/magazine/kept-m/1/2").await.status(), StatusCode::GONE);
    // it is not removed under its readers
    let page = maker.page(&desk).await;
    assert!(page.contains("买过这一期的 3 位读者仍然可以读"), "{page}");
    let revision = between(&page, "name=\"revision\" value=\"", "\"");
    let remove = async || maker.post(&format!("{desk}/removal"), &[("revision", &revision)]).await;
    let answer = remove().await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let told = answer.text().await.unwrap();
    assert!(told.contains("还有 3 位读者买了这一期可以读，现在不能删除。先给他们退款"), "{told}");

    // one step gives everybody the money back, and ends their reading
    set(&maker, "epaper", &id, "publish").await;
    for _ in 0..2 {
        let answer = maker.post(&format!("{desk}/state"), &all).await;
        assert_eq!(location(&answer), format!("{desk}?done=refunded"));
    }
    assert!(maker.page(&format!("{desk}?done=refunded")).await.contains("正在给单独买过这一期的读者退款"));
    until("all have their money", async || {
        for buyer in &buyers {
            if buyer.balance().await != "50.00" {
                return false;
            }
        }
        true
    })
    .await;
    for nobody in buyers.iter().chain([&friend]) {
        for path in [&first, &second, &article, &picture] {
            assert_eq!(nobody.get(path).await.status(), StatusCode::GONE, "{path}");
        }
    }
    let study = buyers[0].page("/manager/book-study").await;
    assert!(!study.contains(&format!("href=\"{base}\"")), "{study}");
    let orders = maker.page("/manager/epaper_order").await;
    assert!(orders.contains("已退款") && !orders.contains("badge good\">已付款"), "{orders}");
    let days = maker.get("/manager/statisticMag/days.csv").await.text().await.unwrap();
    assert!(days.lines().any(|line| line.contains("全部") && line.ends_with(",4,0.00,4,0")), "{days}");
    books_hold(&server);
    assert!(!maker.page(&desk).await.contains("退款</summary>"), "nothing is left to give back");
    assert_eq!(remove().await.status(), StatusCode::SEE_OTHER);
}

/// A sale can be begun while its issue is withdrawn, and money may be on its way from a bank then.
async fn what_is_withdrawn_meanwhile_is_not_paid(mut server: Server) {
    with_bank(&mut server).await;
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "kept-b", "2026-01-10", &SOLD).await;
    let (reader, other) =
        (server.member("reader@example.com", "50").await, server.member("other@example.com", "0").await);
    let till = begun(&reader, &id).await;
    let others = begun(&other, &id).await;
    let pay = async |who: &Caller, till: &str| {
        let key = between(&who.page(till).await, "name=\"request_key\" value=\"", "\"");
        who.post(till, &[("request_key", &key), ("method", "transfer")]).await
    };
    let payment = location(&pay(&other, &others).await);
    let reference = between(&other.page(&payment).await, "class=\"reference num\">", "<");
    // as if both sales had been written just after it
    server.sql(&format!("update issues set state = 'withdrawn' where id = '{id}'")).await;
    let by_balance = reader.post(&till, &[("method", "balance")]).await;
    let by_bank = pay(&reader, &till).await;
    for answer in [by_balance, by_bank] {
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let told = answer.text().await.unwrap();
        assert!(told.contains("它已经撤回，现在不能买了；没有扣款"), "{told}");
    }
    assert_eq!(reader.balance().await, "50.00");
    // what arrives all the same is the reader's
    said(&server.run(&["recharge", "confirm", &reference, "--amount", "28.00", "--number", "B-1"]));
    assert_eq!(other.balance().await, "28.00");
    let paid = "select cast(count(*) as text) from sales where state <> 'unpaid'";
    assert_eq!(server.read(paid).await, "0");
    assert_eq!(other.get("/epaper/kept-b/2026-01-10/2").await.status(), StatusCode::GONE);
    // out again it is paid
    server.sql(&format!("update issues set state = 'published' where id = '{id}'")).await;
    assert_eq!(location(&reader.post(&till, &[("method", "balance")]).await), till);
    assert_eq!(reader.balance().await, "22.00");
    books_hold(&server);
}

async fn what_the_house_withdraws_nobody_reads_or_pays(server: Server) {
    let begun_sales = "select cast(count(*) as text) from sales where state = 'unpaid'";
    // a work
    let sold = [("reading", "sold"), ("price", "28"), ("preview_pages", "1")];
    let (_, work) = shared(&server, &sold).await;
    let late = server.member("late@example.com", "50").await;
    let buying = format!("/manager/opus_share_buy/{work}");
    let till = location(&late.post(&buying, &[("what", "reading")]).await);
    assert_eq!(server.read(begun_sales).await, "1");
    said(&server.run(&["share", "withdraw", &work, "--reason", "侵权"]));
    assert_eq!(server.read(begun_sales).await, "0");
    assert_eq!(late.post(&till, &[("method", "balance")]).await.status(), StatusCode::NOT_FOUND);

    // an issue
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "kept-c", "2026-01-10", &SOLD).await;
    let (desk, base) = (format!("/manager/epaper_issue/{id}"), "/epaper/kept-c/2026-01-10");
    let buyer = server.member("buyer@example.com", "50").await;
    bought(&buyer, &id).await;
    let till = begun(&late, &id).await;
    for said_so in ["Nobody reads", "was withdrawn before"] {
        let done = said(&server.run(&["issue", "withdraw", &format!("{base}/1"), "--reason", "侵权。"]));
        assert!(done.contains(said_so), "{done}");
    }
    assert_eq!(late.post(&till, &[("method", "balance")]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(late.balance().await, "50.00");
    for path in [format!("{base}/1"), format!("{base}/2"), format!("{base}/a/3")] {
        assert_eq!(buyer.get(&path).await.status(), StatusCode::GONE, "{path}");
    }
    let study = buyer.page("/manager/book-study").await;
    assert!(study.contains("西湖晚报") && !study.contains(&format!("href=\"{base}\"")), "{study}");
    let page = maker.page(&desk).await;
    assert!(page.contains("已被下架（侵权），谁都不能再看") && !page.contains("value=\"publish\""), "{page}");
    let answer = maker.post(&format!("{desk}/state"), &[("act", "publish")]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    // taken back, it is its buyers' again, and its maker may publish it
    said(&server.run(&["issue", "allow", base]));
    assert!(!server.run(&["issue", "allow", base]).status.success());
    assert_eq!(buyer.get(&format!("{base}/2")).await.status(), StatusCode::OK);
    set(&maker, "epaper", &id, "publish").await;
    assert_eq!(server.visitor().get(&format!("{base}/1")).await.status(), StatusCode::OK);
    let noted = "select cast(count(*) as text) from audit_log where action like 'issue.%'";
    assert_eq!(server.read(noted).await, "2", "each once");
    assert!(
        !server.run(&["issue", "withdraw", "/epaper/kept-c/2026-01-11", "--reason", "x"]).status.success()
    );
    books_hold(&server);
}
