//! /manager/package/…/gift, /manager/gifts, /gift/…, and what else a package may be had by: in the place of a shorter one, and
//! free for a few days.

use reqwest::StatusCode;

use support::printed_copies::shared;
use support::publications::{editor, out, set};
use support::selling::{buy, package, redeem, seller};
use support::wait::eventually;
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    a_gift_by_mail_is_taken_by_its_link,
    a_gift_on_a_card_is_taken_back,
    a_shorter_term_is_changed_for_a_longer_one;
    on_sqlite:
    what_is_wrong_with_a_gift_is_said_beside_the_field,
    a_single_work_is_given,
    a_single_issue_is_given,
    others_gifts_look_like_none,
    a_trial_ends_by_itself_and_comes_once,
);

/// Sends the form of a gift, and answers the sale that is to be paid.
async fn give(giver: &Caller, page: &str, more: &[(&str, &str)]) -> String {
    let form = between(&giver.page(page).await, "name=\"gift\" value=\"", "\"");
    let fields = [&[("gift", form.as_str()), ("giver", "小雨")], more].concat();
    let place = location(&giver.post(page, &fields).await);
    assert_eq!(location(&giver.post(page, &fields).await), place, "pressed twice, begun once");
    place.strip_prefix("/manager/purchase/").unwrap_or_else(|| panic!("went to {place}")).to_owned()
}

async fn pay(giver: &Caller, sale: &str) {
    let till = format!("/manager/purchase/{sale}");
    assert_eq!(location(&giver.post(&till, &[("method", "balance")]).await), till);
    assert!(giver.page(&till).await.contains("已经付款，可以送出了"));
}

