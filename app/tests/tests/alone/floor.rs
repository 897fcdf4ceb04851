//! /staff/floor: what is paid goes from stage to stage until it leaves, and a day is promised that the shop can keep.

use reqwest::{Response, StatusCode};

use support::staff::{Clerk, printable};
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    many_at_once_move_a_line_once;
    on_sqlite:
    what_is_scanned_is_moved_on,
    what_is_chosen_is_moved_together,
    what_is_given_back_leaves_the_floor_and_what_is_printed_again_comes_back,
    an_order_of_several_books_is_scanned_at_once,
    a_page_that_is_old_takes_nothing_away,
    what_a_program_did_that_knew_no_floor_is_made_up_for,
    a_promised_day_follows_the_shop,
    a_line_goes_from_stage_to_stage,
);

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// One whose printing has begun.
async fn begun(server: &Server, clerk: &Caller, account: &str) -> (Caller, String) {
    let (member, order) = printable(server, account).await;
    let start = clerk.post(&format!("/staff/orders/{order}/step"), &[("step", "start")]).await;
    assert_eq!(location(&start), format!("/staff/orders/{order}?said=done"));
    (member, order)
}

/// How much waits in a queue of the floor, as the first page of the back office says; nothing where it does not.
async fn waiting(clerk: &Caller, view: &str) -> String {
    let home = clerk.page("/staff").await;
    let card = format!("href=\"/staff/floor?view={view}\"");
    match home.split_once(&card) {
        Some((_, rest)) if rest.find("<strong").is_some_and(|at| at < rest.find("</a>").unwrap()) => {
            between(rest, "<strong class=\"num\">", "</strong>")
        }
        _ => String::new(),
    }
}

