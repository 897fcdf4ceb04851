//! /manager/epaper_sell, /manager/epaper_code, /manager/epaper_order, /manager/book-study: what is sold, redeemed, earned and
//! given back.

use reqwest::StatusCode;

use domain::days::DAY_MS;
use support::selling::{batch, buy, codes, package, redeem, seller};
use support::{Server, location, on_both_engines};

on_both_engines!(
    what_cannot_be_redeemed_is_refused_alike;
    on_sqlite:
    other_sellers_things_look_like_none,
    other_tiers_are_told_which_one_sells,
    readers_who_stay_are_counted_by_month,
    what_is_wrong_with_a_package_is_said_beside_the_field,
    a_seller_has_so_many_packages,
);

async fn a_seller_has_so_many_packages(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    server
        .sql(&format!(
            "insert into packages (id, seller_id, seller_name, title, description, term_unit, term_count, price, trial_pages,
                                   on_sale_from, created_at, updated_at)
             with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < 300)
             select id || n, seller_id, seller_name, title, description, term_unit, term_count, price, trial_pages,
                    on_sale_from, created_at, updated_at
             from packages, numbers where id = '{id}'"
        ))
        .await;
    let fields = [
        ("package", "one-too-many"),
        ("title", "第三百零一套"),
        ("unit", "days"),
        ("count", "30"),
        ("price", "30"),
        ("content", works[0].as_str()),
    ];
    let answer = seller.post("/manager/epaper_sell/new", &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("最多可以有 300 个套餐") && page.contains("value=\"第三百零一套\""), "{page}");
    // those that are there are changed as ever
    let changed: Vec<_> = fields.into_iter().skip(1).collect();
    let answer = seller.post(&format!("/manager/epaper_sell/{id}"), &changed).await;
    assert_eq!(location(&answer), "/manager/epaper_sell?done=changed");
}

async fn what_is_wrong_with_a_package_is_said_beside_the_field(server: Server) {
    let (member, works) = seller(&server, "seller@example.com").await;
    let (_, others) = seller(&server, "other@example.com").await;
    assert!(member.page("/manager/epaper_sell").await.contains("还没有套餐"));
    let good = [
        ("package", "a-package-of-this-test"),
        ("title", "一套书"),
        ("unit", "months"),
        ("count", "12"),
        ("price", "48"),
        ("content", works[0].as_str()),
    ];
    for (field, value, told) in [
        ("title", "", "请输入套餐名称"),
        ("price", "0", "价格须在 ¥1.00 到 ¥50,000.00 之间"),
        ("price", "-1", "价格须在"),
        ("price", "1000000000", "价格须在"),
        ("price", "1e9", "价格须是数字"),
        ("price", "", "请输入价格"),
        ("count", "0", "月数须是 1 到 120"),
        ("unit", "weeks", "请选择阅读期限"),
        ("trial_pages", "-1", "试读页数须是"),
        ("from", "2026-02-30", "日期写成"),
        ("until", "2020-01-01", "停售日期不能早于开售日期"),
        ("content", "", "请至少选择一件内容"),
        // another's work is none of the choices
        ("content", others[0].as_str(), "请至少选择一件内容"),
    ] {
        let mut fields: Vec<_> = good.into_iter().filter(|(name, _)| *name != field).collect();
        fields.push((field, value));
        let answer = member.post("/manager/epaper_sell/new", &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told), "{field}={value}: no {told}");
        assert!(page.contains("value=\"a-package-of-this-test\""), "what was typed comes back");
    }
    assert_eq!(
        server.column(&format!("select id from packages where seller_id in {}", server.members())).await,
        Vec::<String>::new()
    );
    let answer = member.post("/manager/epaper_sell/new", &good).await;
    assert_eq!(location(&answer), "/manager/epaper_sell?done=added");
    let list = member.page("/manager/epaper_sell").await;
    assert!(list.contains("一套书") && list.contains("在售") && list.contains("《海边的夏天》"));
    // no longer sold, it can't be bought; the owner may put it on sale again
    let reader = server.member("reader@example.com", "100").await;
    let own = "/manager/epaper_sell/a-package-of-this-test";
    assert_eq!(location(&member.post(&format!("{own}/end"), &[]).await), "/manager/epaper_sell?done=ended");
    let answer = reader.post("/manager/package/a-package-of-this-test", &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(reader.page("/manager/package/a-package-of-this-test").await.contains("已停售"));
    let changed: Vec<_> = good.into_iter().skip(1).collect();
    assert_eq!(location(&member.post(own, &changed).await), "/manager/epaper_sell?done=changed");
    assert!(reader.page("/manager/package/a-package-of-this-test").await.contains("购买"));
}

