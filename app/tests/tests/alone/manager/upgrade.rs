//! /manager/upgrade: tiers are bought, renewed and raised; what is forged or pressed twice changes nothing more.

use domain::days::DAY_MS;
use reqwest::StatusCode;

use support::fakes::wechatpay::FakeWechatpay;
use support::invoices::{issue, pdf};
use support::payments::{failed, said};
use support::wait::eventually;
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    a_tier_is_bought_renewed_and_raised,
    a_tier_is_paid_from_outside;
    on_sqlite:
    the_operator_sets_prices_and_gives_back,
    what_was_paid_is_invoiced_and_followed,
    after_the_end_what_was_made_stays_and_the_features_close,
    what_is_forged_changes_nothing,
);

const QUOTE: &str = "/manager/upgrade/quote";

fn wanted(tier: &str, months: &str) -> String {
    format!("{QUOTE}?tier={tier}&months={months}")
}

/// Confirms what the page of a quote shows, and answers where the term is paid.
async fn confirm(member: &Caller, tier: &str, months: &str) -> String {
    let page = member.page(&wanted(tier, months)).await;
    let amount = between(&page, "name=\"amount\" value=\"", "\"");
    let credit = between(&page, "name=\"credit\" value=\"", "\"");
    let fields = [("tier", tier), ("months", months), ("amount", &amount), ("credit", &credit)];
    let place = location(&member.post(QUOTE, &fields).await);
    assert!(place.starts_with("/manager/upgrade/0"), "{place}");
    // pressed twice it is one; where nothing was to be paid the price is another one by now
    if amount != "0.00" {
        assert_eq!(location(&member.post(QUOTE, &fields).await), place);
    }
    place
}

async fn buy(member: &Caller, tier: &str, months: &str) -> String {
    let place = confirm(member, tier, months).await;
    assert_eq!(location(&member.post(&place, &[]).await), place);
    place
}

fn books_hold(server: &Server) {
    assert!(said(&server.run(&["ledger", "check"])).contains("The books hold"));
}

/// Days go by for what was bought.
async fn days_go_by(server: &Server, days: i64) {
    let ms = days * DAY_MS;
    server.sql(&format!("update members set tier_until = tier_until - {ms}")).await;
    server
        .sql(&format!(
            "update membership_terms set starts_at = starts_at - {ms}, ends_at = ends_at - {ms}, run_from = run_from - {ms}"
        ))
        .await;
}

