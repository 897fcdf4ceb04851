//! /staff: the back office, from letting somebody in to what its log says.

use reqwest::{Response, StatusCode};

use support::staff::{Clerk, SECRET, password, printable};
use support::{Server, between, location, on_both_engines};

on_both_engines!(
    money_asks_for_the_code_and_moves_once,
    more_than_one_may_give_back_needs_another,
    the_log_is_a_chain,
    the_log_says_in_words_what_was_done;
    on_sqlite:
    a_members_pages_are_seen_and_nothing_is_changed,
    each_role_opens_its_own_and_nothing_else,
    many_parcels_are_noted_at_once_and_wrong_lines_come_back,
    files_of_many_orders_are_fetched_at_once,
    an_order_goes_through_the_house,
    members_are_looked_at_and_nothing_else,
    a_sign_in_ends_in_the_evening_and_with_its_work,
    nobody_gets_in_who_was_not_let_in,
    what_readers_report_is_withdrawn_and_allowed_again,
    a_failed_job_is_tried_again,
);

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

async fn nobody_gets_in_who_was_not_let_in(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    for caller in [&server.visitor(), &member] {
        assert_eq!(location(&caller.get("/staff").await), "/staff/login");
        let asked = location(&caller.get("/staff/orders?view=paid").await);
        assert_eq!(asked, "/staff/login?next=%2Fstaff%2Forders%3Fview%3Dpaid");
        assert_eq!(location(&caller.post("/staff/orders/start", &[("order", "x")]).await), "/staff/login");
    }
    // a member's own password opens nothing here
    let page = refused(password(&member, "reader@example.com", support::PASSWORD).await).await;
    assert!(page.contains("登录名或密码不正确"));
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    assert!(lin.caller.page("/staff").await.contains("都办完了"));
    assert_eq!(location(&lin.caller.get("/staff/").await), "/staff");
    assert!(!server.run(&["staff", "add", "LIN", "--role", "客服"]).status.success(), "the name is taken");

    // the password alone opens nothing, nor does a code that was used
    let other = server.visitor();
    assert!(refused(password(&other, "lin", "wrong-harbour-lantern").await).await.contains("value=\"lin\""));
    let asked = "/staff/login?next=%2Fstaff%2Faudit";
    let at_code = location(&other.post(asked, &[("name", "Lin"), ("password", SECRET)]).await);
    assert_eq!(at_code, "/staff/login/code?next=%2Fstaff%2Faudit");
    assert_eq!(location(&other.get("/staff").await), "/staff/login");
    let page = other.page(&at_code).await;
    assert!(!page.contains("<svg role"), "the secret is shown once, before it counts");
    assert!(refused(other.post(&at_code, &[("code", &lin.used)]).await).await.contains("或已经用过"));
    let new = lin.code(&server).await;
    assert_eq!(location(&other.post(&at_code, &[("code", &new)]).await), "/staff/audit");
    assert!(other.page("/staff/audit").await.contains("登录后台</td>"));
    // it leads to no other site
    let out = server.visitor();
    let away = "/staff/login?next=https%3A%2F%2Fevil.example%2Fstaff";
    assert_eq!(
        location(&out.post(away, &[("name", "lin"), ("password", SECRET)]).await),
        "/staff/login/code"
    );
    // whoever signs out is out, and no member with it
    assert_eq!(location(&other.post("/staff/logout", &[]).await), "/staff/login");
    assert_eq!(location(&other.get("/staff").await), "/staff/login");
    assert_eq!(lin.caller.get("/staff").await.status(), StatusCode::OK);
}

async fn a_sign_in_ends_in_the_evening_and_with_its_work(server: Server) {
    let lin = Clerk::sign_in(&server, "lin", &["财务"]).await;
    let change = [("password", "another-harbour-lantern-7")];
    assert!(refused(lin.caller.post("/staff/me", &change).await).await.contains("请再输入一次动态验证码"));
    let code = lin.code(&server).await;
    let done = lin.caller.post("/staff/me", &[change[0], ("code", &code)]).await;
    assert_eq!(location(&done), "/staff/me?said=done");
    let old = server.visitor();
    refused(password(&old, "lin", SECRET).await).await;
    // twelve hours later
    server.sql("update staff_logins set created_at = created_at - 43200000").await;
    assert_eq!(location(&lin.caller.get("/staff").await), "/staff/login");
    server.sql("update staff_logins set created_at = created_at + 43200000").await;
    assert_eq!(lin.caller.get("/staff").await.status(), StatusCode::OK);
    // other roles count at once, and so does the end
    assert_eq!(lin.caller.get("/staff/audit").await.status(), StatusCode::FORBIDDEN);
    assert!(server.run(&["staff", "roles", "lin", "--role", "站长"]).status.success());
    assert_eq!(lin.caller.get("/staff/audit").await.status(), StatusCode::OK);
    assert!(server.run(&["staff", "remove", "lin"]).status.success());
    assert_eq!(location(&lin.caller.get("/staff").await), "/staff/login");
    refused(password(&old, "lin", change[0].1).await).await;
}

