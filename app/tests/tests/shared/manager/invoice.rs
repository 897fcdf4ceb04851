//! /manager/invoice: what a member asks for, and what becomes of it.

use reqwest::StatusCode;

use support::invoices::{LIST, ask, id_of, issue, offered, paid_order, pdf, send, succeeds};
use support::{Caller, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    a_company_gets_its_invoice,
    cancelling_and_asking_at_once_leave_nothing_behind;
    on_sqlite:
    one_invoice_counts_for_an_order,
    a_request_is_taken_back_and_made_again,
    only_what_is_paid_and_left_is_invoiced,
    a_cancelled_order_takes_its_request_along,
    a_refund_takes_the_invoice_along,
    titles_are_kept_changed_and_removed,
    long_lists_have_pages,
    what_is_wrong_stands_beside_its_field,
    somebody_elses_title_is_nobodys,
);
const CODE: &str = "91350100M000100Y43";

/// The form for an order, filled in.
async fn filled(member: &Caller, order: &str, fields: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut form = offered(member, order).await;
    form.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    form
}

/// Sends a form; where it leads.
async fn press(member: Caller, form: Vec<(String, String)>) -> String {
    let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (&**name, &**value)).collect();
    location(&member.post("/manager/invoice/new", &form).await)
}

async fn states(server: &Server) -> Vec<String> {
    let of_mine = format!("select state from invoices where member_id in {} order by id", server.members());
    server.column(&of_mine).await
}

async fn a_company_gets_its_invoice(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let list = member.page(LIST).await;
    assert!(list.contains(&format!("{LIST}/new?order={order}")) && list.contains("《海边的夏天》"));
    let page = member.page(&format!("/manager/order/{order}")).await;
    assert!(page.contains(&format!("href=\"{LIST}/new?order={order}\"")), "the order leads there");

    let total = server.read(&format!("select cast(total as text) from orders where id = '{order}'")).await;
    let yuan = format!("{}.{}", &total[..total.len() - 2], &total[total.len() - 2..]);
    let answer = send(
        &member,
        &order,
        &[
            ("title", "new"),
            ("kind", "company"),
            ("name", "杭州 <书> 坊有限公司"),
            ("code", " 91350100 m000100y43"),
            ("email", "Accounts@Example.com"),
            ("keep", "Y"),
        ],
    )
    .await;
    let place = location(&answer);
    let page = member.page(&place).await;
    for words in ["申请已提交", "申请中", CODE, "杭州 &lt;书&gt; 坊有限公司", "accounts@example.com", &yuan]
    {
        assert!(page.contains(words), "{words} in {page}");
    }
    let id = id_of(&place);
    assert!(!page.contains(&format!("{id}/file")));
    assert_eq!(member.get(&format!("{LIST}/{id}/file")).await.status(), StatusCode::NOT_FOUND);
    assert!(member.page("/manager/invoice/titles").await.contains(CODE), "kept for the next time");

    let file = pdf("first");
    issue(&server, &id, &file, &["--number", "25332000000123456789"]);
    let page = member.page(&format!("{LIST}/{id}")).await;
    assert!(page.contains("已开票") && page.contains("25332000000123456789"));
    let list = member.page(LIST).await;
    assert!(list.contains(&format!("{LIST}/{id}/file")) && !list.contains("可以开票的付款"));
    let answer = member.get(&format!("{LIST}/{id}/file")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "application/pdf");
    assert_eq!(header("cache-control"), "private, no-store");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let named = "filename*=UTF-8''%E5%8F%91%E7%A5%A8-25332000000123456789.pdf";
    assert_eq!(
        header("content-disposition"),
        format!("attachment; filename=\"invoice-{order}.pdf\"; {named}")
    );
    assert_eq!(answer.bytes().await.unwrap(), file);

    let told = server.message_to("buyer@example.com");
    assert!(told.contains("发票已开好") && told.contains(&order), "{told}");
    let outbox = server.outbox();
    let (_, sent) = outbox.split_once(" to accounts@example.com (").expect("the accountant's mail");
    let path = between(sent, "with 发票-25332000000123456789.pdf: ", "\n");
    assert_eq!(std::fs::read(path).unwrap(), file, "the file that goes with it");
}

