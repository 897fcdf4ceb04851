//! The calls of programs and islands as they are on the wire: status, content type, body.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use support::{Caller, Server, on_both_engines};

on_both_engines!(
    cart_info_has_every_field_of_the_specification;
    on_sqlite:
    the_cart_list_names_every_line,
    get_total_is_eight_values_and_adds_up,
    get_total_ignores_what_the_caller_may_not_decide,
    price_lines_sum_to_the_total,
    update_cart_saves_everything,
    update_cart_refuses_and_changes_nothing,
    refusals_are_json,
    signatures_are_checked_where_present,
    other_methods_and_odd_texts_are_answered_plainly,
    get_total_refuses_what_cannot_be_priced,
    hundreds_of_calls_are_no_offence,
);

const INFO: &str = "/cart/cartInfo";
const UPDATE: &str = "/shopping/updateCart";

async fn json_of(answer: Response) -> Value {
    let kind = answer.headers()["content-type"].to_str().unwrap().to_owned();
    assert!(kind.starts_with("application/json"), "{kind}");
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

async fn info(member: &Caller, line: &str) -> Value {
    let answer = member.get(&format!("{INFO}?cartID={line}")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let body = json_of(answer).await;
    assert_eq!(body["status"], 1);
    body["data"]["data"].clone()
}

/// The codes that are chosen, joined by a pipe, as the specification's dialog sends them.
fn cnums(info: &Value) -> String {
    let chosen = info["buzhou"].as_array().unwrap().iter().filter(|step| step["IsShow"] == "Y");
    let chosen: Vec<&str> = chosen.map(|step| step["selCnum"].as_str().unwrap()).collect();
    chosen.join("|").trim_end_matches('|').to_owned()
}

fn step<'a>(info: &'a Value, name: &str) -> &'a Value {
    info["buzhou"].as_array().unwrap().iter().find(|step| step["Name"] == name).unwrap()
}

fn item<'a>(info: &'a Value, step_name: &str, name: &str) -> &'a Value {
    let items = step(info, step_name)["items"].as_array().unwrap();
    items.iter().find(|item| item["Name"] == name).unwrap()
}

async fn refused(answer: Response, status: StatusCode) -> String {
    assert_eq!(answer.status(), status);
    let body = json_of(answer).await;
    assert_eq!(body["code"], status.as_u16());
    assert_eq!(body.as_object().unwrap().len(), 2, "a code and a sentence: {body}");
    body["msg"].as_str().unwrap().to_owned()
}

async fn cart_info_has_every_field_of_the_specification(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let info = info(&member, &line).await;
    for (field, value) in [
        ("count", json!(1)),
        ("clientDesignName", json!("海边的夏天")),
        ("remarkinfo", json!("")),
        ("yhstr", json!(info["yhstr"].as_str().unwrap())),
    ] {
        assert_eq!(info[field], value, "{field}");
    }
    assert_eq!(info["goods"]["ID"], "album-210");
    assert_eq!(info["goods"]["EditorType"], 12);
    assert!(["y", "n"].contains(&info["goods"]["isHasPastedown"].as_str().unwrap()));
    let pages = info["pageNum"].as_u64().unwrap();
    assert!(info["showPageNum"].as_str().unwrap().contains(&pages.to_string()));
    assert_eq!(member.get(info["photoPath"].as_str().unwrap()).await.status(), StatusCode::OK);
    for price in ["totalPrice", "unitPrice"] {
        let (_, decimals) = info[price].as_str().unwrap().split_once('.').unwrap();
        assert_eq!(decimals.len(), 2, "{price}");
    }
    assert_eq!(info["zhuangDingPageCfg"]["豪华装"][1], 40);
    // an item is enabled when it fits and no chosen item excludes it
    let exclusions: Vec<(String, String)> = serde_json::from_value(info["exclusions"].clone()).unwrap();
    assert_eq!(exclusions.len(), info["exclusionReasons"].as_array().unwrap().len());
    let chosen = cnums(&info);
    let is_chosen = |cnum: &str| chosen.split('|').any(|code| code == cnum);
    for step in info["buzhou"].as_array().unwrap() {
        for key in ["ID", "Name", "IsShow", "items", "selCnum", "cover", "desc", "tips"] {
            assert!(!step[key].is_null(), "{key} of {step}");
        }
        for item in step["items"].as_array().unwrap() {
            let cnum = item["Cnum"].as_str().unwrap();
            let excluded = exclusions.iter().any(|(one, other)| is_chosen(one) && other == cnum);
            assert_eq!(item["enable"], json!(item["fits"] == true && !excluded), "{item}");
        }
    }
    let binding = step(&info, "装订方式");
    assert_eq!(binding["selCnum"], item(&info, "装订方式", "普通精装")["Cnum"]);
    assert!(!binding["desc"].as_str().unwrap().is_empty());
    assert_eq!(member.get(binding["cover"].as_str().unwrap()).await.status(), StatusCode::OK);
    assert_eq!(item(&info, "内页克重", "128克")["fits"], false, "{pages} pages are too few");
    let cloth = item(&info, "封面材质", "布艺")["Cnum"].as_str().unwrap().to_owned();
    let soft = item(&info, "装订方式", "普通平装")["Cnum"].as_str().unwrap().to_owned();
    assert!(exclusions.contains(&(cloth, soft)));
    // a back of so few pages holds no glue, and the reason says how wide it is
    let glued = item(&info, "装订方式", "普通平装");
    assert_eq!(glued["fits"], false);
    assert!(glued["reason"].as_str().unwrap().contains("书脊只有"), "{glued}");
}