async fn each_role_opens_its_own_and_nothing_else(server: Server) {
    let pages = [
        ("/staff/orders", ["客服", "印务", "财务", "站长"].as_slice()),
        ("/staff/floor", &["客服", "印务", "财务", "站长"]),
        ("/staff/scan", &["印务", "站长"]),
        ("/staff/floor/plan", &["印务", "站长"]),
        ("/staff/hot-folder", &["印务", "站长"]),
        ("/staff/parcels", &["印务", "站长"]),
        ("/staff/reprints", &["客服", "印务", "财务", "站长"]),
        ("/staff/shipping", &["财务", "站长"]),
        ("/staff/exports", &["客服", "印务", "财务", "站长"]),
        ("/staff/payments", &["财务", "站长"]),
        ("/staff/statements", &["财务", "站长"]),
        ("/staff/close", &["财务", "站长"]),
        ("/staff/invoices", &["财务", "站长"]),
        ("/staff/goods", &["财务", "站长"]),
        ("/staff/members", &["客服", "财务", "站长"]),
        ("/staff/reports", &["客服", "编辑", "站长"]),
        ("/staff/machine", &["印务", "站长"]),
        ("/staff/audit", &["站长"]),
        ("/staff/webhooks", &["站长"]),
        ("/staff/clerks", &["站长"]),
    ];
    for (number, role) in ["客服", "印务", "财务", "编辑", "站长"].into_iter().enumerate() {
        let clerk = Clerk::sign_in(&server, &format!("clerk{number}"), &[role]).await;
        let home = clerk.caller.page("/staff").await;
        for (page, roles) in pages {
            let may = roles.contains(&role);
            let status = clerk.caller.get(page).await.status();
            assert_eq!(status, if may { StatusCode::OK } else { StatusCode::FORBIDDEN }, "{role} {page}");
            if !["/staff/parcels", "/staff/floor/plan", "/staff/reprints"].contains(&page) {
                assert_eq!(home.contains(&format!("href=\"{page}\"")), may, "{role} is shown {page}");
            }
        }
    }
}

async fn an_order_goes_through_the_house(server: Server) {
    let (member, order) = printable(&server, "buyer@example.com").await;
    let (_, early) = {
        let member = server.member("early@example.com", "500").await;
        let line = member.cart_with_album().await;
        let order = member.order(&line).await;
        member.post("/manager/shopping/pay", &[("order", &order)]).await;
        (member, order)
    };
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let home = wang.page("/staff").await;
    assert!(home.contains("待开印的订单") && home.contains("<strong class=\"num\">1</strong>"), "{home}");
    let waiting = wang.page("/staff/orders?view=paid").await;
    assert!(
        waiting.contains(&order) && !waiting.contains(&early),
        "what may still be cancelled is not printed"
    );
    // found by number, phone, title
    for words in [&order[..8], "13800138000", "album"] {
        let found = wang.page(&format!("/staff/orders?q={words}")).await;
        assert!(found.contains(&order) || words == "album", "{words}");
    }
    assert!(!wang.page("/staff/orders?q=no-such-thing").await.contains(&order));

    let detail = format!("/staff/orders/{order}");
    let page = wang.page(&detail).await;
    assert!(page.contains("开始印制") && page.contains("1-inner.pdf") && !page.contains("/refund"), "{page}");
    let picture = format!("/staff/orders/{}", between(&page, "src=\"/staff/orders/", "\""));
    assert_eq!(wang.get(&picture).await.headers()["content-type"], "image/webp");
    for (name, kind) in [
        ("1-inner.pdf", "application/pdf"),
        ("ticket.pdf", "application/pdf"),
        ("ticket.json", "application/json"),
    ] {
        let answer = wang.get(&format!("{detail}/file/{name}")).await;
        assert_eq!(answer.status(), StatusCode::OK, "{name}");
        assert_eq!(answer.headers()["content-type"], kind);
        let saved = answer.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert!(saved.contains(&format!("{order}-{name}")), "{saved}");
    }
    for name in ["../ticket.json", "2-inner.pdf", "nothing"] {
        let name = name.replace('/', "%2F");
        assert_eq!(
            wang.get(&format!("{detail}/file/{name}")).await.status(),
            StatusCode::NOT_FOUND,
            "{name}"
        );
    }

    // several at once: what can't be begun is named, the rest is
    let answer = wang.post("/staff/orders/start", &[("order", &order), ("order", &early)]).await;
    let page = refused(answer).await;
    assert!(page.contains(&format!("{early}：付款后 60 分钟内会员可以取消")), "{page}");
    assert!(wang.page(&detail).await.contains("生产中"));
    let again = wang.post("/staff/orders/start", &[("order", &order)]).await;
    assert_eq!(location(&again), "/staff/orders?view=paid&said=before");

    let step = format!("{detail}/step");
    let page =
        refused(wang.post(&step, &[("step", "ship"), ("carrier", "顺丰"), ("tracking", "")]).await).await;
    assert!(page.contains("value=\"顺丰\"") && page.contains("tracking-error"), "{page}");
    let sent =
        wang.post(&step, &[("step", "ship"), ("carrier", "顺丰"), ("tracking", "SF1234567890123")]).await;
    assert_eq!(location(&sent), format!("{detail}?said=done"));
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("SF123"));
    assert!(wang.page("/staff/orders?q=sf12").await.contains(&order), "found by its parcel");
    // a member may not what the back office may
    assert_eq!(location(&member.post(&step, &[("step", "deliver")]).await), "/staff/login");
    wang.post(&step, &[("step", "deliver")]).await;
    assert!(wang.page(&detail).await.contains("已收货"));
    assert_eq!(wang.post(&step, &[("step", "burn")]).await.status(), StatusCode::BAD_REQUEST);
    assert!(refused(wang.post(&step, &[]).await).await.contains("请选择下一步"));
    let refund = wang.post(&format!("{detail}/refund"), &[("part", "whole")]).await;
    assert_eq!(refund.status(), StatusCode::FORBIDDEN, "who prints gives nothing back");
    let audit = String::from_utf8(server.run(&["audit", &order]).stdout).unwrap();
    for line in ["wang: order start", "wang: order ship", "wang: order deliver"] {
        assert!(audit.contains(line), "{audit}");
    }
}

