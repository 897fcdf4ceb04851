//! /manager/epaper, /manager/magazine and what readers see of them: issues made, corrected, published, sold, withdrawn.

use lopdf::{Dictionary, Stream, dictionary};
use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};
use serde_json::Value;

use crate::manager::opus_hotarea_edit::{film, sound};
use support::pdfs::Pdf;
use support::publications::{TITLE, editor, issue, paper, send, set};
use support::publications::{out, title};
use support::{Server, between, between_all, brotli_size, jpeg, location, on_both_engines};

on_both_engines!(
    a_magazines_contents_are_the_outline_of_its_pdf,
    what_is_withdrawn_says_so,
    a_closed_account_publishes_nothing_more,
    ; on_sqlite:
    every_member_may_make_a_magazine_of_a_work,
    readers_find_pages_articles_and_past_issues,
    an_article_is_heard_by_who_may_read_it,
    what_is_sold_is_not_sent_to_who_has_no_right,
    others_things_look_like_none,
    a_pdf_becomes_articles_that_its_maker_takes,
    what_makes_no_sense_is_said_beside_the_field,
    a_member_publishes_so_many_titles,
);

async fn a_member_publishes_so_many_titles(server: Server) {
    let maker = editor(&server).await;
    for number in 1..=100 {
        title(&maker, "magazine", &format!("kan-{number}"), &[]).await;
    }
    let id = between(&maker.page("/manager/magazine/new").await, "name=\"publication\" value=\"", "\"");
    let mut fields = vec![("publication", id.as_str()), ("address", "kan-101")];
    fields.extend(TITLE);
    let answer = maker.post("/manager/magazine/new", &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("最多可以办 100 份报刊") && page.contains("value=\"kan-101\""), "{page}");
}