async fn the_cart_list_names_every_line(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let empty = json_of(member.get("/cart/cartList").await).await;
    assert_eq!(empty, json!({ "status": 1, "data": { "list": [] } }));
    let line = member.cart_with_album().await;
    let info = info(&member, &line).await;
    let list = json_of(member.get("/cart/cartList").await).await;
    let expected = json!({
        "cartID": line, "goodsName": info["goodsName"], "clientDesignName": "海边的夏天", "count": 1,
        "totalPrice": info["totalPrice"],
    });
    assert_eq!(list, json!({ "status": 1, "data": { "list": [expected] } }));
}

async fn total(member: &Caller, parameters: &[(&str, &str)]) -> Response {
    let query = serde_urlencoded::to_string(parameters).unwrap();
    member.get(&format!("/shopping/getTotal?{query}")).await
}

async fn values(answer: Response) -> Vec<String> {
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    answer.text().await.unwrap().split('|').map(str::to_owned).collect()
}

fn fen(yuan: &str) -> u64 {
    yuan.replace('.', "").parse().unwrap()
}

async fn get_total_is_eight_values_and_adds_up(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let info = info(&member, &line).await;
    let (cnums, pages) = (cnums(&info), info["pageNum"].to_string());
    for count in ["1", "9", "10", "333", "1000000"] {
        let asked = [("goodsID", "album-210"), ("cnums", &cnums), ("count", count), ("pagesNum", &pages)];
        let values = values(total(&member, &asked).await).await;
        assert_eq!(values.len(), 8, "{values:?}");
        assert_eq!(values[..3], ["album-210".to_owned(), count.to_owned(), pages.clone()]);
        let discount: f64 = values[3].parse().unwrap();
        assert!((0.0..1.0).contains(&discount));
        let unit = fen(&values[6]);
        let list: u64 = unit * count.parse::<u64>().unwrap();
        assert_eq!(fen(&values[5]), list);
        // quantity × unit price × (1 − discount), rounded down to 分
        let share = (10_000.0 - discount * 10_000.0).round() as u64;
        assert_eq!(fen(&values[7]), list * share / 10_000);
        if count == "1" {
            assert_eq!(values[7], info["totalPrice"].as_str().unwrap(), "the price of the cart");
        }
    }
}

async fn get_total_ignores_what_the_caller_may_not_decide(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let info = info(&member, &line).await;
    let (cnums, pages) = (cnums(&info), info["pageNum"].to_string());
    let asked = vec![("goodsID", "album-210"), ("cnums", &*cnums), ("count", "3"), ("pagesNum", &*pages)];
    let honest = values(total(&member, &asked).await).await;
    let greedy = [("memberID", "1"), ("random", "17"), ("price", "0.01"), ("discount", "0.99")];
    let asked: Vec<_> = asked.into_iter().chain(greedy).collect();
    assert_eq!(values(total(&member, &asked).await).await, honest);
}