async fn files_of_many_orders_are_fetched_at_once(server: Server) {
    let (_, one) = printable(&server, "one@example.com").await;
    let (_, other) = printable(&server, "other@example.com").await;
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let list = wang.page("/staff/orders?view=paid").await;
    assert!(
        list.contains("formaction=\"/staff/orders/files\"") && list.contains("formmethod=\"get\""),
        "{list}"
    );
    let both = format!("order={one}&order={other}&order={one}");
    let answer = wang.get(&format!("/staff/orders/files?{both}")).await;
    assert_eq!(answer.headers()["content-type"], "application/zip");
    let bytes = answer.bytes().await.unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&bytes[..])).unwrap();
    let mut names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    names.sort();
    assert_eq!(names.len(), 11, "five files of each order, once, and the tickets: {names:?}");
    for order in [&one, &other] {
        for file in ["1-cover.pdf", "1-inner.pdf", "1-preflight.json", "ticket.json", "ticket.pdf"] {
            let wanted = format!("{order} 1本 海边的夏天/{file}");
            let found = names.iter().filter(|name| name.ends_with(&wanted) && name.starts_with("20")).count();
            assert_eq!(found, 1, "{wanted}: {names:?}");
        }
    }
    // the file is the one that is fetched by itself
    let name =
        names.iter().find(|name| name.contains(&one) && name.ends_with("1-inner.pdf")).unwrap().clone();
    let mut inner = Vec::new();
    std::io::copy(&mut archive.by_name(&name).unwrap(), &mut inner).unwrap();
    let alone = wang.get(&format!("/staff/orders/{one}/file/1-inner.pdf")).await.bytes().await.unwrap();
    assert!(inner == alone[..], "byte for byte");

    let answer = wang.get(&format!("/staff/orders/tickets?{both}")).await;
    assert_eq!(answer.headers()["content-type"], "application/pdf");
    let file = server.folder.path().join("tickets.pdf");
    std::fs::write(&file, answer.bytes().await.unwrap()).unwrap();
    let text = std::process::Command::new("pdftotext").arg(&file).arg("-").output().unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains(&format!("工单 {one}")) && text.contains(&format!("工单 {other}")), "{text}");
    let images = std::process::Command::new("pdfimages").arg("-list").arg(&file).output().unwrap();
    let images = String::from_utf8(images.stdout).unwrap();
    assert!(images.lines().count() >= 2 + 2, "a picture of each cover: {images}");

    // what its member may still cancel is nobody's yet, and nothing else is an answer
    let early = server.member("early@example.com", "500").await;
    let line = early.cart_with_album().await;
    let fresh = early.order(&line).await;
    let unpaid = wang.get(&format!("/staff/orders/tickets?order={fresh}")).await;
    assert!(refused(unpaid).await.contains(&format!("订单 {fresh} 待付款，没有印刷文件")));
    early.post("/manager/shopping/pay", &[("order", &fresh)]).await;
    for what in ["files", "tickets"] {
        let asked = format!("/staff/orders/{what}?view=paid&order={one}&order={fresh}");
        let page = refused(wang.get(&asked).await).await;
        assert!(
            page.contains(&format!("订单 {fresh} 的会员在")) && page.contains("之前还可以取消"),
            "{page}"
        );
        let kept = between(&page, &format!("value=\"{one}\""), ">");
        assert!(kept.contains("checked"), "what was ticked stays: {kept}");
        assert!(refused(wang.get(&format!("/staff/orders/{what}")).await).await.contains("请勾选"));
        let many: String = (0..51).map(|number| format!("order={number}&")).collect();
        let many = wang.get(&format!("/staff/orders/{what}?{many}")).await;
        assert!(refused(many).await.contains("请勾选 1 到 50 个订单"));
        for (number, said) in [("nothing", "nothing：没有这个订单"), ("%E4%B9%A6", "书：没有这个订单")]
        {
            let unknown = wang.get(&format!("/staff/orders/{what}?order={number}")).await;
            assert!(refused(unknown).await.contains(said), "{number}");
        }
    }
    for address in
        [format!("/staff/orders/{fresh}/file/ticket.pdf"), format!("/staff/orders/{fresh}/file/1-inner.pdf")]
    {
        let answer = wang.get(&address).await;
        assert_eq!(answer.status(), StatusCode::CONFLICT, "{address}");
        assert!(answer.text().await.unwrap().contains("之前还可以取消"), "{address}");
    }
    let page = wang.page(&format!("/staff/orders/{fresh}")).await;
    assert!(page.contains("到时才给文件") && !page.contains("1-inner.pdf"), "{page}");
}

