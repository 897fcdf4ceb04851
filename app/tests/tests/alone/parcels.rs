//! What leaves with an order's parcels, the papers that go with them, what is printed once more, and what sending costs.

use reqwest::{Response, StatusCode};

use support::staff::Clerk;
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    some_copies_are_printed_once_more;
    on_sqlite:
    a_number_that_is_not_its_carriers_is_asked_about,
    a_parcel_that_did_not_leave_is_taken_back,
    labels_and_slips_say_what_is_in_a_parcel,
    what_an_older_program_sent_is_one_parcel,
    the_shop_says_what_sending_costs,
    an_order_goes_out_in_several_parcels,
);

const FIRST: &str = "SF1234567890001";
const SECOND: &str = "SF1234567890002";
const THIRD: &str = "SF1234567890003";

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// An order of 5 copies of one album and 1 of another, whose printing has begun.
async fn begun(server: &Server, clerk: &Caller) -> (Caller, String) {
    let member = server.member("buyer@example.com", "9000").await;
    let (one, other) = (member.cart_with_album().await, member.cart_with_album().await);
    // the newest line of a cart is the first of its order
    member.post(&format!("/manager/shopping/cart/{other}/quantity"), &[("quantity", "5")]).await;
    let order = member.order(&format!("{one},{other}")).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    let hour = "paid_at = paid_at - 3660000, state_since = state_since - 3660000";
    server.sql(&format!("update orders set {hour} where id = '{order}'")).await;
    let start = clerk.post(&format!("/staff/orders/{order}/step"), &[("step", "start")]).await;
    assert_eq!(location(&start), format!("/staff/orders/{order}?said=done"));
    (member, order)
}

fn ship<'a>(tracking: &'a str, copies: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![("step", "ship"), ("carrier", "SF"), ("tracking", tracking)];
    fields.extend_from_slice(copies);
    fields
}

async fn state(server: &Server, order: &str) -> String {
    server.column(&format!("select state from orders where id = '{order}'")).await.remove(0)
}

