//! /manager/shopping/…: the cart, print options as a form, ordering and paying.

use reqwest::StatusCode;
use serde_json::{Value, json};

use support::editor::Editor;
use support::{Caller, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    the_cart_shows_what_was_chosen_and_its_price,
    another_choice_shows_its_price_without_saving,
    pressing_twice_adds_orders_and_pays_once,
    numbers_typed_in_the_cart_are_kept_by_every_button,
    the_chosen_lines_are_summed_up,
    a_new_address_whose_sum_was_seen_is_ordered_to_at_once,
    a_cart_has_no_end_of_lines,
    an_order_of_many_lines_is_whole,
    what_is_too_large_for_one_order_goes_in_parts,
    a_member_has_twenty_orders_to_pay_at_most;
    on_sqlite:
    bad_quantities_are_refused_and_nothing_is_saved,
    forbidden_choices_are_refused_with_the_reason,
    foil_needs_words_on_the_cover,
    a_choice_of_a_craft_is_seen_before_it_is_saved,
    bundles_choose_in_every_step_and_chips_say_what_they_add,
    bundles_show_the_work_as_a_book_made_so,
    saved_options_lead_past_the_cart_where_that_is_asked_for,
    an_order_is_paid_from_the_balance_and_cancelled_back,
    an_unaffordable_order_stays_unpaid,
    the_price_is_the_servers,
    somebody_elses_lines_and_orders_look_like_none,
    addresses_are_checked_and_come_back,
    an_address_that_was_written_is_not_passed_over,
    back_to_a_checkout_leads_to_the_order_that_it_became,
    checkout_leads_the_chosen_lines_to_the_order,
    a_quantity_is_changed_in_the_cart,
    copies_go_up_and_down_by_one,
    what_was_refused_once_is_not_kept_with_the_line,
    a_removed_line_can_be_put_back,
);

/// The fields of the print-options form as the page has them.
async fn options(member: &Caller, line: &str) -> Vec<(String, String)> {
    let page = member.page(&format!("/manager/shopping/cart/{line}/options")).await;
    let mut fields: Vec<(String, String)> = Vec::new();
    for radio in page.split("<input type=\"radio\" name=\"").skip(1) {
        let (name, rest) = radio.split_once('"').unwrap();
        let tag = rest.split_once('>').unwrap().0;
        if tag.contains(" checked") {
            fields.push((name.to_owned(), between(tag, "value=\"", "\"")));
        }
    }
    fields.push(("quantity".into(), "1".into()));
    fields.push(("remark".into(), String::new()));
    fields
}

fn with<'a>(fields: &'a [(String, String)], changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = fields.iter().filter(|(name, _)| !changes.iter().any(|(changed, _)| name == changed));
    kept.map(|(name, value)| (name.as_str(), value.as_str())).chain(changes.iter().copied()).collect()
}

/// The code and the enabled state of an item by its Chinese name.
fn item(page: &str, name: &str) -> (String, String, bool) {
    let before = page.split(&format!("<span>{name}<")).next().unwrap();
    let tag = before.rsplit("<input type=\"radio\"").next().unwrap();
    (between(tag, "name=\"", "\""), between(tag, "value=\"", "\""), !tag.contains(" disabled"))
}

/// The quantity of the first line in the cart.
fn quantity_in(cart: &str) -> String {
    let field = between(cart, "id=\"quantity-", ">");
    between(&field, "value=\"", "\"")
}

async fn the_cart_shows_what_was_chosen_and_its_price(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let address = format!("/manager/shopping/cart/{line}/options");
    let fields = options(&member, &line).await;
    let answer = member.post(&address, &with(&fields, &[("quantity", "12"), ("remark", "请用哑金")])).await;
    assert_eq!(location(&answer), "/manager/shopping/cart");
    let cart = member.page("/manager/shopping/cart").await;
    assert!(cart.contains("海边的夏天") && quantity_in(&cart) == "12");
    let page = member.page(&address).await;
    assert!(page.contains("请用哑金") && page.contains(r#"value="12""#));
    assert!(page.contains("价格怎么来的"));
}

async fn bad_quantities_are_refused_and_nothing_is_saved(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let address = format!("/manager/shopping/cart/{line}/options");
    let fields = options(&member, &line).await;
    for quantity in ["0", "1.5", "1000001", "-1", "", "1e3", "一", "99999999999999999999", "+1"] {
        let answer =
            member.post(&address, &with(&fields, &[("quantity", quantity), ("remark", "保留我")])).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{quantity:?}");
        let page = answer.text().await.unwrap();
        assert!(page.contains("数量须为 1 到 1000000 的整数"), "{quantity:?}");
        assert!(page.contains("保留我"), "what was typed comes back");
    }
    assert_eq!(quantity_in(&member.page("/manager/shopping/cart").await), "1");
    let answer = member.post(&address, &with(&fields, &[("quantity", "1000000")])).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
}

async fn forbidden_choices_are_refused_with_the_reason(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let address = format!("/manager/shopping/cart/{line}/options");
    let page = member.page(&address).await;
    let fields = options(&member, &line).await;
    let (weight_step, thin, enabled) = item(&page, "128克");
    assert!(!enabled, "128克 needs 67 pages");
    let answer = member.post(&address, &with(&fields, &[(&weight_step, &thin)])).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("128克不可选"));
    for forged in ["no-such-code", "<script>"] {
        let answer = member.post(&address, &with(&fields, &[(&weight_step, forged)])).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert!(!answer.text().await.unwrap().contains("<script>\""));
    }
    let missing = with(&fields, &[]).into_iter().filter(|(name, _)| *name != weight_step).collect::<Vec<_>>();
    let answer = member.post(&address, &missing).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("请选择内页克重"));
}