async fn a_pdf_becomes_articles_that_its_maker_takes(server: Server) {
    let maker = editor(&server).await;
    assert!(maker.page("/manager/epaper").await.contains("还没有报纸"));
    let paper_id = title(&maker, "epaper", "xihu-a", &[]).await;
    let id = issue(&maker, "epaper", &paper_id, "2026-11-21", paper()).await;
    let desk = format!("/manager/epaper_issue/{id}");
    let page = maker.page(&desk).await;
    assert!(page.contains("从版面上读出 4 篇稿件的建议") && page.contains("草稿"), "{page}");
    assert!(page.contains("还有 4 篇建议的稿件没有确认"));
    let first = maker.page(&format!("{desk}/1")).await;
    assert!(first.contains("Trees along the river") && first.contains("<rect"), "{first}");
    let article = between(&first, "?article=", "\"");
    let form = maker.page(&format!("{desk}/1?article={article}")).await;
    assert!(form.contains("The first line of the lead story runs here and it goes on"), "{form}");
    let area = ["x", "y", "width", "height"].map(|name| {
        between(&form, &format!("<input id=\"{name}\" name=\"{name}\" type=\"text\" value=\""), "\"")
    });
    assert!(area.iter().all(|side| side.parse::<u32>().is_ok()), "{area:?}");

    // what is wrong comes back with all that was typed
    let photo = maker.upload(vec![("树.jpg", jpeg(640, 480, 1))]).await.remove(0);
    let place = format!("{desk}/1");
    let send = |fields: Vec<(&'static str, String)>| {
        let form = fields.into_iter().fold(Form::new(), |form, (name, value)| form.text(name, value));
        maker.post_multipart(&place, form.text("article", article.clone()))
    };
    let typed = |x: &str, photo: &str| {
        vec![
            ("title", "河边种树".to_owned()),
            ("kicker", "冬天".to_owned()),
            ("author", "林知夏".to_owned()),
            ("text", "第一段。\n第二段。".to_owned()),
            ("x", x.to_owned()),
            ("y", "100".to_owned()),
            ("width", "500".to_owned()),
            ("height", "200".to_owned()),
            ("areas", "10 500 300 200".to_owned()),
            ("photo", photo.to_owned()),
            ("act", "keep".to_owned()),
        ]
    };
    let answer = send(typed("700", &photo)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let answer = answer.text().await.unwrap();
    assert!(answer.contains("不在版面里面") && answer.contains("第二段。") && answer.contains("河边种树"));
    let answer = send(typed("100", "somebody-elses-photo")).await.text().await.unwrap();
    assert!(answer.contains("有一张照片不在您的素材里"), "{answer}");
    assert_eq!(location(&send(typed("100", &photo)).await), format!("{place}?done=kept"));

    // only what was looked at is for readers
    set(&maker, "epaper", &id, "publish").await;
    let visitor = server.visitor();
    let public = visitor.page("/epaper/xihu-a/2026-11-21/1").await;
    assert!(public.contains("河边种树") && !public.contains("Weather"), "{public}");
    assert_eq!(public.matches("<rect").count(), 2);
    location(&maker.post(&format!("{desk}/proposals"), &[]).await);
    assert!(visitor.page("/epaper/xihu-a/2026-11-21/1").await.contains("Weather"));
    let article = between(&public, "href=\"/epaper/xihu-a/2026-11-21/a/", "\"");
    let text = visitor.page(&format!("/epaper/xihu-a/2026-11-21/a/{article}")).await;
    assert!(text.contains("<p>第一段。</p><p>第二段。</p>") && text.contains("图片 1 张"), "{text}");
    let picture = between(&text, "src=\"/epaper/", "\"");
    let answer = visitor.get(&format!("/epaper/{picture}")).await;
    assert_eq!(
        (answer.status(), answer.headers()["content-type"].to_str().unwrap()),
        (StatusCode::OK, "image/webp")
    );
    // a photo that an article shows is not deleted
    let answer = maker.post("/manager/photos/removal", &[("photo", &photo)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

async fn readers_find_pages_articles_and_past_issues(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu-b", "2026-11-18", &[]).await;
    for day in ["2026-10-30", "2026-11-21"] {
        let id = issue(&maker, "epaper", &paper_id, day, paper()).await;
        location(&maker.post(&format!("/manager/epaper_issue/{id}/proposals"), &[]).await);
        set(&maker, "epaper", &id, "publish").await;
    }
    // numbers count on by themselves, in the order in which issues were made
    let numbers = server
        .column(&format!(
            "select day || ' ' || cast(number as text) || ' ' || cast(total as text) from issues
             where publication_id = '{paper_id}' order by total"
        ))
        .await;
    assert_eq!(numbers, ["2026-11-18 1 1", "2026-10-30 2 2", "2026-11-21 3 3"]);
    let visitor = server.visitor();
    let home = visitor.page("/epaper/xihu-b").await;
    assert!(home.contains("2026 年 11 月 21 日") && home.contains("Trees along the river"));
    assert!(home.contains("href=\"/epaper/xihu-b/2026-11-18/1\""), "the month's calendar");
    assert!(home.contains("?month=2026-10#calendar") && !home.contains("?month=2026-12"));
    assert!(visitor.page("/epaper/xihu-b?month=2026-10").await.contains("/epaper/xihu-b/2026-10-30/1"));
    let first = visitor.page("/epaper/xihu-b/2026-11-18/1").await;
    for expected in ["01版 要闻", "02版", "下一版", "上一期", "下一期", "本版标题", "版面导航"]
    {
        assert!(first.contains(expected), "{expected}");
    }
    assert!(first.contains("rel=\"next\" href=\"/epaper/xihu-b/2026-11-18/2\"") && !first.contains("上一版"));
    let area = between(&first, "<svg viewBox=\"0 0 1000 1000\"", "</svg>");
    assert!(
        area.contains("href=\"/epaper/xihu-b/2026-11-18/a/1\"") && area.contains("Trees along the river")
    );
    let picture = between(&first, "<img src=\"", "\"");
    assert_eq!(visitor.get(&picture).await.status(), StatusCode::OK);
    let guessed = picture.replace("/picture/", "/picture/x");
    assert_eq!(visitor.get(&guessed).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(location(&visitor.get("/epaper/xihu-b/2026-11-18").await), "/epaper/xihu-b/2026-11-18/1");
    // a day without an issue offers those around it
    let answer = visitor.get("/epaper/xihu-b/2026-11-19/1").await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let answer = answer.text().await.unwrap();
    assert!(
        answer.contains("没有出报") && answer.contains("/2026-11-18/1") && answer.contains("/2026-11-21/1")
    );
    for missing in ["2026-11-18/3", "2026-11-18/0", "2026-11-18/a/99", "2026-02-30/1", "x/1"] {
        assert_eq!(
            visitor.get(&format!("/epaper/xihu-b/{missing}")).await.status(),
            StatusCode::NOT_FOUND,
            "{missing}"
        );
    }
    assert_eq!(visitor.get("/epaper/nobody").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(visitor.get("/magazine/xihu-b").await.status(), StatusCode::NOT_FOUND, "of the other kind");

    let sitemap = visitor.page("/sitemap.xml").await;
    for (path, kind) in [
        ("/epaper/xihu-b", "Periodical"),
        ("/epaper/xihu-b/2026-11-18/1", "PublicationIssue"),
        ("/epaper/xihu-b/2026-11-18/a/1", "Article"),
    ] {
        assert!(sitemap.contains(&format!("{path}</loc>")), "{path} is not in the sitemap");
        let page = visitor.page(path).await;
        let weight = brotli_size(page.as_bytes());
        assert!(weight <= 14_600, "{path}: {weight}");
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        assert!(!page.contains("react-island") && !page.contains(" style="), "{path}");
        assert_eq!(between(&page, "rel=\"canonical\" href=\"", "\""), format!("{}{path}", server.base));
        for property in ["og:type", "og:title", "og:url", "og:image", "og:description"] {
            assert!(page.contains(property), "{path}: {property}");
        }
        let card = between(&page, "og:image\" content=\"", "\"");
        let card = visitor.get(card.strip_prefix(&server.base).unwrap()).await;
        assert_eq!(card.headers()["content-type"], "image/jpeg");
        let data: Value = serde_json::from_str(&between(&page, "ld+json\">", "</script>")).unwrap();
        assert_eq!(data["@type"], kind, "{path}");
        assert_eq!(data["isAccessibleForFree"], true);
    }
    let article = visitor.page("/epaper/xihu-b/2026-11-18/a/1").await;
    let data: Value = serde_json::from_str(&between(&article, "ld+json\">", "</script>")).unwrap();
    assert_eq!(data["isPartOf"]["@type"], "PublicationIssue");
    assert_eq!(data["isPartOf"]["isPartOf"]["name"], "西湖晚报");
    for (feed, kind) in
        [("feed.atom", "application/atom+xml"), ("opds.xml", "application/atom+xml;profile=opds-catalog")]
    {
        let answer = visitor.get(&format!("/epaper/xihu-b/{feed}")).await;
        assert!(answer.headers()["content-type"].to_str().unwrap().starts_with(kind));
        let feed = answer.text().await.unwrap();
        assert_eq!(feed.matches("<entry>").count(), 3, "{feed}");
        // names that stay when the site moves
        let ids = between_all(&feed, "<id>", "</id>");
        assert!(ids.len() == 4 && ids.iter().all(|id| id.starts_with("urn:uuid:")), "{ids:?}");
        assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "each its own");
        assert!(feed.find("2026-11-21").unwrap() < feed.find("2026-10-30").unwrap(), "the newest first");
    }
}

async fn what_makes_no_sense_is_said_beside_the_field(server: Server) {
    let maker = editor(&server).await;
    let other = server.member_of("other@example.com", "0", "超级会员").await;
    title(&other, "epaper", "taken", &[]).await;
    for (field, value, told) in [
        ("name", "", "请输入名称"),
        ("organiser", "", "请输入主办"),
        ("address", "A b", "短地址要 2 到 30 个小写字母"),
        ("address", "taken", "短地址“taken”已经有人用了"),
        ("reading", "gift", "请选择免费还是付费"),
        ("issue_price", "0.5", "价格须在"),
        ("issue_price", "", "请填写单期价格"),
        ("preview_pages", "-1", "请填写 0 到 100 之间的整数"),
    ] {
        let mut fields = vec![("publication", "a-title-of-this-test")];
        let usual = [("address", "mine"), ("issue_price", "6"), ("preview_pages", "1")];
        let sold = if field == "reading" { "gift" } else { "sold" };
        fields.extend(TITLE.iter().chain(&usual).filter(|(name, _)| *name != field && *name != "reading"));
        fields.push(("reading", sold));
        if field != "reading" {
            fields.push((field, value));
        }
        let answer = maker.post("/manager/epaper/new", &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}={value}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told), "{field}={value}: no {told}");
        assert!(page.contains("value=\"a-title-of-this-test\""), "what was typed comes back");
    }
    let id = title(&maker, "epaper", "mine", &[]).await;
    issue(&maker, "epaper", &id, "2026-11-21", paper()).await;
    for (fields, told) in [
        (vec![("day", "2026-11-21")], "2026-11-21 已经有一期了"),
        (vec![("day", "2026-02-30")], "日期写成"),
        (vec![("day", "2026-11-22"), ("total", "1")], "总第 1 期已经有了"),
        (vec![("day", "2026-11-22"), ("number", "0")], "请填写 1 到"),
    ] {
        let answer = send(&maker, "epaper", &id, &fields, Some(paper())).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{told}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told) && page.contains("已经收到“paper.pdf”，不用再选"), "{told}: {page}");
    }
    // what was received once need not be sent again
    let page = send(&maker, "epaper", &id, &[("day", "x")], Some(paper())).await.text().await.unwrap();
    let kept = between(&page, "name=\"kept\" value=\"", "\"");
    let answer = send(&maker, "epaper", &id, &[("day", "2026-11-22"), ("kept", &kept)], None).await;
    assert!(location(&answer).contains("done=made"));
    for (file, told) in [
        (None, "请选择一个 PDF，或者下面的一件作品"),
        (Some(b"no pdf".to_vec()), "PDF"),
        (Some(Vec::new()), "文件是空的"),
    ] {
        let answer = send(&maker, "epaper", &id, &[("day", "2026-11-23")], file).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{told}");
        assert!(answer.text().await.unwrap().contains(told), "{told}");
    }
    // pages without words are said to have none; they come out all the same
    let mut mute = Pdf::new();
    let content = mute.document.add_object(Stream::new(Dictionary::new(), b"0 0 100 100 re f".to_vec()));
    let mute = mute.add(210.0, 297.0, content, Dictionary::new()).bytes();
    let mute = issue(&maker, "epaper", &id, "2026-11-24", mute).await;
    let page = maker.page(&format!("/manager/epaper_issue/{mute}")).await;
    assert!(page.contains("第 1 版没有读出文字"), "{page}");
    set(&maker, "epaper", &mute, "publish").await;
    assert!(server.visitor().page("/epaper/mine/2026-11-24/1").await.contains("版面图"));
    // what readers have links to keeps its day
    let fields = [("day", "2026-11-25"), ("number", "3"), ("total", "3")];
    let answer = maker.post(&format!("/manager/epaper_issue/{mute}"), &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("不能改日期"));
    let fields = [("day", "2026-11-24"), ("number", "8"), ("total", "9"), ("page-1", "画刊")];
    location(&maker.post(&format!("/manager/epaper_issue/{mute}"), &fields).await);
    let page = server.visitor().page("/epaper/mine/2026-11-24/1").await;
    assert!(page.contains("01版 画刊") && page.contains("第 8 期 · 总第 9 期"));
    // the next one is counted on from there, and its pages are called like these
    let next = issue(&maker, "epaper", &id, "2026-11-26", paper()).await;
    let page = maker.page(&format!("/manager/epaper_issue/{next}")).await;
    assert!(page.contains("总第 10 期") && page.contains("value=\"画刊\""), "{page}");
}

async fn what_is_sold_is_not_sent_to_who_has_no_right(server: Server) {
    let maker = editor(&server).await;
    let sold = [("reading", "sold"), ("issue_price", "6"), ("preview_pages", "1")];
    let (id, first) = out(&maker, "epaper", "xihu-d", "2026-01-10", &sold).await;
    let second = issue(&maker, "epaper", &id, "2026-03-10", paper()).await;
    location(&maker.post(&format!("/manager/epaper_issue/{second}/proposals"), &[]).await);
    set(&maker, "epaper", &second, "publish").await;
    let visitor = server.visitor();
    let base = "/epaper/xihu-d/2026-01-10";
    let (open, closed) = (format!("{base}/a/1"), format!("{base}/a/3"));
    assert!(visitor.page(&open).await.contains("The first line of the lead story"), "a page to try");
    let page = visitor.page(&closed).await;
    assert!(page.contains("A library in a tea mill") && page.contains("购买这一期"), "{page}");
    assert!(!page.contains("lead story runs"), "not a word of it");
    let data: Value = serde_json::from_str(&between(&page, "ld+json\">", "</script>")).unwrap();
    assert_eq!(data["isAccessibleForFree"], false);
    let leaf = visitor.page(&format!("{base}/2")).await;
    assert!(
        leaf.contains("A library in a tea mill")
            && !leaf.contains("/picture/")
            && !leaf.contains("lead story")
    );
    let first_leaf = visitor.page(&format!("{base}/1")).await;
    let hidden = between(&first_leaf, "<img src=\"", "\"").replace("/1/720", "/2/720");
    assert_eq!(visitor.get(&hidden).await.status(), StatusCode::NOT_FOUND);
    for feed in ["feed.atom", "opds.xml"] {
        assert!(!visitor.page(&format!("/epaper/xihu-d/{feed}")).await.contains("lead story"));
    }
    assert!(visitor.page("/epaper/xihu-d/opds.xml").await.contains("currencycode=\"CNY\">6.00<"));
    let may = |page: String| page.contains("lead story runs");

    // one issue, for ever
    let buyer = server.member("buyer@example.com", "10").await;
    let sale = location(&buyer.post(&format!("/manager/issue/{first}/purchase"), &[]).await);
    location(&buyer.post(&sale, &[("method", "balance")]).await);
    assert_eq!(buyer.balance().await, "4.00");
    assert!(may(buyer.page(&closed).await) && !may(buyer.page("/epaper/xihu-d/2026-03-10/a/3").await));
    assert_eq!(buyer.get(&hidden).await.status(), StatusCode::OK);
    assert!(buyer.page("/manager/book-study").await.contains(&format!("href=\"{base}\"")));
    assert_eq!(location(&buyer.get(&format!("/manager/issue/{first}")).await), format!("{base}/1"));

    // a subscription opens all while it runs, and afterwards the issues of its time
    let page = maker.page("/manager/epaper_sell/new").await;
    let package = between(&page, "name=\"package\" value=\"", "\"");
    let content = format!("title:{id}");
    assert!(page.contains(&content) && page.contains("报刊"));
    let fields = [("package", &*package), ("title", "全年"), ("unit", "days"), ("count", "30")];
    let fields = [&fields[..], &[("price", "30"), ("trial_pages", "2"), ("content", &content)]].concat();
    location(&maker.post("/manager/epaper_sell/new", &fields).await);
    assert!(may(visitor.page(&closed).await), "a package promises two pages to try");
    location(&maker.post(&format!("/manager/epaper_sell/{package}/end"), &[]).await);
    assert!(!may(visitor.page(&closed).await));
    server
        .sql(&format!("update packages set on_sale_until = null where seller_id in {}", server.members()))
        .await;
    let reader = server.member("reader@example.com", "50").await;
    let sale = location(&reader.post(&format!("/manager/package/{package}"), &[]).await);
    location(&reader.post(&sale, &[("method", "balance")]).await);
    server.sql(&format!("update packages set trial_pages = 0 where seller_id in {}", server.members())).await;
    assert!(may(reader.page(&closed).await) && may(reader.page("/epaper/xihu-d/2026-03-10/a/3").await));
    // it ran from the first of January for thirty days
    let start: i64 = 1_767_196_800_000;
    server
        .sql(&format!(
            "update entitlements set starts_at = {start}, ends_at = {} where package_id = '{package}'",
            start + 30 * 86_400_000_i64
        ))
        .await;
    assert!(may(reader.page(&closed).await), "dated inside it");
    assert!(!may(reader.page("/epaper/xihu-d/2026-03-10/a/3").await), "dated after it");
    assert!(may(maker.page(&closed).await), "its maker always reads it");
}

async fn an_article_is_heard_by_who_may_read_it(server: Server) {
    let maker = editor(&server).await;
    let sold = [("reading", "sold"), ("issue_price", "6"), ("preview_pages", "1")];
    let (_, issue) = out(&maker, "epaper", "xihu-e", "2026-01-10", &sold).await;
    let send = async |page: usize, act: &str, file: Vec<u8>| {
        let desk = format!("/manager/epaper_issue/{issue}/{page}");
        let articles = maker.page(&desk).await;
        let article = between(&articles, &format!("{desk}?article="), "\"").replace("#form", "");
        let form = Form::new().text("article", article).text("act", act.to_owned());
        let form = form.part("sound", Part::bytes(file).file_name("头条 朗读.mp3"));
        maker.post_multipart(&format!("{desk}/sound"), form).await
    };
    for (file, said) in [(film(), "这是视频"), (b"no sound".to_vec(), "声音"), (Vec::new(), "请选择声音文件")]
    {
        let refused = send(1, "keep", file).await;
        assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused.text().await.unwrap().contains(said), "{said}");
    }
    let endless = (0..100).fold(Form::new(), |form, n| form.text(format!("field-{n}"), "x"));
    let answer = maker.post_multipart(&format!("/manager/epaper_issue/{issue}/1/sound"), endless).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "a form has as many fields as are read");
    for page in [1, 2] {
        let place = location(&send(page, "keep", sound()).await);
        assert!(place.ends_with("done=sound"), "{place}");
        let desk = maker.page(&place).await;
        assert!(desk.contains("朗读已保存") && desk.contains("头条 朗读.mp3，2 KB"), "{desk}");
    }

    let (visitor, base) = (server.visitor(), "/epaper/xihu-e/2026-01-10/a");
    let page = visitor.page(&format!("{base}/1")).await;
    assert!(page.contains(&format!("<audio controls preload=\"none\" src=\"{base}/1/sound\"")), "{page}");
    let whole = visitor.get(&format!("{base}/1/sound")).await;
    let header = |name: &str| whole.headers()[name].to_str().unwrap().to_owned();
    assert_eq!((header("content-type"), header("accept-ranges")), ("audio/mpeg".into(), "bytes".into()));
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(whole.bytes().await.unwrap(), sound());
    // what is sold is heard by who bought it
    let closed = visitor.page(&format!("{base}/3")).await;
    assert!(!closed.contains("/sound"));
    assert_eq!(visitor.get(&format!("{base}/3/sound")).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(maker.get(&format!("{base}/3/sound")).await.status(), StatusCode::OK);

    // an article's words change, and it is heard still; taken away it is not
    assert!(location(&send(1, "remove", Vec::new()).await).ends_with("done=silent"));
    assert_eq!(visitor.get(&format!("{base}/1/sound")).await.status(), StatusCode::NOT_FOUND);
    assert!(!visitor.page(&format!("{base}/1")).await.contains("<audio"));
    assert_eq!(
        maker.get(&format!("{base}/3/sound")).await.status(),
        StatusCode::OK,
        "the same file of another"
    );
    let left = format!(
        "select cast(count(*) as text) from articles where sound is not null and issue_id = '{issue}'"
    );
    assert_eq!(server.read(&left).await, "1");
}

