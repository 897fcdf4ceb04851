//! /staff/goods: goods and price books, looked at before they are changed, changed at once or on a day, and changed back.

use std::fs;

use reqwest::{Response, StatusCode};

use support::staff::Clerk;
use support::wait::carried_out;
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    a_change_that_was_overtaken_stays_with_its_reason;
    on_sqlite:
    what_is_wrong_comes_back_with_its_line,
    a_change_for_a_day_waits_for_it,
    goods_off_sale_and_goods_of_the_command_line_are_versions_too,
    prices_are_for_those_who_count_money,
    a_price_is_looked_at_changed_and_changed_back,
    who_was_overtaken_sees_what_is_different_now,
);

const LIST: &str = "/staff/goods";
const OWN: &str = "/staff/goods/album-210";
const DRAFT: &str = "/staff/goods/album-210/draft";

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// The text that stands in the draft.
fn toml_in(page: &str) -> String {
    let area = between(page, "<textarea", "</textarea>");
    let text = area.split_once('>').unwrap().1.trim_start_matches('\n');
    text.replace("&lt;", "<").replace("&amp;", "&")
}

fn base_in(page: &str) -> String {
    between(page, "name=\"base\" value=\"", "\"")
}

/// A text with another price of a copy, and what it was.
fn priced(text: &str, price: &str) -> (String, String) {
    let was = between(text, "\nbase = \"", "\"");
    (text.replacen(&format!("\nbase = \"{was}\""), &format!("\nbase = \"{price}\""), 1), was)
}

/// Sends the draft of a text.
async fn send(caller: &Caller, step: &str, base: &str, toml: &str, more: &[(&str, &str)]) -> Response {
    let fields = [&[("step", step), ("base", base), ("toml", toml)][..], more].concat();
    caller.post(DRAFT, &fields).await
}

/// Applies a text with a code that was not used yet.
async fn apply(clerk: &Clerk, server: &Server, base: &str, toml: &str, more: &[(&str, &str)]) -> Response {
    let code = clerk.code(server).await;
    send(&clerk.caller, "apply", base, toml, &[&[("code", code.as_str())][..], more].concat()).await
}

/// What a line costs in its member's dialog.
async fn total(member: &Caller, line: &str) -> String {
    let info = member.get(&format!("/cart/cartInfo?cartID={line}")).await.text().await.unwrap();
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    info["data"]["data"]["totalPrice"].as_str().unwrap().to_owned()
}

async fn versions(server: &Server) -> Vec<String> {
    server.column("select cast(number as text) || ' ' || made_by from goods_versions order by number").await
}

fn log(server: &Server) -> String {
    String::from_utf8(server.run(&["audit", "album-210"]).stdout).unwrap()
}

/// Lets the day come for which a change waits, and waits until it was looked at.
async fn the_day_comes(server: &Server) {
    server.sql("update goods_changes set takes_effect_at = 1").await;
    carried_out(server, &["change_goods"]).await;
}

/// A day, so many days from now, as a form has it.
fn in_days(days: i64) -> String {
    let at = time::OffsetDateTime::now_utc() + time::Duration::hours(8) + time::Duration::days(days);
    format!("{:04}-{:02}-{:02}", at.year(), u8::from(at.month()), at.day())
}