async fn a_line_goes_from_stage_to_stage(server: Server) {
    let (member, order) = printable(&server, "buyer@example.com").await;
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let li = Clerk::sign_in(&server, "li", &["印务"]).await.caller;
    let page = format!("/staff/floor/{order}/1");
    let step = format!("{page}/step");
    let done = |at: &'static str| [("step", "done"), ("at", at)];

    assert!(wang.page("/staff/floor?view=waiting").await.contains("海边的夏天"));
    let before = wang.page(&page).await;
    assert!(before.contains("订单还没有开印") && !before.contains("<h2>工序</h2>"), "{before}");
    assert!(refused(wang.post(&step, &done("prepress")).await).await.contains("订单还没有开印"));
    wang.post(&format!("/staff/orders/{order}/step"), &[("step", "start")]).await;
    assert!(wang.page("/staff/floor?view=prepress").await.contains("海边的夏天"));
    assert!(!wang.page("/staff/floor?view=waiting").await.contains("海边的夏天"));

    // two clerks, one after the other: the second finds it done
    assert_eq!(location(&wang.post(&step, &done("prepress")).await), format!("{page}?said=done"));
    assert_eq!(location(&li.post(&step, &done("prepress")).await), format!("{page}?said=before"));
    let early = refused(li.post(&step, &done("binding")).await).await;
    assert!(early.contains("现在在“印刷”，还没有到“装订”"), "{early}");

    // who has it
    let take = [("step", "take"), ("at", "printing")];
    assert_eq!(location(&li.post(&step, &take).await), format!("{page}?said=done"));
    let elsewhere = refused(wang.post(&step, &[take[0], ("at", "binding")]).await).await;
    assert!(elsewhere.contains("现在在“印刷”，不在“装订”"), "a page that is old takes nothing: {elsewhere}");
    assert!(li.page("/staff/floor?view=mine").await.contains("海边的夏天"));
    assert!(!wang.page("/staff/floor?view=mine").await.contains("海边的夏天"));

    // on hold nothing goes on, neither here nor by parcel; a reason is asked for, and comes back when it is too long
    assert!(
        refused(wang.post(&step, &[("step", "hold"), ("hold_why", " ")]).await)
            .await
            .contains("请输入暂停的原因")
    );
    let long = "纸".repeat(201);
    let page_again = refused(wang.post(&step, &[("step", "hold"), ("hold_why", &long)]).await).await;
    assert!(page_again.contains(&long) && page_again.contains("最多 200 个字"));
    assert_eq!(waiting(&wang, "held").await, "");
    wang.post(&step, &[("step", "hold"), ("hold_why", "等纸到货")]).await;
    assert!(wang.page("/staff/floor?view=held").await.contains("等纸到货"));
    let second = refused(li.post(&step, &[("step", "hold"), ("hold_why", "缺油墨")]).await).await;
    assert!(second.contains("已经暂停着：等纸到货") && second.contains("value=\"缺油墨\""), "{second}");
    assert!(refused(li.post(&step, &done("printing")).await).await.contains("暂停着：等纸到货"));
    let ship = [("step", "ship"), ("carrier", "顺丰"), ("tracking", "SF1234567890123")];
    let answer = refused(wang.post(&format!("/staff/orders/{order}/step"), &ship).await).await;
    assert!(answer.contains("暂停着：等纸到货") && answer.contains("value=\"SF1234567890123\""), "{answer}");
    assert!(!member.page(&format!("/manager/order/{order}")).await.contains("SF1234567890123"));
    assert_eq!(waiting(&wang, "held").await, "1");
    wang.post(&step, &[("step", "release")]).await;

    // what is not right goes back, to an earlier stage alone
    for stage in ["printing", "lamination", "binding"] {
        wang.post(&step, &done(stage)).await;
    }
    let back = |to| [("step", "back"), ("at", "inspection"), ("to", to), ("back_why", "第 3 页脱墨")];
    assert!(refused(li.post(&step, &back("packing")).await).await.contains("不在“质检”前面"));
    assert_eq!(location(&li.post(&step, &back("printing")).await), format!("{page}?said=done"));
    li.post(&step, &[("step", "note"), ("note", "用库存的特种纸")]).await;
    let seen = wang.page(&page).await;
    for words in ["第 3 页脱墨", "用库存的特种纸", "质检退回", "接下来：覆膜"] {
        assert!(seen.contains(words), "{words}: {seen}");
    }
    let of_member = member.page(&format!("/manager/order/{order}")).await;
    assert!(!of_member.contains("脱墨") && !of_member.contains("特种纸") && !of_member.contains("等纸"));
    for stage in ["printing", "lamination", "binding", "inspection", "packing"] {
        assert_eq!(location(&wang.post(&step, &done(stage)).await), format!("{page}?said=done"), "{stage}");
    }
    assert!(wang.page(&page).await.contains("填运单"));
    assert!(refused(wang.post(&step, &done("shipping")).await).await.contains("填了运单就是发货"));
    wang.post(&format!("/staff/orders/{order}/step"), &ship).await;
    assert!(wang.page(&page).await.contains("已经寄出"));
    assert!(!wang.page("/staff/floor").await.contains("海边的夏天"));
    assert!(
        refused(wang.post(&step, &[("step", "hold"), ("hold_why", "晚了")]).await).await.contains("已经寄出")
    );
    assert_eq!(location(&wang.post(&step, &done("packing")).await), format!("{page}?said=before"));

    assert_eq!(wang.post(&step, &[("step", "burn")]).await.status(), StatusCode::BAD_REQUEST);
    assert!(refused(wang.post(&step, &[]).await).await.contains("请选择要做什么"));
    assert!(refused(wang.post("/staff/floor/many", &[]).await).await.contains("请选择要做什么"));
    assert_eq!(wang.get(&format!("/staff/floor/{order}/9")).await.status(), StatusCode::NOT_FOUND);
    let nine = format!("/staff/floor/{order}/9/step");
    assert_eq!(wang.post(&nine, &done("printing")).await.status(), StatusCode::NOT_FOUND);
    let audit = String::from_utf8(server.run(&["audit", &format!("{order}/1")]).stdout).unwrap();
    for line in ["wang: line done", "li: line take", "wang: line hold", "wang: line release", "li: line back"]
    {
        assert!(audit.contains(line), "{line}: {audit}");
    }
    // who answers members looks, and moves nothing
    let zhou = Clerk::sign_in(&server, "zhou", &["客服"]).await.caller;
    assert!(zhou.page(&page).await.contains("第 3 页脱墨"));
    assert_eq!(zhou.post(&step, &[("step", "take")]).await.status(), StatusCode::FORBIDDEN);
}