async fn foil_needs_words_on_the_cover(server: Server) {
    let editor = Editor::of(&server, "buyer@example.com").await;
    let member = &editor.member;
    let line = member.add_to_cart(&editor.work, "album-210").await;
    let address = format!("/manager/shopping/cart/{line}/options");
    let page = member.page(&address).await;
    let (craft, foil, _) = item(&page, "烫金");
    let fields = options(member, &line).await;
    let foiled = with(&fields, &[(&craft, &foil)]);
    assert_eq!(member.post(&address, &foiled).await.status(), StatusCode::SEE_OTHER);
    let proof = member.page(&format!("/manager/shopping/cart/{line}/proof")).await;
    assert!(proof.contains("金色的字是烫金，另有一块版"));

    // the title goes, and with it what the plate is made of
    let (revision, document) = editor.document().await;
    let texts = document["cover"]["elements"].as_array().unwrap().iter().filter(|it| it["kind"] == "text");
    let removals: Vec<Value> = texts
        .map(|it| json!({ "id": it["id"], "op": "remove", "page": "cover", "element": it["id"] }))
        .collect();
    editor.make(revision, &json!(removals)).await;
    let order = member.order_form(&line).await;
    let order: Vec<(&str, &str)> = order.iter().map(|(name, value)| (&**name, &**value)).collect();
    let answer = member.post(&format!("/manager/shopping/order/{line}"), &order).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let said = answer.text().await.unwrap();
    assert!(said.contains("还不能下单") && said.contains("烫金没有图样可做"));
    let answer = member.post(&address, &foiled).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let said = answer.text().await.unwrap();
    assert!(said.contains("封面上没有字，烫金没有图样可做"));
    let cnums: Vec<&str> = fields
        .iter()
        .filter(|(name, _)| name.starts_with("step-"))
        .map(|(name, cnum)| if *name == craft { &*foil } else { &**cnum })
        .collect();
    let cnums = cnums.join("|");
    let fields_of = |cnums| [("CartID", &*line), ("goodsID", "album-210"), ("count", "1"), ("cnums", cnums)];
    let answer = member.post("/shopping/updateCart", &fields_of(&cnums)).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    assert!(answer.text().await.unwrap().contains("烫金没有图样可做"));
    // the same without it is taken
    assert_eq!(member.post(&address, &with(&fields, &[])).await.status(), StatusCode::SEE_OTHER);
    let plain = cnums.replace(&foil, &fields.iter().find(|(name, _)| *name == craft).unwrap().1);
    assert_eq!(member.post("/shopping/updateCart", &fields_of(&plain)).await.status(), StatusCode::OK);
}

/// The picture beside the choices, and what is said of the artwork, are those of what was asked for.
async fn a_choice_of_a_craft_is_seen_before_it_is_saved(server: Server) {
    let editor = Editor::of(&server, "buyer@example.com").await;
    let member = &editor.member;
    let line = member.add_to_cart(&editor.work, "album-210").await;
    let address = format!("/manager/shopping/cart/{line}/options");
    let front = format!("/manager/shopping/cart/{line}/front/");
    let page = member.page(&address).await;
    assert!(!page.contains(&front), "what is printed alone is the page as it is");
    let (craft, foil, _) = item(&page, "烫金");
    let (_, raised, _) = item(&page, "起鼓");
    let mut pictures = Vec::new();
    for choice in [&foil, &raised] {
        let asked = member.page(&format!("{address}?{craft}={choice}")).await;
        let picture =
            format!("{front}{}", between(&asked, &format!("src=\"{front}"), "\"")).replace("&amp;", "&");
        let answer = member.get(&picture).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "image/webp");
        pictures.push(answer.bytes().await.unwrap());
    }
    assert!(pictures[0] != pictures[1]);
    assert!(!member.page(&address).await.contains(&front), "nothing was saved");
    let other = server.member("other@example.com", "0").await;
    assert_eq!(other.get(&format!("{front}720")).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(member.get(&format!("{front}721")).await.status(), StatusCode::NOT_FOUND);

    // a title so small that its strokes would break is told of where the craft is chosen, and not without it
    let (revision, document) = editor.document().await;
    let title =
        document["cover"]["elements"].as_array().unwrap().iter().find(|it| it["role"] == "title").unwrap();
    let size = json!({ "id": title["id"], "op": "set", "page": "cover", "element": title["id"], "name": "size", "value": -4 });
    editor.make(revision, &json!([size])).await;
    let told = member.page(&format!("{address}?{craft}={foil}")).await;
    assert!(told.contains("烫金") && told.contains("请放大到"), "{told}");
    assert!(!member.page(&address).await.contains("请放大到"));
}