async fn a_gift_by_mail_is_taken_by_its_link(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    let giver = server.member("giver@example.com", "100").await;
    let friend = server.own("friend@example.com");
    let page = format!("/manager/package/{id}/gift");
    assert!(giver.page(&format!("/manager/package/{id}")).await.contains(&page));
    let words =
        [("way", "mail"), ("email", friend.as_str()), ("receiver", "爷爷"), ("words", "慢慢看。\n保重！")];
    let sale = give(&giver, &page, &words).await;
    assert!(!giver.page("/manager/gifts").await.contains("一套书"), "not before it is paid");
    pay(&giver, &sale).await;
    assert_eq!(giver.balance().await, "70.00");
    assert!(giver.page("/manager/book-study").await.contains("书房还空着"), "it opens nothing to its giver");
    // the message comes with its words, its code, and whoever gave it
    eventually(&server, &format!("select cast(sent as text) from gifts where sale_id = '{sale}'"), "1").await;
    let outbox = server.outbox();
    let message = outbox.rsplit_once(&format!(" to {friend} (")).expect("a message").1;
    for said in ["爷爷：", "小雨送给您《一套书》（30 天）", "慢慢看。", "保重！", "没有截止日期"]
    {
        assert!(message.contains(said), "no {said} in {message}");
    }
    let code = between(message, "输入兑换码：", "\n").trim().to_owned();
    assert!(
        server
            .column("select digest || coalesce(salt, '') from gifts")
            .await
            .iter()
            .all(|row| { !row.to_uppercase().contains(&code.replace('-', "")) })
    );
    let own = giver.page(&format!("/manager/gift/{sale}")).await;
    assert!(own.contains(&code) && own.contains("待领取") && own.contains("<svg"), "{own}");
    // sent once more, but not at once
    let again = format!("/manager/gift/{sale}/sending");
    server.sql(&format!("update gifts set sent_at = 1 where sale_id = '{sale}'")).await;
    for _ in 0..2 {
        assert_eq!(location(&giver.post(&again, &[]).await), format!("/manager/gift/{sale}?done=sent"));
    }
    assert_eq!(
        server.read(&format!("select cast(sent as text) from gifts where sale_id = '{sale}'")).await,
        "2"
    );

    // whoever has the link sees it before signing in, and no search engine
    let open = format!("/gift/{code}");
    let shown = server.visitor().page(&open).await;
    for said in ["小雨送给您一份礼物", "爷爷：", "慢慢看。", "登录后收下", "noindex"] {
        assert!(shown.contains(said), "no {said} in {shown}");
    }
    assert!(shown.contains("href=\"/manager/login/"), "{shown}");
    let reader = server.member("reader@example.com", "0").await;
    let take = format!("{open}/acceptance");
    assert!(reader.page(&open).await.contains(&take));
    assert_eq!(location(&reader.post(&take, &[]).await), "/manager/book-study?done=redeemed");
    assert_eq!(location(&reader.post(&take, &[]).await), "/manager/book-study?done=own", "pressed twice");
    let study = reader.page("/manager/book-study").await;
    assert!(
        study.contains("海边的夏天") && study.contains("兑换记录") && study.contains(&code[15..]),
        "{study}"
    );
    // nobody else has anything of it any more, whatever they ask
    let late = server.member("late@example.com", "0").await;
    assert_eq!(late.get(&open).await.status(), StatusCode::GONE);
    assert_eq!(late.post(&take, &[]).await.status(), StatusCode::GONE);
    assert_eq!(redeem(&late, &code).await.1["status"], 0);
    let own = giver.page(&format!("/manager/gift/{sale}")).await;
    assert!(own.contains("已领取") && !own.contains(&code) && !own.contains("收回礼物"), "{own}");
    assert_eq!(
        giver.post(&format!("/manager/gift/{sale}/return"), &[]).await.status(),
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(giver.get(&format!("/manager/gift/{sale}/card.pdf")).await.status(), StatusCode::CONFLICT);
    assert!(server.outbox().contains("爷爷已经收下了"), "its giver is told");
    // its seller sees what it is, and what of it is earned
    let sold = seller.page(&format!("/manager/epaper_order/{sale}")).await;
    assert!(sold.contains("礼物") && !sold.contains("还没有人领取"), "{sold}");
    let csv = seller.page("/manager/epaper_order/orders.csv").await;
    assert!(csv.contains(",种类\r\n") && csv.contains(",0.00,礼物\r\n"), "{csv}");
}

async fn a_gift_on_a_card_is_taken_back(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("months", "1")).await;
    let giver = server.member("giver@example.com", "100").await;
    let sale =
        give(&giver, &format!("/manager/package/{id}/gift"), &[("way", "card"), ("words", "新年好")]).await;
    pay(&giver, &sale).await;
    let own = format!("/manager/gift/{sale}");
    let page = giver.page(&own).await;
    let code = between(&page, "<p class=\"gift-code num\">", "<");
    let card = giver.get(&format!("{own}/card.pdf")).await;
    assert_eq!(card.headers()["content-type"], "application/pdf");
    assert!(card.bytes().await.unwrap().starts_with(b"%PDF-"));
    let refused = giver.post(&format!("{own}/sending"), &[]).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY, "a card goes nowhere by itself");
    let sold = seller.page(&format!("/manager/epaper_order/{sale}")).await;
    assert!(sold.contains("还没有人领取") && sold.contains("把全款 ¥30.00 退给"), "{sold}");
    // until somebody has taken it
    for _ in 0..2 {
        assert_eq!(location(&giver.post(&format!("{own}/return"), &[]).await), format!("{own}?done=back"));
    }
    assert_eq!(giver.balance().await, "100.00");
    let page = giver.page(&format!("{own}?done=back")).await;
    assert!(
        page.contains("已收回") && page.contains("全款退到了账户余额") && !page.contains(&code),
        "{page}"
    );
    assert_eq!(redeem(&giver, &code).await.1["status"], 0);
    assert_eq!(server.visitor().get(&format!("/gift/{code}")).await.status(), StatusCode::GONE);
    let list = giver.page("/manager/gifts").await;
    assert!(list.contains("一套书") && list.contains("已收回"));
    // one may take one's own, as if it was bought
    let sale = give(&giver, &format!("/manager/package/{id}/gift"), &[("way", "card")]).await;
    pay(&giver, &sale).await;
    let code =
        between(&giver.page(&format!("/manager/gift/{sale}")).await, "<p class=\"gift-code num\">", "<");
    assert!(giver.page(&format!("/gift/{code}")).await.contains("这是您自己送出的礼物"));
    assert_eq!(redeem(&giver, &code).await.1["status"], 1);
}