async fn get_total_refuses_what_cannot_be_priced(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let info = info(&member, &line).await;
    let (cnums, pages) = (cnums(&info), info["pageNum"].to_string());
    let twice = format!("{}|{cnums}", cnums.split('|').next().unwrap());
    let short = cnums.split_once('|').unwrap().1;
    let right = [("goodsID", "album-210"), ("cnums", &*cnums), ("count", "3"), ("pagesNum", &*pages)];
    let wrong = [
        ("count", "0"),
        ("count", "1.5"),
        ("count", "1000001"),
        ("count", ""),
        ("count", "三"),
        // what people type is for forms to read
        ("count", "2份"),
        ("count", "５"),
        ("count", "1,000"),
        ("cnums", ""),
        ("cnums", "nix"),
        ("cnums", &twice),
        ("cnums", short),
        ("pagesNum", "0"),
        ("pagesNum", "+8"),
        ("pagesNum", "24页"),
        ("pagesNum", "10000"),
        ("goodsID", ""),
    ];
    for (name, value) in wrong {
        let asked: Vec<_> =
            right.iter().map(|&(key, kept)| (key, if key == name { value } else { kept })).collect();
        let reason = refused(total(&member, &asked).await, StatusCode::BAD_REQUEST).await;
        assert!(!reason.is_empty(), "{name}={value}");
    }
    let asked = [("goodsID", "no-such-goods"), right[1], right[2], right[3]];
    refused(total(&member, &asked).await, StatusCode::NOT_FOUND).await;
    refused(member.get("/shopping/getTotal?count=1&count=2").await, StatusCode::BAD_REQUEST).await;
    refused(member.get("/shopping/getTotal").await, StatusCode::BAD_REQUEST).await;
}

async fn price_lines_sum_to_the_total(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let info = info(&member, &line).await;
    let (cnums, pages) = (cnums(&info), info["pageNum"].to_string());
    let asked = [("goodsID", "album-210"), ("cnums", &*cnums), ("count", "37"), ("pagesNum", &*pages)];
    let total = values(total(&member, &asked).await).await.pop().unwrap();
    let query = serde_urlencoded::to_string(asked).unwrap();
    let body = json_of(member.get(&format!("/cart/priceLines?{query}")).await).await;
    assert_eq!(body["data"]["total"], total);
    let amount = |line: &Value| -> i64 { line["amount"].as_str().unwrap().replace('.', "").parse().unwrap() };
    let sum: i64 = body["data"]["list"].as_array().unwrap().iter().map(amount).sum();
    assert_eq!(sum, fen(&total) as i64);
}

fn update<'a>(line: &'a str, cnums: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let fields = [
        ("CartID", line),
        ("goodsID", "album-210"),
        ("count", "2"),
        ("pagesNum", "4"),
        ("memberID", "1"),
        ("cnums", cnums),
        ("remarkinfo", "请用哑金 & 小心轻放"),
        ("pdfchecked", "1"),
        ("fuwu", ""),
        ("fxID", ""),
        ("prop1", ""),
        ("pdfCnum", ""),
    ];
    let change = |name| changes.iter().find(|(changed, _)| *changed == name);
    fields.into_iter().map(|field| *change(field.0).unwrap_or(&field)).collect()
}

async fn update_cart_saves_everything(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let before = info(&member, &line).await;
    let hard = item(&before, "装订方式", "普通精装")["Cnum"].as_str().unwrap();
    let soft = item(&before, "装订方式", "铁圈装")["Cnum"].as_str().unwrap();
    let chosen = cnums(&before).replace(hard, soft);
    let answer = member.post(UPDATE, &update(&line, &chosen, &[])).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    assert_eq!(answer.text().await.unwrap(), "ok");
    let after = info(&member, &line).await;
    assert_eq!(after["count"], 2);
    assert_eq!(after["remarkinfo"], "请用哑金 & 小心轻放");
    assert_eq!(after["pageNum"], before["pageNum"], "a page count from outside changes nothing");
    assert_eq!(step(&after, "装订方式")["selCnum"], soft);
    assert_ne!(after["totalPrice"], before["totalPrice"]);
    // a client may send the empty code of 备注 along
    let answer = member.post(UPDATE, &update(&line, &format!("{chosen}|"), &[])).await;
    assert_eq!(answer.text().await.unwrap(), "ok");
    assert_eq!(cnums(&info(&member, &line).await), chosen);
}

