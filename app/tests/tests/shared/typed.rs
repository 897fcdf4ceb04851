//! What people type: full-width, pasted with what nobody sees, with units. Forms of every area read it alike, and give back
//! what was typed where they refuse it.

use reqwest::StatusCode;

use support::second_factor::{ACCOUNT, at_the_step, show, switched_on};
use support::selling::{batch, codes, package, seller};
use support::staff::code;
use support::{PASSWORD, Server, between, jpeg, location, on_both_engines};

on_both_engines!(
    an_address_takes_a_phone_number_as_it_was_typed,
    a_code_is_redeemed_as_it_was_pasted,
    a_price_is_typed_with_commas_and_its_unit,
    copies_are_typed_in_every_width,
    an_account_is_found_as_it_was_pasted,
    names_are_kept_without_what_nobody_sees;
    on_sqlite:
    a_second_factor_is_read_as_it_was_typed,
    a_password_of_a_work_is_read_as_it_was_typed,
);

async fn an_address_takes_a_phone_number_as_it_was_typed(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    let fields = |phone: &'static str| {
        [
            ("receiver", "林\u{202e}知\u{200b}夏"),
            ("phone", phone),
            ("province", "浙江省"),
            ("city", "杭州市"),
            ("district", "西湖区"),
            ("street", "龙井路 １８ 号（东门）"),
        ]
    };
    let new = "/manager/userInfo/addresses/new";
    for (typed, kept) in [
        ("１３８００１３８０００", "13800138000"),
        ("0086 138-0013-8001", "13800138001"),
        ("（0571）8765 4321", "0571-87654321"),
        ("400—820—8820", "400-820-8820"),
    ] {
        assert_eq!(
            location(&member.post(new, &fields(typed)).await),
            "/manager/userInfo/addresses?done=added",
            "{typed}"
        );
        let page = member.page("/manager/userInfo/addresses").await;
        assert!(page.contains(kept), "{typed}");
        assert!(page.contains("林知夏") && page.contains("龙井路 １８ 号（东门）"), "{page}");
    }
    let answer = member.post(new, &fields("１３８００")).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("value=\"１３８００\"") && page.contains("林\u{202e}知\u{200b}夏"), "{page}");
}

async fn a_code_is_redeemed_as_it_was_pasted(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "套餐", "30", ("days", "３０ 天")).await;
    let batch = batch(&seller, &id, &[("active", "1"), ("expires", "2099/5/1")]).await;
    let codes = codes(&seller, &batch).await;
    let reader = server.member("reader@example.com", "0").await;
    let wide: String = codes[1].chars().map(|c| char::from_u32(u32::from(c) + 0xfee0).unwrap()).collect();
    for typed in [format!("\u{feff}{}\u{200b}", codes[0].replace('-', "\u{200b}—")), format!("{wide}\u{a0}")]
    {
        let answer = reader.post("/manager/book-study", &[("code", &typed)]).await;
        assert_eq!(location(&answer), "/manager/book-study?done=redeemed", "{typed:?}");
    }
}

async fn a_price_is_typed_with_commas_and_its_unit(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    for (number, typed) in ["1,234.50", "￥１，２３４．５", "1 234.50 元"].into_iter().enumerate() {
        let id = package(&seller, &works, &format!("套餐{number}"), typed, ("months", "１２个月")).await;
        let kept = seller.page(&format!("/manager/epaper_sell/{id}")).await;
        assert!(kept.contains("value=\"1234.50\"") && kept.contains("value=\"12\""), "{typed}: {kept}");
    }
    let page = seller.page("/manager/epaper_sell/new").await;
    let id = between(&page, "name=\"package\" value=\"", "\"");
    let typed = [
        ("package", &*id),
        ("title", "套餐"),
        ("unit", "days"),
        ("count", "30"),
        ("price", "1,23 元"),
        ("content", &works[0]),
    ];
    let answer = seller.post("/manager/epaper_sell/new", &typed).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("value=\"1,23 元\""), "what was typed comes back");
}