async fn money_asks_for_the_code_and_moves_once(server: Server) {
    let (member, order) = printable(&server, "buyer@example.com").await;
    let before = member.balance().await;
    let zhou = Clerk::sign_in(&server, "zhou", &["客服"]).await;
    let detail = format!("/staff/orders/{order}");
    let ask = format!("/manager/order/{order}/cancellation_request");
    member.post(&ask, &[("reason", "书名写错了")]).await;
    let home = zhou.caller.page("/staff").await;
    assert!(home.contains("取消申请") && !home.contains("待开印"), "each sees what is its own: {home}");
    assert!(zhou.caller.page("/staff/orders?view=asked").await.contains(&order));
    let page = zhou.caller.page(&detail).await;
    assert!(
        page.contains("书名写错了") && !page.contains("开始印制") && !page.contains("1-inner.pdf"),
        "{page}"
    );
    let key = between(&page, "name=\"key\" value=\"", "\"");
    let refund = format!("{detail}/refund");
    let page = refused(zhou.caller.post(&refund, &[]).await).await;
    assert!(
        page.contains("表单不完整") && !page.contains("name=\"key\" value=\"\""),
        "with a new key: {page}"
    );
    let fields = [("key", key.as_str()), ("part", "some"), ("amount", "12.50"), ("reason", "赔一点")];
    let page = refused(zhou.caller.post(&refund, &fields).await).await;
    assert!(
        page.contains("请再输入一次动态验证码")
            && page.contains("value=\"12.50\"")
            && page.contains("value=\"赔一点\"")
    );
    assert!(page.contains(&format!("value=\"{key}\"")), "the same press of the button");
    let wrong: Vec<_> = fields.iter().copied().chain([("code", "000000")]).collect();
    assert!(refused(zhou.caller.post(&refund, &wrong).await).await.contains("动态验证码不正确"));
    assert_eq!(member.balance().await, before, "nothing has moved");
    for said in ["done", "before"] {
        let code = zhou.code(&server).await;
        let right: Vec<_> = fields.iter().copied().chain([("code", code.as_str())]).collect();
        let answer = zhou.caller.post(&refund, &right).await;
        assert_eq!(location(&answer), format!("{detail}?said={said}"));
    }
    assert!(zhou.caller.page(&detail).await.contains("已退回余额"));
    let code = zhou.code(&server).await;
    let too_much = [("key", "b"), ("part", "some"), ("amount", "99999"), ("reason", "多"), ("code", &*code)];
    assert!(refused(zhou.caller.post(&refund, &too_much).await).await.contains("最多还能退"));
    let answer = zhou.caller.post(&format!("{detail}/decline"), &[("answer", "已经排版")]).await;
    assert_eq!(location(&answer), format!("{detail}?said=done"));
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("已经排版"));
    let code = zhou.code(&server).await;
    let whole = [("key", "c"), ("part", "whole"), ("amount", ""), ("reason", "全退"), ("code", &*code)];
    assert_eq!(location(&zhou.caller.post(&refund, &whole).await), format!("{detail}?said=done"));
    assert!(zhou.caller.page(&detail).await.contains("已退款"));
    assert!(server.run(&["ledger", "check"]).status.success());
}