/// The day in `预计 11 月 30 日至 12 月 2 日做好寄出` or `最晚 2027 年 1 月 4 日做好寄出`, as it stands there.
fn last_day(page: &str) -> String {
    let (before, _) = page.split_once("做好寄出").expect("a day is said");
    before.rsplit(['至', '晚']).next().unwrap().trim().to_owned()
}

async fn a_promised_day_follows_the_shop(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let plan = "/staff/floor/plan";
    assert!(wang.page(plan).await.contains("还没有写每天能做多少"));
    let (member, first) = printable(&server, "first@example.com").await;
    let usual = last_day(&member.page(&format!("/manager/order/{first}")).await);

    // what can't be read is said, and comes back
    let wrong = [("printing", "很多"), ("binding", "５０"), ("closed", "2027-02-10 至 2027-02-20\n春节")];
    let page = refused(wang.post(plan, &wrong).await).await;
    assert!(page.contains("value=\"很多\"") && page.contains("春节</textarea>"), "{page}");
    assert!(page.contains("看不懂“春节”") && page.contains("不限就空着"), "{page}");
    assert_eq!(wang.post(plan, &[]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wang.page(plan).await.contains("还没有写每天能做多少"), "nothing of it is kept");

    let seen = async || between(&wang.page(plan).await, "name=\"seen\" value=\"", "\"");
    let mark = seen().await;
    let right = [
        ("printing", ""),
        ("binding", "５０"),
        ("closed", "2020-01-01\n2027-02-10 至 2027-02-20\n2027-03-01"),
        ("seen", &*mark),
    ];
    assert_eq!(location(&wang.post(plan, &right).await), format!("{plan}?said=done"));
    assert_eq!(location(&wang.post(plan, &right).await), format!("{plan}?said=before"));
    // who opened the page before that writes over nothing
    let page = refused(wang.post(plan, &[("binding", "7"), ("closed", ""), ("seen", &mark)]).await).await;
    assert!(page.contains("以后有人改过") && page.contains("value=\"7\""), "{page}");
    let page = wang.page(plan).await;
    assert!(page.contains("2027-02-10 至 2027-02-20\n2027-03-01</textarea>"), "{page}");
    assert!(!page.contains("2020-01-01"), "what is over is left out");
    assert!(page.contains("1 / 50"), "one copy of what was paid before: {page}");

    // a large job in front: fifty a day, so 2,000 copies are forty working days
    server.sql(&format!("update production set copies = 2000 where order_id = '{first}'")).await;
    assert!(wang.page(plan).await.contains("赶不上交期"));
    let next = server.member("next@example.com", "500").await;
    let line = next.cart_with_album().await;
    let confirm = next
        .page(&location(
            &next
                .post(
                    &format!("/manager/shopping/order/{line}"),
                    &[
                        ("address", "new"),
                        ("receiver", "林知夏"),
                        ("phone", "13800138000"),
                        ("province", "浙江省"),
                        ("city", "杭州市"),
                        ("district", "西湖区"),
                        ("street", "龙井路 18 号"),
                    ],
                )
                .await,
        ))
        .await;
    assert!(confirm.contains("今天付款，最晚 "), "{confirm}");
    let told = last_day(&confirm);
    let order = next.order(&line).await;
    next.post("/manager/shopping/pay", &[("order", &order)]).await;
    let promised = last_day(&next.page(&format!("/manager/order/{order}")).await);
    assert_eq!(promised, told, "what was said before the payment is what is promised");
    assert_ne!(promised, usual);
    // what nobody can say is not said, and comes behind all others
    let set = async |binding: &str| {
        let mark = seen().await;
        let set = wang.post(plan, &[("binding", binding), ("closed", ""), ("seen", &mark)]).await;
        assert_eq!(location(&set), format!("{plan}?said=done"));
    };
    set("1").await;
    let full = server.member("full@example.com", "500").await;
    let line = full.cart_with_album().await;
    let number = full.order(&line).await;
    // before the payment and after it, on every page alike
    for page in [format!("/manager/order/{number}/reorder"), format!("/manager/order/{number}")] {
        let page = full.page(&page).await;
        assert!(page.contains("哪天能做好还说不准") && !page.contains("个工作日做好"), "{page}");
    }
    full.post("/manager/shopping/pay", &[("order", &number)]).await;
    let page = full.page(&format!("/manager/order/{number}")).await;
    assert!(page.contains("哪天能做好还说不准"), "{page}");
    assert!(wang.page(&format!("/staff/floor/{number}/1")).await.contains("交期未定"));
    let all = wang.page("/staff/floor").await;
    assert!(all.find(&number).unwrap() > all.find(&order).unwrap(), "{all}");
    // it stays promised, whatever the shop says later; what was promised before stays, too
    set("10").await;
    assert_eq!(last_day(&next.page(&format!("/manager/order/{order}")).await), promised);
    assert_eq!(last_day(&member.page(&format!("/manager/order/{first}")).await), usual);
    // so says its ticket, once nobody can cancel it any more
    server.sql(&format!("update orders set paid_at = paid_at - 3660000 where id = '{order}'")).await;
    let ticket = wang.page(&format!("/staff/orders/{order}/file/ticket.json")).await;
    let ticket: serde_json::Value = serde_json::from_str(&ticket).unwrap();
    let due: Vec<u32> =
        ticket["due"].as_str().unwrap().split('-').map(|part| part.parse().unwrap()).collect();
    let [year, month, day] = due[..] else { panic!("{ticket}") };
    let said = format!("{month} 月 {day} 日");
    assert!(promised == said || promised == format!("{year} 年 {said}"), "{promised} {ticket}");

    // what is past its day is late, and comes first
    server.sql(&format!("update production set due = due - 8640000000 where order_id = '{order}'")).await;
    assert_eq!(waiting(&wang, "late").await, "1");
    let late = wang.page("/staff/floor?view=late").await;
    assert!(late.contains(&format!("/staff/floor/{order}/1")) && !late.contains(&first), "{late}");
    let all = wang.page("/staff/floor").await;
    let place = |order: &str| all.find(&format!("/staff/floor/{order}/1")).unwrap();
    assert!(place(&order) < place(&first));
    // who answers members does not plan
    let zhou = Clerk::sign_in(&server, "zhou", &["客服"]).await.caller;
    assert_eq!(zhou.get(plan).await.status(), StatusCode::FORBIDDEN);
}

async fn what_is_scanned_is_moved_on(mut server: Server) {
    server.kill();
    server.set("BINDERY_PUBLIC_URL", "https://print.example.com");
    server.restart();
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (_, order) = begun(&server, &wang, "buyer@example.com").await;
    let scan = "/staff/scan";
    let ticket = wang.page(&format!("/staff/orders/{order}/file/ticket.json")).await;
    let ticket: serde_json::Value = serde_json::from_str(&ticket).unwrap();
    let code = ticket["lines"][0]["code"].as_str().unwrap().to_owned();
    assert_eq!(code, format!("https://print.example.com/staff/floor/{order}/1"));

    // a scanner that types opens the job; a typed number does, too
    for text in
        [code.as_str(), &code.to_uppercase(), &format!(" {order}/1 "), ticket["code"].as_str().unwrap()]
    {
        let opened = location(&wang.post(scan, &[("code", text), ("at", "")]).await);
        assert_eq!(opened, format!("/staff/floor/{order}/1"), "{text}");
    }
    // at a station it is moved on at once; scanned twice it is done once
    let at = async |code: &str, at: &str| wang.post(scan, &[("code", code), ("at", at)]).await;
    let done = location(&at(&code, "prepress").await);
    let page = wang.page(&done).await;
    assert!(page.contains("《海边的夏天》") && page.contains("已交给下一道：印刷"), "{page}");
    let page = wang.page(&location(&at(&code, "prepress").await)).await;
    assert!(page.contains("以前已经办过，现在：印刷"), "{page}");
    let page = refused(at(&order, "binding").await).await;
    assert!(page.contains("现在在“印刷”，还没有到“装订”") && page.contains("autofocus"), "{page}");
    assert!(page.contains(&format!("扫到的是：{order}")), "what was read is said: {page}");
    assert!(!page.contains(&format!("value=\"{order}\"")), "the next code is typed into an empty field");

    for (text, said) in [
        ("https://other.example/staff/floor/1", "这不是本店工单上的码"),
        ("6901234567892", "没有这个订单"),
        ("你好", "读不出订单号"),
        ("", "读不出订单号"),
    ] {
        let page = refused(at(text, "printing").await).await;
        assert!(page.contains(said), "{text}: {page}");
        assert!(refused(at(text, "").await).await.contains(said));
    }
    for nowhere in ["foiling", "shipping"] {
        assert_eq!(at(&code, nowhere).await.status(), StatusCode::NOT_FOUND);
        let page = wang.get(&format!("/staff/scan?at={nowhere}")).await;
        assert_eq!(page.status(), StatusCode::NOT_FOUND);
    }
    server
        .sql(&format!("update production set ended = 'dropped', stage = null where order_id = '{order}'"))
        .await;
    assert!(refused(at(&code, "printing").await).await.contains("订单已取消或退款"));
}

async fn what_is_chosen_is_moved_together(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (_, one) = begun(&server, &wang, "one@example.com").await;
    let (_, other) = begun(&server, &wang, "other@example.com").await;
    let (one_page, other_page) = (format!("/staff/floor/{one}/1"), format!("/staff/floor/{other}/1"));
    let seen = async |order: &str| {
        let list = wang.page("/staff/floor?view=prepress").await;
        format!("{order}-1.{}", between(&list, &format!("value=\"{order}-1."), "\""))
    };
    let (one, other) = (seen(&one).await, seen(&other).await);
    let many = async |fields: &[(&str, &str)]| wang.post("/staff/floor/many", fields).await;
    let both = |step: &'static str, one: &str, other: &str| {
        let chosen = [one, other].map(|line| ("line", line.to_owned()));
        [("at", "prepress".to_owned()), ("step", step.to_owned())]
            .into_iter()
            .chain(chosen)
            .collect::<Vec<_>>()
    };
    let many_of = async |fields: Vec<(&'static str, String)>| {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        wang.post("/staff/floor/many", &fields).await
    };
    assert_eq!(location(&many_of(both("take", &one, &other)).await), "/staff/floor?view=prepress&said=done");
    assert!(wang.page("/staff/floor?view=mine").await.matches("<span class=\"holder\">wang").count() == 2);
    let hold = [("step", "hold"), ("hold_why", "等纸")];
    wang.post(&format!("{other_page}/step"), &hold).await;
    // a list from before says so, and moves nothing
    let old = refused(many_of(both("done", &one, &other)).await).await;
    assert!(old.contains("在您打开这一页以后有人动过"), "{old}");
    let order = |name: &str| name.split('-').next().unwrap().to_owned();
    let (one, other) = (seen(&order(&one)).await, seen(&order(&other)).await);
    let page = refused(many_of(both("done", &one, &other)).await).await;
    assert!(page.contains("《海边的夏天》暂停着：等纸"), "{page}");
    assert!(between(&page, &format!("value=\"{other}\""), ">").contains("checked"), "it stays ticked");
    assert!(wang.page("/staff/floor?view=printing").await.contains(&one_page), "the other one is moved");
    assert!(refused(many(&[("at", "prepress"), ("step", "done")]).await).await.contains("请勾选"));
    assert!(refused(many(&[("step", "done")]).await).await.contains("请选择要做什么"));
    assert_eq!(many(&[("at", "prepress"), ("step", "burn")]).await.status(), StatusCode::BAD_REQUEST);
    let unknown = [("at", "prepress"), ("step", "done"), ("line", "nothing-1"), ("line", "x")];
    assert!(refused(many(&unknown).await).await.contains("没有这一件"));
}

