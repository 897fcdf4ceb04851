//! What came out is put right: pages replaced, readers told, withdrawn issues changed and removed.

use std::process::Command;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Object, Stream};
use reqwest::multipart::{Form, Part};
use reqwest::{Response, StatusCode};

use support::pdfs::{PT_PER_MM, Pdf};
use support::publications::{editor, issue, out, paper, set, sheet};
use support::wait::until;
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    two_editors_lose_nothing;
    on_sqlite:
    a_file_that_is_not_what_it_is_for_is_not_taken,
    a_whole_issue_is_replaced,
    who_paid_keeps_access,
    numbers_are_put_right,
    a_wrong_front_page_is_put_right,
    a_withdrawn_issue_goes_and_its_day_is_free,
);

/// A page of its own size with one story.
fn story(pdf: Pdf, (width, height): (f64, f64), words: &[&str]) -> Pdf {
    let mut pdf = pdf;
    let mut operations = Vec::new();
    for (index, words) in words.iter().enumerate() {
        let (size, y): (i64, f64) = if index == 0 { (30, 40.0) } else { (10, 50.0 + 5.0 * index as f64) };
        operations.extend([
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec!["F1".into(), size.into()]),
            Operation::new(
                "Td",
                vec![
                    Object::Real((20.0 * PT_PER_MM) as f32),
                    Object::Real(((height - y) * PT_PER_MM) as f32),
                ],
            ),
            Operation::new("Tj", vec![Object::string_literal(*words)]),
            Operation::new("ET", vec![]),
        ]);
    }
    let content = Content { operations }.encode().unwrap();
    let content = pdf.document.add_object(Stream::new(Dictionary::new(), content));
    pdf.add(width, height, content, Dictionary::new())
}

const A4: (f64, f64) = (210.0, 297.0);

/// Sends a PDF in the place of a page, or of all pages.
async fn replace(maker: &Caller, id: &str, fields: &[(&str, &str)], pdf: Option<Vec<u8>>) -> Response {
    let place = format!("/manager/epaper_issue/{id}/replacement");
    let form = fields
        .iter()
        .fold(Form::new(), |form, (name, value)| form.text((*name).to_owned(), (*value).to_owned()));
    let form = match pdf {
        Some(bytes) => form.part("file", Part::bytes(bytes).file_name("new.pdf")),
        None => form,
    };
    maker.post_multipart(&place, form).await
}

async fn replaced(maker: &Caller, id: &str, fields: &[(&str, &str)], pdf: Vec<u8>) {
    let answer = replace(maker, id, fields, Some(pdf)).await;
    if answer.status() != StatusCode::SEE_OTHER {
        panic!("refused: {}", between(&answer.text().await.unwrap(), "id=\"errors\"", "</div>"));
    }
    let desk = format!("/manager/epaper_issue/{id}");
    until("the new pages are read", async || !maker.page(&desk).await.contains("的文字正在读")).await;
}

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