async fn more_than_one_may_give_back_needs_another(mut server: Server) {
    server.kill();
    server.set("BINDERY_STAFF_LIMIT", "5");
    server.restart();
    let (member, order) = printable(&server, "buyer@example.com").await;
    let before = member.balance().await;
    let zhou = Clerk::sign_in(&server, "zhou", &["客服"]).await;
    let detail = format!("/staff/orders/{order}");
    let refund = async |clerk: &Clerk, key: &str, part: &str, amount: &str| {
        let code = clerk.code(&server).await;
        let fields =
            [("key", key), ("part", part), ("amount", amount), ("reason", "印坏了"), ("code", &*code)];
        clerk.caller.post(&format!("{detail}/refund"), &fields).await
    };
    assert_eq!(location(&refund(&zhou, "a", "some", "5").await), format!("{detail}?said=done"));
    assert_ne!(member.balance().await, before, "as much as one may");
    let before = member.balance().await;
    assert!(self::refused(refund(&zhou, "b", "some", "99999").await).await.contains("最多还能退"));
    assert_eq!(location(&refund(&zhou, "c", "some", "5.01").await), format!("{detail}?said=asked"));
    assert_eq!(location(&refund(&zhou, "c", "some", "5.01").await), format!("{detail}?said=asked-before"));
    assert_eq!(member.balance().await, before, "nothing moves yet");
    assert!(zhou.caller.page(&detail).await.contains("等另一位同事复核"));
    // presses add up: of this order and of another one, today and for good
    refund(&zhou, "e", "some", "0.01").await;
    let (other_member, other) = printable(&server, "other@example.com").await;
    let others = other_member.balance().await;
    let code = zhou.code(&server).await;
    let fields = [("key", "f"), ("part", "some"), ("amount", "0.01"), ("reason", "印坏了"), ("code", &*code)];
    let elsewhere = format!("/staff/orders/{other}");
    zhou.caller.post(&format!("{elsewhere}/refund"), &fields).await;
    assert!(zhou.caller.page(&elsewhere).await.contains("等另一位同事复核"));
    assert_eq!((member.balance().await, other_member.balance().await), (before.clone(), others.clone()));
    server.sql("update given_alone set given_at = given_at - 86400001").await;
    refund(&zhou, "g", "some", "0.01").await;
    assert_eq!(member.balance().await, before, "of one thing never more, on any day, by anybody");
    let code = zhou.code(&server).await;
    let fields = [("key", "h"), ("part", "some"), ("amount", "0.01"), ("reason", "印坏了"), ("code", &*code)];
    zhou.caller.post(&format!("{elsewhere}/refund"), &fields).await;
    assert_ne!(other_member.balance().await, others, "another day, another order");

    let decide = async |clerk: &Clerk, decision: &str| {
        let code = clerk.code(&server).await;
        let fields = [("request", "c"), ("decision", decision), ("code", &*code)];
        clerk.caller.post(&format!("{detail}/second"), &fields).await
    };
    assert!(self::refused(decide(&zhou, "grant").await).await.contains("要由另一位同事复核"));
    assert_eq!(member.balance().await, before);
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    assert!(chen.caller.page("/staff").await.contains("待复核的订单退款"));
    assert!(chen.caller.page("/staff/orders?view=second").await.contains(&order));
    assert!(chen.caller.page(&detail).await.contains("同意退款"));
    let bare = [("request", "c"), ("decision", "grant")];
    assert!(
        self::refused(chen.caller.post(&format!("{detail}/second"), &bare).await)
            .await
            .contains("请再输入一次动态验证码")
    );
    assert_eq!(location(&decide(&chen, "grant").await), format!("{detail}?said=done"));
    assert_ne!(member.balance().await, before);
    let before = member.balance().await;
    assert_eq!(location(&decide(&chen, "grant").await), format!("{detail}?said=before"));
    assert_eq!(member.balance().await, before, "once");
    // who asked may take it back, and then nothing moves
    refund(&zhou, "d", "whole", "").await;
    let back = [("request", "d"), ("decision", "decline")];
    assert_eq!(
        location(&zhou.caller.post(&format!("{detail}/second"), &back).await),
        format!("{detail}?said=taken-back")
    );
    assert_eq!(member.balance().await, before);
    let audit = String::from_utf8(server.run(&["audit", &order]).stdout).unwrap();
    assert!(
        audit.contains("zhou: order refund-ask") && audit.contains("chen: order refund-decide"),
        "{audit}"
    );
    assert!(
        server.run(&["ledger", "check"]).status.success()
            && server.run(&["audit", "--check"]).status.success()
    );
}