async fn another_choice_shows_its_price_without_saving(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let address = format!("/manager/shopping/cart/{line}/options");
    let total = |page: &str| between(page, "总价 <span class=\"money price total\"><small>¥</small>", "<");
    let before = member.page(&address).await;
    let asked = member.page(&format!("{address}?quantity=7")).await;
    assert_ne!(total(&before), total(&asked));
    assert_eq!(total(&before), total(&member.page(&address).await), "nothing was saved");
}

async fn bundles_choose_in_every_step_and_chips_say_what_they_add(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let address = format!("/manager/shopping/cart/{line}/options");
    let page = member.page(&address).await;
    let bundles = between(&page, "class=\"bundles\"", "</fieldset>");
    assert_eq!(between_all(&bundles, "name=\"bundle\" value=\"", "\""), ["经典", "收藏", "礼品"]);
    let chip = between(&page, "<span>布艺<", "</label>");
    assert!(chip.contains("+¥16.00"), "{chip}");
    assert!(between(&page, "<span>烫金<", "</label>").contains("+¥80.00 每单"));
    assert!(!between(&page, "<span>铜版纸<", "</label>").contains('+'), "what costs nothing says nothing");
    assert!(page.contains("付款后约 5–7 个工作日做好寄出"));
    // what the fields say counts for nothing beside it
    let (cover, coated, _) = item(&page, "铜版纸");
    let asked = member.page(&format!("{address}?bundle=礼品&{cover}={coated}&quantity=1")).await;
    for name in ["布艺", "烫金", "天地盖礼盒"] {
        let before = asked.split(&format!("<span>{name}<")).next().unwrap();
        assert!(before.rsplit("<input").next().unwrap().contains(" checked"), "{name}");
    }
    assert!(!member.page(&address).await.contains("aria-pressed=\"true\""), "nothing was saved");
}

async fn bundles_show_the_work_as_a_book_made_so(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let page = member.page(&format!("/manager/shopping/cart/{line}/options")).await;
    let bundles = between(&page, "class=\"bundles\"", "</fieldset>");
    let pictures = between_all(&bundles, "<img src=\"", "\"");
    assert_eq!(pictures.len(), 3, "{bundles}");
    let mut books = Vec::new();
    for address in &pictures {
        let answer = member.get(address).await;
        assert_eq!(answer.headers()["content-type"], "image/svg+xml");
        let book = answer.text().await.unwrap();
        assert!(book.contains("data:image/webp;base64,UklGR") && book.len() < 80_000, "{}", book.len());
        books.push(book);
    }
    let is_cloth = books.iter().map(|book| book.contains("url(#cloth)")).collect::<Vec<_>>();
    assert_eq!(is_cloth, [false, false, true]);
    let beyond = pictures[0].replace("/bound/1", "/bound/4");
    assert_eq!(member.get(&beyond).await.status(), StatusCode::NOT_FOUND);
}