async fn what_is_given_back_leaves_the_floor_and_what_is_printed_again_comes_back(server: Server) {
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let (_, gone) = begun(&server, &lin.caller, "gone@example.com").await;
    let code = lin.code(&server).await;
    let refund = [("key", "a"), ("part", "whole"), ("amount", ""), ("reason", "印坏了"), ("code", &*code)];
    lin.caller.post(&format!("/staff/orders/{gone}/refund"), &refund).await;
    let page = lin.caller.page(&format!("/staff/floor/{gone}/1")).await;
    assert!(page.contains("订单已取消或退款，不用再做") && page.contains("印前撤单"), "{page}");
    assert!(lin.caller.page("/staff/floor").await.contains("这里没有要做的"));
    // cancelled within the hour
    let member = server.member("early@example.com", "500").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    assert!(lin.caller.page("/staff/floor").await.contains(&order));
    member.post(&format!("/manager/order/{order}/cancellation"), &[]).await;
    assert!(!lin.caller.page("/staff/floor").await.contains(&order));

    let (_, again) = begun(&server, &lin.caller, "again@example.com").await;
    let step =
        async |fields: &[(&str, &str)]| lin.caller.post(&format!("/staff/orders/{again}/step"), fields).await;
    step(&[("step", "ship"), ("carrier", "顺丰"), ("tracking", "SF1234567890001")]).await;
    step(&[("step", "reprint"), ("why", "运输中压坏")]).await;
    assert!(lin.caller.page("/staff/floor?view=waiting").await.contains(&again));
    step(&[("step", "start")]).await;
    let page = lin.caller.page(&format!("/staff/floor/{again}/1")).await;
    assert!(page.contains("印前完成") && page.contains("寄出"), "its first round is remembered: {page}");
}