async fn a_members_pages_are_seen_and_nothing_is_changed(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let ordered = member.cart_with_album().await;
    let order = member.order(&ordered).await;
    let line = member.cart_with_album().await;
    let id = server.read("select id from members where account = 'buyer@example.com'").await;
    let work = server.read("select id from works order by created_at limit 1").await;
    let own = format!("/staff/members/{id}");
    let begin = format!("{own}/look");
    let printer = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    assert_eq!(printer.post(&begin, &[("reason", "看看")]).await.status(), StatusCode::FORBIDDEN);
    let zhou = Clerk::sign_in(&server, "zhou", &["客服"]).await.caller;
    assert!(location(&zhou.get("/manager/order").await).starts_with("/manager/login"));
    let page = refused(zhou.post(&begin, &[("reason", " ")]).await).await;
    assert!(page.contains("请输入查看的原因"), "{page}");

    let state = async || {
        let mut rows = Vec::new();
        for sql in [
            "select id || ' ' || cast(revision as text) || ' ' || coalesce(cast(trashed_at as text), '') from works",
            "select id || ' ' || state from orders",
            "select id || ' ' || coalesce(cast(removed_at as text), '') from cart_lines",
            "select id || ' ' || coalesce(cast(last_seen_at as text), '') from logins",
            "select id || ' ' || coalesce(cast(removed_at as text), '') from photos",
            "select id || ' ' || name from members",
            "select transaction_id from ledger_entries",
        ] {
            rows.push(server.column(sql).await);
        }
        rows
    };
    let before = state().await;
    let reason = "会员说封面打不开";
    assert_eq!(location(&zhou.post(&begin, &[("reason", reason)]).await), "/manager/userInfo");
    for path in [
        "/manager/make_ebook",
        "/manager/opus_list/all",
        &format!("/manager/opus/{work}"),
        "/manager/photos",
        "/manager/shopping/cart",
        "/manager/order",
        &format!("/manager/order/{order}"),
        "/manager/userInfo",
        "/manager/userInfo/addresses",
        "/manager/userInfo/signins",
        "/manager/userInfo/second_factor",
        "/manager/userInfo/closing",
        "/manager/upgrade",
        "/manager/recharge",
    ] {
        let answer = zhou.get(path).await;
        assert_eq!(answer.status(), member.get(path).await.status(), "{path}");
        let page = answer.text().await.unwrap();
        assert!(page.contains("后台查看") && page.contains(&format!("{own}/look/end")), "{path}: {page}");
        assert!(!page.contains("/manager/logout"), "{path}");
    }
    assert!(zhou.page("/manager/order").await.contains(&order));
    let picture = zhou.get(&format!("/manager/opus/{work}/page/1/picture")).await.status();
    assert_eq!(picture, member.get(&format!("/manager/opus/{work}/page/1/picture")).await.status());

    // whatever changes something is refused, also where everybody may
    for (path, form) in [
        ("/manager/userInfo", vec![("name", "别人")]),
        ("/manager/photos/removal", vec![("photo", "all")]),
        ("/manager/shopping/pay", vec![("order", &*order)]),
        ("/manager/logout", vec![]),
        ("/manager/login", vec![("account", "buyer@example.com"), ("password", support::PASSWORD)]),
        ("/shopping/deleteCart", vec![("ids", &*line)]),
        ("/user-center/userIsLogin3", vec![]),
    ] {
        let answer = zhou.post(path, &form).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
        let text = answer.text().await.unwrap();
        assert!(text.contains("这里只能看"), "{path}: {text}");
    }
    // nor do addresses act as the member that do something when they are opened
    zhou.get("/uwp/web/doLoginout.jsp").await;
    zhou.get("/manager/login_weixin?code=a&state=b").await;
    assert!(zhou.page("/manager/login").await.contains("name=\"password\""));
    assert_eq!(zhou.get("/manager/order").await.status(), StatusCode::OK);
    assert_eq!(state().await, before);

    // in the back office it is somebody of the back office, and ends what it began
    let page = zhou.page(&own).await;
    assert!(page.contains(reason) && page.contains(">zhou<"), "{page}");
    assert_eq!(location(&zhou.post(&format!("{own}/look/end"), &[]).await), own);
    assert!(location(&zhou.get("/manager/order").await).starts_with("/manager/login"));
    // the member can see it, and nobody else
    let told = member.page("/manager/userInfo/signins").await;
    assert!(told.contains("客服看过您的页面") && told.contains(reason) && !told.contains("zhou"), "{told}");
    let other = server.member("other@example.com", "0").await;
    assert!(!other.page("/manager/userInfo/signins").await.contains("客服看过"));
    let audit = String::from_utf8(server.run(&["audit", &id]).stdout).unwrap();
    assert!(audit.contains("zhou: look begin") && audit.contains("zhou: look end"), "{audit}");

    // it ends by itself, with its clerk's sign-in, and with its capability
    for end in [
        "update looks set ends_at = began_at where ended_at is null",
        "update staff_logins set created_at = created_at - 43200000",
        "update staff set roles = 'editor' where name = 'zhao'",
    ] {
        let zhao = Clerk::sign_in(&server, "zhao", &["客服"]).await.caller;
        zhao.post(&begin, &[("reason", reason)]).await;
        assert_eq!(zhao.get("/manager/order").await.status(), StatusCode::OK);
        server.sql(end).await;
        assert_eq!(location(&zhao.get("/manager/order").await), own, "{end}");
        assert!(location(&zhao.get("/manager/order").await).starts_with("/manager/login"), "{end}");
        server.sql("update staff set name = id where name = 'zhao'").await;
    }
}

async fn members_are_looked_at_and_nothing_else(server: Server) {
    let (member, order) = printable(&server, "buyer@example.com").await;
    server.member("13912345678", "0").await;
    let zhou = Clerk::sign_in(&server, "zhou", &["客服"]).await.caller;
    let list = zhou.page("/staff/members").await;
    assert!(list.contains("b****@example.com") && !list.contains("buyer@example.com"), "{list}");
    assert!(!list.contains("13912345678"), "a list is seen over somebody's shoulder");
    assert!(zhou.page("/staff/members?q=13912345678").await.contains("139****5678"));
    assert!(
        !zhou.page("/staff/members?q=1391234567").await.contains("139****5678"),
        "a phone is known whole"
    );
    let found = zhou.page("/staff/members?q=buyer@example.com").await;
    let own = between(&found, "href=\"/staff/members/", "\"");
    let page = zhou.page(&format!("/staff/members/{own}")).await;
    assert!(page.contains("buyer@example.com") && page.contains(&format!("/staff/orders/{order}")), "{page}");
    assert!(page.contains(&format!("支付订单 {order}")), "its money, entry by entry");
    assert_eq!(page.matches("<form method=\"post\"").count(), 2, "the way out, and a look at its pages");
    assert_eq!(zhou.get("/staff/members/nobody").await.status(), StatusCode::NOT_FOUND);
    drop(member);
}