async fn a_wrong_front_page_is_put_right(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, id) = out(&maker, "epaper", "put-right", "2026-11-21", &[]).await;
    let visitor = server.visitor();
    let base = "/epaper/put-right/2026-11-21";
    let before = visitor.page(&format!("{base}/1")).await;
    assert!(!before.contains("更正"), "{before}");
    let picture = between(&before, "<img src=\"", "\"");
    let wrong = visitor.get(&picture).await.bytes().await.unwrap();

    // the lead gets another line, the weather goes, a new story comes
    let right = sheet(Pdf::new(), "Trees along the river", "Markets open late").bytes();
    // who was shown the issue is told, or is not, but never by chance
    let page = refused(replace(&maker, &id, &[("page", "1")], Some(right.clone())).await).await;
    assert!(page.contains("请选择要不要告诉读者") && page.contains("已经收到“new.pdf”"), "{page}");
    let kept = between(&page, "name=\"kept\" value=\"", "\"");
    let page =
        refused(replace(&maker, &id, &[("page", "1"), ("tell", "note"), ("kept", &kept)], None).await).await;
    assert!(page.contains("更正说明"), "{page}");
    let fields =
        [("page", "1"), ("tell", "note"), ("note", "头版天气一栏应为集市消息。<b>"), ("kept", &kept)];
    let answer = replace(&maker, &id, &fields, None).await;
    assert_eq!(location(&answer), format!("/manager/epaper_issue/{id}?done=replaced"));
    let desk = format!("/manager/epaper_issue/{id}");
    until("it is read", async || !maker.page(&desk).await.contains("的文字正在读")).await;

    let after = visitor.page(&format!("{base}/1")).await;
    assert!(after.contains("头版天气一栏应为集市消息。&lt;b&gt;"), "{after}");
    assert!(after.contains("<time datetime=\"20") && after.contains("Trees along the river"));
    assert!(!after.contains("Markets open late"), "nobody has looked at it yet");
    // readers have the other picture at another address; who has the old page open is sent the new one, too
    let new_picture = between(&after, "<img src=\"", "\"");
    assert_ne!(new_picture, picture);
    let right_picture = visitor.get(&new_picture).await.bytes().await.unwrap();
    assert_ne!(right_picture, wrong);
    assert_eq!(visitor.get(&picture).await.bytes().await.unwrap(), right_picture);
    // the lead is where it was, at its address; the rest is for the maker to look at
    assert!(visitor.page(&format!("{base}/a/1")).await.contains("The first line of the lead story"));
    let desk_page = maker.page(&desk).await;
    assert!(desk_page.contains("有 1 篇稿件要核对"), "{desk_page}");
    let article = async |number: u32| {
        let sql = format!("select id from articles where issue_id = '{id}' and number = {number}");
        server.read(&sql).await
    };
    let first = maker.page(&format!("{desk}/1?article={}", article(2).await)).await;
    assert!(first.contains("Markets open late") && first.contains("这篇的文字变了"), "{first}");

    // a typo in the text: the article's words change when its maker says so, and readers are told nothing
    let fixed = story(
        Pdf::new(),
        A4,
        &[
            "Trees along the river",
            "The first line of the lead tale runs here",
            "and it goes on in a second line of the column.",
        ],
    );
    replaced(&maker, &id, &[("page", "1"), ("tell", "typo")], fixed.bytes()).await;
    let public = visitor.page(&format!("{base}/1")).await;
    assert_eq!(public.matches("<h2 id=\"corrections\">").count(), 1);
    assert!(visitor.page(&format!("{base}/a/1")).await.contains("lead story runs here"));
    let gone = maker.page(&format!("{desk}/1?article={}", article(2).await)).await;
    assert!(gone.contains("换过的版面上找不到这篇的文字"), "{gone}");
    let article = article(1).await;
    let form = maker.page(&format!("{desk}/1?article={article}")).await;
    assert!(form.contains("这篇的文字变了") && form.contains("lead tale runs here"), "{form}");
    let take = Form::new().text("article", article.clone()).text("act", "take");
    location(&maker.post_multipart(&format!("{desk}/1"), take).await);
    let article_page = visitor.page(&format!("{base}/a/1")).await;
    assert!(article_page.contains("lead tale runs here") && !article_page.contains("lead story"));
    assert!(!maker.page(&format!("{desk}/1?article={article}")).await.contains("这篇的文字变了"));

    // a draft's readers are nobody: nothing is asked and nothing told
    let draft = issue(&maker, "epaper", &paper_id, "2026-11-22", paper()).await;
    replaced(
        &maker,
        &draft,
        &[("page", "2")],
        story(Pdf::new(), A4, &["Other", "Words of a page that nobody saw"]).bytes(),
    )
    .await;
    set(&maker, "epaper", &draft, "publish").await;
    assert!(!visitor.page("/epaper/put-right/2026-11-22/2").await.contains("更正"));
}