async fn what_cannot_be_redeemed_is_refused_alike(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    let expiring = batch(&seller, &id, &[("active", "Y"), ("expires", "2099-12-31")]).await;
    let voided = batch(&seller, &id, &[("active", "Y")]).await;
    let (old, gone) = (codes(&seller, &expiring).await, codes(&seller, &voided).await);
    let reader = server.member("reader@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    assert_eq!(redeem(&other, &old[0]).await.1["status"], 1);
    assert_eq!(redeem(&other, &gone[0]).await.1["status"], 1);
    let void = format!("/manager/epaper_code/{voided}/voiding");
    assert_eq!(
        location(&seller.post(&void, &[]).await),
        format!("/manager/epaper_code/{voided}?done=voided")
    );
    assert!(seller.page(&format!("/manager/epaper_code/{voided}")).await.contains("作废"));
    server.sql(&format!("update code_batches set expires_at = 1 where id = '{expiring}'")).await;
    let refusals = [
        redeem(&reader, "AAAA-AAAA-AAAA-AAAA").await,
        redeem(&reader, &old[0]).await,
        redeem(&reader, &gone[1]).await,
        redeem(&reader, &old[1]).await,
        redeem(&reader, "BBBB-AAAA-AAAA-AAAA").await,
    ];
    assert_eq!(refusals[0].0, StatusCode::OK);
    assert_eq!(refusals[0].1["status"], 0);
    assert!(refusals.iter().all(|refusal| *refusal == refusals[0]), "{refusals:?}");
    // the page tells what was mistyped at once
    let answer = reader.post("/manager/book-study", &[("code", "ABCD-EFGH-JKLM-NPQ1")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("兑换码里没有“1”") && page.contains("value=\"ABCD-EFGH-JKLM-NPQ1\""));
    let answer = reader.post("/manager/book-study", &[("code", &gone[2])]).await;
    assert!(answer.text().await.unwrap().contains("兑换码无效，请核对后再试"));
    // an expired one that is extended can be redeemed
    let extend = format!("/manager/epaper_code/{expiring}/extension");
    let answer = seller.post(&extend, &[("expires", "2020-01-01")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let done = location(&seller.post(&extend, &[("expires", "2099-12-31")]).await);
    assert_eq!(done, format!("/manager/epaper_code/{expiring}?done=extended"));
    assert_eq!(redeem(&reader, &old[1]).await.1["status"], 1);
    // what is void stays so
    let answer = seller.post(&format!("/manager/epaper_code/{voided}/activation"), &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

async fn other_sellers_things_look_like_none(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let (other, _) = self::seller(&server, "other@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    let batch = batch(&seller, &id, &[("active", "Y"), ("expires", "2099-12-31")]).await;
    let reader = server.member("reader@example.com", "100").await;
    let sale = buy(&reader, &id).await;
    for path in [
        format!("/manager/epaper_sell/{id}"),
        format!("/manager/epaper_code/{batch}"),
        format!("/manager/epaper_order/{sale}"),
        format!("/manager/purchase/{sale}"),
    ] {
        assert_eq!(other.get(&path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    for path in [
        format!("/manager/epaper_sell/{id}"),
        format!("/manager/epaper_sell/{id}/end"),
        format!("/manager/epaper_code/{batch}/codes.csv"),
        format!("/manager/epaper_code/{batch}/activation"),
        format!("/manager/epaper_code/{batch}/extension"),
        format!("/manager/epaper_code/{batch}/voiding"),
        format!("/manager/epaper_order/{sale}/refund"),
        format!("/manager/purchase/{sale}"),
    ] {
        let answer = other.post(&path, &[("expires", "2099-12-31"), ("title", "x")]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let new = other.page("/manager/epaper_code/new").await;
    assert!(new.contains("先有套餐"));
    let answer =
        other.post("/manager/epaper_code/new", &[("batch", "b"), ("package", &id), ("codes", "5")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        server
            .column(&format!("select id from code_batches where seller_id in {}", server.members()))
            .await
            .len(),
        1
    );
    // anybody may look at a package and buy it, but not its seller
    assert_eq!(other.get(&format!("/manager/package/{id}")).await.status(), StatusCode::OK);
    let answer = seller.post(&format!("/manager/package/{id}"), &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("您自己的内容"));
    assert_eq!(reader.get("/manager/package/nothing").await.status(), StatusCode::NOT_FOUND);
}

async fn other_tiers_are_told_which_one_sells(server: Server) {
    let reader = server.member("reader@example.com", "0").await;
    for path in
        ["/manager/epaper_sell", "/manager/epaper_code", "/manager/epaper_order", "/manager/epaper_sell/new"]
    {
        let answer = reader.get(path).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
        assert!(answer.text().await.unwrap().contains("超级会员"));
    }
    assert_eq!(reader.get("/manager/book-study").await.status(), StatusCode::OK);
}

async fn readers_who_stay_are_counted_by_month(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    assert!(seller.page("/manager/epaper_order/readers").await.contains("还没有人订阅"));
    let id = package(&seller, &works, "一套书", "30", ("months", "12")).await;
    for name in ["left@example.com", "stays@example.com", "new@example.com"] {
        buy(&server.member(name, "100").await, &id).await;
    }
    // two of them came 70 days ago, and one of those read for 30 days
    let now = time::OffsetDateTime::now_utc().unix_timestamp() * 1_000;
    let (then, day) = (now - 70 * DAY_MS, DAY_MS);
    let of =
        |name: &str| format!("member_id in (select id from members where account = '{}')", server.own(name));
    for (name, until) in [("left@example.com", then + 30 * day), ("stays@example.com", now + 300 * day)] {
        let set = format!("granted_at = {then}, starts_at = {then}, ends_at = {until}");
        server.sql(&format!("update entitlements set {set} where {}", of(name))).await;
    }
    let csv = seller.page("/manager/epaper_order/readers.csv").await;
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2, "{csv}");
    assert_eq!(rows[0][1], "2", "{csv}");
    // one left of two, whenever the months began
    assert_eq!(rows[0].last(), Some(&"1"), "{csv}");
    assert_eq!(rows[1][1..], ["1", "1"], "{csv}");
    let page = seller.page("/manager/epaper_order/readers").await;
    assert!(page.contains("50%<small>1</small>") && page.contains("100%<small>1</small>"), "{page}");
}