async fn saved_options_lead_past_the_cart_where_that_is_asked_for(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let address = format!("/manager/shopping/cart/{line}/options");
    let fields = options(&member, &line).await;
    assert_eq!(location(&member.post(&address, &with(&fields, &[])).await), "/manager/shopping/cart");
    let on = member.post(&address, &with(&fields, &[("then", "order"), ("quantity", "3")])).await;
    assert_eq!(location(&on), format!("/manager/shopping/order/{line}"));
    assert_eq!(quantity_in(&member.page("/manager/shopping/cart").await), "3", "it was saved before");
    let refused = member.post(&address, &with(&fields, &[("then", "order"), ("quantity", "0")])).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

async fn pressing_twice_adds_orders_and_pays_once(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let photos = member.upload((0..6).map(|n| ("照片.jpg", support::jpeg(640, 480, n))).collect()).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let address = format!("/manager/add_shopping/{work}");
    let line = between(&member.page(&address).await, "name=\"line\" value=\"", "\"");
    let fields = [("line", line.as_str()), ("goods", "album-210")];
    let (one, other) = tokio::join!(member.post(&address, &fields), member.post(&address, &fields));
    assert_eq!(location(&one), location(&other));
    assert!(member.page("/manager/shopping/cart").await.contains("共 <span class=\"num\">1</span> 件"));

    let fields = member.order_form(&line).await;
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let place = format!("/manager/shopping/order/{line}");
    let presses = futures::future::join_all((0..8).map(|_| member.post(&place, &fields))).await;
    let mut orders: Vec<String> = presses.iter().map(location).collect();
    orders.dedup();
    assert_eq!(orders.len(), 1, "{orders:?}");
    let order = orders[0].rsplit('=').next().unwrap().to_owned();
    let total = between(
        &member.page(&orders[0]).await,
        "应付</span> <strong><span class=\"money\"><small>¥</small>",
        "<",
    );

    let pay = [("order", order.as_str())];
    let presses = futures::future::join_all((0..8).map(|_| member.post("/manager/shopping/pay", &pay))).await;
    for press in &presses {
        assert_eq!(location(press), format!("/manager/shopping/success?order={order}"));
    }
    let left = 50_000 - fen(&total);
    assert_eq!(fen(&member.balance().await), left, "paid exactly once");
    let page = member.page(&format!("/manager/order/{order}")).await;
    assert_eq!(page.matches("<strong>已付款</strong>").count(), 1);
}

fn fen(amount: &str) -> i64 {
    amount.replace([',', '.'], "").parse().unwrap()
}

async fn an_order_is_paid_from_the_balance_and_cancelled_back(server: Server) {
    let member = server.member("buyer@example.com", "500.00").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    assert!(
        member.page("/manager/shopping/cart").await.contains("购物车是空的"),
        "the line became the order"
    );
    let success = location(&member.post("/manager/shopping/pay", &[("order", &order)]).await);
    assert!(member.page(&success).await.contains("付款成功"));
    assert_ne!(member.balance().await, "500.00");
    let book = member.page("/manager/recharge").await;
    let book = between(&book, "id=\"balance\"", "</section>");
    assert!(book.contains(&format!("支付订单 {order}")) && book.contains("500.00"), "where it went: {book}");
    let detail = format!("/manager/order/{order}");
    let page = member.page(&detail).await;
    assert!(page.contains("林知夏") && page.contains("浙江省 杭州市 西湖区 龙井路 18 号"));
    assert_eq!(member.get(&format!("{detail}/line/1/page/cover/320")).await.status(), StatusCode::OK);
    for _ in 0..2 {
        assert_eq!(location(&member.post(&format!("{detail}/cancellation"), &[]).await), detail);
        assert_eq!(member.balance().await, "500.00", "given back exactly once");
    }
    assert!(member.page(&detail).await.contains("已取消"));
    let answer = member.post("/manager/shopping/pay", &[("order", &order)]).await;
    assert!(answer.status() == StatusCode::CONFLICT || location(&answer).contains("success"));
    assert_eq!(member.balance().await, "500.00");
}

async fn an_unaffordable_order_stays_unpaid(server: Server) {
    let member = server.member("buyer@example.com", "1.00").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    assert!(member.page(&format!("/manager/shopping/pay?order={order}")).await.contains("余额不足"));
    let answer = member.post("/manager/shopping/pay", &[("order", &order)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("余额不足"));
    assert_eq!(member.balance().await, "1.00");
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("待付款"));
    assert_eq!(
        member.get(&format!("/manager/shopping/success?order={order}")).await.status(),
        StatusCode::NOT_FOUND
    );
}

async fn the_price_is_the_servers(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let fields = member.order_form(&line).await;
    let place = format!("/manager/shopping/order/{line}");
    let answer = member.post(&place, &with(&fields, &[("total", "0.01")])).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("金额已变为"));
    assert!(member.page("/manager/order").await.contains("还没有订单"));
    let answer = member.post(&place, &with(&fields, &[("goods_total", "0.01"), ("shipping", "0")])).await;
    let order = location(&answer);
    assert!(!member.page(&order).await.contains("<small>¥</small>0.01<"));
}