async fn a_file_that_is_not_what_it_is_for_is_not_taken(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "not-taken", "2026-11-21", &[]).await;
    let one = |size| story(Pdf::new(), size, &["One", "A story that has a line"]).bytes();
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("a.pdf"), folder.path().join("b.pdf"));
    std::fs::write(&from, one(A4)).unwrap();
    let command = ["--encrypt", "secret", "secret", "256", "--"];
    assert!(Command::new("qpdf").args(command).args([&from, &to]).status().unwrap().success());
    let locked = std::fs::read(&to).unwrap();
    let mut broken = one(A4);
    broken.truncate(broken.len() / 3);
    for (page, pdf, told) in [
        ("1", Some(paper()), "这个 PDF 有 2 页，换一版要只有一页的"),
        ("", Some(one(A4)), "这一期有 2 版，这个 PDF 有 1 页，后面的版上有 2 篇稿件会一起去掉"),
        ("1", Some(one((148.0, 210.0))), "是 148×210 毫米，这一期是 210×297 毫米"),
        ("9", Some(one(A4)), "没有这一版"),
        ("x", Some(one(A4)), "没有这一版"),
        ("1", Some(locked), "密码"),
        ("1", Some(broken), "打不开"),
        ("1", Some(Vec::new()), "文件是空的"),
        ("1", Some(b"no file of this kind".to_vec()), "PDF"),
        ("1", None, "请选择一个 PDF"),
    ] {
        let fields = [("page", page), ("tell", "note"), ("note", "我写的说明")];
        let answer = refused(replace(&maker, &id, &fields, pdf).await).await;
        assert!(answer.contains(told), "{told}: {}", between(&answer, "id=\"errors\"", "</div>"));
        assert!(answer.contains("我写的说明"), "what was typed comes back");
    }
    let long = "长".repeat(201);
    let fields = [("page", "1"), ("tell", "note"), ("note", &*long)];
    assert!(refused(replace(&maker, &id, &fields, Some(one(A4))).await).await.contains("更正说明"));
    // nothing of it happened
    let visitor = server.visitor();
    let page = visitor.page("/epaper/not-taken/2026-11-21/1").await;
    assert!(page.contains("Weather") && !page.contains("更正") && !page.contains("edition="));
    // a page of another size, when that is meant, and an issue that gets shorter
    replaced(&maker, &id, &[("page", "1"), ("tell", "typo"), ("anyway", "1")], one((148.0, 210.0))).await;
    replaced(&maker, &id, &[("page", ""), ("tell", "typo"), ("anyway", "1")], one(A4)).await;
    assert_eq!(visitor.get("/epaper/not-taken/2026-11-21/2").await.status(), StatusCode::NOT_FOUND);
    // which page of several is meant nobody guesses
    let fields = [("page", "1"), ("tell", "typo"), ("anyway", "1")];
    refused(replace(&maker, &id, &fields, Some(paper())).await).await;
    let other = server.member_of("other@example.com", "0", "超级会员").await;
    let answer = replace(&other, &id, &[("page", "1"), ("tell", "typo")], Some(one(A4))).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

async fn a_whole_issue_is_replaced(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "all-new", "2026-11-21", &[]).await;
    // an article that its maker put right keeps what was made of it
    let desk = format!("/manager/epaper_issue/{id}");
    let article =
        server.read(&format!("select id from articles where issue_id = '{id}' and number = 1")).await;
    let form = maker.page(&format!("{desk}/1?article={article}")).await;
    let text = between(&form, "<textarea id=\"text\"", "</textarea>");
    let text = text.split_once('>').unwrap().1.trim().to_owned();
    let fields = Form::new()
        .text("article", article.clone())
        .text("title", "Trees along the river")
        .text("subtitle", "写在后面的副题")
        .text("text", text)
        .text("act", "keep")
        .text("tell", "note")
        .text("note", "补上副题");
    location(&maker.post_multipart(&format!("{desk}/1"), fields).await);
    let visitor = server.visitor();
    let base = "/epaper/all-new/2026-11-21";
    assert!(visitor.page(&format!("{base}/a/1")).await.contains("补上副题"));
    assert!(!visitor.page(&format!("{base}/a/2")).await.contains("补上副题"), "about another article");
    let three = sheet(
        sheet(sheet(Pdf::new(), "Trees along the river", "Weather"), "A library in a tea mill", "Football"),
        "A third page",
        "Chess",
    );
    let fields = [("page", ""), ("tell", "note"), ("note", "全期改过"), ("anyway", "1")];
    replaced(&maker, &id, &fields, three.bytes()).await;
    let page = maker.page(&desk).await;
    assert!(!page.contains("要核对") && page.contains("读出 2 篇稿件的建议"), "{page}");
    assert!(visitor.page(&format!("{base}/a/1")).await.contains("写在后面的副题"));
    for path in ["1", "2", "3", "a/1", "a/4"] {
        assert!(visitor.page(&format!("{base}/{path}")).await.contains("全期改过"), "{path}");
    }
    // articles of a page that has other ones now are kept for readers and marked for their maker
    let other = sheet(sheet(Pdf::new(), "Frogs", "Storks"), "Bees", "Ants").bytes();
    replaced(&maker, &id, &[("page", ""), ("tell", "typo"), ("anyway", "1")], other).await;
    let page = maker.page(&desk).await;
    assert!(page.contains("稿件要核对"), "{page}");
    assert_eq!(visitor.get(&format!("{base}/3")).await.status(), StatusCode::NOT_FOUND);
}