async fn what_is_withdrawn_says_so(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "xihu-f", "2026-11-20", &[]).await;
    let visitor = server.visitor();
    let page = visitor.page("/epaper/xihu-f/2026-11-20/1").await;
    let picture = between(&page, "<img src=\"", "\"");
    set(&maker, "epaper", &id, "withdraw").await;
    for path in ["/epaper/xihu-f/2026-11-20/1", "/epaper/xihu-f/2026-11-20/a/1", &picture] {
        assert_eq!(visitor.get(path).await.status(), StatusCode::GONE, "{path}");
    }
    for path in ["/epaper/xihu-f", "/epaper/xihu-f/feed.atom"] {
        assert_eq!(visitor.get(path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert!(!visitor.page("/sitemap.xml").await.contains("xihu-f"));
    let preview = maker.page("/epaper/xihu-f/2026-11-20/1").await;
    assert!(
        preview.contains("这是您出的一期，已撤回")
            && preview.contains("noindex")
            && !preview.contains("og:title")
    );
    let answer = maker.post(&format!("/manager/epaper_issue/{id}/state"), &[("act", "schedule")]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let answer = maker.post(&format!("/manager/epaper_issue/{id}/removal"), &[]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT, "what readers saw is not deleted");
    set(&maker, "epaper", &id, "publish").await;
    assert_eq!(visitor.get("/epaper/xihu-f/2026-11-20/1").await.status(), StatusCode::OK);
}

async fn every_member_may_make_a_magazine_of_a_work(server: Server) {
    let maker = server.member("maker@example.com", "0").await;
    assert_eq!(maker.get("/manager/epaper").await.status(), StatusCode::FORBIDDEN);
    let page = maker.page("/manager/magazine/new").await;
    assert!(page.contains("要按期或按套餐收费，需要超级会员"));
    let fields = [("publication", "a-magazine"), ("address", "shan"), ("name", "山"), ("organiser", "我")];
    let answer = maker.post("/manager/magazine/new", &[&fields[..], &[("reading", "sold")]].concat()).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let id =
        title(&maker, "magazine", "shan", &[("name", "山"), ("number", "CN 33-1/G0 ISSN 1234-567X")]).await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    for (day, name) in [("2025-12-01", "创刊号"), ("2026-01-01", "")] {
        let fields = [("day", day), ("work", &work), ("with_cover", "1"), ("issue_name", name)];
        let answer = send(&maker, "magazine", &id, &fields, None).await;
        let issue = between(&location(&answer), "/manager/magazine_issue/", "?");
        set(&maker, "magazine", &issue, "publish").await;
    }
    let visitor = server.visitor();
    let home = visitor.page("/magazine/shan").await;
    assert!(home.contains("href=\"/magazine/shan/2\"") && home.contains("?year=2025#years"), "{home}");
    assert!(home.contains("\"issn\":\"1234-567X\""));
    assert!(visitor.page("/magazine/shan?year=2025").await.contains("创刊号"));
    let second = visitor.page("/magazine/shan/2").await;
    assert!(
        second.contains("2026 年第 1 期") && second.contains("总第 2 期") && second.contains("所有页"),
        "{second}"
    );
    let leaf = visitor.page("/magazine/shan/1/1").await;
    assert_eq!(visitor.get(&between(&leaf, "<img src=\"", "\"")).await.status(), StatusCode::OK);
    assert!(leaf.contains("下一页") && leaf.contains("目录"));
    let sitemap = visitor.page("/sitemap.xml").await;
    for path in ["/magazine/shan</loc>", "/magazine/shan/1</loc>", "/magazine/shan/2/1</loc>"] {
        assert!(sitemap.contains(path), "{path}");
    }
    assert_eq!(between_all(&visitor.page("/magazine/shan/feed.atom").await, "<entry>", "</entry>").len(), 2);
    // the work may change and go: the issue stays as it came out
    location(&maker.post(&format!("/manager/opus/{work}/trash"), &[]).await);
    location(&maker.post(&format!("/manager/opus/{work}/deletion"), &[]).await);
    assert_eq!(visitor.get("/magazine/shan/1/2").await.status(), StatusCode::OK);
}

async fn others_things_look_like_none(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, issue) = out(&maker, "epaper", "xihu-h", "2026-11-20", &[]).await;
    let other = server.member_of("other@example.com", "0", "超级会员").await;
    // and so do things of the other kind, which needs another tier
    for (caller, kind) in [(&other, "epaper"), (&maker, "magazine")] {
        for path in [
            format!("/manager/{kind}/{paper_id}"),
            format!("/manager/{kind}/{paper_id}/issue"),
            format!("/manager/{kind}/{paper_id}/settings"),
            format!("/manager/{kind}_issue/{issue}"),
            format!("/manager/{kind}_issue/{issue}/1"),
        ] {
            assert_eq!(caller.get(&path).await.status(), StatusCode::NOT_FOUND, "{path}");
        }
        for act in ["withdraw", "publish"] {
            let answer = caller.post(&format!("/manager/{kind}_issue/{issue}/state"), &[("act", act)]).await;
            assert_eq!(answer.status(), StatusCode::NOT_FOUND);
        }
        let answer = caller.post(&format!("/manager/{kind}_issue/{issue}/proposals"), &[]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    }
    // an article's id of one issue changes nothing of another
    let (_, mine) = out(&other, "epaper", "other", "2026-11-20", &[]).await;
    let article =
        server.read(&format!("select id from articles where issue_id = '{issue}' and number = 1")).await;
    let form = Form::new()
        .text("article", article.clone())
        .text("title", "换了")
        .text("text", "x")
        .text("act", "keep");
    let answer = other.post_multipart(&format!("/manager/epaper_issue/{mine}/1"), form).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert_eq!(
        server.read(&format!("select title from articles where id = '{article}'")).await,
        "Trees along the river"
    );
}

async fn a_closed_account_publishes_nothing_more(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu-i", "2026-11-20", &[]).await;
    let reader = server.member("reader@example.com", "0").await;
    location(&reader.post(&format!("/manager/publication/{paper_id}/following"), &[("act", "follow")]).await);
    let issue = server.read(&format!("select id from issues where publication_id = '{paper_id}'")).await;
    // from the moment on in which it is closed, whenever a job comes to its rows
    let public = ["/epaper/xihu-i", "/epaper/xihu-i/2026-11-20/1", "/epaper/xihu-i/2026-11-20/a/1"];
    for (closed_at, expected) in [("1", StatusCode::NOT_FOUND), ("null", StatusCode::OK)] {
        let sql = format!("update members set closed_at = {closed_at} where id in {}", server.members());
        server.sql(&sql).await;
        for path in public {
            assert_eq!(server.visitor().get(path).await.status(), expected, "{path}");
        }
        let is_listed = server.visitor().page("/sitemap.xml").await.contains("/epaper/xihu-i/2026-11-20");
        assert_eq!(is_listed, expected == StatusCode::OK);
    }
    let fields = [("word", "注销"), ("current", support::PASSWORD)];
    let answer = maker.post("/manager/userInfo/closing", &fields).await;
    assert!(answer.status().is_success() || answer.status().is_redirection(), "{}", answer.status());
    for path in public {
        assert_eq!(server.visitor().get(path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let its = [
        ("publications", format!("id = '{paper_id}'")),
        ("publication_followers", format!("publication_id = '{paper_id}'")),
        ("issues", format!("id = '{issue}'")),
        ("issue_pages", format!("issue_id = '{issue}'")),
        ("articles", format!("issue_id = '{issue}'")),
        ("issue_news", format!("issue_id = '{issue}'")),
    ];
    for (table, its) in its {
        let left = format!("select cast(count(*) as text) from {table} where {its}");
        support::wait::eventually(&server, &left, "0").await;
    }
    assert_eq!(reader.get("/manager/book-study").await.status(), StatusCode::OK);
}

/// A paper whose outline names its second page, and its first one twice.
fn with_outline() -> Vec<u8> {
    let mut pdf = lopdf::Document::load_mem(&paper()).unwrap();
    let pages: Vec<lopdf::ObjectId> = pdf.get_pages().into_values().collect();
    let named =
        [("卷首：茶厂里的图书馆，和它的一百个冬天", pages[0]), ("再说一句", pages[0]), ("足球", pages[1])];
    let outlines = pdf.new_object_id();
    let ids: Vec<lopdf::ObjectId> = named.iter().map(|_| pdf.new_object_id()).collect();
    for (at, (name, page)) in named.iter().enumerate() {
        let mut item = dictionary! {
            "Title" => lopdf::text_string(name),
            "Parent" => outlines,
            "Dest" => vec![(*page).into(), "Fit".into()],
        };
        if at + 1 < ids.len() {
            item.set("Next", ids[at + 1]);
        }
        if at > 0 {
            item.set("Prev", ids[at - 1]);
        }
        pdf.objects.insert(ids[at], item.into());
    }
    let all = dictionary! { "First" => ids[0], "Last" => ids[2], "Count" => 3 };
    pdf.objects.insert(outlines, all.into());
    pdf.catalog_mut().unwrap().set("Outlines", outlines);
    let mut bytes = Vec::new();
    pdf.save_to(&mut bytes).unwrap();
    bytes
}

async fn a_magazines_contents_are_the_outline_of_its_pdf(server: Server) {
    let maker = editor(&server).await;
    let title = title(&maker, "magazine", "outlined", &[]).await;
    let id = issue(&maker, "magazine", &title, "2026-11-18", with_outline()).await;
    set(&maker, "magazine", &id, "publish").await;
    let page = server.visitor().page("/magazine/outlined/1").await;
    let contents = between(&page, "id=\"contents\">目录", "</section>");
    // as long as a page's name may be
    assert!(contents.contains("href=\"/magazine/outlined/1/1\">卷首：茶厂里的图书馆，和<"), "{contents}");
    assert!(
        contents.contains("href=\"/magazine/outlined/1/2\">足球<") && !contents.contains("再说一句"),
        "{contents}"
    );
    // as soon as there are articles, they are the contents
    location(&maker.post(&format!("/manager/magazine_issue/{id}/proposals"), &[]).await);
    let page = server.visitor().page("/magazine/outlined/1").await;
    assert!(between(&page, "id=\"contents\">目录", "</section>").contains("Trees along the river"));
}
