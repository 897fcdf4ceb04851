//! /manager/opus/{id}/reviews and /review/{code}: others look at a work before it is printed.

use futures::future::join_all;
use reqwest::{Response, StatusCode};

use support::editor::Editor;
use support::{Caller, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    two_look_and_the_order_says_who_approved_what,
    the_same_approval_at_once_is_one,
    whoever_has_the_open_link_says_a_name;
    on_sqlite:
    what_makes_no_sense_is_said_beside_its_field,
    a_link_ends,
    a_work_takes_its_reviews_along,
    a_place_is_pressed_or_chosen,
);

const UNTIL: (&str, &str) = ("until", "2099-01-01");

/// A day that a form takes: within half a year.
fn soon() -> String {
    (time::OffsetDateTime::now_utc() + time::Duration::days(9)).date().to_string()
}

/// Asks for a look at a work as it is now.
async fn ask(maker: &Caller, work: &str, fields: &[(&str, &str)]) -> Response {
    let desk = format!("/manager/opus/{work}/reviews");
    let revision = between(&maker.page(&desk).await, "name=\"revision\" value=\"", "\"");
    let day = soon();
    let mut all = vec![("revision", &*revision), ("until", &day)];
    all.extend_from_slice(fields);
    maker.post(&desk, &all).await
}

/// The addresses of the links that a maker sees, in their order.
async fn links(maker: &Caller, work: &str) -> Vec<String> {
    let page = maker.page(&format!("/manager/opus/{work}/reviews")).await;
    between_all(&page, "/review/", "\"").into_iter().map(|code| format!("/review/{code}")).collect()
}

/// Writes on a page and answers the comment's id.
async fn write(reviewer: &Caller, page: &str, words: &str, place: &[(&str, &str)]) -> String {
    let shown = reviewer.page(page).await;
    let form = between(&shown, "<form id=\"write\"", "</form>");
    let (id, round) =
        (between(&form, "name=\"comment\" value=\"", "\""), between(&form, "name=\"round\" value=\"", "\""));
    let mut fields = vec![("comment", &*id), ("round", &*round), ("words", words)];
    fields.extend_from_slice(place);
    for _ in 0..2 {
        assert_eq!(location(&reviewer.post(page, &fields).await), format!("{page}#c-{id}"), "twice is once");
    }
    assert_eq!(reviewer.page(page).await.matches(&format!("<p class=\"words\">{words}<")).count(), 1);
    id
}

async fn judge(reviewer: &Caller, link: &str, verdict: &str, round: &str) -> Response {
    reviewer.post(&format!("{link}/verdict"), &[("verdict", verdict), ("round", round)]).await
}

async fn change(maker: &Caller, work: &str, revision: &str, act: (&str, &str)) {
    let answer = maker.post(&format!("/manager/opus/{work}/pages"), &[("revision", revision), act]).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
}

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