async fn what_is_wrong_stands_beside_its_field(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let good =
        [("title", "new"), ("kind", "company"), ("name", "书坊有限公司"), ("code", CODE), ("email", "")];
    let long = "名".repeat(101);
    for (field, value, beside, message) in [
        ("kind", "", "kind", "请选择个人或企业"),
        ("kind", "club", "kind", "请选择个人或企业"),
        ("name", " ", "name", "请输入抬头名称"),
        ("name", &long, "name", "抬头名称最多 100 个字"),
        ("name", "两\n行", "name", "抬头名称须写成一行"),
        ("code", "", "code", "请输入统一社会信用代码"),
        ("code", "91350100M000100Y4", "code", "统一社会信用代码是 18 位，这里有 17 位"),
        ("code", "91350100M0001O0Y43", "code", "不会有“O”"),
        ("code", "91350100M000100Y34", "code", "校验位不对"),
        ("email", "nobody", "email", "请输入正确的邮箱地址"),
        ("email", "13800138000", "email", "请输入正确的邮箱地址"),
        ("title", "", "title", "请选择发票抬头"),
        ("title", "01k00000000000000000000000", "title", "请选择发票抬头"),
        ("amount", "0.01", "", "开票金额已变为"),
    ] {
        let fields: Vec<_> =
            good.into_iter().filter(|(name, _)| *name != field).chain([(field, value)]).collect();
        let answer = send(&member, &order, &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(message), "{field}={value}: {page}");
        assert!(
            page.contains("企业必填，18 位") && !page.contains("最多 40 字"),
            "one length is said: {page}"
        );
        if !beside.is_empty() && beside != "title" {
            assert!(page.contains(&format!("id=\"{beside}-error\"")), "{field}={value}");
        }
        // everything typed comes back
        for (name, typed) in &fields {
            if ["name", "code", "email"].contains(name) && !typed.contains('\n') {
                assert!(page.contains(&format!("value=\"{typed}\"")), "{name}={typed} after {field}={value}");
            }
        }
    }
    assert!(states(&server).await.is_empty());
    let answer = member.post(&format!("{LIST}/new"), &[("order", &order), ("invoice", "")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("表单不完整"));
    // a person needs no code, and none of theirs is kept
    let answer =
        send(&member, &order, &[("title", "new"), ("kind", "personal"), ("name", "林知夏"), ("code", "x")])
            .await;
    let page = member.page(&location(&answer)).await;
    assert!(page.contains("个人") && !page.contains("统一社会信用代码"));
}

async fn one_invoice_counts_for_an_order(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let personal = [("title", "new"), ("kind", "personal"), ("name", "林知夏"), ("keep", "Y")];
    // sixteen pages, opened before any of them is sent
    let mut forms = Vec::new();
    for _ in 0..16 {
        forms.push(filled(&member, &order, &personal).await);
    }
    let asking: Vec<_> = forms.into_iter().map(|form| tokio::spawn(press(member.clone(), form))).collect();
    let mut places = Vec::new();
    for task in asking {
        places.push(task.await.unwrap());
    }
    assert_eq!(states(&server).await, ["requested"]);
    let new: Vec<&String> = places.iter().filter(|place| place.ends_with("done=requested")).collect();
    assert_eq!(new.len(), 1, "{places:?}");
    let id = id_of(new[0]);
    for place in &places {
        assert_eq!(id_of(place), id, "everybody is led to the one that counts");
    }
    assert!(
        member
            .page(places.iter().find(|place| place.ends_with("already")).unwrap())
            .await
            .contains("没有重复申请")
    );
    // the form's own page says so, too
    assert!(member.page(&format!("{LIST}/new?order={order}")).await.contains("已经申请过发票"));
    assert_eq!(
        server
            .column(&format!("select name from invoice_titles where member_id in {}", server.members()))
            .await
            .len(),
        1
    );

    // one form, pressed often
    let other = paid_order(&member).await;
    let form = filled(&member, &other, &personal).await;
    let pressing: Vec<_> = (0..8).map(|_| tokio::spawn(press(member.clone(), form.clone()))).collect();
    for task in pressing {
        assert!(task.await.unwrap().ends_with("done=requested"), "a repeat has what it asked for");
    }
    assert_eq!(states(&server).await, ["requested", "requested"]);
}

async fn a_request_is_taken_back_and_made_again(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let company = [
        ("title", "new"),
        ("kind", "company"),
        ("name", "书坊有限公司"),
        ("code", CODE),
        ("email", "a@b.cn"),
    ];
    let form = filled(&member, &order, &company).await;
    let first = id_of(&press(member.clone(), form.clone()).await);
    let cancellation = format!("{LIST}/{first}/cancellation");
    for _ in 0..2 {
        assert!(location(&member.post(&cancellation, &[]).await).ends_with("done=cancelled"));
    }
    let page = member.page(&format!("{LIST}/{first}?done=cancelled")).await;
    assert!(page.contains("申请已撤销") && page.contains("重新申请"));
    // the old page's form makes no second one of the same id
    let place = press(member.clone(), form).await;
    assert_eq!(place, format!("{LIST}/{first}?done=already"));
    assert_eq!(states(&server).await, ["cancelled"]);
    // what was asked for before is offered again
    let page = member.page(&format!("{LIST}/new?order={order}&from={first}")).await;
    for value in ["书坊有限公司", CODE, "a@b.cn"] {
        assert!(page.contains(&format!("value=\"{value}\"")), "{value}");
    }

    let second = ask(&member, &order).await;
    succeeds(server.run(&["invoice", "reject", &second, "--reason", "抬头与税号不符"]));
    let page = member.page(&format!("{LIST}/{second}")).await;
    assert!(page.contains("未通过") && page.contains("抬头与税号不符") && page.contains("重新申请"));
    assert!(server.message_to("buyer@example.com").contains("抬头与税号不符"));
    assert!(
        location(&member.post(&format!("{LIST}/{second}/cancellation"), &[]).await).ends_with("done=late")
    );

    let third = ask(&member, &order).await;
    issue(&server, &third, &pdf("third"), &[]);
    let late = location(&member.post(&format!("{LIST}/{third}/cancellation"), &[]).await);
    assert!(member.page(&late).await.contains("没有撤销：这张发票已开票"));
    succeeds(server.run(&["invoice", "void", &third, "--reason", "开错了项目"]));
    let page = member.page(&format!("{LIST}/{third}")).await;
    assert!(page.contains("已作废") && page.contains("开错了项目"));
    assert_eq!(member.get(&format!("{LIST}/{third}/file")).await.status(), StatusCode::NOT_FOUND);

    ask(&member, &order).await;
    assert_eq!(states(&server).await, ["cancelled", "rejected", "voided", "requested"]);
    let list = member.page(LIST).await;
    for state in ["已撤销", "未通过", "已作废", "申请中"] {
        assert!(list.contains(state), "{state}");
    }
    // what ended can't be asked for again beside one that counts
    assert!(!member.page(&format!("{LIST}/{first}")).await.contains("重新申请"));
}

async fn only_what_is_paid_and_left_is_invoiced(server: Server) {
    let member = server.member("buyer@example.com", "1000").await;
    let line = member.cart_with_album().await;
    let unpaid = member.order(&line).await;
    let refuses = async |order: &str, reason: &str| {
        let page = member.page(&format!("{LIST}/new?order={order}")).await;
        assert!(page.contains(reason) && !page.contains("提交申请"), "{page}");
        let fields =
            [("order", order), ("invoice", "abc"), ("title", "new"), ("kind", "personal"), ("name", "我")];
        let answer = member.post("/manager/invoice/new", &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text().await.unwrap().contains(reason));
    };
    refuses(&unpaid, "还没有付款").await;
    assert!(member.page(LIST).await.contains("还没有可以开票的付款"));
    location(&member.post("/manager/shopping/pay", &[("order", &unpaid)]).await);
    let order = unpaid;
    for state in ["paid", "in_production", "shipped", "received", "completed", "reprint"] {
        server.sql(&format!("update orders set state = '{state}' where id = '{order}'")).await;
        assert!(member.page(LIST).await.contains("可以开票的付款"), "{state}");
        offered(&member, &order).await;
    }
    server
        .sql(&format!("update orders set state = 'refunding' where member_id in {}", server.members()))
        .await;
    refuses(&order, "订单正在退款").await;
    for state in ["refunded", "cancelled"] {
        server.sql(&format!("update orders set state = '{state}' where id = '{order}'")).await;
        refuses(&order, "没有可开票的金额").await;
    }
    assert!(member.page(LIST).await.contains("还没有可以开票的付款"));
    server
        .sql(&format!(
            "update orders set state = 'completed', refunded = total where member_id in {}",
            server.members()
        ))
        .await;
    refuses(&order, "没有可开票的金额").await;
    // what is left is invoiced
    server
        .sql(&format!("update orders set refunded = total - 1234 where member_id in {}", server.members()))
        .await;
    assert!(member.page(LIST).await.contains("12.34"));
    let id = ask(&member, &order).await;
    assert_eq!(
        server
            .read(&format!(
                "select cast(amount as text) from invoices where member_id in {}",
                server.members()
            ))
            .await,
        "1234"
    );
    assert!(member.page(&format!("{LIST}/{id}")).await.contains("12.34"));
}

async fn a_cancelled_order_takes_its_request_along(server: Server) {
    let member = server.member("buyer@example.com", "1000").await;
    let (asked, issued) = (paid_order(&member).await, paid_order(&member).await);
    let request = ask(&member, &asked).await;
    let invoice = ask(&member, &issued).await;
    issue(&server, &invoice, &pdf("one"), &[]);
    for order in [&asked, &issued] {
        location(&member.post(&format!("/manager/order/{order}/cancellation"), &[]).await);
    }
    let page = member.page(&format!("{LIST}/{request}")).await;
    assert!(page.contains("已撤销") && page.contains("没有可开票的金额") && !page.contains("重新申请"));
    // an invoice that is out in the world has to be corrected first
    assert!(member.page(&format!("{LIST}/{invoice}")).await.contains("红字发票"));
    let listed = succeeds(server.run(&["invoice", "list", "--state", "issued"]));
    assert!(
        listed.contains(&invoice) && listed.contains("需红冲: the order now amounts to ¥0.00"),
        "{listed}"
    );
    succeeds(server.run(&["invoice", "void", &invoice, "--reason", "订单已取消"]));
    let listed = succeeds(server.run(&["invoice", "list"]));
    assert!(!listed.lines().any(|line| line.contains(&invoice) && line.contains("需红冲")), "{listed}");
    assert!(!member.page(&format!("{LIST}/{invoice}")).await.contains("重新申请"));
}

async fn a_refund_takes_the_invoice_along(server: Server) {
    let member = server.member("buyer@example.com", "1000").await;
    let (asked, issued) = (paid_order(&member).await, paid_order(&member).await);
    let request = ask(&member, &asked).await;
    let invoice = ask(&member, &issued).await;
    issue(&server, &invoice, &pdf("one"), &[]);
    let amount = async |id: &str| -> i64 {
        server
            .read(&format!("select cast(amount as text) from invoices where id = '{id}'"))
            .await
            .parse()
            .unwrap()
    };
    let (before, on_paper) = (amount(&request).await, amount(&invoice).await);
    for order in [&asked, &issued] {
        let part = ["--amount", "10.00", "--key", "stain", "--reason", "一页有污渍"];
        succeeds(server.run(&[&["order", "refund", order][..], &part].concat()));
    }
    assert_eq!(amount(&request).await, before - 1000, "what is asked for follows");
    assert_eq!(amount(&invoice).await, on_paper, "what was issued stays");
    let listed = succeeds(server.run(&["invoice", "list"]));
    assert_eq!(listed.matches("需红冲").count(), 1, "{listed}");
    // the member is told, and asks for the rest after the red invoice
    assert!(member.page(&format!("{LIST}/{invoice}")).await.contains("红字发票"));
    succeeds(server.run(&["invoice", "void", &invoice, "--reason", "部分退款，已红冲"]));
    let anew = ask(&member, &issued).await;
    assert_eq!(amount(&anew).await, on_paper - 1000);
    // nothing left, nothing to invoice
    succeeds(server.run(&["order", "refund", &asked, "--reason", "重做不了"]));
    let page = member.page(&format!("{LIST}/{request}")).await;
    assert!(page.contains("已撤销") && page.contains("没有可开票的金额"), "{page}");
}

async fn cancelling_and_asking_at_once_leave_nothing_behind(server: Server) {
    let member = server.member("buyer@example.com", "2000").await;
    for _ in 0..6 {
        let order = paid_order(&member).await;
        let fields = offered(&member, &order).await;
        let cancelling = {
            let (member, path) = (member.clone(), format!("/manager/order/{order}/cancellation"));
            tokio::spawn(async move { member.post(&path, &[]).await.status() })
        };
        let asking = {
            let member = member.clone();
            tokio::spawn(async move {
                let mut all: Vec<(&str, &str)> =
                    fields.iter().map(|(name, value)| (&**name, &**value)).collect();
                all.extend([("title", "new"), ("kind", "personal"), ("name", "林知夏")]);
                member.post("/manager/invoice/new", &all).await.status()
            })
        };
        assert_eq!(cancelling.await.unwrap(), StatusCode::SEE_OTHER);
        let asked = asking.await.unwrap();
        assert!([StatusCode::SEE_OTHER, StatusCode::UNPROCESSABLE_ENTITY].contains(&asked), "{asked}");
    }
    assert!(
        !states(&server).await.contains(&"requested".to_owned()),
        "nothing of a cancelled order is asked for"
    );
}

const TITLES: &str = "/manager/invoice/titles";

async fn titles_are_kept_changed_and_removed(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    assert!(member.page(TITLES).await.contains("还没有常用抬头"));
    let add = |fields: &'static [(&'static str, &'static str)]| {
        let member = member.clone();
        async move { member.post(&format!("{TITLES}/new"), fields).await }
    };
    let company = &[("kind", "company"), ("name", "书坊有限公司"), ("code", "91350100m000100y43")];
    for _ in 0..2 {
        assert!(location(&add(company).await).ends_with("done=added"));
    }
    let page = member.page(TITLES).await;
    assert_eq!(page.matches(CODE).count(), 1, "the same one is kept once");
    let refused = add(&[("kind", "company"), ("name", "书坊"), ("code", "123")]).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().await.unwrap().contains("value=\"123\""));

    let own = between(&page, &format!("href=\"{TITLES}/"), "\"").replace("new", "");
    let own =
        if own.is_empty() { between_all(&page, &format!("href=\"{TITLES}/"), "\"")[1].clone() } else { own };
    let own = format!("{TITLES}/{own}");
    assert!(member.page(&own).await.contains(&format!("value=\"{CODE}\"")));
    // a request chooses it, and keeps what it chose
    let order = paid_order(&member).await;
    let answer = send(&member, &order, &[("title", own.rsplit('/').next().unwrap())]).await;
    let invoice = location(&answer);
    let answer = member.post(&own, &[("kind", "personal"), ("name", "林知夏"), ("code", "")]).await;
    assert!(location(&answer).ends_with("done=changed"));
    assert!(!member.page(TITLES).await.contains(CODE));
    assert!(location(&member.post(&format!("{own}/removal"), &[]).await).ends_with("done=removed"));
    assert_eq!(member.post(&format!("{own}/removal"), &[]).await.status(), StatusCode::NOT_FOUND);
    assert!(member.page(&invoice).await.contains(CODE), "frozen");

    let adding: Vec<_> = (0..24)
        .map(|number| {
            let member = member.clone();
            tokio::spawn(async move {
                let name = format!("第 {number} 个");
                member.post(&format!("{TITLES}/new"), &[("kind", "personal"), ("name", &name)]).await.status()
            })
        })
        .collect();
    let mut refused = 0;
    for task in adding {
        refused += usize::from(task.await.unwrap() == StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(
        (
            server
                .column(&format!("select id from invoice_titles where member_id in {}", server.members()))
                .await
                .len(),
            refused
        ),
        (20, 4)
    );
}

async fn somebody_elses_title_is_nobodys(server: Server) {
    let owner = server.member("owner@example.com", "0").await;
    location(&owner.post(&format!("{TITLES}/new"), &[("kind", "personal"), ("name", "我自己")]).await);
    let title =
        server.read(&format!("select id from invoice_titles where member_id in {}", server.members())).await;
    let other = server.member("other@example.com", "500").await;
    let order = paid_order(&other).await;
    let answer = send(&other, &order, &[("title", &title)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(!answer.text().await.unwrap().contains("我自己"));
    // an id that somebody else's invoice has makes none, and shows nothing
    let invoice = ask(&other, &order).await;
    let mine = server.member("third@example.com", "500").await;
    let own_order = paid_order(&mine).await;
    let fields = [("invoice", &*invoice), ("title", "new"), ("kind", "personal"), ("name", "我")];
    assert_eq!(send(&mine, &own_order, &fields).await.status(), StatusCode::NOT_FOUND);
    let page = mine.page(&format!("{LIST}/new?order={own_order}&from={invoice}")).await;
    assert!(!page.contains("林知夏"));
    assert_eq!(states(&server).await, ["requested"]);
}

async fn long_lists_have_pages(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let id = ask(&member, &order).await;
    member.post(&format!("{LIST}/{id}/cancellation"), &[]).await;
    let numbers = "with recursive n(i) as (select 101 union all select i + 1 from n where i < 210)";
    server
        .sql(&format!(
            "insert into invoices (id, member_id, order_id, state, title_name, content, amount, order_rest, requested_at)
             {numbers} select '{id}-' || cast(i as text), member_id, order_id, state, title_name, 'Nr.' || cast(i as text),
                              amount, order_rest, requested_at
             from n, invoices where id = '{id}'"
        ))
        .await;
    server
        .sql(&format!(
            "insert into orders (id, member_id, request_key, state, goods_total, shipping, total, address, created_at,
                                 paid_at)
             {numbers} select '{order}-' || cast(i as text), member_id, 'k' || cast(i as text), state, goods_total, shipping,
                              total, address, created_at, paid_at - (i % 3)
             from n, orders where id = '{order}'"
        ))
        .await;
    let (mut path, mut invoices, mut pages) = (LIST.to_owned(), Vec::new(), 0);
    loop {
        let page = member.page(&path).await;
        invoices.extend(between_all(&page, "\">Nr.", "<"));
        pages += 1;
        let Some(next) = between_all(&page, "href=\"/manager/invoice?before=", "\"").pop() else { break };
        path = format!("{LIST}?before={next}");
    }
    let all: Vec<String> = (101..=210).rev().map(|number| number.to_string()).collect();
    assert_eq!((invoices, pages), (all, 3));
    let (mut path, mut orders) = (LIST.to_owned(), Vec::new());
    loop {
        let page = member.page(&path).await;
        orders.extend(between_all(&page, "/manager/invoice/new?order=", "\""));
        let Some(next) = between_all(&page, "href=\"/manager/invoice?orders=", "\"").pop() else { break };
        path = format!("{LIST}?orders={next}");
    }
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 111, "each of them once, none left out");
    for strange in ["before=%00", "orders=x", "orders=9-", "before=../x"] {
        assert_eq!(member.get(&format!("{LIST}?{strange}")).await.status(), StatusCode::OK, "{strange}");
    }
}