async fn two_editors_lose_nothing(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "two-editors", "2026-11-21", &[]).await;
    let desk = format!("/manager/epaper_issue/{id}");
    let revision = |page: &str| between(page, "name=\"revision\" value=\"", "\"");
    // an article
    let article =
        server.read(&format!("select id from articles where issue_id = '{id}' and number = 1")).await;
    let seen = revision(&maker.page(&format!("{desk}/1?article={article}")).await);
    let place = format!("{desk}/1");
    let keep = |title: &'static str, revision: String| {
        let form = Form::new()
            .text("article", article.clone())
            .text("title", title)
            .text("text", "一段。")
            .text("act", "keep")
            .text("revision", revision);
        maker.post_multipart(&place, form)
    };
    location(&keep("第一位编辑", seen.clone()).await);
    let answer = keep("第二位编辑", seen.clone()).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let page = answer.text().await.unwrap();
    assert!(page.contains("第二位编辑") && page.contains("刚刚在别处改过"), "{page}");
    let visitor = server.visitor();
    assert!(visitor.page("/epaper/two-editors/2026-11-21/a/1").await.contains("第一位编辑"));
    location(&keep("第二位编辑", revision(&page)).await);
    let remove = Form::new().text("article", article.clone()).text("act", "remove").text("revision", seen);
    let answer = maker.post_multipart(&format!("{desk}/1"), remove).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    // the facts
    let seen = revision(&maker.page(&desk).await);
    let facts =
        [("day", "2026-11-21"), ("number", "7"), ("total", "7"), ("issue_name", "甲"), ("revision", &seen)];
    location(&maker.post(&desk, &facts).await);
    let facts =
        [("day", "2026-11-21"), ("number", "8"), ("total", "8"), ("issue_name", "乙"), ("revision", &seen)];
    let answer = maker.post(&desk, &facts).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let page = answer.text().await.unwrap();
    assert!(page.contains("value=\"乙\"") && !page.contains("value=\"甲\""), "{page}");
    // and a page: the second file is kept for another try
    let pdf = || story(Pdf::new(), A4, &["One", "A story that has a line"]).bytes();
    let fields = [("page", "1"), ("tell", "note"), ("note", "第二份"), ("revision", &*seen)];
    let answer = replace(&maker, &id, &fields, Some(pdf())).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let page = answer.text().await.unwrap();
    let kept = between(&page, "name=\"kept\" value=\"", "\"");
    assert!(page.contains("第二份"), "{page}");
    let newest = revision(&page);
    let fields =
        [("page", "1"), ("tell", "note"), ("note", "第二份"), ("revision", &newest), ("kept", &kept)];
    location(&replace(&maker, &id, &fields, None).await);
}