async fn what_readers_report_is_withdrawn_and_allowed_again(server: Server) {
    let maker = server.member("maker@example.com", "0").await;
    let photos = maker.upload(vec![("一.jpg", support::jpeg(640, 480, 1))]).await;
    let work = maker.album("square-210", "被举报的书", &photos).await;
    maker.share(&work).await;
    let address = format!("/read/{work}");
    for words in ["第一条 </textarea>", "第二条"] {
        let fields = [("reason", "privacy"), ("words", words), ("contact", "reader@example.com")];
        server.visitor().post(&format!("{address}/report"), &fields).await;
    }
    let wu = Clerk::sign_in(&server, "wu", &["编辑"]).await.caller;
    assert!(wu.page("/staff").await.contains("待处理的举报"));
    let page = wu.page("/staff/reports").await;
    assert!(
        page.contains("山海之间") && page.contains("第二条") && !page.contains("第一条 </textarea>"),
        "{page}"
    );
    let id = between(&page, "/staff/reports/", "/closing");
    let closing = format!("/staff/reports/{id}/closing");
    refused(wu.post(&closing, &[("outcome", "  ")]).await).await;
    assert_eq!(location(&wu.post(&closing, &[("outcome", "不成立")]).await), "/staff/reports?said=done");
    assert_eq!(location(&wu.post(&closing, &[("outcome", "不成立")]).await), "/staff/reports?said=before");
    assert_eq!(server.visitor().get(&address).await.status(), StatusCode::OK);
    let withdrawal = format!("/staff/reports/works/{work}/withdrawal");
    assert_eq!(location(&wu.post(&withdrawal, &[("reason", "侵犯肖像")]).await), "/staff/reports?said=done");
    assert_ne!(server.visitor().get(&address).await.status(), StatusCode::OK);
    assert!(wu.page("/staff/reports").await.contains("没有待处理的举报"), "its reports are closed with it");
    let closed = wu.page("/staff/reports?view=closed").await;
    assert!(
        closed.contains("不成立") && closed.contains("侵犯肖像") && closed.contains("允许再次发布"),
        "{closed}"
    );
    let allowing = format!("/staff/reports/works/{work}/allowing");
    assert_eq!(location(&wu.post(&allowing, &[]).await), "/staff/reports?view=closed&said=done");
    maker.share(&work).await;
    assert_eq!(server.visitor().get(&address).await.status(), StatusCode::OK);
}

async fn many_parcels_are_noted_at_once_and_wrong_lines_come_back(server: Server) {
    let (_, one) = printable(&server, "one@example.com").await;
    let (_, two) = printable(&server, "two@example.com").await;
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    wang.post("/staff/orders/start", &[("order", &one)]).await;
    let lines = format!("{one}\t顺丰\tSF1234567890001\n{two} 顺丰 SF1234567890002\nx 顺丰\n");
    let page = refused(wang.post("/staff/parcels", &[("lines", &lines)]).await).await;
    assert!(page.contains("1 个包裹已记下"), "{page}");
    let left = between(&page, "<textarea", "</textarea>");
    assert!(left.contains(&two) && left.contains("x 顺丰") && !left.contains(&one), "{left}");
    assert!(wang.page(&format!("/staff/orders/{one}")).await.contains("SF1234567890001"));
    wang.post("/staff/orders/start", &[("order", &two)]).await;
    let answer = wang.post("/staff/parcels", &[("lines", &format!("{two},顺丰,SF1234567890002"))]).await;
    assert_eq!(location(&answer), "/staff/parcels?said=done");
    let answer = wang.post("/staff/parcels", &[("lines", &format!("{two}，顺丰，SF1234567890002"))]).await;
    assert_eq!(location(&answer), "/staff/parcels?said=before");
}

