//! /manager/epaper_licence, /join and /manager/package/{id}/seat: an organisation's people on its seats.

use futures::future::join_all;
use reqwest::StatusCode;

use support::selling::{package, redeem, seller};
use support::{Caller, Server, between, day, location, on_both_engines};

on_both_engines!(
    sixteen_at_once_take_the_last_seat_once;
    on_sqlite:
    a_class_reads_on_its_seats,
    who_belongs_there_sits_without_a_code,
    what_is_wrong_with_a_licence_is_said_beside_the_field,
);

const PAGE: &str = "/manager/epaper_licence";

/// A seller with a work on sale in a package, and a licence of that with these.
struct Sold {
    seller: Caller,
    package: String,
    /// A page of the work that only who may read it sees: the package shows the first three to everybody.
    read: String,
    /// The licence's page.
    own: String,
}

async fn sold(server: &Server, more: &[(&str, &str)]) -> Sold {
    let (seller, works) = seller(server, "seller@example.com").await;
    let package = package(&seller, &works[..1], "一套书", "48", ("months", "12")).await;
    let work = works[0].trim_start_matches("work:").to_owned();
    seller.share_as(&work, &[("reading", "sold"), ("price", "9.90"), ("preview_pages", "1")]).await;
    let key = between(&seller.page(&format!("{PAGE}/new")).await, "name=\"licence\" value=\"", "\"");
    let until = day(200);
    let mut fields = vec![
        ("licence", key.as_str()),
        ("package", package.as_str()),
        ("name", "三年级二班"),
        ("seats", "2"),
        ("until", &until),
        ("has_code", "Y"),
    ];
    for (name, value) in more {
        fields.retain(|(known, _)| known != name);
        fields.push((name, value));
    }
    let own = format!("{PAGE}/{key}");
    for _ in 0..2 {
        assert_eq!(location(&seller.post(&format!("{PAGE}/new"), &fields).await), format!("{own}?done=made"));
    }
    Sold { seller, package, read: format!("/read/{work}/5"), own }
}

async fn link(seller: &Caller, own: &str) -> String {
    let code = between(&seller.page(own).await, "gift-code num\">", "<");
    format!("/join/{code}")
}

async fn may_read(reader: &Caller, page: &str) -> bool {
    match reader.get(page).await.status() {
        StatusCode::OK => true,
        StatusCode::FORBIDDEN => false,
        other => panic!("{other} of {page}"),
    }
}

async fn sit(reader: &Caller, link: &str) -> StatusCode {
    let answer = reader.post(&format!("{link}/seat"), &[]).await;
    if answer.status() == StatusCode::SEE_OTHER {
        assert_eq!(location(&answer), "/manager/book-study?done=seated");
    }
    answer.status()
}

async fn refused(answer: reqwest::Response, why: &str) {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains(why), "no {why} in {page}");
}

async fn a_class_reads_on_its_seats(server: Server) {
    let Sold { seller, read, own, .. } = sold(&server, &[]).await;
    let join = link(&seller, &own).await;
    assert!(server.visitor().page(&join).await.contains("登录后入座"), "who is asked need not be signed in");
    let mut readers = Vec::new();
    for name in ["one@example.com", "two@example.com", "three@example.com"] {
        readers.push(server.member(name, "0").await);
    }
    let [one, two, three] = &readers[..] else { panic!() };
    assert!(!may_read(one, &read).await);
    assert_eq!(sit(one, &join).await, StatusCode::SEE_OTHER);
    assert_eq!(sit(one, &join).await, StatusCode::SEE_OTHER, "pressed twice it is one seat");
    assert!(may_read(one, &read).await && !may_read(two, &read).await);
    assert!(one.page("/manager/book-study").await.contains(&format!("三年级二班 的席位，读到 {}", day(200))));
    // its code does the same where codes are typed, and where programs send them
    assert_eq!(redeem(two, join.trim_start_matches("/join/")).await.1["status"], 1);
    assert!(may_read(two, &read).await);
    assert!(two.page("/user-center/getEntitlements").await.contains("一套书"));
    refused(three.post(&format!("{join}/seat"), &[]).await, "席位已经坐满了").await;
    refused(seller.post(&format!("{join}/seat"), &[]).await, "您自己的内容").await;

    // a seat that is taken back is somebody else's
    let seats = seller.page(&own).await;
    assert!(seats.contains("席位 2 / 2"));
    let member = between(&seats, "name=\"member\" value=\"", "\"");
    let change = |act: &'static str| {
        let fields = [("member", member.clone()), ("act", act.to_owned())];
        let seat = format!("{own}/seat");
        let seller = &seller;
        async move {
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, &**value)).collect();
            seller.post(&seat, &fields).await
        }
    };
    assert_eq!(location(&change("back").await), format!("{own}?done=back"));
    assert!(!may_read(one, &read).await);
    refused(one.post(&format!("{join}/seat"), &[]).await, "您的席位已经被收回").await;
    assert_eq!(sit(three, &join).await, StatusCode::SEE_OTHER);
    refused(change("again").await, "席位已经坐满了，不能恢复").await;
    let until = day(200);
    let fewer = [("name", "三年级二班"), ("seats", "1"), ("until", &*until), ("has_code", "Y")];
    refused(seller.post(&own, &fewer).await, "已经坐了 2 位").await;
    let more = [("name", "三年级二班"), ("seats", "3"), ("until", &*until), ("has_code", "Y")];
    assert_eq!(location(&seller.post(&own, &more).await), format!("{own}?done=changed"));
    assert_eq!(location(&change("again").await), format!("{own}?done=again"));
    assert!(may_read(one, &read).await);
    let csv = seller.page(&format!("{own}/seats.csv")).await;
    assert_eq!(csv.lines().count(), 4, "{csv}");

    // another code: the old one opens nothing, and who sits stays
    assert_eq!(
        location(&seller.post(&format!("{own}/code"), &[("turn", "0")]).await),
        format!("{own}?done=code")
    );
    seller.post(&format!("{own}/code"), &[("turn", "0")]).await;
    assert_eq!(one.get(&join).await.status(), StatusCode::GONE);
    let new = link(&seller, &own).await;
    assert!(new != join && may_read(one, &read).await);
    assert_eq!(sit(&server.member("four@example.com", "0").await, &join).await, StatusCode::GONE);

    // over, and ended: nobody reads, and nothing is kept of it
    server.sql(&format!("update licences set ends_at = 1 where seller_id in {}", server.members())).await;
    assert!(!may_read(one, &read).await);
    assert!(one.page(&new).await.contains("已经结束"));
    refused(one.post(&format!("{new}/seat"), &[]).await, "已经结束").await;
    assert_eq!(location(&seller.post(&own, &more).await), format!("{own}?done=changed"));
    assert!(may_read(one, &read).await, "its last day was put off");
    assert_eq!(location(&seller.post(&format!("{own}/end"), &[]).await), format!("{own}?done=ended"));
    assert!(!may_read(one, &read).await);
    assert_eq!(one.get(&new).await.status(), StatusCode::GONE);
    refused(seller.post(&own, &more).await, "已经停止的团体订阅不能再改").await;
}