async fn a_price_is_looked_at_changed_and_changed_back(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let cheap = total(&member, &line).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let list = chen.caller.page(LIST).await;
    assert!(list.contains(OWN) && list.contains("1 行") && list.contains("没有改过"), "{list}");
    let page = chen.caller.page(OWN).await;
    assert!(page.contains("还没有改过") && page.contains("装订方式"), "{page}");
    assert!(!page.contains("value=\"apply\""), "its consequences come first");
    let (text, base) = (toml_in(&page), base_in(&page));
    assert_eq!(base, "1");
    let (dearer, was) = priced(&text, "999.00");

    // looked at, nothing happens
    let body = "select body from goods where id = 'album-210'";
    let before = server.read(body).await;
    let note = [("note", "纸贵了"), ("from", "")];
    let answer = send(&chen.caller, "preview", &base, &dearer, &note).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let page = answer.text().await.unwrap();
    assert!(page.contains(&format!("基础价：¥{was} → ¥999.00")), "{page}");
    assert_eq!(page.matches("data-label=\"本数\"").count(), 20, "twenty prices");
    assert!(page.contains("<dt>涨价</dt><dd class=\"num\">1 行</dd>"), "{page}");
    assert!(page.contains("value=\"apply\"") && page.contains("value=\"纸贵了\""), "{page}");
    assert_eq!(toml_in(&page), dearer);
    assert_eq!(server.read(body).await, before);
    assert!(versions(&server).await.is_empty() && !log(&server).contains("goods"));
    let same = send(&chen.caller, "preview", &base, &text, &[]).await;
    assert_eq!(same.status(), StatusCode::OK);
    assert!(same.text().await.unwrap().contains("和现在的一样"));

    // it is money
    let page = refused(send(&chen.caller, "apply", &base, &dearer, &note).await).await;
    assert!(page.contains("请再输入一次动态验证码") && page.contains("id=\"code-error\""), "{page}");
    assert_eq!((toml_in(&page), total(&member, &line).await), (dearer.clone(), cheap.clone()));
    let done = apply(&chen, &server, &base, &dearer, &note).await;
    assert_eq!(location(&done), format!("{OWN}?said=done"));
    let now: f64 = total(&member, &line).await.parse().unwrap();
    assert!(now > 999.0, "{now}");
    assert_eq!(versions(&server).await, ["1 ", "2 chen"]);
    assert!(log(&server).contains("chen: goods change"), "{}", log(&server));
    // pressed again it needs no other code
    let again = send(&chen.caller, "apply", &base, &dearer, &note).await;
    assert_eq!(location(&again), format!("{OWN}?said=before"));
    assert_eq!(versions(&server).await.len(), 2);

    // and back
    let page = chen.caller.page(OWN).await;
    assert!(page.contains("第 2 版") && page.contains("纸贵了") && page.contains("diff=2"), "{page}");
    let told = chen.caller.page(&format!("{OWN}?diff=2")).await;
    assert!(told.contains(&format!("基础价：¥{was} → ¥999.00")), "{told}");
    assert!(chen.caller.page(&format!("{OWN}?diff=1")).await.contains("第一次改动以前的样子"));
    for nothing in ["diff=9", "version=9", "version=x"] {
        let answer = chen.caller.get(&format!("{OWN}?{nothing}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{nothing}");
    }
    let loaded = chen.caller.page(&format!("{OWN}?version=1")).await;
    assert_eq!((toml_in(&loaded), base_in(&loaded)), (text.clone(), "2".to_owned()));
    let done = apply(&chen, &server, "2", &text, &[("note", "回到第 1 版")]).await;
    assert_eq!(location(&done), format!("{OWN}?said=done"));
    assert_eq!(total(&member, &line).await, cheap);
    let page = refused(apply(&chen, &server, "3", &text, &[]).await).await;
    assert!(page.contains("和现在的一样，没有改动"), "{page}");
    assert!(server.run(&["audit", "--check"]).status.success());
}

async fn who_was_overtaken_sees_what_is_different_now(server: Server) {
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await;
    let text = toml_in(&chen.caller.page(OWN).await);
    let (one, was) = priced(&text, "70.00");
    let (other, _) = priced(&text, "80.00");
    assert_eq!(location(&apply(&chen, &server, "1", &one, &[]).await), format!("{OWN}?said=done"));
    // whoever only looks is told, too
    let answer = send(&owner.caller, "preview", "1", &other, &[]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let page = answer.text().await.unwrap();
    assert!(page.contains("现在是第 2 版") && page.contains("¥70.00 → ¥80.00"), "{page}");
    let page = refused(apply(&owner, &server, "1", &other, &[]).await).await;
    assert!(page.contains("现在是第 2 版（chen，"), "{page}");
    assert!(page.contains("¥70.00 → ¥80.00") && !page.contains(&format!("¥{was} → ")), "{page}");
    assert_eq!((toml_in(&page), base_in(&page)), (other.clone(), "2".to_owned()));
    assert_eq!(versions(&server).await, ["1 ", "2 chen"]);
    assert_eq!(location(&apply(&owner, &server, "2", &other, &[]).await), format!("{OWN}?said=done"));
    assert_eq!(versions(&server).await, ["1 ", "2 chen", "3 owner"]);
}

async fn what_is_wrong_comes_back_with_its_line(server: Server) {
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let text = toml_in(&chen.page(OWN).await);
    for (from, to, told, has_line) in [
        ("\nbase = \"", "\nbase = ", "不合 TOML 的写法", true),
        ("\nper_page = ", "\nper_pages = ", "没有叫 per_pages 的一项", true),
        ("\nbase = \"", "\nbase = \"-", "价格不能为负：base", false),
        ("id = \"album-210\"", "id = \"album-a4\"", "编号不能改", false),
        ("active = true", "active = 1", "active 只能写 true", false),
        ("width = 210", "width = 200", "成品尺寸不能改", false),
        ("name = ", "supplier = \"城西一厂\"\nname = ", "没有设置供应商", false),
        ("name = ", "print = { total_ink = 100 }\nname = ", "total_ink 须为 150 到 400", false),
    ] {
        let at = text.find(from).unwrap_or_else(|| panic!("no {from} in {text}"));
        let line = text[..at].matches('\n').count() + 1 + usize::from(from.starts_with('\n'));
        let wrong = text.replacen(from, to, 1);
        for step in ["preview", "apply"] {
            let page = refused(send(&chen, step, "1", &wrong, &[("note", "<试>")]).await).await;
            let told = if has_line { format!("第 {line} 行：{told}") } else { told.to_owned() };
            assert!(page.contains(&told) && page.contains("id=\"toml-error\""), "{told}: {page}");
            assert_eq!(toml_in(&page), wrong, "the text stays");
        }
    }
    for (field, value, told) in [
        ("from", "morgen", "日期要写成"),
        ("from", "2026-02-30", "日期要写成"),
        ("from", "2020-01-01", "今天以后"),
        ("from", "9999-01-01", "最多提前一年"),
        ("note", &*"长".repeat(201), "改动说明最多 200 个字"),
    ] {
        let page = refused(send(&chen, "preview", "1", &text, &[(field, value)]).await).await;
        assert!(page.contains(told), "{told}: {page}");
    }
    assert_eq!(send(&chen, "burn", "1", &text, &[]).await.status(), StatusCode::BAD_REQUEST);
    // nothing says what it was written over: the page does, and the text stays
    for (step, base) in [("apply", ""), ("preview", "x")] {
        let page = refused(send(&chen, step, base, &text, &[]).await).await;
        assert!(page.contains("表单不完整"), "{page}");
        assert_eq!(toml_in(&page), text, "the text stays");
    }
    assert!(versions(&server).await.is_empty());
}

async fn a_change_for_a_day_waits_for_it(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let cheap = total(&member, &line).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let text = toml_in(&chen.caller.page(OWN).await);
    let (dearer, _) = priced(&text, "999.00");
    let day = in_days(2);
    let later = [("from", day.as_str()), ("note", "新价格")];
    assert_eq!(location(&apply(&chen, &server, "1", &dearer, &later).await), format!("{OWN}?said=done"));
    let again = send(&chen.caller, "apply", "1", &dearer, &later).await;
    assert_eq!(location(&again), format!("{OWN}?said=before"));
    assert_eq!(total(&member, &line).await, cheap, "its day has not come");
    assert!(versions(&server).await.is_empty());
    assert!(chen.caller.page("/staff").await.contains("等着生效的价格"));
    assert!(chen.caller.page(LIST).await.contains(&format!("{day} 生效")));
    let page = chen.caller.page(OWN).await;
    assert!(page.contains(&format!("{day} 零点生效的改动")) && page.contains("新价格"), "{page}");
    assert_eq!(toml_in(&page), text, "what is now");
    assert_eq!(toml_in(&chen.caller.page(&format!("{OWN}?waiting=1")).await), dearer);
    // one at a time
    let (other, _) = priced(&text, "500.00");
    let page = refused(apply(&chen, &server, "1", &other, &later).await).await;
    assert!(page.contains(&format!("已有一个改动等到 {day} 生效")), "{page}");

    the_day_comes(&server).await;
    let now: f64 = total(&member, &line).await.parse().unwrap();
    assert!(now > 999.0, "{now}");
    assert_eq!(versions(&server).await, ["1 ", "2 chen"]);
    assert!(server.column("select goods_id from goods_changes").await.is_empty());
    let log = log(&server);
    assert!(log.contains("chen: goods change-later"), "{log}");
    assert_eq!(log.matches("chen: goods change").count(), 2, "{log}");
    assert!(!chen.caller.page(LIST).await.contains(&format!("{day} 生效")));

    // taken back in time
    let later = [("from", day.as_str())];
    assert_eq!(location(&apply(&chen, &server, "2", &text, &later).await), format!("{OWN}?said=done"));
    let removal = format!("{OWN}/waiting/removal");
    for said in ["done", "before"] {
        assert_eq!(location(&chen.caller.post(&removal, &[]).await), format!("{OWN}?said={said}"));
    }
    the_day_comes(&server).await;
    assert_eq!(versions(&server).await.len(), 2, "nothing happens");
}

async fn a_change_that_was_overtaken_stays_with_its_reason(server: Server) {
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let text = toml_in(&chen.caller.page(OWN).await);
    let (one, _) = priced(&text, "70.00");
    let (other, _) = priced(&text, "80.00");
    let day = in_days(1);
    let later = [("from", day.as_str())];
    assert_eq!(location(&apply(&chen, &server, "1", &one, &later).await), format!("{OWN}?said=done"));
    assert_eq!(location(&apply(&chen, &server, "1", &other, &[]).await), format!("{OWN}?said=done"));
    assert!(chen.caller.page(OWN).await.contains("到时不会生效"), "it is told before its day");
    let body = server.read("select body from goods where id = 'album-210'").await;
    the_day_comes(&server).await;
    assert_eq!(server.read("select body from goods where id = 'album-210'").await, body);
    let page = chen.caller.page(OWN).await;
    assert!(page.contains("的改动没有生效") && page.contains("商品现在已是第 2 版"), "{page}");
    assert!(chen.caller.page(LIST).await.contains("到期没有生效"));
    assert!(chen.caller.page("/staff").await.contains("is-late"));
    assert!(log(&server).contains("chen: goods change-fail"));
    // one for another day takes its place
    let loaded = chen.caller.page(&format!("{OWN}?waiting=1")).await;
    assert_eq!((toml_in(&loaded), base_in(&loaded)), (one.clone(), "2".to_owned()));
    assert_eq!(location(&apply(&chen, &server, "2", &one, &later).await), format!("{OWN}?said=done"));
    the_day_comes(&server).await;
    assert_eq!(versions(&server).await, ["1 ", "2 chen", "3 chen"]);
    assert!(server.column("select goods_id from goods_changes").await.is_empty());
}

async fn goods_off_sale_and_goods_of_the_command_line_are_versions_too(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let text = toml_in(&chen.caller.page(OWN).await);
    let ended = text.replacen("active = true", "active = false", 1);
    let page = send(&chen.caller, "preview", "1", &ended, &[]).await.text().await.unwrap();
    assert!(
        page.contains("停止出售") && page.contains("<dt>不能再订</dt><dd class=\"num\">1 行</dd>"),
        "{page}"
    );
    assert!(page.contains("其中 20 种以后不能这样订"), "{page}");
    assert_eq!(location(&apply(&chen, &server, "1", &ended, &[]).await), format!("{OWN}?said=done"));
    assert!(!member.page("/manager/shopping/cart").await.contains(&line));
    assert!(chen.caller.page(LIST).await.contains("已停售"));

    let folder = server.folder.path().join("goods");
    assert!(server.run(&["goods", "export", folder.to_str().unwrap()]).status.success());
    let file = folder.join("album-210.toml");
    let exported = fs::read_to_string(&file).unwrap();
    fs::write(&file, exported.replacen("active = false\n", "", 1)).unwrap();
    let import = ["goods", "import", file.to_str().unwrap()];
    let dry = [&import[..], &["--dry-run"]].concat();
    assert!(server.run(&dry).status.success());
    assert_eq!(versions(&server).await.len(), 2, "nothing was written");
    assert!(server.run(&import).status.success());
    assert_eq!(versions(&server).await.len(), 3);
    let page = chen.caller.page(&format!("{OWN}?diff=3")).await;
    assert!(page.contains("bindery goods import") && page.contains("恢复出售"), "{page}");
    assert!(member.page("/manager/shopping/cart").await.contains(&line));
    assert_eq!(
        server.column("select goods_id from goods_versions where goods_id <> 'album-210'").await.len(),
        0
    );
    // a change past all this is kept before the next one
    let (other, _) = priced(&text, "70.00");
    server.sql("update goods set active = 0 where id = 'album-210'").await;
    let page = chen.caller.page(OWN).await;
    assert_eq!(base_in(&page), "4");
    assert_eq!(location(&apply(&chen, &server, "4", &other, &[]).await), format!("{OWN}?said=done"));
    let who = versions(&server).await;
    assert_eq!((who.len(), &*who[3], &*who[4]), (5, "4 ", "5 chen"));
}

async fn prices_are_for_those_who_count_money(server: Server) {
    for (number, role) in ["客服", "印务", "编辑"].into_iter().enumerate() {
        let clerk = Clerk::sign_in(&server, &format!("clerk{number}"), &[role]).await.caller;
        for page in [LIST, OWN] {
            assert_eq!(clerk.get(page).await.status(), StatusCode::FORBIDDEN, "{role} {page}");
        }
        for form in [DRAFT, &*format!("{OWN}/waiting/removal")] {
            assert_eq!(clerk.post(form, &[]).await.status(), StatusCode::FORBIDDEN, "{role} {form}");
        }
        let home = clerk.page("/staff").await;
        assert!(!home.contains(LIST) && !home.contains("等着生效的价格"), "{role}");
    }
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    assert!(owner.page("/staff").await.contains("商品与价格"));
    for nothing in ["/staff/goods/none", "/staff/goods/no%20id"] {
        assert_eq!(owner.get(nothing).await.status(), StatusCode::NOT_FOUND, "{nothing}");
    }
    let fields = [("step", "preview"), ("base", "1"), ("toml", "x")];
    assert_eq!(owner.post("/staff/goods/none/draft", &fields).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(owner.post("/staff/goods/none/waiting/removal", &[]).await.status(), StatusCode::NOT_FOUND);
}