async fn update_cart_refuses_and_changes_nothing(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let other = server.member("other@example.com", "500").await;
    let line = member.cart_with_album().await;
    let before = info(&member, &line).await;
    let chosen = cnums(&before);
    let thin = item(&before, "内页克重", "128克")["Cnum"].as_str().unwrap();
    let forbidden = chosen.replace(step(&before, "内页克重")["selCnum"].as_str().unwrap(), thin);
    let long = "长".repeat(501);
    for change in [
        ("count", "0"),
        ("count", "1.5"),
        ("count", "1000001"),
        ("count", ""),
        ("cnums", &*forbidden),
        ("cnums", "nix"),
        ("cnums", ""),
        ("goodsID", "album-a4"),
        ("goodsID", ""),
        ("CartID", ""),
        ("remarkinfo", &long),
    ] {
        let answer = member.post(UPDATE, &update(&line, &chosen, &[change])).await;
        refused(answer, StatusCode::BAD_REQUEST).await;
    }
    let theirs = refused(other.post(UPDATE, &update(&line, &chosen, &[])).await, StatusCode::NOT_FOUND).await;
    let nobodys =
        refused(other.post(UPDATE, &update("nix", &chosen, &[])).await, StatusCode::NOT_FOUND).await;
    assert_eq!(theirs, nobodys);
    refused(member.get(UPDATE).await, StatusCode::METHOD_NOT_ALLOWED).await;
    assert_eq!(info(&member, &line).await, before);
}

async fn refusals_are_json(server: Server) {
    let visitor = server.visitor();
    for path in [INFO, "/cart/cartList", "/shopping/getTotal", "/cart/priceLines", "/cart/nowhere"] {
        refused(visitor.get(path).await, StatusCode::UNAUTHORIZED).await;
    }
    refused(visitor.post(UPDATE, &[]).await, StatusCode::UNAUTHORIZED).await;
    let member = server.member("buyer@example.com", "500").await;
    let other = server.member("other@example.com", "500").await;
    let line = member.cart_with_album().await;
    refused(member.get(INFO).await, StatusCode::BAD_REQUEST).await;
    let theirs = refused(other.get(&format!("{INFO}?cartID={line}")).await, StatusCode::NOT_FOUND).await;
    let nobodys = refused(other.get(&format!("{INFO}?cartID=nix")).await, StatusCode::NOT_FOUND).await;
    assert_eq!(theirs, nobodys);
    refused(member.get("/cart/nowhere").await, StatusCode::NOT_FOUND).await;
    for origin in ["https://evil.example", "null"] {
        refused(member.post_with_origin(UPDATE, origin).await, StatusCode::FORBIDDEN).await;
    }
}

async fn signatures_are_checked_where_present(server: Server) {
    // this server has no key, so every signature is wrong
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let sign = "9F565CCD686CFA5DC3B06B3A89E4E3AD";
    let answer = member.get(&format!("{INFO}?cartID={line}&sign={sign}")).await;
    refused(answer, StatusCode::FORBIDDEN).await;
    let before = info(&member, &line).await;
    let mut fields = update(&line, "", &[]);
    fields.push(("sign", sign));
    refused(member.post(UPDATE, &fields).await, StatusCode::FORBIDDEN).await;
    assert_eq!(info(&member, &line).await, before);
    assert_eq!(member.get(&format!("{INFO}?cartID={line}&sign=")).await.status(), StatusCode::OK);
}

async fn hundreds_of_calls_are_no_offence(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let calls = (0..300).map(|_| member.get("/cart/cartList"));
    let answers = futures::future::join_all(calls).await;
    assert!(answers.iter().all(|answer| answer.status() == StatusCode::OK));
}

async fn other_methods_and_odd_texts_are_answered_plainly(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let head = member.head(&format!("{INFO}?cartID={line}")).await;
    assert_eq!(head.status(), StatusCode::OK);
    assert!(head.headers()["content-type"].to_str().unwrap().starts_with("application/json"));
    let refusal = member.get(INFO).await;
    assert_eq!(refusal.headers()["cache-control"], "private, no-store");
    let chosen = cnums(&info(&member, &line).await);
    let answer = member.post(UPDATE, &update(&line, &chosen, &[("remarkinfo", "a\0b")])).await;
    refused(answer, StatusCode::BAD_REQUEST).await;
    let answer = member.post(UPDATE, &update(&line, &chosen, &[("remarkinfo", "一行\n两行")])).await;
    assert_eq!(answer.text().await.unwrap(), "ok");
    let answer = member.get(&format!("{INFO}?cartID={line}&a[]=1&a[b]=2&sign=")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let answer = member.post("/manager/order", &[("x", "y")]).await;
    assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert!(answer.text().await.unwrap().contains("<h1"));
}