async fn copies_are_typed_in_every_width(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let address = format!("/manager/shopping/cart/{line}/quantity");
    for (typed, kept) in [("２", "2"), ("3份", "3"), ("1,000", "1000"), ("4 本\u{200b}", "4")] {
        assert_eq!(
            location(&member.post(&address, &[("quantity", typed)]).await),
            "/manager/shopping/cart",
            "{typed}"
        );
        let cart = member.page("/manager/shopping/cart").await;
        assert!(between(&cart, "id=\"quantity-", ">").contains(&format!("value=\"{kept}\"")), "{typed}");
    }
    let answer = member.post(&address, &[("quantity", " ２页 ")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("value=\" ２页 \""), "what was typed comes back");
}

async fn an_account_is_found_as_it_was_pasted(server: Server) {
    server.member("reader@example.com", "0").await;
    let account = server.own("reader@example.com");
    for typed in [
        format!("{account}\u{200b}"),
        format!("\u{feff}\u{202a}{}\u{202c}", account.replace('@', "＠").to_uppercase()),
        account.replace('.', "。"),
    ] {
        let door = "/manager/login";
        let answer = server.visitor().post(door, &[("account", &typed), ("password", PASSWORD)]).await;
        assert_eq!(location(&answer), "/manager/make_ebook", "{typed:?}");
        let token =
            server.visitor().post("/user-center/login", &[("account", &typed), ("password", PASSWORD)]).await;
        assert!(token.text().await.unwrap().contains("\"status\":1"), "{typed:?}");
    }
    let answer = server
        .visitor()
        .post("/manager/login", &[("account", &account), ("password", &format!("{PASSWORD}\u{200b}"))])
        .await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "a password is taken by the letter");
}

async fn names_are_kept_without_what_nobody_sees(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let answer = member.post("/manager/userInfo", &[("name", "林\u{202e}夏\u{feff}👩‍🚀①")]).await;
    assert_eq!(location(&answer), "/manager/userInfo?done=name");
    assert!(member.page("/manager/userInfo").await.contains("value=\"林夏👩‍🚀①\""));
    let photos = member.upload(vec![("gnp\u{202e}海边\u{200b}.jpg", jpeg(320, 240, 1))]).await;
    let file = &server.column(&format!("select file_name from photos where id = '{}'", photos[0])).await[0];
    assert_eq!(file, "gnp海边.jpg");
    let work = member.album("square-210", "山海\u{2066}之间\u{2069}：①", &photos).await;
    assert!(member.page(&format!("/manager/opus_setting/{work}")).await.contains("value=\"山海之间：①\""));
}

async fn a_second_factor_is_read_as_it_was_typed(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    let (secret, recovery) = switched_on(&member).await;
    let wide = |text: &str| -> String {
        text.chars().map(|c| char::from_u32(u32::from(c) + 0xfee0).unwrap()).collect()
    };
    let (visitor, step) = at_the_step(&server, "/manager/login").await;
    let now = wide(&code(&secret, 0));
    assert_eq!(location(&show(&visitor, &step, &format!("{now}\u{200b}")).await), "/manager/make_ebook");
    let (visitor, step) = at_the_step(&server, "/manager/login").await;
    let typed = format!("\u{feff}{}", recovery[0].to_uppercase().replace('-', "—"));
    assert_eq!(location(&show(&visitor, &step, &typed).await), "/manager/make_ebook");
}

async fn a_password_of_a_work_is_read_as_it_was_typed(server: Server) {
    let maker = server.member("maker@example.com", "0").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(320, 240, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    let answer = maker.share_as(&work, &[("visibility", "password"), ("password", "灯塔－２０２６")]).await;
    assert_eq!(location(&answer), format!("/manager/opus_share_edit/{work}?saved=published"));
    let read = format!("/read/{work}");
    for typed in ["灯塔-2026", "灯塔—２０２６\u{200b}", "灯塔－２０２６"] {
        assert_eq!(location(&server.visitor().post(&read, &[("password", typed)]).await), read, "{typed:?}");
    }
    let page = server.visitor().get(&format!("{read}/goto?page=%EF%BC%92")).await;
    assert_eq!(location(&page), format!("{read}/2"), "２");
    let wrong = server.visitor().post(&read, &[("password", "灯塔2026")]).await;
    assert_eq!(wrong.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // one that was set when it was hashed as it was sent: 灯—塔2026, by argon2-cffi
    const BEFORE: &str =
        "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$xWudlKE/UPZ06/McewUebzXleXd1zGpGYS7HOGFLxRI";
    server.sql(&format!("update shares set password_hash = '{BEFORE}' where work_id = '{work}'")).await;
    assert_eq!(location(&server.visitor().post(&read, &[("password", "灯—塔2026")]).await), read);
}