async fn a_withdrawn_issue_goes_and_its_day_is_free(server: Server) {
    let maker = editor(&server).await;
    let (title, id) = out(&maker, "epaper", "gone-again", "2026-11-21", &[]).await;
    let desk = format!("/manager/epaper_issue/{id}");
    let seen = between(&maker.page(&desk).await, "name=\"revision\" value=\"", "\"");
    let answer = maker.post(&format!("{desk}/removal"), &[("revision", &seen)]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT, "readers see it");
    assert!(!maker.page(&desk).await.contains("删除这一期"));
    set(&maker, "epaper", &id, "withdraw").await;
    // changed and published again
    let fields = [("page", "1"), ("tell", "note"), ("note", "头版重排")];
    replaced(&maker, &id, &fields, sheet(Pdf::new(), "Trees along the river", "Weather").bytes()).await;
    set(&maker, "epaper", &id, "publish").await;
    let visitor = server.visitor();
    assert!(visitor.page("/epaper/gone-again/2026-11-21/1").await.contains("头版重排"));
    set(&maker, "epaper", &id, "withdraw").await;
    // over what somebody else has changed since, it is not removed
    let answer = maker.post(&format!("{desk}/removal"), &[("revision", &seen)]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let seen = between(&maker.page(&desk).await, "name=\"revision\" value=\"", "\"");
    // a publishing that was queued for it finds nothing
    server
        .sql(&format!(
            "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
             values ('late-{id}', 'publish_issue', '{{\"kind\":\"publish_issue\",\"issue\":\"{id}\",\"at\":1000}}', 1, 0, 0, 1),
                    ('tell-{id}', 'tell_readers_of_issue', '{{\"kind\":\"tell_readers_of_issue\",\"issue\":\"{id}\"}}', 1, 0, 0, 1)"
        ))
        .await;
    let answer = maker.post(&format!("{desk}/removal"), &[("revision", &seen)]).await;
    assert_eq!(location(&answer), format!("/manager/epaper/{title}?done=removed"));
    let waits = format!("select id from jobs where id in ('late-{id}', 'tell-{id}')");
    until("the late jobs are over", async || server.column(&waits).await.is_empty()).await;
    assert_eq!(visitor.get("/epaper/gone-again/2026-11-21/1").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(maker.get(&desk).await.status(), StatusCode::NOT_FOUND);
    for table in ["issue_pages", "articles", "corrections"] {
        let left = server.column(&format!("select issue_id from {table} where issue_id = '{id}'")).await;
        assert!(left.is_empty(), "{table}");
    }
    // its day and its number are free
    let again = issue(&maker, "epaper", &title, "2026-11-21", paper()).await;
    set(&maker, "epaper", &again, "publish").await;
    assert_eq!(visitor.get("/epaper/gone-again/2026-11-21/1").await.status(), StatusCode::OK);
    let total = server.read(&format!("select cast(total as text) from issues where id = '{again}'")).await;
    assert_eq!(total, "1");
}

async fn who_paid_keeps_access(server: Server) {
    let maker = editor(&server).await;
    let sold = [("reading", "sold"), ("issue_price", "6"), ("preview_pages", "0")];
    let (_, id) = out(&maker, "epaper", "paid-for", "2026-01-10", &sold).await;
    let buyer = server.member("buyer@example.com", "10").await;
    let sale = location(&buyer.post(&format!("/manager/issue/{id}/purchase"), &[]).await);
    location(&buyer.post(&sale, &[("method", "balance")]).await);
    let right = sheet(Pdf::new(), "Trees along the river", "Secret markets").bytes();
    replaced(&maker, &id, &[("page", "1"), ("tell", "note"), ("note", "头版改过")], right).await;
    location(&maker.post(&format!("/manager/epaper_issue/{id}/proposals"), &[]).await);
    let visitor = server.visitor();
    let (mine, theirs) = (
        buyer.page("/epaper/paid-for/2026-01-10/1").await,
        visitor.page("/epaper/paid-for/2026-01-10/1").await,
    );
    let picture = between(&mine, "<img src=\"", "\"");
    assert_eq!(buyer.get(&picture).await.status(), StatusCode::OK);
    assert_eq!(visitor.get(&picture).await.status(), StatusCode::NOT_FOUND);
    assert!(!theirs.contains("/picture/") && theirs.contains("头版改过"));
    let text = "The first line of the lead story";
    assert!(buyer.page("/epaper/paid-for/2026-01-10/a/1").await.contains(text));
    assert!(!visitor.page("/epaper/paid-for/2026-01-10/a/1").await.contains(text));
    // and it is not taken away from who bought it
    set(&maker, "epaper", &id, "withdraw").await;
    let desk = format!("/manager/epaper_issue/{id}");
    let seen = between(&maker.page(&desk).await, "name=\"revision\" value=\"", "\"");
    let answer = maker.post(&format!("{desk}/removal"), &[("revision", &seen)]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(answer.text().await.unwrap().contains("还有 1 位读者买了这一期可以读"));
    set(&maker, "epaper", &id, "publish").await;
    assert!(buyer.page("/epaper/paid-for/2026-01-10/a/1").await.contains(text));
}

async fn numbers_are_put_right(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "magazine", "numbered", "2026-11-01", &[]).await;
    let desk = format!("/manager/magazine_issue/{id}");
    let facts = |total: &'static str| [("day", "2026-11-01"), ("number", "4"), ("total", total)];
    let answer = refused(maker.post(&desk, &facts("12")).await).await;
    assert!(answer.contains("先撤回") && answer.contains("value=\"12\""), "{answer}");
    set(&maker, "magazine", &id, "withdraw").await;
    location(&maker.post(&desk, &facts("12")).await);
    set(&maker, "magazine", &id, "publish").await;
    let visitor = server.visitor();
    assert!(visitor.page("/magazine/numbered/12").await.contains("总第 12 期"));
    assert_eq!(visitor.get("/magazine/numbered/1").await.status(), StatusCode::NOT_FOUND);
    // a newspaper's address is its day: its numbers are put right while readers see it
    let (_, id) = out(&maker, "epaper", "numbered-p", "2026-11-01", &[]).await;
    location(&maker.post(&format!("/manager/epaper_issue/{id}"), &facts("3012")).await);
    assert!(visitor.page("/epaper/numbered-p/2026-11-01/1").await.contains("总第 3012 期"));
}