async fn what_is_wrong_with_a_gift_is_said_beside_the_field(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    let giver = server.member("giver@example.com", "0").await;
    let page = format!("/manager/package/{id}/gift");
    let good = [
        ("gift", "a-gift-of-this-test"),
        ("way", "mail"),
        ("email", "friend@example.com"),
        ("receiver", "爷爷"),
        ("giver", "小雨"),
        ("words", "慢慢看，保重！"),
        ("day", ""),
    ];
    for (field, value, told) in [
        ("way", "pigeon", "请选择怎么送"),
        ("email", "nobody", "请填写对方的邮箱"),
        ("email", "", "请填写对方的邮箱"),
        ("day", "2020-01-01", "不能早于今天"),
        ("day", "2099-01-01", "最晚是一年以后"),
        ("day", "明天", "日期写成"),
        ("giver", "", "请输入您的落款"),
        ("giver", "www.bad.example", "这里不能放网址"),
        ("words", "看 bad.com 有奖", "这里不能放网址"),
        ("receiver", "一二三四五六七八九十一二三四五六七八九十一", "对方的称呼最多 20 个字"),
    ] {
        let mut fields: Vec<_> = good.into_iter().filter(|(name, _)| *name != field).collect();
        fields.push((field, value));
        let answer = giver.post(&page, &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
        let answer = answer.text().await.unwrap();
        assert!(answer.contains(told), "{field}={value}: no {told}");
        assert!(answer.contains("value=\"a-gift-of-this-test\""), "what was typed comes back");
        assert!(field == "words" || answer.contains("慢慢看，保重！"), "{field}={value}");
    }
    // gone back and corrected until it is paid, and shown where it is paid
    let buyer = server.member("buyer@example.com", "100").await;
    let corrected = |email: &'static str| {
        let fields = good.into_iter().filter(|(name, _)| *name != "email").chain([("email", email)]);
        fields.collect::<Vec<_>>()
    };
    let till = location(&buyer.post(&page, &good).await);
    assert_eq!(location(&buyer.post(&page, &corrected("right@example.com")).await), till);
    let shown = buyer.page(&till).await;
    assert!(shown.contains("right@example.com") && !shown.contains("friend@example.com"), "{shown}");
    assert!(shown.contains("发到邮箱") && shown.contains("付款以后马上"), "{shown}");
    location(&buyer.post(&till, &[("method", "balance")]).await);
    let answer = buyer.post(&page, &corrected("other@example.com")).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let answer = answer.text().await.unwrap();
    assert!(answer.contains("这份礼物已经付款") && !answer.contains("value=\"a-gift-of-this-test\""));
    // its own seller gives none, and what is not sold is not given
    assert!(seller.page(&page).await.contains("这个套餐现在不能送"));
    assert_eq!(seller.post(&page, &good).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    location(&seller.post(&format!("/manager/epaper_sell/{id}/end"), &[]).await);
    let answer = giver.post(&page, &good).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("这个套餐已停售"));
}