async fn somebody_elses_lines_and_orders_look_like_none(server: Server) {
    let owner = server.member("buyer@example.com", "500").await;
    let other = server.member("other@example.com", "500").await;
    let line = owner.cart_with_album().await;
    let own = other.cart_with_album().await;
    for path in [
        format!("/manager/shopping/cart/{line}/options"),
        format!("/manager/shopping/order/{line}"),
        format!("/manager/shopping/order/{own},{line}"),
        "/manager/shopping/order/,".to_owned(),
        "/manager/shopping/pay".to_owned(),
        "/manager/shopping/success".to_owned(),
        "/manager/shopping/pay?order=20260101000".to_owned(),
    ] {
        assert_eq!(other.get(&path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let answer = other.post(&format!("/manager/shopping/cart/{line}/removal"), &[]).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let order = owner.order(&line).await;
    assert_eq!(other.get(&format!("/manager/order/{order}")).await.status(), StatusCode::NOT_FOUND);
    for path in [format!("/manager/order/{order}/cancellation"), "/manager/shopping/pay".to_owned()] {
        assert_eq!(other.post(&path, &[("order", &order)]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert!(owner.page(&format!("/manager/order/{order}")).await.contains("待付款"));
}

async fn addresses_are_checked_and_come_back(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let place = format!("/manager/shopping/order/{line}");
    let answer = member
        .post(
            &place,
            &[("address", "new"), ("receiver", "林知夏"), ("phone", "12ab"), ("province", "火星省")],
        )
        .await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    for message in ["请输入正确的手机号码", "请选择省份", "请输入详细地址"] {
        assert!(page.contains(message), "{message}");
    }
    assert!(page.contains(r#"value="林知夏""#));
    assert!(member.page(&place).await.contains("填好地址后计算"), "no half an address was kept");
}

async fn a_new_address_whose_sum_was_seen_is_ordered_to_at_once(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let place = format!("/manager/shopping/order/{line}");
    assert!(member.page(&format!("{place}?address=new&province=火星省")).await.contains("填好地址后计算"));
    let page = member.page(&format!("{place}?address=new&province=浙江省")).await;
    assert!(page.contains("应付") && page.contains(">提交订单<"), "{page}");
    let [total, key] =
        ["total", "request_key"].map(|name| between(&page, &format!("name=\"{name}\" value=\""), "\""));
    let mut fields = vec![
        ("address", "new"),
        ("receiver", "林知夏"),
        ("phone", "13800138000"),
        ("province", "浙江省"),
        ("city", "杭州市"),
        ("district", "西湖区"),
        ("street", "龙井路 18 号"),
        ("request_key", &key),
    ];
    let known =
        format!("select cast(count(*) as text) from addresses where member_id in {}", server.members());
    // another sum than is to be paid orders nothing, and loses no address
    let seen = [fields.clone(), vec![("total", "1.00")]].concat();
    let answer = member.post(&place, &seen).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains(&format!("金额已变为 ¥{total}")) && page.contains("林知夏"), "{page}");
    assert_eq!(server.read(&known).await, "1");
    let kept = between(&page, "type=\"radio\" name=\"address\" value=\"", "\"");
    assert!(!page.contains("value=\"龙井路 18 号\""), "it is no new one any more");
    // pressed twice where it was seen: one order, and one address
    fields.push(("total", &total));
    let placed = location(&member.post(&place, &fields).await);
    let order = placed.strip_prefix("/manager/shopping/pay?order=").expect("it is placed");
    assert_eq!(location(&member.post(&place, &fields).await), placed);
    assert_eq!(server.read(&known).await, "1");
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("龙井路 18 号"));
    assert!(!kept.is_empty());
}

async fn an_address_that_was_written_is_not_passed_over(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let place = format!("/manager/shopping/order/{line}");
    let known = member.order_form(&line).await;
    let written = [("receiver", "王小明"), ("phone", "13900139000"), ("street", "世纪大道 1 号")];
    let answer = member.post(&place, &with(&known, &written)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "nobody knows where it should go");
    let page = answer.text().await.unwrap();
    assert!(
        page.contains("填了新地址") && page.contains("王小明") && page.contains("世纪大道 1 号"),
        "{page}"
    );
    let radio = between(&page, "type=\"radio\" name=\"address\" value=\"new\"", ">");
    assert!(radio.contains("checked"), "what was written last is what is proposed");
    // whoever chooses the known one all the same has it
    let asked = between(&page, "name=\"asked_where\" value=\"", "\"");
    let total = known.iter().find(|(name, _)| name == "total").unwrap().1.clone();
    let mut all = written.to_vec();
    all.extend([("asked_where", asked.as_str()), ("total", total.as_str())]);
    let placed = location(&member.post(&place, &with(&known, &all)).await);
    let order = placed.strip_prefix("/manager/shopping/pay?order=").expect("it is placed").to_owned();
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("林知夏"));
}

async fn back_to_a_checkout_leads_to_the_order_that_it_became(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let (line, other) = (member.cart_with_album().await, member.cart_with_album().await);
    let place = format!("/manager/shopping/order/{line}");
    let order = member.order(&line).await;
    for seen in [place.clone(), format!("{place},{other}")] {
        assert_eq!(location(&member.get(&seen).await), format!("/manager/order/{order}"));
    }
    // pressed there once more
    let again =
        member.post(&place, &[("address", "new"), ("request_key", "01JD2Z9V3S3M3V9W8H6T5R4Q2P")]).await;
    assert_eq!(location(&again), format!("/manager/order/{order}"));
    let stranger = server.member("stranger@example.com", "0").await;
    assert_eq!(stranger.get(&place).await.status(), StatusCode::NOT_FOUND);
}

async fn checkout_leads_the_chosen_lines_to_the_order(server: Server) {
    const CHECKOUT: &str = "/manager/shopping/checkout";
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let answer = member.post(CHECKOUT, &[("line", &line)]).await;
    assert_eq!(location(&answer), format!("/manager/shopping/order/{line}"));
    let answer = member.post(CHECKOUT, &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("请先选择要结算的商品"));
    let answer = member.post(&format!("/manager/shopping/cart/{line}/removal"), &[]).await;
    assert_eq!(location(&answer), "/manager/shopping/cart");
    assert!(member.page("/manager/shopping/cart").await.contains("购物车是空的"));
}

async fn what_was_refused_once_is_not_kept_with_the_line(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    let line = member.cart_with_album().await;
    // nobody has looked at the line before
    let answer = member.post(&format!("/manager/shopping/cart/{line}/quantity"), &[("quantity", "0")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let options =
        |page: &str| between(page, &format!("<template data-options-of=\"{line}\">"), "</template>");
    for page in [answer.text().await.unwrap(), member.page("/manager/shopping/cart").await] {
        assert!(!options(&page).contains("数量须为 1 到 1000000 的整数"), "{}", options(&page));
    }
}

/// − and + beside a number keep what was typed into the others; neither leaves what can be ordered.
async fn copies_go_up_and_down_by_one(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let (one, two) = (member.cart_with_album().await, member.cart_with_album().await);
    let [first, second] = [&one, &two].map(|line| format!("quantity-{line}"));
    let copies = |page: &str, line: &str| {
        between(&between(page, &format!("id=\"quantity-{line}\""), ">"), "value=\"", "\"")
    };
    for (typed, button, after) in
        [("7", "more", "8"), ("7", "less", "6"), ("1", "less", "1"), ("1000000", "more", "1000000")]
    {
        let form = [("recount", "1"), (&*first, typed), (&*second, "4"), (button, &*one)];
        let page = member.page(&location(&member.post("/manager/shopping/cart", &form).await)).await;
        assert_eq!(
            (copies(&page, &one), copies(&page, &two)),
            (after.to_owned(), "4".to_owned()),
            "{typed} {button}"
        );
    }
    let form = [("recount", "1"), (&*first, "many"), (&*second, "4"), ("more", &*one)];
    let answer = member.post("/manager/shopping/cart", &form).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("value=\"many\""), "what was typed comes back");
}

async fn numbers_typed_in_the_cart_are_kept_by_every_button(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let other = server.member("other@example.com", "500").await;
    let (one, two) = (member.cart_with_album().await, member.cart_with_album().await);
    let foreign = other.cart_with_album().await;
    let [first, second, third] = [&one, &two, &foreign].map(|line| format!("quantity-{line}"));
    let copies = |page: &str, line: &str| {
        between(&between(page, &format!("id=\"quantity-{line}\""), ">"), "value=\"", "\"")
    };

    let form = [("recount", "1"), ("line", &two), (&first, "30"), (&second, "4"), (&third, "9")];
    let answer = member.post("/manager/shopping/cart", &form).await;
    assert_eq!(location(&answer), format!("/manager/shopping/cart?recount=1&line={two}"));
    let page = member.page(&location(&answer)).await;
    assert_eq!((copies(&page, &one), copies(&page, &two)), ("30".to_owned(), "4".to_owned()));
    let tag = |page: &str, id: &str| between(page, &format!("value=\"{id}\""), ">");
    assert!(
        tag(&page, &two).contains("checked") && !tag(&page, &one).contains("checked"),
        "the choice stays"
    );
    assert_eq!(
        copies(&other.page("/manager/shopping/cart").await, &foreign),
        "1",
        "another's line is not touched"
    );

    // one wrong number keeps none, and everything comes back
    let form = [("recount", "1"), ("line", &one), (&first, "5"), (&second, "0")];
    for path in ["/manager/shopping/cart", "/manager/shopping/checkout"] {
        let answer = member.post(path, &form).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let page = answer.text().await.unwrap();
        assert!(page.contains("数量须为 1 到 1000000 的整数"));
        assert_eq!((copies(&page, &one), copies(&page, &two)), ("5".to_owned(), "0".to_owned()));
        assert!(tag(&page, &one).contains("checked") && !tag(&page, &two).contains("checked"));
        assert_eq!(copies(&member.page("/manager/shopping/cart").await, &one), "30");
    }

    let answer = member.post("/manager/shopping/checkout", &[("line", &one), (&first, "7")]).await;
    assert_eq!(location(&answer), format!("/manager/shopping/order/{one}"));
    assert_eq!(copies(&member.page("/manager/shopping/cart").await, &one), "7");
}

async fn a_quantity_is_changed_in_the_cart(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let other = server.member("other@example.com", "500").await;
    let line = member.cart_with_album().await;
    let options = format!("/manager/shopping/cart/{line}/options");
    let fields = options_with_remark(&member, &line, "轻放").await;
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(location(&member.post(&options, &fields).await), "/manager/shopping/cart");

    let address = format!("/manager/shopping/cart/{line}/quantity");
    let answer = member.post(&address, &[("quantity", "30")]).await;
    assert_eq!(location(&answer), "/manager/shopping/cart");
    let cart = member.page("/manager/shopping/cart").await;
    assert_eq!(quantity_in(&cart), "30");
    assert!(cart.contains("折</span>"), "the volume discount of 30 copies");
    assert!(member.page(&options).await.contains("轻放"), "nothing else changed");
    for quantity in ["0", "1.5", "1000001", "", "三"] {
        let answer = member.post(&address, &[("quantity", quantity)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let page = answer.text().await.unwrap();
        assert!(page.contains("数量须为 1 到 1000000 的整数"));
        assert_eq!(quantity_in(&page), quantity, "what was typed comes back");
    }
    assert_eq!(quantity_in(&member.page("/manager/shopping/cart").await), "30");
    let answer = other.post(&address, &[("quantity", "2")]).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

async fn options_with_remark(member: &Caller, line: &str, remark: &str) -> Vec<(String, String)> {
    let mut fields = options(member, line).await;
    fields.retain(|(name, _)| name != "remark");
    fields.push(("remark".into(), remark.into()));
    fields
}

async fn a_removed_line_can_be_put_back(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let other = server.member("other@example.com", "500").await;
    let line = member.cart_with_album().await;
    let base = format!("/manager/shopping/cart/{line}");
    // the first view has its styles inside
    member.page("/manager/shopping/cart").await;
    let before = member.page("/manager/shopping/cart").await;
    for _ in 0..2 {
        let answer = member.post(&format!("{base}/removal"), &[]).await;
        assert_eq!(location(&answer), "/manager/shopping/cart", "twice is no error");
    }
    let cart = member.page("/manager/shopping/cart").await;
    assert!(cart.contains("购物车是空的") && cart.contains("已移除《海边的夏天》"));
    // a removed line can't be changed, ordered or counted
    assert_eq!(member.get(&format!("{base}/options")).await.status(), StatusCode::NOT_FOUND);
    let answer = member.get(&format!("/manager/shopping/order/{line}")).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(answer.text().await.unwrap().contains("《海边的夏天》已从购物车移除"));
    let answer = other.get(&format!("/manager/shopping/order/{line}")).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let answer = member.post(&format!("{base}/quantity"), &[("quantity", "2")]).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let list: String = member.get("/cart/cartList").await.text().await.unwrap();
    assert!(!list.contains(&line));
    let answer = other.post(&format!("{base}/restoration"), &[]).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    for _ in 0..2 {
        let answer = member.post(&format!("{base}/restoration"), &[]).await;
        assert_eq!(location(&answer), "/manager/shopping/cart");
    }
    assert_eq!(member.page("/manager/shopping/cart").await, before, "as it was");
    // what was ordered can't come back
    member.order(&line).await;
    let answer = member.post(&format!("{base}/restoration"), &[]).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

async fn the_chosen_lines_are_summed_up(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let one = member.cart_with_album().await;
    let two = member.cart_with_album().await;
    let sum =
        |page: &str| fen(&between(page, "data-sum><span class=\"money price total\"><small>¥</small>", "<"));
    let all = sum(&member.page("/manager/shopping/cart").await);
    let page = member.page(&format!("/manager/shopping/cart?recount=1&line={one}")).await;
    assert_eq!(sum(&page) * 2, all);
    let tag = |id: &str| between(&page, &format!("value=\"{id}\""), ">");
    assert!(tag(&one).contains("checked") && !tag(&two).contains("checked"));
    assert_eq!(sum(&member.page("/manager/shopping/cart?recount=1").await), 0);
}

async fn a_cart_has_no_end_of_lines(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let line = member.cart_with_album().await;
    let sql = format!("select work_id || ' ' || goods_id from cart_lines where id = '{line}'");
    let (work, goods) =
        server.read(&sql).await.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let others: Vec<String> = (1..500).map(|number| format!("('{line}{number}', {number})")).collect();
    let others = others.join(", ");
    server
        .sql(&format!(
            "with other(id, n) as (values {others})
             insert into cart_lines (id, member_id, work_id, goods_id, cnums, quantity, remark, created_at, updated_at)
             select other.id, member_id, work_id, goods_id, cnums, quantity, remark, created_at, updated_at
             from cart_lines, other where cart_lines.id = '{line}'"
        ))
        .await;
    let address = format!("/manager/add_shopping/{work}");
    let new = between(&member.page(&address).await, "name=\"line\" value=\"", "\"");
    let answer = member.post(&address, &[("line", &new), ("goods", &goods)]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(answer.text().await.unwrap().contains("购物车最多放 500 行"));
    // what is there already is no new one
    let answer = member.post(&address, &[("line", &line), ("goods", &goods)]).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
}

/// So many more lines like one in the cart; their ids.
async fn more_lines(server: &Server, line: &str, count: usize) -> Vec<String> {
    let ids: Vec<String> = (1..=count).map(|number| format!("{}{number:04}", &line[..22])).collect();
    let others: Vec<String> =
        ids.iter().enumerate().map(|(number, id)| format!("('{id}', {number})")).collect();
    let others = others.join(", ");
    server
        .sql(&format!(
            "with other(id, n) as (values {others})
             insert into cart_lines (id, member_id, work_id, goods_id, cnums, quantity, remark, created_at, updated_at)
             select other.id, member_id, work_id, goods_id, cnums, quantity, 'Nr. ' || other.n, created_at - 1 - other.n, updated_at
             from cart_lines, other where cart_lines.id = '{line}'"
        ))
        .await;
    ids
}

/// More lines than one statement writes: each is there once, in the cart's order, and nothing is left in the cart.
async fn an_order_of_many_lines_is_whole(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    let line = member.cart_with_album().await;
    let mut lines = vec![line.clone()];
    lines.extend(more_lines(&server, &line, 120).await);
    let order = member.order(&lines.join(",")).await;
    let kept = server
        .column(&format!(
            "select cast(position as text) || ' ' || remark || ' ' || title from order_lines
             where order_id = '{order}' order by position"
        ))
        .await;
    assert_eq!(kept.len(), 121);
    assert_eq!(kept[0], "1  海边的夏天");
    for (index, line) in kept.iter().enumerate().skip(1) {
        assert_eq!(*line, format!("{} Nr. {} 海边的夏天", index + 1, index - 1));
    }
    let same =
        format!("select cast(count(distinct document) as text) from order_lines where order_id = '{order}'");
    assert_eq!(server.read(&same).await, "1");
    assert!(member.page("/manager/shopping/cart").await.contains("购物车是空的"));
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("Nr. 119"));
}

async fn what_is_too_large_for_one_order_goes_in_parts(server: Server) {
    const CHECKOUT: &str = "/manager/shopping/checkout";
    const SAID: &str = "这些书的内容加起来超过 64 MB";
    let member = server.member("buyer@example.com", "0").await;
    let line = member.cart_with_album().await;
    let mut lines = vec![line.clone()];
    lines.extend(more_lines(&server, &line, 15).await);
    // sixteen documents of more than four MB each
    let long = "长".repeat((4 << 20) / 3 + 1);
    server
        .sql(&format!(
            "update works set document = replace(document, '\"title\":\"海边的夏天\"', '\"title\":\"{long}\"')
             where id = (select work_id from cart_lines where id = '{line}')"
        ))
        .await;
    let chosen: Vec<(&str, &str)> = lines.iter().map(|line| ("line", line.as_str())).collect();
    let answer = member.post(CHECKOUT, &chosen).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains(SAID) && page.contains(&format!("value=\"{line}\"")), "the cart again");
    // whoever goes there by the address is told the same, and nothing is ordered
    let all = format!("/manager/shopping/order/{}", lines.join(","));
    let answer = member.get(&all).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(answer.text().await.unwrap().contains(SAID));
    for fields in [&[("request_key", "a-key")][..], &[("use_coupon", "1"), ("coupon", "SPRING")]] {
        let answer = member.post(&all, fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let page = answer.text().await.unwrap();
        assert!(page.contains(SAID) && page.contains(&format!("value=\"{line}\"")), "the cart again");
    }
    let placed = format!("select cast(count(*) as text) from orders where member_id in {}", server.members());
    assert_eq!(server.read(&placed).await, "0");
    // one less is not too much
    assert!(location(&member.post(CHECKOUT, &chosen[1..]).await).contains("/manager/shopping/order/"));
}

async fn a_member_has_twenty_orders_to_pay_at_most(server: Server) {
    let member = server.member("buyer@example.com", "0").await;
    let line = member.cart_with_album().await;
    let others = more_lines(&server, &line, 2).await;
    let first = member.order(&line).await;
    let ids: Vec<String> = (1..19).map(|number| format!("('{first}{number}', {number})")).collect();
    server
        .sql(&format!(
            "with other(id, n) as (values {})
             insert into orders
                (id, member_id, request_key, state, goods_total, shipping, total, address, created_at, state_since)
             select other.id, member_id, other.id, state, goods_total, shipping, total, address, created_at + n, state_since
             from orders, other where orders.id = '{first}'",
            ids.join(", ")
        ))
        .await;
    // the twentieth
    member.order(&others[0]).await;
    let fields = member.order_form(&others[1]).await;
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let place = format!("/manager/shopping/order/{}", others[1]);
    for _ in 0..2 {
        let answer = member.post(&place, &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let page = answer.text().await.unwrap();
        let said = format!(
            "您已有 20 个订单待付款，再多就下不了了。请先付款或取消最早的一个：《海边的夏天》，订单号 {first}。"
        );
        assert!(page.contains(&said), "{page}");
        assert!(page.contains(&format!("name=\"request_key\" value=\"{}\"", fields[0].1)), "the form again");
    }
    assert!(!member.page("/manager/shopping/cart").await.contains("购物车是空的"), "the line is still there");
    member.post(&format!("/manager/order/{first}/cancellation"), &[]).await;
    let answer = member.post(&place, &fields).await;
    let order = location(&answer);
    assert!(order.starts_with("/manager/shopping/pay?order="), "{order}");
    // pressed once more it is the same one, though there are twenty
    assert_eq!(location(&member.post(&place, &fields).await), order);
}