async fn an_order_of_several_books_is_scanned_at_once(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let member = server.member("buyer@example.com", "500").await;
    let (one, other) = (member.cart_with_album().await, member.cart_with_album().await);
    let order = member.order(&format!("{one},{other}")).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    server.sql(&format!("update orders set paid_at = paid_at - 3660000 where id = '{order}'")).await;
    wang.post(&format!("/staff/orders/{order}/step"), &[("step", "start")]).await;
    let at =
        async |station: &str| wang.post("/staff/scan", &[("code", order.as_str()), ("at", station)]).await;
    // without a station the order's page names both
    let opened = location(&at("").await);
    assert_eq!(opened, format!("/staff/floor/{order}"));
    assert_eq!(wang.page(&opened).await.matches("印前，").count(), 2);
    let page = wang.page(&location(&at("prepress").await)).await;
    assert!(
        page.contains("《海边的夏天》《海边的夏天》") && page.contains("印刷，刚刚；印刷，刚刚"),
        "{page}"
    );
    // one of them is held: the other moves, and both are told
    let step = format!("/staff/floor/{order}/2/step");
    wang.post(&step, &[("step", "hold"), ("hold_why", "等纸")]).await;
    let page = refused(at("printing").await).await;
    assert!(
        page.contains("《海边的夏天》暂停着：等纸") && page.contains("《海边的夏天》已经交给下一道"),
        "{page}"
    );
    assert!(wang.page(&format!("/staff/floor/{order}/1")).await.contains("覆膜，刚刚"));
    // neither is there: each says where it is
    let page = refused(at("packing").await).await;
    assert!(page.contains("现在在“覆膜”，还没有到“打包”") && page.contains("暂停着：等纸"), "{page}");
    // what is held is not sent
    let gone = refused(
        wang.post(
            &format!("/staff/orders/{order}/step"),
            &[("step", "ship"), ("carrier", "顺丰"), ("tracking", "SF1234567890001")],
        )
        .await,
    )
    .await;
    assert!(gone.contains("再发货"), "{gone}");
}