async fn two_look_and_the_order_says_who_approved_what(server: Server) {
    let Editor { member: maker, work, .. } = Editor::of(&server, "maker@example.com").await;
    change(&maker, &work, "1", ("add", "2")).await;
    let desk = format!("/manager/opus/{work}/reviews");
    assert!(maker.page(&format!("/manager/opus/{work}")).await.contains(&desk));
    let answer = ask(&maker, &work, &[("names", "林老师\n周先生"), ("words", "请看照片和名字")]).await;
    assert_eq!(location(&answer), format!("{desk}?done=asked"));
    let links = links(&maker, &work).await;
    let [lin_link, zhou_link] = links.as_slice() else { panic!("{links:?}") };
    assert!(maker.page(&desk).await.contains("还没有看"));

    // without an account, and found by nobody else
    let (lin, zhou) = (server.visitor(), server.visitor());
    let front = lin.page(lin_link).await;
    for words in ["海边的夏天", "第 1 稿", "请看照片和名字", "noindex", "可以印", "林老师"]
    {
        assert!(front.contains(words), "{words}: {front}");
    }
    let picture = format!("{lin_link}/picture/1/2/720");
    let picture = lin.get(&picture).await;
    assert_eq!(picture.headers()["content-type"], "image/webp");
    // opening a link is no look yet: programs do that, too
    assert!(!maker.page(&desk).await.contains("看过，"));
    let on_two = write(&lin, &format!("{lin_link}/page/2"), "这张太暗", &[("x", "250"), ("y", "700")]).await;
    assert!(maker.page(&desk).await.contains("看过，"));
    write(&zhou, &format!("{zhou_link}/page/4"), "这页不要了", &[("field", "1")]).await;

    // one answers the other, whose comment then stays
    let page = zhou.page(&format!("{zhou_link}/page/2")).await;
    assert!(page.contains("这张太暗") && page.contains("左下") && page.contains("林老师"));
    let answer = between(
        page.split(&format!("action=\"{zhou_link}/comment/{on_two}\"")).nth(1).unwrap(),
        "name=\"comment\" value=\"",
        "\"",
    );
    let field = format!("answer-{on_two}");
    let fields = [("comment", &*answer), ("round", "1"), (&*field, "我也觉得")];
    let place = location(&zhou.post(&format!("{zhou_link}/comment/{on_two}"), &fields).await);
    assert_eq!(place, format!("{zhou_link}/page/2#c-{on_two}"));
    let stays = refused(lin.post(&format!("{lin_link}/comment/{on_two}/removal"), &[]).await).await;
    assert!(stays.contains("已经有人回复了，不能再收回"), "{stays}");
    // nobody takes back another's, and one's own once
    let removal = |link: &str, id: &str| format!("{link}/comment/{id}/removal");
    assert_eq!(lin.post(&removal(lin_link, &answer), &[]).await.status(), StatusCode::NOT_FOUND);
    for _ in 0..2 {
        assert_eq!(zhou.post(&removal(zhou_link, &answer), &[]).await.status(), StatusCode::SEE_OTHER);
    }
    assert!(!zhou.page(&format!("{zhou_link}/page/2")).await.contains("我也觉得"));

    // the maker reads, mends, answers
    let page = maker.page(&desk).await;
    for words in ["这张太暗", "这页不要了", "2 条意见，2 条还没改", "改第 2 页", "&amp;page=2"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    let own = format!("{desk}/comment/{on_two}");
    assert_eq!(location(&maker.post(&own, &[("act", "done")]).await), format!("{desk}#c-{on_two}"));
    let fields = [("act", "answer"), ("comment", "a-maker-s-answer"), (&*field, "调亮了")];
    assert_eq!(maker.post(&own, &fields).await.status(), StatusCode::SEE_OTHER);
    let page = lin.page(&format!("{lin_link}/page/2")).await;
    assert!(page.contains("改好了") && page.contains("调亮了") && page.contains("作者"));

    // one message each, when they are done
    assert_eq!(
        location(&judge(&lin, lin_link, "print", "1").await),
        format!("{lin_link}?said=print#verdict")
    );
    judge(&zhou, zhou_link, "change", "1").await;
    let message = server.message_to("maker@example.com");
    assert!(message.contains("周先生看完了《海边的夏天》第 1 稿：还要改，写了 1 条意见"), "{message}");
    assert!(maker.page(&desk).await.contains("第 1 稿可以印"));

    // a page goes, the same links show the next round, and what was said of the page is there with its picture
    change(&maker, &work, "2", ("remove", "4")).await;
    let page = maker.page(&desk).await;
    assert!(page.contains("这份同意是给第 1 稿的，作品之后又改过") && page.contains("发出第 2 稿"), "{page}");
    assert!(zhou.page(zhou_link).await.contains("第 1 稿"), "what was asked for stays what it was");
    assert_eq!(ask(&maker, &work, &[("words", "去掉了两页")]).await.status(), StatusCode::SEE_OTHER);
    let front = zhou.page(zhou_link).await;
    for words in ["第 2 稿", "去掉了两页", "第 1 稿的第 4 页，这一稿里没有了", "这页不要了", "和上一稿比"]
    {
        assert!(front.contains(words), "{words}: {front}");
    }
    assert_eq!(zhou.get(&format!("{zhou_link}/picture/1/4/320")).await.status(), StatusCode::OK);
    assert!(lin.page(lin_link).await.contains("您对第 1 稿说过可以印"));
    let changes = lin.page(&format!("{lin_link}/changes")).await;
    assert!(changes.contains("去掉的一页") && changes.contains("页没有变，不在这里列出"), "{changes}");
    assert!(maker.page(&format!("{desk}/changes/2")).await.contains("去掉的一页"));
    let old = refused(judge(&zhou, zhou_link, "print", "1").await).await;
    assert!(old.contains("作者刚刚发来新的一稿"), "{old}");
    judge(&zhou, zhou_link, "print", "2").await;
    assert!(maker.page(&desk).await.contains(&format!("/manager/opus/{work}/revisions/2")));

    // the order says who approved what
    let line = maker.add_to_cart(&work, "album-210").await;
    let says = |page: &str| {
        assert!(page.contains("看的就是这一版（第 2 稿）"), "{page}");
        assert!(page.contains("这份同意是给第 1 稿的，作品之后又改过"), "{page}");
    };
    let order = maker.order_form(&line).await;
    let confirming = format!("/manager/shopping/order/{line}");
    says(&maker.page(&confirming).await);
    let order: Vec<(&str, &str)> = order.iter().map(|(name, value)| (&**name, &**value)).collect();
    let place = location(&maker.post(&confirming, &order).await);
    let order = place.strip_prefix("/manager/shopping/pay?order=").unwrap();
    says(&maker.page(&format!("/manager/order/{order}")).await);
    // from now on it stands
    let late = refused(judge(&lin, lin_link, "print", "2").await).await;
    assert!(late.contains("作者已经按这一稿下单，不能再改了"), "{late}");
    assert!(!lin.page(&format!("{lin_link}/page/2")).await.contains("id=\"write\""));
    let page = maker.page(&desk).await;
    assert!(page.contains("已下单") && page.contains("发出第 3 稿"), "{page}");
    // and what the maker changes afterwards changes nothing of it
    change(&maker, &work, "3", ("add", "2")).await;
    says(&maker.page(&format!("/manager/order/{order}")).await);
}

async fn the_same_approval_at_once_is_one(server: Server) {
    let Editor { member: maker, work, .. } = Editor::of(&server, "once@example.com").await;
    ask(&maker, &work, &[("names", "林老师")]).await;
    let link = links(&maker, &work).await.remove(0);
    let lin = server.visitor();
    let answers = join_all((0..6).map(|_| judge(&lin, &link, "print", "1"))).await;
    for answer in answers {
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    }
    let count = format!("select cast(count(*) as text) from review_verdicts where work_id = '{work}'");
    assert_eq!(server.read(&count).await, "1");
    let messages = |outbox: &str| outbox.matches(&server.own("once@example.com")).count();
    let before = messages(&server.outbox());
    assert_eq!(before, 1, "one message");
    // another mind is another message
    judge(&lin, &link, "change", "1").await;
    assert_eq!(messages(&server.outbox()), 2);
    assert!(lin.page(&link).await.contains("您说了：第 1 稿还要改"));
    // asked twice without a change is one round, and whoever has a link gets no other
    let twice = [("names", "林老师\n周先生")];
    let both = join_all((0..2).map(|_| ask(&maker, &work, &[]))).await;
    assert!(both.iter().all(|answer| answer.status() == StatusCode::SEE_OTHER));
    let adding = format!("/manager/opus/{work}/reviews/links");
    let more = join_all((0..2).map(|_| maker.post(&adding, &twice))).await;
    assert!(more.iter().all(|answer| answer.status() == StatusCode::SEE_OTHER));
    assert_eq!(links(&maker, &work).await.len(), 2);
    let rounds = format!("select cast(count(*) as text) from review_rounds where work_id = '{work}'");
    assert_eq!(server.read(&rounds).await, "1");
}

async fn whoever_has_the_open_link_says_a_name(server: Server) {
    let Editor { member: maker, work, .. } = Editor::of(&server, "open@example.com").await;
    ask(&maker, &work, &[("open", "1")]).await;
    let link = links(&maker, &work).await.remove(0);
    let (one, other) = (server.visitor(), server.visitor());
    let page = one.page(&format!("{link}/page/2")).await;
    assert!(page.contains("您的名字") && !page.contains("id=\"write\""), "first who it is");
    let reviewer = between(&page, "name=\"reviewer\" value=\"", "\"");
    let empty = refused(one.post(&link, &[("reviewer", &reviewer), ("name", "  ")]).await).await;
    assert!(empty.contains("请输入您的名字") && empty.contains("name-error"));
    for _ in 0..2 {
        let answer = one.post(&link, &[("reviewer", &reviewer), ("name", "小 舅")]).await;
        assert_eq!(location(&answer), format!("{link}/page/cover"));
    }
    write(&one, &format!("{link}/page/cover"), "封面换一张", &[]).await;
    // another browser is somebody else, and one without a name says nothing
    assert!(other.page(&link).await.contains("您的名字"));
    assert_eq!(judge(&other, &link, "print", "1").await.status(), StatusCode::CONFLICT);
    let page = maker.page(&format!("/manager/opus/{work}/reviews")).await;
    assert!(page.contains("小 舅") && page.contains("封面换一张") && page.contains("整页"), "{page}");
    let count = format!("select cast(count(*) as text) from reviewers where work_id = '{work}'");
    assert_eq!(server.read(&count).await, "1");
    // who is this on one link is nobody on another
    let Editor { member: second, work: foreign, .. } = Editor::of(&server, "second@example.com").await;
    ask(&second, &foreign, &[("open", "1")]).await;
    let theirs = links(&second, &foreign).await.remove(0);
    assert!(one.page(&theirs).await.contains("您的名字"));
    // and with the link all who came by it are gone; what they said stays
    let id = between(&page, "/reviews/link/", "\"");
    maker.post(&format!("/manager/opus/{work}/reviews/link/{id}"), &[]).await;
    assert_eq!(one.get(&link).await.status(), StatusCode::GONE);
    let page = maker.page(&format!("/manager/opus/{work}/reviews")).await;
    assert!(page.contains("封面换一张") && !page.contains(&link));
    let foreign = second.post(&format!("/manager/opus/{work}/reviews/link/{id}"), &[]).await;
    assert_eq!(foreign.status(), StatusCode::NOT_FOUND);
}

async fn what_makes_no_sense_is_said_beside_its_field(server: Server) {
    let Editor { member: maker, work, .. } = Editor::of(&server, "wrong@example.com").await;
    let desk = format!("/manager/opus/{work}/reviews");
    let long = "长".repeat(501);
    for (fields, words) in [
        (vec![], "请写下看样人的名字"),
        (vec![("names", "名字比二十个字还要长很多很多很多的一位老师")], "名字最多 20 个字"),
        (vec![("names", "林老师"), ("words", &*long)], "要说的话最多 500 个字"),
    ] {
        let page = refused(ask(&maker, &work, &fields).await).await;
        assert!(page.contains(words), "{words}: {page}");
        for (_, typed) in fields {
            assert!(page.contains(typed), "what was typed comes back");
        }
    }
    for (day, words) in
        [("", "请填写最后一天"), ("2020-01-01", "不能早于今天"), (UNTIL.1, "最晚在 180 天以后")]
    {
        let fields = [("revision", "1"), ("names", "林老师"), ("until", day)];
        let page = refused(maker.post(&desk, &fields).await).await;
        assert!(page.contains(words) && page.contains("until-error"), "{day}");
    }
    // another version than the one that was looked at
    change(&maker, &work, "1", ("add", "2")).await;
    let day = soon();
    let stale =
        refused(maker.post(&desk, &[("revision", "1"), ("names", "林老师"), ("until", &day)]).await).await;
    assert!(stale.contains("作品刚刚又改过") && stale.contains("name=\"revision\" value=\"2\""), "{stale}");
    assert!(links(&maker, &work).await.is_empty());

    ask(&maker, &work, &[("names", "林老师")]).await;
    let link = links(&maker, &work).await.remove(0);
    let lin = server.visitor();
    let page = format!("{link}/page/1");
    let shown = lin.page(&page).await;
    let id = between(&shown, "name=\"comment\" value=\"", "\"");
    let empty = [("comment", &*id), ("round", "1"), ("x", "100"), ("y", "900"), ("words", " ")];
    let answer = refused(lin.post(&page, &empty).await).await;
    assert!(answer.contains("请输入意见") && answer.contains("name=\"x\" value=\"100\""), "{answer}");
    let much = [("comment", &*id), ("round", "1"), ("words", &*long)];
    assert!(refused(lin.post(&page, &much).await).await.contains("意见最多 500 个字"));
    let other = [("comment", &*id), ("round", "7"), ("words", "好")];
    assert!(refused(lin.post(&page, &other).await).await.contains("作者刚刚发来新的一稿"));
    assert!(refused(judge(&lin, &link, "maybe", "1").await).await.contains("请选择要做什么"));
    assert_eq!(lin.get(&format!("{link}/page/99")).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(lin.get(&format!("{link}/picture/1/1/99")).await.status(), StatusCode::NOT_FOUND);
    // as many as there may be
    let count = (0..100).map(|n| {
        format!(
            "('many-{n}-{work}', '{work}', 1, (select id from reviewers where work_id = '{work}'), 1, '满', 1)"
        )
    });
    let rows = count.collect::<Vec<_>>().join(", ").replace("many-", "m");
    server
        .sql(&format!(
            "insert into review_comments (id, work_id, round, reviewer_id, page, words, created_at) values {rows}"
        ))
        .await;
    let full = [("comment", &*id), ("round", "1"), ("words", "还有一条")];
    let page = refused(lin.post(&page, &full).await).await;
    assert!(page.contains("已经有 100 条") && page.contains("还有一条"), "{page}");
}

async fn a_link_ends(server: Server) {
    let Editor { member: maker, work, .. } = Editor::of(&server, "ends@example.com").await;
    ask(&maker, &work, &[("names", "林老师")]).await;
    let link = links(&maker, &work).await.remove(0);
    let lin = server.visitor();
    let gone = async |words: &str| {
        for path in [link.clone(), format!("{link}/page/1"), format!("{link}/picture/1/1/320")] {
            let answer = lin.get(&path).await;
            assert_eq!(answer.status(), StatusCode::GONE, "{path}");
            assert!(answer.text().await.unwrap().contains(words), "{path}");
        }
        assert_eq!(judge(&lin, &link, "print", "1").await.status(), StatusCode::GONE);
    };
    let is_open = async || assert_eq!(lin.get(&link).await.status(), StatusCode::OK);
    is_open().await;
    // one letter of it is another's
    for guessed in [link[..link.len() - 1].to_owned(), link.replace('-', "0-"), format!("{link}0")] {
        assert_eq!(lin.get(&guessed).await.status(), StatusCode::NOT_FOUND, "{guessed}");
    }
    server.sql(&format!("update review_rounds set until_at = 1 where work_id = '{work}'")).await;
    gone("看样的时间已经过了").await;
    // asked once more, the same link opens
    ask(&maker, &work, &[]).await;
    is_open().await;
    assert_eq!(maker.post(&format!("/manager/opus/{work}/trash"), &[]).await.status(), StatusCode::SEE_OTHER);
    gone("这件作品现在看不到了").await;
    maker.post(&format!("/manager/opus/{work}/restoration"), &[]).await;
    is_open().await;
    let page = maker.page(&format!("/manager/opus/{work}/reviews")).await;
    let id = between(&page, "/reviews/link/", "\"");
    let answer = maker.post(&format!("/manager/opus/{work}/reviews/link/{id}"), &[]).await;
    assert!(location(&answer).ends_with("?done=withdrawn#people"));
    gone("这个看样链接已经收回").await;
}

async fn a_work_takes_its_reviews_along(server: Server) {
    let left = async |work: &str| {
        let count = |table: &str| format!("(select count(*) from {table} where work_id = '{work}')");
        let tables = ["review_rounds", "review_links", "reviewers", "review_comments", "review_verdicts"];
        let sum = tables.map(count).join(" + ");
        support::wait::eventually(&server, &format!("select cast({sum} as text)"), "0").await;
    };
    for (account, is_closed) in [("along@example.com", false), ("closed@example.com", true)] {
        let Editor { member: maker, work, .. } = Editor::of(&server, account).await;
        ask(&maker, &work, &[("names", "林老师"), ("open", "1")]).await;
        let link = links(&maker, &work).await.remove(0);
        let lin = server.visitor();
        write(&lin, &format!("{link}/page/1"), "好看", &[]).await;
        judge(&lin, &link, "print", "1").await;
        let answer = if is_closed {
            // from that moment on, whenever a job comes to its rows
            for (closed_at, expected) in [("1", StatusCode::NOT_FOUND), ("null", StatusCode::OK)] {
                let sql = "update members set closed_at = ";
                server.sql(&format!("{sql} {closed_at} where id in {}", server.members())).await;
                assert_eq!(lin.get(&link).await.status(), expected);
            }
            let fields = [("word", "注销"), ("current", support::PASSWORD)];
            maker.post("/manager/userInfo/closing", &fields).await
        } else {
            maker.post(&format!("/manager/opus/{work}/trash"), &[]).await;
            maker.post(&format!("/manager/opus/{work}/deletion"), &[]).await
        };
        assert!(answer.status().is_success() || answer.status().is_redirection(), "{}", answer.status());
        left(&work).await;
        assert_eq!(lin.get(&link).await.status(), StatusCode::NOT_FOUND);
    }
}

async fn a_place_is_pressed_or_chosen(server: Server) {
    let Editor { member: maker, work, .. } = Editor::of(&server, "place@example.com").await;
    ask(&maker, &work, &[("names", "林老师")]).await;
    let link = links(&maker, &work).await.remove(0);
    let lin = server.visitor();
    let page = lin.page(&format!("{link}/page/2")).await;
    assert!(page.contains("type=\"image\"") && page.contains("w320") && page.contains("name=\"field\""));
    // a square page of 320 pixels, pressed at its middle and below it
    let pressed = lin.page(&format!("{link}/page/2?w320.x=160&w320.y=240")).await;
    assert!(pressed.contains("name=\"x\" value=\"500\"") && pressed.contains("name=\"y\" value=\"750\""));
    assert!(pressed.contains("<strong>下方</strong>") && pressed.contains("class=\"pending\""));
    for nowhere in ["w320.x=0&w320.y=0", "w321.x=5&w321.y=5", "w320.x=x&w320.y=5", "w320.x=5000&w320.y=-5"] {
        let page = lin.page(&format!("{link}/page/2?{nowhere}")).await;
        assert!(!page.contains("name=\"x\"") && page.contains("name=\"field\""), "{nowhere}");
    }
    // pages that face each other stand together; the first stands alone
    assert!(page.contains("open double"), "{page}");
    assert!(!lin.page(&format!("{link}/page/1")).await.contains("open double"));
    // the maker only looks
    let own = maker.page(&format!("{link}/page/2")).await;
    assert!(own.contains("您是作者") && !own.contains("id=\"write\""));
}