async fn who_belongs_there_sits_without_a_code(server: Server) {
    let ways = [("has_code", ""), ("domains", "school.example"), ("ranges", "198.51.100.0/24")];
    let Sold { package, read, .. } = sold(&server, &ways).await;
    let shown = format!("/manager/package/{package}");
    let take = format!("{shown}/seat");
    let pupil = server.member("pupil@school.example", "0").await;
    assert!(pupil.page(&shown).await.contains("三年级二班的席位"));
    assert_eq!(sit(&pupil, &shown).await, StatusCode::SEE_OTHER);
    assert!(may_read(&pupil, &read).await);
    assert!(!pupil.page(&shown).await.contains("三年级二班的席位"), "who sits is offered nothing");

    let visitor = server.member("visitor@example.com", "0").await;
    assert!(!visitor.page(&shown).await.contains("三年级二班的席位"));
    refused(visitor.post(&take, &[]).await, "您的邮箱和所在的网络都不在").await;
    let answer = visitor.post_via("198.51.100.7", &take, &[]).await;
    assert_eq!(location(&answer), "/manager/book-study?done=seated");
    assert!(may_read(&visitor, &read).await, "wherever it reads then");

    let late = server.member("late@school.example", "0").await;
    assert!(late.page(&shown).await.contains("席位都坐满了"));
    refused(late.post(&take, &[]).await, "席位已经坐满了").await;
}

async fn sixteen_at_once_take_the_last_seat_once(server: Server) {
    let Sold { seller, own, .. } = sold(&server, &[("seats", "1")]).await;
    let join = link(&seller, &own).await;
    let mut readers = Vec::new();
    for number in 0..16 {
        readers.push(server.member(&format!("reader{number}@example.com"), "0").await);
    }
    let all = join_all(readers.iter().map(|reader| sit(reader, &join))).await;
    assert_eq!(all.iter().filter(|status| **status == StatusCode::SEE_OTHER).count(), 1, "{all:?}");
    assert!(seller.page(&own).await.contains("席位 1 / 1"));
}

async fn what_is_wrong_with_a_licence_is_said_beside_the_field(server: Server) {
    let Sold { seller, package, own, .. } = sold(&server, &[]).await;
    let other = support::selling::seller(&server, "other@example.com").await.0;
    assert_eq!(other.get(&own).await.status(), StatusCode::NOT_FOUND);
    let until = day(200);
    for (field, value, told) in [
        ("package", "nothing", "请选择套餐"),
        ("name", "", "请输入单位"),
        ("seats", "0", "席位须是 1 到 5000 之间的整数"),
        ("seats", "5001", "席位须是"),
        ("until", "", "请选择读到哪一天"),
        ("until", "2020-01-01", "截止日期不能早于今天"),
        ("until", "2099-01-01", "最多五年"),
        ("domains", "qq.com", "公共邮箱"),
        ("domains", "学校", "写成 school.edu.cn 这样"),
        ("ranges", "10.0.0.0/8", "范围太大"),
        ("ranges", "校园网", "写成 203.0.113.0/24"),
        ("has_code", "", "请至少选一种入座的办法"),
    ] {
        let mut fields = vec![
            ("licence", "a-licence-of-this-test"),
            ("package", &*package),
            ("name", "市图书馆"),
            ("seats", "30"),
            ("until", &*until),
            ("has_code", "Y"),
        ];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let answer = seller.post(&format!("{PAGE}/new"), &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told), "{field}={value}: no {told} in {page}");
        assert!(field == "name" || page.contains("市图书馆"), "what was typed comes back");
    }
}