async fn a_page_that_is_old_takes_nothing_away(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let li = Clerk::sign_in(&server, "li", &["印务"]).await.caller;
    let (member, order) = printable(&server, "buyer@example.com").await;
    let page = format!("/staff/floor/{order}/1");
    let step = format!("{page}/step");
    let start = format!("/staff/orders/{order}/step");
    // held before it is begun: it is neither begun, nor without a way out
    wang.post(&step, &[("step", "hold"), ("hold_why", "等会员确认颜色")]).await;
    assert!(refused(wang.post(&start, &[("step", "start")]).await).await.contains("再开印"));
    let held = wang.page(&page).await;
    assert!(held.contains("等会员确认颜色") && held.contains("放行</button>"), "{held}");
    let seen = async || between(&wang.page(&page).await, "name=\"seen\" value=\"", "\"");
    let now = seen().await;
    assert_eq!(
        location(&wang.post(&step, &[("step", "release"), ("seen", &now)]).await),
        format!("{page}?said=done")
    );
    wang.post(&start, &[("step", "start")]).await;

    // done, sent back, and pressed once more on the page from before
    let old = seen().await;
    let done =
        |seen: &str| [("step", "done".to_owned()), ("at", "prepress".to_owned()), ("seen", seen.to_owned())];
    let press = async |clerk: &Caller, fields: &[(&str, String)]| {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        clerk.post(&step, &fields).await
    };
    assert_eq!(location(&press(&wang, &done(&old)).await), format!("{page}?said=done"));
    let back = [("step", "back"), ("at", "printing"), ("to", "prepress"), ("back_why", "版错了")];
    li.post(&step, &back).await;
    let stale = refused(press(&wang, &done(&old)).await).await;
    assert!(stale.contains("在您打开这一页以后有人动过"), "{stale}");
    assert!(wang.page(&page).await.contains("印前完成</button>"), "it is still to be done again");

    // who has it loses it to nobody's old page
    let free = seen().await;
    let take =
        |seen: &str| [("step", "take".to_owned()), ("at", "prepress".to_owned()), ("seen", seen.to_owned())];
    press(&li, &take(&free)).await;
    assert!(refused(press(&wang, &take(&free)).await).await.contains("有人动过"));
    assert_eq!(location(&wang.post(&step, &[("step", "leave")]).await), format!("{page}?said=before"));
    assert!(li.page("/staff/floor?view=mine").await.contains(&order));

    // a note that is pressed twice is one
    for said in ["done", "before"] {
        let note = wang.post(&step, &[("step", "note"), ("note", "用新版")]).await;
        assert_eq!(location(&note), format!("{page}?said={said}"));
    }
    assert_eq!(wang.page(&page).await.matches("用新版").count(), 1);

    // another day is promised, and said to the member
    assert!(
        refused(wang.post(&step, &[("step", "promise"), ("day", "2020-01-01")]).await)
            .await
            .contains("今天以后")
    );
    let day = [("step", "promise"), ("day", "2099/2/10")];
    assert_eq!(location(&wang.post(&step, &day).await), format!("{page}?said=done"));
    assert_eq!(location(&wang.post(&step, &day).await), format!("{page}?said=before"));
    let said = last_day(&member.page(&format!("/manager/order/{order}")).await);
    assert_eq!(said, "2099 年 2 月 10 日");
}