async fn the_log_is_a_chain(server: Server) {
    const CHECKED: &str = "/staff/audit?check=1";
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    for name in ["a", "b", "c"] {
        let words = ["staff", "add", name, "--role", "客服"];
        assert!(server.run(&words).status.success());
    }
    let page = owner.page("/staff/audit").await;
    let button = "name=\"check\" value=\"1\"";
    assert!(page.contains(button) && page.contains("末条的编号和校验值"), "{page}");
    assert!(!page.contains("前后相连"), "nobody asked: {page}");
    let page = owner.page(CHECKED).await;
    assert!(page.contains("5 条记录前后相连") && !page.contains(button), "{page}");
    let check = || server.run(&["audit", "--check"]);
    assert!(check().status.success());
    // put in beside it, and another's place taken in the list
    let now = "9999999999999";
    for (change, back) in [
        (
            format!(
                "insert into audit_log (id, happened_at, actor, action, subject, detail) values ('put-in', {now}, 'a', 'b', 'c', '{{}}')"
            ),
            "delete from audit_log where id = 'put-in'",
        ),
        (
            "update audit_log set id = 'moved' || id where number = 3".to_owned(),
            "update audit_log set id = substr(id, 6) where number = 3",
        ),
    ] {
        server.sql(&change).await;
        assert!(!check().status.success(), "{change}");
        assert!(owner.page(CHECKED).await.contains("对不上"), "{change}");
        server.sql(back).await;
        assert!(check().status.success(), "as it was");
    }
    // one without a number was put in, whatever time it says
    server
        .sql("insert into audit_log (id, happened_at, actor, action, subject, detail) values ('0', 1, 'a', 'b', 'c', '{}')")
        .await;
    assert!(!check().status.success());
    assert!(owner.page(CHECKED).await.contains("有 1 条没有编号"));
    // what was noted before there was a chain is told apart
    server.sql("update audit_ends set older = 1").await;
    assert!(String::from_utf8(check().stdout).unwrap().contains("1 rows are from before"));
    assert!(owner.page(CHECKED).await.contains("另有 1 条是从前的"));
    server.sql("delete from audit_log where id = '0'").await;
    let told = check();
    assert!(String::from_utf8_lossy(&told.stderr).contains("1 rows from before the chain are missing"));
    server.sql("update audit_ends set older = 0").await;
    // what was printed earlier is held against it
    let head = between(&String::from_utf8(check().stdout).unwrap(), "Head: ", "\n");
    let against = |head: &str| server.run(&["audit", "--check", "--head", head]);
    assert!(against(&head).status.success());
    let (number, hash) = head.split_once(':').unwrap();
    let other = format!("{number}:{}", hash.chars().rev().collect::<String>());
    assert!(String::from_utf8_lossy(&against(&other).stderr).contains("another one than was kept apart"));
    let later = format!("99:{hash}");
    assert!(String::from_utf8_lossy(&against(&later).stderr).contains("its last one was row 99"));
    assert!(!against("12:x").status.success());
    // changed, taken out of the middle, taken from the end
    for (change, back) in [
        (
            "update audit_log set actor = 'nobody' where number = 3",
            Some("update audit_log set actor = 'owner' where number = 3"),
        ),
        ("delete from audit_log where number = 5", None),
    ] {
        let actor = server.read("select actor from audit_log where number = 3").await;
        server.sql(change).await;
        let told = check();
        assert!(!told.status.success());
        assert!(owner.page(CHECKED).await.contains("对不上"));
        if back.is_some() {
            server.sql(&format!("update audit_log set actor = '{actor}' where number = 3")).await;
            assert!(check().status.success(), "as it was");
        }
    }
}

async fn the_log_says_in_words_what_was_done(server: Server) {
    let (_, order) = printable(&server, "buyer@example.com").await;
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await;
    let detail = format!("/staff/orders/{order}");
    let code = owner.code(&server).await;
    let fields =
        [("key", "a"), ("part", "some"), ("amount", "12.5"), ("reason", "赔一点"), ("code", code.as_str())];
    let answer = owner.caller.post(&format!("{detail}/refund"), &fields).await;
    assert_eq!(location(&answer), format!("{detail}?said=done"));
    // what a program of before noted that no slice names any more
    server
        .sql("insert into audit_log (id, happened_at, actor, action, subject, detail) values ('0', 1, 'wu', 'tea make', 'pot', '{}')")
        .await;
    let done = "做了什么\">退款</td>";
    let said = "金额：¥12.50；原因：赔一点；";
    for (words, row) in [
        ("", done),
        ("%E9%80%80%E6%AC%BE", done),
        ("order+refund", done),
        ("%E8%B5%94%E4%B8%80%E7%82%B9", done),
        ("%E5%90%8E%E5%8F%B0", "做了什么\">登录后台</td>"),
        ("TEA+MAKE", "做了什么\">tea make</td>"),
    ] {
        let page = owner.caller.page(&format!("/staff/audit?q={words}")).await;
        assert!(page.contains(row), "{words}: {page}");
        assert_eq!(page.contains(said), words.is_empty() || row == done, "{words}: {page}");
        let rows = page.matches("<tr>").count() - 1;
        assert!(words.is_empty() || rows == 1, "{words} finds {rows} rows");
    }
    let none = owner.caller.page("/staff/audit?q=nothing+like+it").await;
    assert!(none.contains("没有符合的记录") && !none.contains("<table"), "{none}");
    let page = owner.caller.page(&detail).await;
    assert!(between(&page, "操作记录", "</ul>").contains(said), "{page}");
    // programs and whoever operates the machine read keys and JSON
    let audit = String::from_utf8(server.run(&["audit", &order]).stdout).unwrap();
    assert!(audit.contains("owner: order refund") && audit.contains("\"amount\":\"12.50\""), "{audit}");
}

async fn a_failed_job_is_tried_again(server: Server) {
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    server
        .sql(
            "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at, last_error)
             values ('broken', 'order_deadline', '{\"kind\":\"order_deadline\",\"order\":\"none\"}', 0, 0, 12, 0, 'the disk was full')",
        )
        .await;
    assert!(owner.page("/staff").await.contains("失败的任务"));
    let page = owner.page("/staff/machine").await;
    assert!(page.contains("the disk was full") && page.contains("再试一次"), "{page}");
    assert_eq!(location(&owner.post("/staff/jobs/broken/retry", &[]).await), "/staff/machine?said=done");
    assert_eq!(location(&owner.post("/staff/jobs/nothing/retry", &[]).await), "/staff/machine?said=before");
    let audit = String::from_utf8(server.run(&["audit", "broken"]).stdout).unwrap();
    assert!(audit.contains("owner: job retry"), "{audit}");
}