async fn a_tier_is_bought_renewed_and_raised(server: Server) {
    let member = server.member("member@example.com", "2000").await;
    // what is closed names the tiers and leads to where they are sold
    let closed = member.get("/manager/epaper_sell").await;
    assert_eq!(closed.status(), StatusCode::FORBIDDEN);
    let closed = closed.text().await.unwrap();
    assert!(closed.contains("超级会员可以使用") && closed.contains("href=\"/manager/upgrade\""));
    let page = member.page("/manager/upgrade").await;
    for told in [
        "普通会员",
        "VIP",
        "超级会员",
        "企业高级版",
        "50 GB",
        "1 TB",
        "我的会员，3 名",
        "1,198.00",
        "开通VIP",
    ] {
        assert!(page.contains(told), "no {told}");
    }
    assert!(!page.contains("购买记录"));

    let place = confirm(&member, "VIP", "12").await;
    assert!(member.page(&place).await.contains("用余额支付"));
    assert!(member.page("/manager/upgrade").await.contains("待付款"));
    let presses = futures::future::join_all((0..8).map(|_| member.post(&place, &[]))).await;
    assert!(presses.iter().all(|answer| location(answer) == place));
    assert_eq!(member.balance().await, "1,832.00");
    let receipt = member.page(&place).await;
    assert!(receipt.contains("会员已开通") && receipt.contains("余额") && receipt.contains("168.00"));
    let user = member.post("/user-center/userIsLogin3", &[]).await.text().await.unwrap();
    assert!(user.contains("\"vip_name\":\"VIP\"") && user.contains("到期\""), "{user}");

    // renewed, the dates add up
    let before = server.read("select cast(tier_until as text) from members").await;
    assert!(member.page(&wanted("VIP", "1")).await.contains("接着现在的到期日"));
    buy(&member, "VIP", "1").await;
    let after = server.read("select cast(tier_until as text) from members").await;
    let more = after.parse::<i64>().unwrap() - before.parse::<i64>().unwrap();
    assert!((28 * DAY_MS..=31 * DAY_MS).contains(&more), "{more}");

    // raised, the days that have not begun count: 100 days and a moment of the first year are used
    days_go_by(&server, 100).await;
    let quote = member.page(&wanted("超级会员", "12")).await;
    let days: i64 = between(&quote, "：", " 天里有 ").parse().unwrap();
    let left: i64 = between(&quote, " 天里有 ", " 天没有开始").parse().unwrap();
    assert_eq!(left, days - 101);
    let credit = 16_800 * left / days + 1_800;
    let amount = 44_800 - credit;
    let shown = format!("name=\"amount\" value=\"{}.{:02}\"", amount / 100, amount % 100);
    assert!(
        quote.contains(&shown) && quote.contains("付款后马上开始") && quote.contains("发布电子书"),
        "{quote}"
    );
    let place = buy(&member, "超级会员", "12").await;
    let balance = 183_200 - 1_800 - amount;
    assert_eq!(member.balance().await.replace(',', ""), format!("{}.{:02}", balance / 100, balance % 100));
    assert!(member.page(&place).await.contains(" 天没有开始"), "the receipt says what was counted");
    assert_eq!(member.get("/manager/epaper_sell").await.status(), StatusCode::OK);
    assert!(member.page("/manager/upgrade").await.contains("已升级"));

    // never lower while it runs, and the page says what to do; a higher one that closes something says that
    let lower = member.get(&wanted("VIP", "12")).await;
    assert_eq!(lower.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(lower.text().await.unwrap().contains("请在它到期以后再买"));
    assert!(member.page(&wanted("企业高级版", "36")).await.contains("企业高级版不含发布电子书、订阅电子报"));
    books_hold(&server);

    // more credit than the price is days of the new tier, at once
    let rich = server.member("rich@example.com", "500").await;
    buy(&rich, "VIP", "36").await;
    let quote = rich.page(&wanted("超级会员", "1")).await;
    assert!(quote.contains("确认，马上生效") && quote.contains("天，加在后面"), "{quote}");
    let place = confirm(&rich, "超级会员", "1").await;
    assert!(rich.page(&place).await.contains("全部由原会员抵扣"));
    assert_eq!(rich.balance().await, "52.00");
    books_hold(&server);
}

async fn what_is_forged_changes_nothing(server: Server) {
    let member = server.member("member@example.com", "100").await;
    let other = server.member("other@example.com", "100").await;
    for (tier, months) in
        [("VIP", "2"), ("VIP", "-12"), ("VIP", "1e1"), ("普通会员", "1"), ("vip", "1"), ("", "")]
    {
        let answer = member.get(&wanted(tier, months)).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{tier} {months}");
        let fields = [("tier", tier), ("months", months), ("amount", "0.01"), ("credit", "0.00")];
        let expected =
            if tier.is_empty() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::BAD_REQUEST };
        assert_eq!(member.post(QUOTE, &fields).await.status(), expected, "{tier} {months}");
    }
    for (amount, credit) in [("0.01", "0.00"), ("0.00", "18.00"), ("18.00", "1.00"), ("-18.00", "0.00")] {
        let fields = [("tier", "VIP"), ("months", "1"), ("amount", amount), ("credit", credit)];
        let answer = member.post(QUOTE, &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{amount} {credit}");
        let page = answer.text().await.unwrap();
        assert!(page.contains("价格或抵扣有变化") && page.contains("name=\"amount\" value=\"18.00\""));
    }
    let fields = [("tier", "VIP"), ("months", "1"), ("amount", "free")];
    assert_eq!(member.post(QUOTE, &fields).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(server.column("select id from membership_terms").await, Vec::<String>::new());

    // another's looks like none; a poor member keeps what it confirmed
    let place = confirm(&member, "VIP", "12").await;
    assert_eq!(other.get(&place).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(other.post(&place, &[]).await.status(), StatusCode::NOT_FOUND);
    let poor = member.post(&place, &[]).await;
    assert_eq!(poor.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(poor.text().await.unwrap().contains("余额不足"));
    // confirmed, a dearer price book changes nothing; after a week nothing holds
    server.sql("update membership_price_books set book = replace(book, '168.00', '188.00')").await;
    assert!(member.page(&place).await.contains("168.00"));
    server.sql("update membership_terms set created_at = created_at - 700000000").await;
    let over = member.page(&place).await;
    assert!(over.contains("已经过了七天") && over.contains("按现在的价格重新确认"));
    let answer = member.post(&place, &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(member.balance().await, "100.00");
    assert_eq!(server.read("select tier from members where tier_until is null limit 1").await, "普通会员");
    books_hold(&server);
}

async fn a_tier_is_paid_from_outside(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let member = server.member("member@example.com", "0").await;
    let place = confirm(&member, "VIP", "3").await;
    let key = between(&member.page(&place).await, "name=\"request_key\" value=\"", "\"");
    let fields = [("request_key", key.as_str()), ("method", "wechat")];
    let payment_page = location(&member.post(&place, &fields).await);
    let payment = payment_page.strip_prefix("/manager/payment/").unwrap().to_owned();
    fake.pay(&payment);
    for _ in 0..3 {
        assert_eq!(fake.note(&payment).send(&server).await, 204);
    }
    let receipt = member.page(&place).await;
    assert!(receipt.contains("微信支付") && receipt.contains("会员已开通"));
    assert_eq!(
        (member.balance().await.as_str(), server.read("select tier from members").await.as_str()),
        ("0.00", "VIP")
    );
    // while one is being paid another tier is bought: the money is the member's, and the page says so
    let place = confirm(&member, "VIP", "1").await;
    let key = between(&member.page(&place).await, "name=\"request_key\" value=\"", "\"");
    let payment_page = location(&member.post(&place, &[("request_key", &key), ("method", "wechat")]).await);
    let payment = payment_page.strip_prefix("/manager/payment/").unwrap().to_owned();
    server.sql("update members set tier = '超级会员'").await;
    fake.pay(&payment);
    assert_eq!(fake.note(&payment).send(&server).await, 204);
    assert_eq!(member.balance().await, "18.00");
    assert!(member.page(&place).await.contains("钱到账后在您的账户余额里"));
    server.sql("update members set tier = 'VIP'").await;
    books_hold(&server);
}

async fn after_the_end_what_was_made_stays_and_the_features_close(server: Server) {
    let member = server.member("member@example.com", "100").await;
    buy(&member, "超级会员", "1").await;
    assert_eq!(member.get("/manager/epaper_sell").await.status(), StatusCode::OK);
    // seven days before the end it is told, once
    days_go_by(&server, 24).await;
    let until = server.read("select cast(tier_until as text) from members").await;
    server.sql(&format!("update jobs set run_at = 1, payload = replace(payload, '\"until\":', '\"until\":{until},\"was\":') where payload like '%\"days\":7%'")).await;
    eventually(&server, "select cast(count(*) as text) from membership_notices", "1").await;
    let told = server.message_to("member@example.com");
    assert!(told.contains("您的超级会员还有 7 天") && told.contains("作品和素材都在"), "{told}");
    // over to the millisecond
    days_go_by(&server, 8).await;
    assert_eq!(member.get("/manager/epaper_sell").await.status(), StatusCode::FORBIDDEN);
    let page = member.page("/manager/upgrade").await;
    assert!(page.contains("<strong>普通会员</strong>") && page.contains("开通VIP"));
    assert_eq!(member.get("/manager/opus_list/all").await.status(), StatusCode::OK);
    // what the host granted for ever is there again afterwards
    let granted = server.member_of("granted@example.com", "100", "VIP").await;
    let forever = granted.get(&wanted("VIP", "1")).await;
    assert_eq!(forever.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(forever.text().await.unwrap().contains("长期有效，不需要续费"));
    buy(&granted, "超级会员", "1").await;
    assert!(granted.page("/manager/upgrade").await.contains("，之后是VIP"));
    days_go_by(&server, 32).await;
    let page = granted.page("/manager/upgrade").await;
    assert!(page.contains("<strong>VIP</strong>") && page.contains("长期有效"));
}

async fn the_operator_sets_prices_and_gives_back(server: Server) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let exported = said(&server.run(&["membership", "export", path]));
    let file = exported.trim().to_owned();
    assert!(file.ends_with("prices-2026-01-01.toml"), "{file}");
    assert!(said(&server.run(&["membership", "import", &file])).contains("Nothing changed"));
    let book = std::fs::read_to_string(&file).unwrap();
    let write = |change: &dyn Fn(String) -> String| std::fs::write(&file, change(book.clone())).unwrap();
    write(&|book| book.replace("168.00", "188.00"));
    assert!(failed(&server.run(&["membership", "import", &file])).contains("today or later"));
    write(&|book| book.replace("2026-01-01", "2099-01-01").replace("\"18.00\"", "\"0.00\""));
    assert!(
        failed(&server.run(&["membership", "import", &file]))
            .contains("VIP, 1 months: 0.00 is not from 1.00")
    );
    write(&|book| book.replace("2026-01-01", "2099-01-01").replace("168.00", "188.00"));
    assert!(said(&server.run(&["membership", "import", &file, "--dry-run"])).contains("would be taken"));
    assert!(said(&server.run(&["membership", "import", &file])).contains("Took the prices"));
    let member = server.member("member@example.com", "500").await;
    assert!(member.page("/manager/upgrade").await.contains("168.00"), "not yet");
    server
        .sql("update membership_price_books set starts_at = 1780000000000 where starts_at > 1790000000000")
        .await;
    assert!(member.page("/manager/upgrade").await.contains("188.00"));

    assert!(
        failed(&server.run(&["membership", "refund", "member@example.com", "--reason", "x"]))
            .contains("nothing")
    );
    buy(&member, "VIP", "12").await;
    buy(&member, "VIP", "1").await;
    days_go_by(&server, 100).await;
    let told = said(&server.run(&["membership", "refund", "member@example.com", "--reason", "按您的要求"]));
    let days = server
        .read("select cast((ends_at - starts_at) / 86400000 as text) from membership_terms where months = 12")
        .await;
    let days: i64 = days.parse().unwrap();
    let back = 18_800 * (days - 101) / days + 1_800;
    assert!(told.contains(&format!("¥{}.{:02}", back / 100, back % 100)), "{told}");
    let balance = 50_000 - 18_800 - 1_800 + back;
    assert_eq!(member.balance().await, format!("{}.{:02}", balance / 100, balance % 100));
    let page = member.page("/manager/upgrade").await;
    assert!(page.contains("<strong>普通会员</strong>") && page.contains("已退款"));
    assert!(server.message_to("member@example.com").contains("按您的要求"));
    books_hold(&server);
}

/// Asks for an invoice of a term and answers its id.
async fn invoiced(member: &Caller, term: &str) -> String {
    let page = member.page(&format!("/manager/invoice/new?term={term}")).await;
    let hidden = |name: &str| between(&page, &format!("name=\"{name}\" value=\""), "\"");
    let (invoice, amount) = (hidden("invoice"), hidden("amount"));
    let fields = [("invoice", &*invoice), ("term", term), ("amount", &amount), ("title", "new")];
    let fields = [&fields[..], &[("kind", "personal"), ("name", "林知夏")]].concat();
    let place = location(&member.post(&format!("/manager/invoice/new?term={term}"), &fields).await);
    assert_eq!(place, format!("/manager/invoice/{invoice}?done=requested"));
    invoice
}

async fn what_was_paid_is_invoiced_and_followed(server: Server) {
    let member = server.member("member@example.com", "1000").await;
    let term_of = |place: &str| place.rsplit('/').next().unwrap().to_owned();
    let unpaid = term_of(&confirm(&member, "VIP", "12").await);
    let refused = member.page(&format!("/manager/invoice/new?term={unpaid}")).await;
    assert!(refused.contains("这段会员还没有付款"));
    let first = term_of(&buy(&member, "VIP", "12").await);
    let list = member.page("/manager/invoice").await;
    assert!(
        list.contains(&format!("/manager/invoice/new?term={first}")) && list.contains("VIP 12 个月"),
        "{list}"
    );
    assert!(member.page(&format!("/manager/upgrade/{first}")).await.contains(&format!("new?term={first}")));
    let stranger = server.member("stranger@example.com", "0").await;
    let foreign = stranger.get(&format!("/manager/invoice/new?term={first}")).await;
    assert_eq!(foreign.status(), StatusCode::NOT_FOUND);

    let issued = invoiced(&member, &first).await;
    assert!(
        member.page(&format!("/manager/invoice/new?term={first}")).await.contains("这个会员已经申请过发票")
    );
    issue(&server, &issued, &pdf("term"), &["--amount", "168.00"]);
    let raised = term_of(&buy(&member, "超级会员", "12").await);
    let requested = invoiced(&member, &raised).await;

    // what the second term counted of the first is given back of the first
    said(&server.run(&["membership", "refund", "member@example.com", "--reason", "按您的要求"]));
    let page = member.page(&format!("/manager/invoice/{requested}")).await;
    assert!(page.contains("已撤销") && page.contains("会员已全额退款"), "{page}");
    let page = member.page(&format!("/manager/invoice/{issued}")).await;
    assert!(page.contains("要用红字发票更正"), "{page}");
    assert!(said(&server.run(&["invoice", "list"])).contains("需红冲"));
    let sums =
        "select cast(sum(given_back) - sum(case when state = 'refunded' then rest else 0 end) as text)";
    assert_eq!(server.read(&format!("{sums} from membership_terms")).await, "0");
    books_hold(&server);
}