async fn many_at_once_move_a_line_once(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (_, order) = begun(&server, &wang, "buyer@example.com").await;
    let step = format!("/staff/floor/{order}/1/step");
    let done = [("step", "done"), ("at", "prepress")];
    let press = || async { location(&wang.post(&step, &done).await) };
    let said: Vec<String> = Vec::from(<[String; 4]>::from(tokio::join!(press(), press(), press(), press())));
    assert_eq!(said.iter().filter(|place| place.ends_with("said=done")).count(), 1, "{said:?}");
    assert_eq!(said.iter().filter(|place| place.ends_with("said=before")).count(), 3, "{said:?}");
    assert!(wang.page("/staff/floor?view=printing").await.contains(&order));
    // payments at the same moment, with a plan that both read
    let plan = wang.page("/staff/floor/plan").await;
    let mark = between(&plan, "name=\"seen\" value=\"", "\"");
    wang.post("/staff/floor/plan", &[("binding", "1"), ("seen", &mark)]).await;
    let mut waiting = Vec::new();
    for number in 0..3 {
        let member = server.member(&format!("member{number}@example.com"), "500").await;
        let line = member.cart_with_album().await;
        let order = member.order(&line).await;
        waiting.push((member, order));
    }
    let pay = |(member, order): &(Caller, String)| {
        let (member, order) = (member.clone(), order.clone());
        async move { member.post("/manager/shopping/pay", &[("order", &order)]).await.status() }
    };
    let (a, b, c) = tokio::join!(pay(&waiting[0]), pay(&waiting[1]), pay(&waiting[2]));
    assert!([a, b, c].iter().all(|status| status.is_redirection()), "{a} {b} {c}");
    let all = wang.page("/staff/floor?view=waiting").await;
    assert!(waiting.iter().all(|(_, order)| all.contains(order)));
}

