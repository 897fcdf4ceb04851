//! /staff/statements: providers' statements are taken once, held against what is known here, and what differs is settled.

use domain::days::DAY_MS;
use reqwest::{Response, StatusCode};

use support::fakes::alipay::FakeAlipay;
use support::fakes::wechatpay::FakeWechatpay;
use support::payments::{failed, said};
use support::staff::{Clerk, next_page};
use support::statements::{Line, gbk, of_alipay, of_wechat, packed, send};
use support::{Server, between, between_all, jpeg, location, on_both_engines, rounds, wait};

on_both_engines!(
    what_differs_is_named_and_settled,
    money_near_midnight_is_found_in_the_other_day;
    on_sqlite:
    what_is_no_bill_of_the_shop_s_is_told_and_nothing_is_kept,
    a_statement_is_taken_once,
    many_lines_hold_up_nobody,
    the_command_line_prints_what_differs,
);

const LIST: &str = "/staff/statements";

/// The day so many days ago in China, and its first moment.
fn ago(days: i64) -> (String, i64) {
    let now = time::OffsetDateTime::now_utc() + time::Duration::hours(8) - time::Duration::days(days);
    let start = now.date().midnight().assume_utc().unix_timestamp() * 1000 - 8 * 60 * 60_000;
    (now.date().to_string(), start)
}

/// A server that both providers are configured on.
async fn configured(server: &mut Server) -> (FakeWechatpay, FakeAlipay) {
    let wechat = FakeWechatpay::started(server).await;
    let alipay = FakeAlipay::started(server).await;
    server.kill();
    server.restart();
    (wechat, alipay)
}

/// A payment's row, as if it had come so.
async fn paid(server: &Server, id: &str, method: &str, state: &str, amount: i64, at: i64) {
    let (number, paid_at) =
        if state == "paid" { (format!("'42-{id}'"), at.to_string()) } else { ("null".into(), "null".into()) };
    server
        .sql(&format!(
            "insert into payments (id, member_id, method, amount, request_key, state, provider_number, created_at, expires_at,
                                   paid_at)
             select '{id}', id, '{method}', {amount}, '{id}', '{state}', {number}, {at}, {at}, {paid_at} from members
             where account = 'payer@example.com'"
        ))
        .await;
}

async fn refunded(server: &Server, id: &str, payment: &str, state: &str, amount: i64, at: i64) {
    server
        .sql(&format!(
            "insert into payment_refunds (id, payment_id, amount, request_key, state, created_at, ended_at)
             values ('{id}', '{payment}', {amount}, '{id}', '{state}', {at}, {at})"
        ))
        .await;
}

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// Where a file that was taken is shown, when it was held against what is known here.
async fn taken(server: &Server, answer: Response) -> String {
    let place = location(&answer);
    let own = place.strip_suffix("?said=done").unwrap_or_else(|| panic!("went to {place}")).to_owned();
    let id = own.rsplit('/').next().unwrap();
    let query =
        format!("select cast(count(*) as text) from statements where id = '{id}' and done_at is not null");
    wait::eventually(server, &query, "1").await;
    own
}