async fn an_order_goes_out_in_several_parcels(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (member, order) = begun(&server, &wang).await;
    let page = format!("/staff/orders/{order}");
    let step = format!("{page}/step");
    let first = ship(FIRST, &[("copies1", "2"), ("copies2", "1")]);
    assert_eq!(location(&wang.post(&step, &first).await), format!("{page}?said=done"));
    assert_eq!(state(&server, &order).await, "in_production", "the rest is still made");
    let seen = member.page(&format!("/manager/order/{order}")).await;
    for words in [
        "第 1 个包裹",
        "《海边的夏天》2 本，《海边的夏天》1 本",
        FIRST,
        "还没有寄：《海边的夏天》3 本",
        "顺丰",
    ] {
        assert!(seen.contains(words), "{words}: {seen}");
    }
    // what left with it is not on the floor any more, what is left of the other line is
    assert!(wang.page(&format!("/staff/floor/{order}/2")).await.contains("已经寄出"));
    assert!(!wang.page(&format!("/staff/floor/{order}/1")).await.contains("已经寄出"));
    // the same again is the same, whatever its carrier is called; more than there is, another's number and nonsense are none
    assert_eq!(location(&wang.post(&step, &first).await), format!("{page}?said=before"));
    let named =
        [("step", "ship"), ("carrier", "顺丰速运"), ("tracking", FIRST), ("copies1", "2"), ("copies2", "1")];
    assert_eq!(location(&wang.post(&step, &named).await), format!("{page}?said=before"));
    assert!(refused(wang.post(&step, &ship(FIRST, &[])).await).await.contains("已经是第 1 个包裹的运单"));
    let taken = refused(wang.post(&step, &ship(FIRST, &[("copies1", "1")])).await).await;
    assert!(taken.contains("已经是第 1 个包裹的运单"), "{taken}");
    let many = refused(wang.post(&step, &ship(SECOND, &[("copies1", "4")])).await).await;
    assert!(many.contains("《海边的夏天》只剩 3 本") && many.contains(SECOND), "{many}");
    let none = refused(wang.post(&step, &ship(SECOND, &[("copies1", "0")])).await).await;
    assert!(none.contains("至少要有一本"), "{none}");
    let words = refused(wang.post(&step, &ship(SECOND, &[("copies1", "两")])).await).await;
    assert!(words.contains("请写几本") && words.contains("value=\"两\""), "{words}");
    assert!(refused(wang.post(&step, &ship(SECOND, &[("copies2", "1")])).await).await.contains("只剩 0 本"));

    // two clerks at once: one parcel
    let rest = ship(SECOND, &[("copies1", "1")]);
    let both = futures::future::join(wang.post(&step, &rest), wang.post(&step, &rest)).await;
    let mut said = [location(&both.0), location(&both.1)];
    said.sort();
    assert_eq!(said, [format!("{page}?said=before"), format!("{page}?said=done")]);
    assert_eq!(server.column("select cast(count(*) as text) from parcels").await, ["2"]);

    // a number is put right; the last parcel ends it
    let correct = [("step", "correct"), ("carrier", "顺丰"), ("tracking", "SF1234567890009")];
    assert_eq!(
        location(&wang.post(&format!("{page}/parcel/2"), &correct).await),
        format!("{page}?said=done")
    );
    let same = [("step", "correct"), ("carrier", "顺丰"), ("tracking", FIRST)];
    assert!(
        refused(wang.post(&format!("{page}/parcel/2"), &same).await)
            .await
            .contains("这是第 1 个包裹的运单号")
    );
    assert_eq!(
        wang.post(&format!("{page}/parcel/9"), &correct[..1]).await.status(),
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let ninth = [("step", "correct"), ("carrier", "顺丰"), ("tracking", THIRD)];
    assert_eq!(wang.post(&format!("{page}/parcel/9"), &ninth).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(location(&wang.post(&step, &ship(THIRD, &[])).await), format!("{page}?said=done"));
    assert_eq!(state(&server, &order).await, "shipped");
    let seen = member.page(&format!("/manager/order/{order}")).await;
    for words in ["第 3 个包裹", THIRD, "SF1234567890009", "确认收货", "运单更正"] {
        assert!(seen.contains(words), "{words}: {seen}");
    }
    assert!(!seen.contains("还没有寄"));
    // all of them are found by their numbers
    for number in [FIRST, "SF1234567890009", THIRD] {
        let found = wang.page(&format!("/staff/orders?q={number}")).await;
        assert!(found.contains(&order), "{number}");
    }
    let another = ship("SF1234567890004", &[]);
    assert!(refused(wang.post(&step, &another).await).await.contains("已经全部寄出"));
    let told = server.column("select body from outbox where body like '%已由顺丰发出%' order by id").await;
    assert!(told.len() >= 3 && told.iter().any(|text| text.contains("其余的做好再寄")), "{told:?}");
    let shown: serde_json::Value =
        serde_json::from_slice(&server.run(&["order", "show", &order, "--json"]).stdout).unwrap();
    assert_eq!(shown["parcels"].as_array().unwrap().len(), 3);
    assert_eq!(shown["parcels"][0]["copies"], serde_json::json!({ "1": 2, "2": 1 }));
    assert_eq!(shown["tracking"], THIRD);
}

async fn a_number_that_is_not_its_carriers_is_asked_about(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (_, order) = begun(&server, &wang).await;
    let page = format!("/staff/orders/{order}");
    let step = format!("{page}/step");
    let asked = refused(wang.post(&step, &ship("YT1", &[])).await).await;
    assert!(asked.contains("YT1 不像顺丰的运单号") && asked.contains("name=\"sure\""), "{asked}");
    assert_eq!(state(&server, &order).await, "in_production");
    // of one that nobody knows here any number may be right
    let own = [("step", "ship"), ("carrier", "老王的车"), ("tracking", "1"), ("copies1", "1")];
    assert_eq!(location(&wang.post(&step, &own).await), format!("{page}?said=done"));
    assert_eq!(
        location(&wang.post(&step, &ship("YT1", &[("sure", "1")])).await),
        format!("{page}?said=done"),
        "a clerk who is sure is believed"
    );
    // in a pasted list, too
    let both = format!("{order} 中通 75123456789012\n{order} 中通 75123456789013");
    let twice = refused(wang.post("/staff/parcels", &[("lines", &both)]).await).await;
    assert!(twice.contains("这个订单有两行") && twice.contains("75123456789013"), "{twice}");
    let line = format!("{order} 中通 123");
    let left = refused(wang.post("/staff/parcels", &[("lines", &line)]).await).await;
    assert!(left.contains("不像中通的运单号") && left.contains("name=\"sure\""), "{left}");
    let said = server.run(&["order", "ship", &order, "--carrier", "SF", "--tracking", "1"]);
    assert!(String::from_utf8_lossy(&said.stderr).contains("does not look like"));
}

async fn a_parcel_that_did_not_leave_is_taken_back(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (member, order) = begun(&server, &wang).await;
    let page = format!("/staff/orders/{order}");
    wang.post(&format!("{page}/step"), &ship(FIRST, &[("copies2", "1")])).await;
    assert!(wang.page(&format!("/staff/floor/{order}/2")).await.contains("已经寄出"));
    let withdraw = format!("{page}/parcel/1");
    assert!(refused(wang.post(&withdraw, &[]).await).await.contains("请选择"));
    let other = refused(wang.post(&withdraw, &[("step", "withdraw"), ("seen", SECOND)]).await).await;
    assert!(other.contains("刚刚有变化"), "a page that is old withdraws no other parcel: {other}");
    let seen = [("step", "withdraw"), ("seen", FIRST)];
    assert_eq!(location(&wang.post(&withdraw, &seen).await), format!("{page}?said=done"));
    assert_eq!(location(&wang.post(&withdraw, &[("step", "withdraw")]).await), format!("{page}?said=before"));
    let seen = member.page(&format!("/manager/order/{order}")).await;
    assert!(seen.contains("撤回第 1 个包裹") && !seen.contains("还没有寄："), "{seen}");
    assert!(wang.page("/staff/floor?view=shipping").await.contains(&order), "it waits for its parcel again");
    // what is wholly sent is not taken back
    wang.post(&format!("{page}/step"), &ship(SECOND, &[])).await;
    let late = refused(wang.post(&withdraw, &[("step", "withdraw")]).await).await;
    assert!(late.contains("包裹不能撤回"), "{late}");
    let audit = String::from_utf8(server.run(&["audit", &order]).stdout).unwrap();
    assert!(audit.contains("order unship") && audit.contains(FIRST), "{audit}");
}

async fn some_copies_are_printed_once_more(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (member, order) = begun(&server, &wang).await;
    let page = format!("/staff/orders/{order}");
    let step = format!("{page}/step");
    wang.post(&step, &ship(FIRST, &[])).await;
    let again = |copies: &'static str, reason: &'static str| {
        [("step", "reprint"), ("why", "运输中压坏"), ("kind", reason), ("again1", copies)]
    };
    let many = refused(wang.post(&step, &again("6", "damaged")).await).await;
    assert!(many.contains("《海边的夏天》一共订了 5 本") && many.contains("运输中压坏"), "{many}");
    assert!(refused(wang.post(&step, &again("2", "weather")).await).await.contains("请选择原因"));
    let dear = [again("2", "damaged").as_slice(), &[("cost", "很贵")]].concat();
    assert!(refused(wang.post(&step, &dear).await).await.contains("请写多少元"));
    assert_eq!(location(&wang.post(&step, &again("2", "damaged")).await), format!("{page}?said=done"));
    assert_eq!(location(&wang.post(&step, &again("2", "damaged")).await), format!("{page}?said=before"));
    assert!(refused(wang.post(&step, &again("1", "binding")).await).await.contains("已经在重印"));
    // two copies of one line are on the floor again, and on the ticket; the other is not
    let floor = wang.page(&format!("/staff/floor/{order}/1")).await;
    assert!(floor.contains("2 本"), "{floor}");
    assert!(wang.page(&format!("/staff/floor/{order}/2")).await.contains("已经寄出"));
    let ticket: serde_json::Value =
        serde_json::from_str(&wang.page(&format!("{page}/file/ticket.json")).await).unwrap();
    assert_eq!(ticket["lines"].as_array().unwrap().len(), 1);
    assert_eq!(ticket["lines"][0]["copies"], 2);
    assert_eq!(ticket["lines"][0]["special"][0], "重印");
    assert_eq!(ticket["reprint"]["reason"], "运输破损");
    // it waits to be begun beside what was paid and not begun, and nobody could cancel it
    assert!(wang.page("/staff/orders?view=paid").await.contains(&order));
    assert!(!wang.page("/staff/orders?view=making").await.contains(&order));
    let waiting = wang.page(&page).await;
    assert!(waiting.contains("开始重印") && !waiting.contains("不能再取消"), "{waiting}");
    assert_eq!(waiting.matches("button primary").count(), 1, "one step comes next: {waiting}");
    // it goes out by itself
    wang.post(&step, &[("step", "start")]).await;
    assert!(wang.page("/staff/orders?view=making").await.contains(&order));
    assert!(refused(wang.post(&step, &ship(SECOND, &[("copies1", "3")])).await).await.contains("只剩 2 本"));
    let reused = refused(wang.post(&step, &ship(FIRST, &[("copies1", "2")])).await).await;
    assert!(reused.contains("已经是第 1 个包裹的运单"), "{reused}");
    wang.post(&step, &ship(SECOND, &[])).await;
    assert_eq!(state(&server, &order).await, "shipped");
    let seen = member.page(&format!("/manager/order/{order}")).await;
    assert!(seen.contains("运输中压坏（《海边的夏天》2 本）") && seen.contains("第 2 个包裹"), "{seen}");
    // the report counts it: two fifths of what five were sold for
    let total: i64 = server.column("select cast(total as text) from order_lines where position = 1").await[0]
        .parse()
        .unwrap();
    let cost: i64 = server.column("select cast(cost as text) from reprints").await[0].parse().unwrap();
    assert_eq!(cost, total * 2 / 5);
    let report = wang.page("/staff/reprints").await;
    assert!(report.contains("重印 1 次，2 本，是寄出的 8 本的 25.0%；成本"), "{report}");
    assert!(report.contains("运输破损") && report.contains(&order) && report.contains("wang"), "{report}");
    assert!(wang.page("/staff/reprints?month=2020-01").await.contains("这个月没有重印"));
    assert_eq!(wang.get("/staff/reprints?month=2020-13").await.status(), StatusCode::NOT_FOUND);
    // by the command line, with what it cost
    let words = [
        "order", "reprint", &order, "--reason", "开胶", "--kind", "binding", "--copies", "2:1", "--cost",
        "12.5",
    ];
    assert!(server.run(&words).status.success());
    assert_eq!(server.column("select cast(cost as text) from reprints where number = 2").await, ["1250"]);
    assert!(
        !server
            .run(&["order", "ship", &order, "--carrier", "SF", "--tracking", THIRD, "--copies", "二"])
            .status
            .success()
    );
}

async fn labels_and_slips_say_what_is_in_a_parcel(server: Server) {
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    let (_, order) = begun(&server, &owner).await;
    let zones = settings(&owner).await;
    let from = [
        ("sender_name", "书坊印刷"),
        ("sender_phone", "021-12345678"),
        ("sender_address", "上海市徐汇区 1 号"),
    ];
    let fields = with(&zones, &from);
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(location(&owner.post("/staff/shipping", &fields).await), "/staff/shipping?said=done");
    let page = format!("/staff/orders/{order}");
    owner.post(&format!("{page}/step"), &ship(FIRST, &[("copies1", "2")])).await;

    let pdf = async |address: String| {
        let answer = owner.get(&address).await;
        assert_eq!(answer.headers()["content-type"], "application/pdf", "{address}");
        let file = server.folder.path().join("papers.pdf");
        std::fs::write(&file, answer.bytes().await.unwrap()).unwrap();
        let run = |tool: &str, words: &[&str]| {
            let out = std::process::Command::new(tool).args(words).arg(&file).arg("-").output().unwrap();
            String::from_utf8(out.stdout).unwrap()
        };
        let info = std::process::Command::new("pdfinfo").arg(&file).output().unwrap();
        (run("pdftotext", &["-layout"]), String::from_utf8(info.stdout).unwrap())
    };
    let (text, info) = pdf(format!("/staff/orders/labels?order={order}&parcel=1")).await;
    for words in [
        "林知夏",
        "13800138000",
        "浙江省 杭州市",
        "西湖区 龙井路 18 号",
        FIRST,
        "书坊印刷",
        "《海边的夏天》2 本",
        &order,
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(info.contains("283.465 x 425.197"), "100 × 150 mm in points: {info}");
    // what is left has no number yet
    let (text, info) = pdf(format!("/staff/orders/labels?order={order}&size=a6")).await;
    assert!(text.contains("《海边的夏天》3 本") && !text.contains(FIRST), "{text}");
    assert!(info.contains("297.638 x 419.528"), "105 × 148 mm in points: {info}");
    let (text, _) = pdf(format!("/staff/orders/slips?order={order}&parcel=1")).await;
    let text = text.replace(' ', "");
    for words in ["装箱单", "《海边的夏天》", "2本", FIRST, "分几个包裹"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // the longest that may be typed stays on one page
    let (street, name, title) = ("长".repeat(60), "名".repeat(20), "书".repeat(60));
    server
        .sql(&format!(
            "update orders set address = replace(replace(address, '龙井路 18 号', '{street}'), '林知夏', '{name}')"
        ))
        .await;
    server.sql(&format!("update order_lines set title = '{title}'")).await;
    server.sql(&format!("update parcels set tracking = '{}'", "9".repeat(40))).await;
    for size in ["a6", "100x150"] {
        let (_, info) = pdf(format!("/staff/orders/labels?order={order}&parcel=1&size={size}")).await;
        assert!(info.contains("Pages:           1\n"), "{size}: {info}");
    }
    assert!(refused(owner.get("/staff/orders/labels").await).await.contains("请勾选"));
    assert!(
        refused(owner.get(&format!("/staff/orders/slips?order={order}&parcel=7")).await)
            .await
            .contains("没有这个包裹")
    );
    let wrong = owner.get(&format!("/staff/orders/slips?order={order}&parcel=x")).await;
    assert_eq!(wrong.status(), StatusCode::NOT_FOUND);
}

async fn what_an_older_program_sent_is_one_parcel(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (member, order) = begun(&server, &wang).await;
    server
        .sql(&format!(
            "update orders set state = 'shipped', carrier = '中通', tracking = 'Z1' where id = '{order}'"
        ))
        .await;
    let seen = member.page(&format!("/manager/order/{order}")).await;
    assert!(seen.contains("中通") && seen.contains("Z1") && !seen.contains("个包裹"), "{seen}");
    let page = format!("/staff/orders/{order}");
    let step = format!("{page}/step");
    // its number is put right as ever
    let right = [("step", "ship"), ("carrier", "顺丰"), ("tracking", FIRST)];
    assert_eq!(location(&wang.post(&step, &right).await), format!("{page}?said=done"));
    // and a copy of it is printed again without all of it
    wang.post(&step, &[("step", "reprint"), ("why", "缺页"), ("again2", "1")]).await;
    wang.post(&step, &ship(SECOND, &[])).await;
    assert_eq!(state(&server, &order).await, "shipped");
    let seen = member.page(&format!("/manager/order/{order}")).await;
    assert!(seen.contains("第 2 个包裹") && seen.contains(FIRST) && seen.contains(SECOND), "{seen}");
    // printed again whole by that program: everything is to be sent
    server.sql(&format!("update orders set state = 'reprint' where id = '{order}'")).await;
    let part = wang.post(&step, &ship(THIRD, &[("copies1", "5")])).await;
    assert_eq!(location(&part), format!("{page}?said=done"));
    assert_eq!(state(&server, &order).await, "reprint");
    let seen = member.page(&format!("/manager/order/{order}")).await;
    assert!(seen.contains("还没有寄：《海边的夏天》1 本"), "{seen}");
    wang.post(&step, &ship("SF1234567890004", &[])).await;
    assert_eq!(state(&server, &order).await, "shipped", "it comes to an end");
    // what is printed again afterwards is that alone
    wang.post(&step, &[("step", "reprint"), ("why", "缺页"), ("again1", "1")]).await;
    let many = refused(wang.post(&step, &ship("SF1234567890005", &[("copies1", "2")])).await).await;
    assert!(many.contains("只剩 1 本"), "{many}");
    // an older program sends it, and another time puts a number right
    server
        .sql(&format!(
            "update orders set state = 'shipped', tracking = 'SF1234567890006' where id = '{order}'"
        ))
        .await;
    let seen = member.page(&format!("/manager/order/{order}")).await;
    assert!(seen.contains("SF1234567890006") && !seen.contains("还没有寄"), "{seen}");
    server.sql(&format!("update orders set tracking = 'SF1234567890008' where id = '{order}'")).await;
    wang.post(&step, &[("step", "reprint"), ("why", "缺页"), ("again1", "2")]).await;
    let last = wang.post(&step, &ship("SF1234567890007", &[])).await;
    assert_eq!(location(&last), format!("{page}?said=done"));
    assert_eq!(state(&server, &order).await, "shipped");
    let seen = member.page(&format!("/manager/order/{order}")).await;
    assert!(seen.contains("SF1234567890008") && seen.contains("SF1234567890007"), "{seen}");
}

/// The fields of the tariff's form as they are.
async fn settings(clerk: &Caller) -> Vec<(String, String)> {
    let page = clerk.page("/staff/shipping").await;
    let mut fields = vec![("seen".to_owned(), unescape(&between(&page, "name=\"seen\" value=\"", "\"")))];
    for input in page.split("<input").skip(1) {
        let input = input.split('>').next().unwrap();
        let value = |name: &str| {
            let (_, rest) = input.split_once(&format!("{name}=\""))?;
            Some(rest.split('"').next().unwrap().to_owned())
        };
        if let Some(name) = value("name").filter(|name| name != "seen" && !name.starts_with('_')) {
            fields.push((name, value("value").unwrap_or_default()));
        }
    }
    for select in page.split("<select").skip(1) {
        let name = between(select, "name=\"", "\"");
        let options = select.split("</select>").next().unwrap();
        let chosen = options.split("<option").find(|option| option.contains("selected"));
        fields.push((name, chosen.map(|option| between(option, "value=\"", "\"")).unwrap_or_default()));
    }
    fields
}

fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&amp;", "&")
}

fn with(fields: &[(String, String)], changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut changed = fields.to_vec();
    for (name, value) in changes {
        changed.retain(|(known, _)| known != name);
        changed.push(((*name).to_owned(), (*value).to_owned()));
    }
    changed
}

async fn the_shop_says_what_sending_costs(server: Server) {
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    assert_eq!(wang.get("/staff/shipping").await.status(), StatusCode::FORBIDDEN);
    let fields = settings(&chen).await;
    let set = async |changes: &[(&str, &str)]| {
        let fields = with(&fields, changes);
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        chen.post("/staff/shipping", &fields).await
    };
    assert_eq!(location(&set(&[]).await), "/staff/shipping?said=before", "nothing was changed");
    // a new zone takes 浙江 (the third province), 上海 is sent nothing to
    let changes = [("name5", "本省"), ("first5", "3.5"), ("further5", "1"), ("to2", "5"), ("to0", "")];
    assert_eq!(location(&set(&changes).await), "/staff/shipping?said=done");
    let member = server.member("buyer@example.com", "9000").await;
    let line = member.cart_with_album().await;
    let address = format!("/manager/shopping/order/{line}");
    let new = |province: &'static str, city: &'static str, district: &'static str| {
        [
            ("address", "new"),
            ("receiver", "林知夏"),
            ("phone", "13800138000"),
            ("province", province),
            ("city", city),
            ("district", district),
            ("street", "1 号"),
        ]
    };
    let near = location(&member.post(&address, &new("浙江省", "杭州市", "西湖区")).await);
    let page = member.page(&near).await;
    let kilos: f64 = between(&page, "约 <span class=\"num\">", "<").parse().unwrap();
    let cost = 3.5 + (kilos - 0.000_1).max(0.0).floor();
    let shipping = between(&page, "<dt>运费</dt><dd>", "</dd>");
    assert!(shipping.contains(&format!("{cost:.2}")), "{cost} for {kilos}: {shipping}");
    let far = location(&member.post(&address, &new("上海市", "上海市", "徐汇区")).await);
    let page = member.page(&far).await;
    assert!(page.contains("本店不寄到上海"), "{page}");
    let key = between(&page, "name=\"request_key\" value=\"", "\"");
    let id = far.rsplit('=').next().unwrap();
    let order = [("request_key", key.as_str()), ("address", id), ("total", "1.00")];
    assert!(refused(member.post(&address, &order).await).await.contains("本店不寄到上海"));
    let public = server.visitor().page("/about/prices").await;
    assert!(public.contains("目前不寄：上海") && public.contains("3.50"), "{public}");

    // who looks at an old page is asked once more
    let old = refused(set(&[("name0", "近处")]).await).await;
    assert!(old.contains("有人改过") && old.contains("value=\"近处\""), "{old}");
    let fields = settings(&chen).await;
    let set = async |changes: &[(&str, &str)]| {
        let fields = with(&fields, changes);
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        chen.post("/staff/shipping", &fields).await
    };
    for (changes, said) in [
        (&[("first0", "八元")][..], "请写多少元"),
        (&[("first0", "-1")], "价格是 0 到 1000 元"),
        (&[("further0", "1000.01")], "价格是 0 到 1000 元"),
        (&[("name0", "")], "地区名要有"),
        (&[("name0", "本省")], "地区名写了两次"),
        (&[("name5", ""), ("first5", ""), ("further5", "")], "浙江：它所在的地区没有了"),
        (&[("to1", "99")], "江苏：它所在的地区没有了"),
        (&[("sender_name", &"店".repeat(41))], "最多 40 个字"),
    ] {
        let page = refused(set(changes).await).await;
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(refused(chen.post("/staff/shipping", &[]).await).await.contains("至少要有一个地区"));
    let audit = String::from_utf8(server.run(&["audit"]).stdout).unwrap();
    assert!(audit.contains("shipping set") && audit.contains("本省"), "{audit}");
}