async fn a_single_work_is_given(server: Server) {
    let (maker, work) =
        shared(&server, &[("reading", "sold"), ("price", "9.90"), ("preview_pages", "1")]).await;
    let giver = server.member("giver@example.com", "20").await;
    let desk = format!("/manager/opus_share_buy/{work}");
    assert!(giver.page(&desk).await.contains(&format!("{desk}/gift")));
    assert!(!maker.page(&desk).await.contains("送给别人"));
    let sale = give(&giver, &format!("{desk}/gift"), &[("way", "card")]).await;
    pay(&giver, &sale).await;
    let code =
        between(&giver.page(&format!("/manager/gift/{sale}")).await, "<p class=\"gift-code num\">", "<");
    // it is somebody's already: neither its maker nor its giver leaves it behind
    location(&maker.post(&format!("/manager/opus/{work}/trash"), &[]).await);
    let answer = maker.post(&format!("/manager/opus/{work}/deletion"), &[]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(answer.text().await.unwrap().contains("还有 1 份付了款的"));
    location(&maker.post(&format!("/manager/opus/{work}/restoration"), &[]).await);
    maker.share_as(&work, &[("reading", "sold"), ("price", "9.90"), ("preview_pages", "1")]).await;
    assert!(giver.page("/manager/userInfo/closing").await.contains("送出的礼物还有 1 份没有人领取"));
    let reader = server.member("reader@example.com", "0").await;
    let page = format!("/read/{work}/2");
    assert_eq!(reader.get(&page).await.status(), StatusCode::FORBIDDEN);
    assert_eq!(redeem(&reader, &code).await.1["status"], 1);
    assert!(reader.page(&desk).await.contains("您可以读完整本"));
    assert_eq!(reader.get(&page).await.status(), StatusCode::OK);
    assert!(!giver.page(&desk).await.contains("您可以读完整本"), "it was given away");
    // for ever is earned when it is taken
    assert_eq!(
        server.read(&format!("select cast(earned as text) from sales where id = '{sale}'")).await,
        "990"
    );
    // what is not sold alone is not given
    maker.share_as(&work, &[]).await;
    assert!(giver.page(&format!("{desk}/gift")).await.contains("这件作品现在不能送"));
    assert_eq!(giver.post(&format!("{desk}/gift"), &[]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

async fn a_single_issue_is_given(server: Server) {
    let maker = editor(&server).await;
    let sold = [("reading", "sold"), ("issue_price", "6"), ("preview_pages", "1")];
    let (title, id) = out(&maker, "epaper", "given-issue", "2026-01-10", &sold).await;
    let giver = server.member("giver@example.com", "20").await;
    let page = format!("/manager/issue/{id}/gift");
    let first = "/epaper/given-issue/2026-01-10/1";
    assert!(giver.page(first).await.contains(&page));
    assert!(!maker.page(first).await.contains(&page), "nobody gives what is its own");
    let sale = give(&giver, &page, &[("way", "card")]).await;
    pay(&giver, &sale).await;
    assert_eq!(giver.balance().await, "14.00");
    let code =
        between(&giver.page(&format!("/manager/gift/{sale}")).await, "<p class=\"gift-code num\">", "<");
    let second = "/epaper/given-issue/2026-01-10/2";
    let reader = server.member("reader@example.com", "0").await;
    assert!(reader.page(second).await.contains("购买这一期"));
    assert_eq!(redeem(&reader, &code).await.1["status"], 1);
    assert!(!reader.page(second).await.contains("购买这一期"));
    assert!(reader.page("/manager/book-study").await.contains("西湖晚报"));
    assert!(giver.page(second).await.contains("购买这一期"), "it was given away");
    // another one is refused before it is paid where single issues are not sold any more
    let settings = maker.page(&format!("/manager/epaper/{title}/settings")).await;
    assert!(settings.contains("name=\"issue_price\""), "{settings}");
    set(&maker, "epaper", &id, "withdraw").await;
    assert_eq!(giver.get(&page).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(giver.post(&page, &[]).await.status(), StatusCode::NOT_FOUND);
}

async fn others_gifts_look_like_none(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    let giver = server.member("giver@example.com", "100").await;
    let sale = give(&giver, &format!("/manager/package/{id}/gift"), &[("way", "card")]).await;
    let own = format!("/manager/gift/{sale}");
    assert_eq!(giver.get(&own).await.status(), StatusCode::NOT_FOUND, "nothing before it is paid");
    assert_eq!(giver.post(&format!("{own}/return"), &[]).await.status(), StatusCode::NOT_FOUND);
    pay(&giver, &sale).await;
    let other = server.member("other@example.com", "100").await;
    for path in [own.clone(), format!("{own}/card.pdf"), format!("/manager/purchase/{sale}")] {
        assert_eq!(other.get(&path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    for path in [format!("{own}/sending"), format!("{own}/return")] {
        assert_eq!(other.post(&path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    for guessed in ["/gift/ABCD-EFGH-JKLM-NPQR", "/gift/AAAA-AAAA-AAAA-AAAA", "/gift/x"] {
        assert_eq!(other.get(guessed).await.status(), StatusCode::GONE, "{guessed}");
        assert_eq!(other.post(&format!("{guessed}/acceptance"), &[]).await.status(), StatusCode::GONE);
    }
    assert!(!other.page("/manager/gifts").await.contains("一套书"));
    // what was bought for oneself is no gift
    let sale = buy(&other, &id).await;
    assert_eq!(other.get(&format!("/manager/gift/{sale}")).await.status(), StatusCode::NOT_FOUND);
}

async fn a_shorter_term_is_changed_for_a_longer_one(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let month = package(&seller, &works, "按月", "30", ("days", "30")).await;
    let year = package(&seller, &works, "包年", "200", ("days", "365")).await;
    let reader = server.member("reader@example.com", "300").await;
    let (short, long) = (format!("/manager/package/{month}"), format!("/manager/package/{year}"));
    assert!(!reader.page(&long).await.contains("换订"), "nothing runs");
    let old = buy(&reader, &month).await;
    let page = reader.page(&long).await;
    assert!(page.contains("您原来没有用完的") && page.contains("换订，补 "), "{page}");
    for said in ["原来读到", "换订以后读到", "新的期限从付款起算"] {
        assert!(page.contains(said), "no {said} in {page}");
    }
    let shown = between(&page, "name=\"shown\" value=\"", "\"");
    assert!(shown.starts_with("170.00_30.00_0.00_365days_"), "{shown}");
    let page = reader.page(&short).await;
    assert!(page.contains("可以换成更长的") && page.contains("《包年》，365 天"), "{page}");
    // another price than what is due now is asked for again
    let switch = format!("{long}/switch");
    for wrong in [shown.replace("170.00", "169.99"), shown.replace("365", "366"), "x".into(), String::new()] {
        let answer = reader.post(&switch, &[("shown", &wrong)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    let answer = reader.post(&format!("{short}/switch"), &[("shown", &shown)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "it is no longer one");
    let till = location(&reader.post(&switch, &[("shown", &shown)]).await);
    assert_eq!(
        location(&reader.post(&switch, &[("shown", &shown)]).await),
        till,
        "pressed twice, begun once"
    );
    let page = reader.page(&till).await;
    assert!(page.contains("原来未用的折抵") && page.contains("170.00"), "{page}");
    let presses = futures::future::join_all((0..8).map(|_| reader.post(&till, &[]))).await;
    assert!(presses.iter().all(|answer| location(answer) == till));
    assert_eq!(reader.balance().await, "100.00");
    assert!(reader.page(&till).await.contains("折抵"));
    assert!(reader.page(&format!("/manager/purchase/{old}")).await.contains("已经换订"));
    let sold = seller.page("/manager/epaper_order").await;
    assert!(sold.contains("已换订"), "{sold}");
    let csv = seller.page("/manager/epaper_order/orders.csv").await;
    assert!(csv.contains("已换订,30.00") && csv.contains(",换订\r\n"), "{csv}");
    assert!(!reader.page(&long).await.contains("/switch"), "once");
    assert_eq!(
        location(&reader.post(&switch, &[("shown", &shown)]).await),
        till,
        "pressed again, shown what was made"
    );
    // from another seller's nothing is counted
    let (other, others) = support::selling::seller(&server, "other@example.com").await;
    let elsewhere = package(&other, &others, "别家包年", "200", ("days", "900")).await;
    let answer = reader.post(&format!("/manager/package/{elsewhere}/switch"), &[("shown", &shown)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

async fn a_trial_ends_by_itself_and_comes_once(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    let reader = server.member("reader@example.com", "100").await;
    let shop = format!("/manager/package/{id}");
    assert!(!reader.page(&shop).await.contains("免费试读"));
    let answer = reader.post(&format!("{shop}/trial"), &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "there is none");
    let change = |days: &'static str| {
        let fields =
            [("title", "一套书"), ("unit", "days"), ("count", "30"), ("price", "30"), ("trial_days", days)];
        let fields = [&fields[..], &[("content", works[0].as_str())]].concat();
        let (seller, own) = (seller.clone(), format!("/manager/epaper_sell/{id}"));
        async move { seller.post(&own, &fields).await }
    };
    for wrong in ["-1", "32", "x"] {
        let answer = change(wrong).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        assert!(answer.text().await.unwrap().contains("免费试读的天数须是 0 到 31 之间的整数"));
    }
    location(&change("7").await);
    assert!(seller.page("/manager/epaper_sell").await.contains("7 天"));
    assert!(reader.page(&shop).await.contains("免费试读 7 天"));
    assert_eq!(location(&reader.post(&format!("{shop}/trial"), &[]).await), format!("{shop}?done=trial"));
    let page = reader.page(&format!("{shop}?done=trial")).await;
    assert!(page.contains("免费试读开始了：可以读到 ") && page.contains("不会自动扣款"), "{page}");
    let study = reader.page("/manager/book-study").await;
    assert!(study.contains("海边的夏天") && study.contains("试读到 "), "{study}");
    let again = location(&reader.post(&format!("{shop}/trial"), &[]).await);
    assert_eq!(again, format!("{shop}?done=trial"), "pressed twice");
    assert_eq!(reader.balance().await, "100.00");
    // on the last day its reader is told, once, that nothing follows
    let soon = time::OffsetDateTime::now_utc().unix_timestamp() * 1_000 + 10 * 60 * 60_000;
    server.sql(&format!("update entitlements set ends_at = {soon} where package_id = '{id}'")).await;
    let right = server.read(&format!("select id from entitlements where package_id = '{id}'")).await;
    let job = format!("kind = 'tell_end_of_entitlement' and payload like '%{right}%'");
    server.sql(&format!("update jobs set run_at = 0 where {job}")).await;
    eventually(&server, &format!("select cast(count(*) as text) from jobs where {job}"), "0").await;
    assert!(server.message_to("reader@example.com").contains("自己停止，不会扣款"));
    // a week later it is over, and nothing was taken
    server
        .sql(&format!("update entitlements set ends_at = 2, starts_at = 1 where package_id = '{id}'"))
        .await;
    assert!(reader.page("/manager/book-study").await.contains("已到期"));
    let again = reader.post(&format!("{shop}/trial"), &[]).await;
    assert_eq!(again.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(again.text().await.unwrap().contains("不能再免费试读"));
    assert_eq!(reader.balance().await, "100.00");
    // who bought first tries no more; its seller sees how many tried
    let buyer = server.member("buyer@example.com", "100").await;
    buy(&buyer, &id).await;
    assert!(!buyer.page(&shop).await.contains("免费试读"));
    let csv = seller.page("/manager/statisticMag/days.csv?span=7").await;
    assert!(csv.lines().next().unwrap().ends_with(",免费试读"), "{csv}");
    assert!(csv.lines().any(|line| line.ends_with(",1,30.00,0,1")), "{csv}");
    seller.share(works[0].trim_start_matches("work:")).await;
    assert!(seller.page("/manager/statisticMag").await.contains("1 笔（试读 1）"));
}