async fn what_differs_is_named_and_settled(mut server: Server) {
    let _fakes = configured(&mut server).await;
    server.member("payer@example.com", "0").await;
    let (day, start) = ago(1);
    let (next, _) = ago(0);
    let noon = start + DAY_MS / 2;
    for method in ["wechat", "alipay"] {
        let id = |name: &str| format!("{method}-{name}");
        paid(&server, &id("same"), method, "paid", 1000, noon).await;
        paid(&server, &id("less"), method, "paid", 1000, noon).await;
        paid(&server, &id("hangs"), method, "closed", 1000, noon).await;
        paid(&server, &id("ours"), method, "paid", 700, noon).await;
        paid(&server, &id("twice"), method, "paid", 300, noon).await;
        paid(&server, &id("number"), method, "paid", 400, noon).await;
        refunded(&server, &id("back"), &id("same"), "done", 100, noon).await;
        refunded(&server, &id("stuck"), &id("same"), "pending", 200, noon).await;
        refunded(&server, &id("only"), &id("same"), "done", 50, noon).await;
    }
    // another way's and another day's are not looked for
    paid(&server, "by-hand", "transfer", "paid", 500, noon).await;
    paid(&server, "day-earlier", "wechat", "paid", 500, start - 1).await;
    let lines = |method: &str| {
        let id = |name: &str| format!("{method}-{name}");
        let number = |name: &str| format!("42-{method}-{name}");
        vec![
            Line::paid(&id("same"), &number("same"), 1000),
            Line::paid(&id("less"), &number("less"), 1001),
            Line::paid(&id("hangs"), &number("hangs"), 1000),
            Line::paid("a-stranger", "4299", 900),
            Line::paid(&id("twice"), &number("twice"), 300),
            Line::paid(&id("twice"), "4298", 300),
            Line::paid(&id("number"), "4297", 400),
            Line::refunded(&id("same"), &number("same"), &id("back"), 100),
            Line::refunded(&id("same"), &number("same"), &id("stuck"), 200),
        ]
    };
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let of_wechat = of_wechat(&day, &lines("wechat")).into_bytes();
    let of_alipay = packed(&gbk(&of_alipay((&day, &next), &lines("alipay"))));
    for (method, name, bytes) in [("wechat", "bill.csv", of_wechat), ("alipay", "bill.zip", of_alipay)] {
        let own = taken(&server, send(&chen, name, bytes, "").await).await;
        let page = chen.page(&own).await;
        for (told, about) in [
            ("金额不一致", "less"),
            ("状态不一致", "hangs"),
            ("重复付款", "twice"),
            ("单号不一致", "number"),
            ("状态不一致", "stuck"),
            ("本店有，账单没有", "ours"),
            ("本店有，账单没有", "only"),
        ] {
            let row = page
                .split("<tr>")
                .find(|row| row.contains(told) && (row.contains(&format!("{method}-{about}<"))));
            assert!(row.is_some(), "{method} {told} {about}: {page}");
        }
        assert!(page.contains("账单有，本店没有") && page.contains("4299"), "{page}");
        assert!(page.contains("8 处差异") && !page.contains(&format!("{method}-back")), "{page}");
        let net = between(&page, "<dt>净额</dt><dd>", "</dd>");
        assert!(net.contains("45.96"), "what came, less what went back and the fees: {net}");
        assert!(!page.contains("by-hand") && !page.contains("day-earlier"), "{page}");
    }
    let home = chen.page("/staff").await;
    assert!(home.contains("对账的差异") && home.contains("<strong class=\"num\">16</strong>"), "{home}");

    // settled with a word, once, and noted
    let open = chen.page(&format!("{LIST}?view=open&q=wechat-less")).await;
    let difference = between(&open, "name=\"difference\" value=\"", "\"");
    let action = between(&open, "method=\"post\" action=\"/staff/statements/", "\"");
    let action = format!("{LIST}/{action}");
    let page = refused(chen.post(&action, &[("difference", &difference), ("note", " ")]).await).await;
    assert!(page.contains("请写明是怎么处理的"), "{page}");
    let long = "长".repeat(501);
    let page = refused(chen.post(&action, &[("difference", &difference), ("note", &long)]).await).await;
    assert!(page.contains("最多 500 个字") && page.contains(&long), "what was typed comes back");
    let note = [("difference", difference.as_str()), ("note", "平台多记一分，已联系")];
    assert!(location(&chen.post(&action, &note).await).ends_with("said=done"));
    assert!(location(&chen.post(&action, &note).await).ends_with("said=before"));
    let nothing = [("difference", "x"), ("note", "x")];
    assert_eq!(chen.post(&action, &nothing).await.status(), StatusCode::NOT_FOUND);
    assert!(!chen.page(&format!("{LIST}?view=open")).await.contains("wechat-less"));
    let all = chen.page(&format!("{LIST}?view=all&q=wechat-less")).await;
    assert!(all.contains("平台多记一分，已联系") && all.contains("chen"), "{all}");
    let audit = said(&server.run(&["audit"]));
    assert!(audit.contains("statement settle") && audit.contains("statement take"), "{audit}");

    // what has come right since is gone when it is held once more, and what was settled stays
    server.sql("update payment_refunds set state = 'done' where id like '%-stuck'").await;
    let own = action.trim_end_matches("/settle");
    taken(&server, chen.post(&format!("{own}/again"), &[]).await).await;
    let page = chen.page(own).await;
    assert!(!page.contains("wechat-stuck") && page.contains("平台多记一分，已联系"), "{page}");
    assert!(page.contains("6 处差异"), "{page}");
    assert_eq!(chen.get(&format!("{LIST}/none")).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(chen.get(&format!("{LIST}?view=none")).await.status(), StatusCode::NOT_FOUND);

    // as a file
    let fields = [("kind", "differences"), ("format", "csv"), ("view", "open")];
    assert_eq!(location(&chen.post("/staff/exports", &fields).await), "/staff/exports?said=done");
    wait::carried_out(&server, &["make_export"]).await;
    let file = between_all(&chen.page("/staff/exports").await, "href=\"/staff/exports/", "\"").remove(0);
    let text = chen.get(&format!("/staff/exports/{file}")).await.text().await.unwrap();
    assert!(
        text.contains("差异,付款编号") && text.contains("alipay-hangs") && !text.contains("wechat-less"),
        "{text}"
    );

    // who may not see payments neither sees nor takes statements
    let wang = Clerk::sign_in(&server, "wang", &["客服", "印务"]).await.caller;
    assert_eq!(wang.get(LIST).await.status(), StatusCode::FORBIDDEN);
    assert_eq!(send(&wang, "bill.csv", b"x".to_vec(), "").await.status(), StatusCode::FORBIDDEN);
    assert_eq!(wang.post(&action, &note).await.status(), StatusCode::FORBIDDEN);
}

async fn money_near_midnight_is_found_in_the_other_day(mut server: Server) {
    let _fakes = configured(&mut server).await;
    server.member("payer@example.com", "0").await;
    let ((before, _), (day, start)) = (ago(2), ago(1));
    // paid before midnight, told of after it; and one of the day itself
    paid(&server, "late", "wechat", "paid", 100, start + 5_000).await;
    paid(&server, "own", "wechat", "paid", 100, start + DAY_MS - 1).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let bill = of_wechat(&day, &[Line::paid("own", "42-own", 100)]).into_bytes();
    let own = taken(&server, send(&chen, "bill.csv", bill, "").await).await;
    let page = chen.page(&own).await;
    assert!(page.contains("1 处差异") && page.contains("late"), "{page}");
    let list = chen.page(LIST).await;
    assert!(!list.contains("还没有账单"), "nothing came before that day: {list}");
    let bill = of_wechat(&before, &[Line::paid("late", "42-late", 100)]).into_bytes();
    let earlier = taken(&server, send(&chen, "bill.csv", bill, "").await).await;
    assert!(chen.page(&earlier).await.contains("每一笔都对得上"));
    assert!(chen.page(&own).await.contains("每一笔都对得上"), "it was in the other one");
    assert!(!chen.page(&format!("{LIST}?view=open")).await.contains("late"));
}

async fn what_is_no_bill_of_the_shop_s_is_told_and_nothing_is_kept(mut server: Server) {
    let _fakes = configured(&mut server).await;
    let (day, _) = ago(1);
    let (today, _) = ago(0);
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let bill = of_wechat(&day, &[Line::paid("one", "42", 1000)]);
    let ali = of_alipay((&day, &today), &[Line::paid("one", "42", 1000)]);
    let cut = gbk(ali.split("#-----------------------------------------业务明细列表结束").next().unwrap());
    let zip = packed(&gbk(&ali));
    let broken = zip[..zip.len() / 2].to_vec();
    let xlsx = {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive.start_file("[Content_Types].xml", zip::write::SimpleFileOptions::default()).unwrap();
        archive.finish().unwrap().into_inner()
    };
    let bytes = |text: &str| text.as_bytes().to_vec();
    for (bytes, told) in [
        (Vec::new(), "文件是空的"),
        (bytes("<html><body>502 Bad Gateway"), "第 1 行：这是一张网页"),
        (
            bytes(&bill.replacen("`10.00", "`10.01", 1)),
            "第 4 行：应结订单总金额写着 10.00，各行加起来是 10.01",
        ),
        (bytes(&bill.replace("1900000001", "1900000002")), "第 2 行：这是商户号 1900000002 的账单"),
        (bytes(&bill.replace("wx0123456789abcdef", "wx9")), "第 2 行：这是应用 wx9 的账单"),
        (bytes(bill.split("总交易单数").next().unwrap()), "文件不完整"),
        (gbk(&ali.replace("20880000000000010156", "20889999999999990156")), "第 2 行：这是账号"),
        (cut, "文件不完整"),
        (broken, "压缩包打不开"),
        (xlsx, "这是 Excel 文件"),
        (vec![0xff; 100], "第 1 行：有看不懂的字节"),
        (bytes(&of_wechat(&today, &[Line::paid("one", "42", 1000)])), "还没有过完"),
        (bytes(&of_wechat(&day, &[])), "请填写账单日期"),
    ] {
        let page = refused(send(&chen, "bill.csv", bytes, "").await).await;
        assert!(page.contains(told), "{told}: {page}");
    }
    let page = refused(send(&chen, "bill.csv", bytes(&bill), "2020-01-01").await).await;
    assert!(page.contains("不在账单的那一天") && page.contains("value=\"2020-01-01\""), "{page}");
    let page = refused(send(&chen, "bill.csv", bytes(&bill), "昨天").await).await;
    assert!(page.contains("日期要像 2026-11-20"), "{page}");
    assert_eq!(server.read("select cast(count(*) as text) from statements").await, "0");
    assert_eq!(server.read("select cast(count(*) as text) from statement_days").await, "0");
    // a day on which nothing was sold has a statement, too
    let own = taken(&server, send(&chen, "bill.csv", bytes(&of_wechat(&day, &[])), &day).await).await;
    assert!(chen.page(&own).await.contains("每一笔都对得上"));
}

async fn a_statement_is_taken_once(mut server: Server) {
    let _fakes = configured(&mut server).await;
    server.member("payer@example.com", "0").await;
    let ((before, first), (day, _)) = (ago(2), ago(1));
    paid(&server, "one", "wechat", "paid", 1000, first).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let list = chen.page(LIST).await;
    assert!(
        list.contains("最近有 2 天还没有账单") && list.contains(&before) && list.contains(&day),
        "{list}"
    );
    let bill = of_wechat(&before, &[Line::paid("one", "42-one", 1000)]);
    taken(&server, send(&chen, "bill.csv", bill.clone().into_bytes(), "").await).await;
    // the same file, and another one of the same day
    for again in [bill.clone(), bill.replace("user", "else")] {
        let page = refused(send(&chen, "other.csv", again.into_bytes(), "").await).await;
        assert!(page.contains(&format!("{before} 的微信支付交易账单已经在")), "{page}");
    }
    assert_eq!(server.read("select cast(count(*) as text) from statements").await, "1");
    assert_eq!(server.read("select cast(count(*) as text) from statement_lines").await, "1");
    let list = chen.page(LIST).await;
    assert!(list.contains("最近有 1 天还没有账单") && list.contains("一致"), "{list}");
    // two at once
    let bill = of_wechat(&day, &[]).into_bytes();
    let (one, other) = tokio::join!(
        send(&chen, "a.csv", bill.clone(), &day),
        send(&chen, "b.csv", [bill.as_slice(), b"\r\n"].concat(), &day)
    );
    let statuses = [one.status(), other.status()];
    assert!(
        statuses.contains(&StatusCode::SEE_OTHER) && statuses.contains(&StatusCode::UNPROCESSABLE_ENTITY),
        "{statuses:?}"
    );
}

async fn many_lines_hold_up_nobody(mut server: Server) {
    let _fakes = configured(&mut server).await;
    let member = server.member("payer@example.com", "100").await;
    let photos = member.upload(vec![("照片.jpg", jpeg(640, 480, 0))]).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let ((day, start), (next, _)) = (ago(1), ago(0));
    // each thousandth is known
    let count = rounds(20_000, 100_000);
    for place in 0..count / 1000 {
        paid(&server, &format!("p{place}"), "alipay", "paid", 100, start + place as i64).await;
    }
    let lines: Vec<Line> = (0..count)
        .map(|place| match place % 1000 {
            0 => Line::paid(&format!("p{}", place / 1000), &format!("42-p{}", place / 1000), 100),
            _ => Line::paid(&format!("stranger{place}"), &format!("43-{place}"), 100),
        })
        .collect();
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let bill = gbk(&of_alipay((&day, &next), &lines));
    let place = location(&send(&chen, "bill.csv", bill, "").await);
    let own = place.strip_suffix("?said=done").unwrap().to_owned();
    // meanwhile others write
    wait::until("all of it was held against what is known here", async || {
        member.add_to_cart(&work, "album-210").await;
        chen.page(LIST).await;
        server.read("select cast(count(*) as text) from statements where done_at is not null").await == "1"
    })
    .await;
    let page = chen.page(&own).await;
    let said = [format!("{} 处差异", count - count / 1000), format!("{count} 笔")];
    assert!(said.iter().all(|said| page.contains(said)), "{page}");
    assert!(chen.page(&next_page(&page)).await.contains("stranger") || page.contains("43-1"), "{page}");
    assert_eq!(server.read("select cast(count(*) as text) from statement_lines").await, count.to_string());
    assert!(server.peak_memory() < 1000, "{} MB", server.peak_memory());
}

async fn the_command_line_prints_what_differs(mut server: Server) {
    let _fakes = configured(&mut server).await;
    server.member("payer@example.com", "0").await;
    let (day, start) = ago(1);
    paid(&server, "one", "wechat", "paid", 1000, start).await;
    paid(&server, "two", "wechat", "paid", 1000, start).await;
    let file = server.folder.path().join("bill.csv");
    let path = file.to_str().unwrap().to_owned();
    let reconcile = ["payment", "reconcile", path.as_str()];
    std::fs::write(
        &file,
        of_wechat(&day, &[Line::paid("one", "42-one", 1000), Line::paid("two", "42-two", 1000)]),
    )
    .unwrap();
    let agrees = said(&server.run_configured(&reconcile).await);
    assert!(agrees.contains("2 payments of 20.00") && agrees.contains("All of it agrees"), "{agrees}");
    std::fs::write(&file, of_wechat(&day, &[Line::paid("one", "42-one", 1001)])).unwrap();
    let output = server.run_configured(&reconcile).await;
    assert!(failed(&output).contains("2 differences"));
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.contains("line 2: payment amount one: here 10.00 paid 42-one, there 10.01 done 42-one"),
        "{printed}"
    );
    assert!(
        printed.contains("not in the file: payment ours two: here 10.00 paid 42-two, there nothing"),
        "{printed}"
    );
    std::fs::write(&file, "<html>").unwrap();
    assert!(failed(&server.run_configured(&reconcile).await).contains("第 1 行：这是一张网页"));
    assert_eq!(server.read("select cast(count(*) as text) from statements").await, "0", "nothing is kept");
}