async fn what_a_program_did_that_knew_no_floor_is_made_up_for(mut server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let (member, running) = begun(&server, &wang, "running@example.com").await;
    let (_, sent) = begun(&server, &wang, "sent@example.com").await;
    let (_, waiting) = printable(&server, "waiting@example.com").await;
    let (_, started) = printable(&server, "started@example.com").await;
    let day = last_day(&member.page(&format!("/manager/order/{running}")).await);
    server.kill();
    // as if an older program had done it: begun and paid without a row, begun with one, sent and cancelled
    server.sql(&format!("delete from production where order_id in ('{running}', '{waiting}')")).await;
    server.sql(&format!("delete from production_events where order_id in ('{running}', '{waiting}')")).await;
    server.sql(&format!("update orders set state = 'in_production' where id = '{started}'")).await;
    server.sql(&format!("update orders set state = 'received' where id = '{sent}'")).await;
    // the hour that it was paid earlier may have been the day before
    server.sql(&format!("update orders set paid_at = paid_at + 3660000 where id = '{running}'")).await;
    server.restart();
    let (wang, member) = (wang.at(&server.base), member.at(&server.base));
    support::wait::until("the floor follows", async || {
        let all = wang.page("/staff/floor").await;
        all.contains(&running) && all.contains(&waiting) && !all.contains(&sent)
    })
    .await;
    let page = wang.page(&format!("/staff/floor/{running}/1")).await;
    assert!(page.contains("印前完成</button>") && page.contains("每本 16 P"), "{page}");
    assert_eq!(
        last_day(&member.page(&format!("/manager/order/{running}")).await),
        day,
        "what was said before"
    );
    assert!(wang.page("/staff/floor?view=prepress").await.contains(&started));
    assert!(wang.page("/staff/floor?view=waiting").await.contains(&waiting));
    let page = wang.page(&format!("/staff/floor/{sent}/1")).await;
    assert!(page.contains("已经寄出"), "{page}");
}
