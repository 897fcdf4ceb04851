//! What was read of a page is put right block by block, by forms; what readers see follows, and steps are undone.

use reqwest::multipart::Form;
use reqwest::{Response, StatusCode};

use support::pdfs::Pdf;
use support::publications::{editor, issue, letters_for, out, paper, set, sheet_of, title};
use support::{Caller, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    articles_are_put_together_and_taken_apart_by_their_blocks;
    on_sqlite:
    parts_that_name_each_other_are_one_article,
    a_step_that_makes_no_sense_changes_nothing,
    ways_to_other_pages_outlast_steps,
);

/// The blocks of a page, by their first words, with what is said of whose they are.
fn blocks(page: &str) -> Vec<(String, String)> {
    let list = between(page, "<ol class=\"blocks\">", "</ol>");
    let line = |line: String| {
        (
            between(&line, "<span>", "</span>"),
            between(&line, "<small", "</small>").split('>').nth(1).unwrap().to_owned(),
        )
    };
    between_all(&list, "<li>", "</li>").into_iter().map(line).collect()
}

fn number_of(page: &str, words: &str) -> String {
    let found = blocks(page).iter().position(|(block, _)| block.starts_with(words));
    found.unwrap_or_else(|| panic!("no {words} in {:?}", blocks(page))).to_string()
}

/// Does something with the block that begins with these words.
async fn step(maker: &Caller, place: &str, act: &str, words: &str, to: &str) -> Response {
    let page = maker.page(place).await;
    let block = number_of(&page, words);
    let revision = between(&page, "name=\"revision\" value=\"", "\"");
    maker.post(place, &[("act", act), ("block", &block), ("to", to), ("revision", &revision)]).await
}

async fn articles_are_put_together_and_taken_apart_by_their_blocks(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, id) = out(&maker, "epaper", "makeup", "2026-11-21", &[]).await;
    let place = format!("/manager/epaper_issue/{id}/1/makeup");
    let visitor = server.visitor();
    let base = "/epaper/makeup/2026-11-21";
    let titles = async || between_all(&visitor.page(&format!("{base}/1")).await, "<strong>", "</strong>");
    assert_eq!(titles().await, ["Trees along the river", "Weather"]);
    let page = maker.page(&place).await;
    assert!(page.contains("data-block=\"0\"") && !page.contains("撤销"), "{page}");
    let found = blocks(&page);
    assert!(found.contains(&("Weather".to_owned(), "标题 · Weather".to_owned())), "{found:?}");
    assert!(
        found.iter().any(|(words, whose)| words.starts_with("Rain is said") && whose == "正文 · Weather")
    );
    let article = async |number: u32| {
        server.read(&format!("select id from articles where issue_id = '{id}' and number = {number}")).await
    };
    let (lead, weather) = (article(1).await, article(2).await);

    // a headline that is none
    location(&step(&maker, &place, "join", "Weather", "").await);
    assert_eq!(titles().await, ["Trees along the river"]);
    let text = visitor.page(&format!("{base}/a/1")).await;
    assert!(text.contains("<p>Weather</p>") && text.contains("Rain is said to come"), "{text}");
    assert_eq!(visitor.get(&format!("{base}/a/2")).await.status(), StatusCode::NOT_FOUND);
    // undone it is as it was, at its address
    let answer = step(&maker, &place, "undo", "Weather", "").await;
    assert!(location(&answer).starts_with(&place));
    assert_eq!(titles().await, ["Trees along the river", "Weather"]);
    assert!(visitor.page(&format!("{base}/a/2")).await.contains("Rain is said to come"));
    assert_eq!(article(2).await, weather);

    // a block of one is another's; then a story of its own
    location(&step(&maker, &place, "move", "Rain is said", &lead).await);
    assert!(visitor.page(&format!("{base}/a/1")).await.contains("Rain is said to come"));
    assert!(!visitor.page(&format!("{base}/a/2")).await.contains("<div class=\"story\"><p>Rain"));
    location(&step(&maker, &place, "split", "Rain is said", "").await);
    assert_eq!(titles().await.len(), 3);
    location(&step(&maker, &place, "up", "Weather", "").await);
    assert_eq!(titles().await[1], "Weather");
    for _ in 0..3 {
        location(&step(&maker, &place, "undo", "Weather", "").await);
    }
    assert_eq!(titles().await, ["Trees along the river", "Weather"]);
    location(&step(&maker, &place, "role-subtitle", "Rain is said", "").await);
    let text = visitor.page(&format!("{base}/a/2")).await;
    assert!(text.contains("<p class=\"subtitle\">Rain is said to come"), "{text}");
    // the areas follow
    let public = visitor.page(&format!("{base}/1")).await;
    assert_eq!(public.matches("<rect").count(), 2, "{public}");

    // what was typed counts, and ends what can be undone
    let form = Form::new()
        .text("article", weather.clone())
        .text("title", "天气")
        .text("text", "有雨。")
        .text("act", "keep");
    location(&maker.post_multipart(&format!("/manager/epaper_issue/{id}/1"), form).await);
    let page = maker.page(&place).await;
    assert!(!page.contains("撤销上一步") && page.contains("块文字不在任何稿件里"), "{page}");
    assert!(blocks(&page).contains(&("Weather".to_owned(), "不在稿件里".to_owned())));
    location(&step(&maker, &place, "move", "Weather", &lead).await);
    assert!(visitor.page(&format!("{base}/a/1")).await.contains("Weather"));

    // an article goes on on another page; headlines are for everybody
    let page = maker.page(&place).await;
    let there = server.read(&format!("select id from articles where issue_id = '{id}' and number = 3")).await;
    let jump = async |next: &str| {
        let fields = [("act", "jump"), ("block", &*number_of(&page, "Trees")), ("next", next)];
        maker.post(&place, &fields).await
    };
    location(&jump(&there).await);
    let text = visitor.page(&format!("{base}/a/1")).await;
    assert_eq!(parts_in(&text), ["3"], "{text}");
    let story = between(&text, "class=\"story\"", "</div>");
    assert_eq!(story.matches("The first line of the lead story runs here").count(), 2, "both parts: {story}");
    assert_eq!(begins(&visitor, &format!("{base}/a/3")).await, format!("{base}/a/1#part-3"));
    // its second page leads to it by headline and area, and no list names it twice
    let page = visitor.page(&format!("{base}/2")).await;
    assert_eq!(page.matches("/a/1#part-3\"").count(), 2, "{page}");
    assert!(!page.contains("/a/3\"") && page.contains("上接 01版"), "{page}");
    let feed = visitor.page("/epaper/makeup/articles.atom").await;
    assert_eq!((feed.matches("<entry>").count(), feed.contains("/a/3\"")), (3, false), "{feed}");
    assert_eq!(feed.matches("The first line of the lead story runs here").count(), 2, "{feed}");
    for wrong in [&*weather, "x"] {
        assert_eq!(jump(wrong).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    location(&jump("").await);
    assert_eq!(parts_in(&visitor.page(&format!("{base}/a/1")).await), [""; 0]);

    // what nobody took yet stays proposed, whatever is done with it
    let draft = issue(&maker, "epaper", &paper_id, "2026-11-22", paper()).await;
    let place = format!("/manager/epaper_issue/{draft}/1/makeup");
    location(&step(&maker, &place, "split", "Rain is said", "").await);
    set(&maker, "epaper", &draft, "publish").await;
    // the page's words are there as they were read, and no article
    let page = visitor.page("/epaper/makeup/2026-11-22/1").await;
    assert!(!page.contains("/2026-11-22/a/"), "{page}");
}

/// The numbers of the parts behind an article's first one, as its page shows them.
fn parts_in(page: &str) -> Vec<String> {
    between_all(page, "id=\"part-", "\"")
}

/// Where the article of a part begins.
async fn begins(visitor: &Caller, part: &str) -> String {
    let answer = visitor.get(part).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{part}");
    answer.headers()["location"].to_str().unwrap().to_owned()
}

async fn ways_to_other_pages_outlast_steps(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "jumping", "2026-11-21", &[]).await;
    let desk = format!("/manager/epaper_issue/{id}");
    let visitor = server.visitor();
    let address = |number: u32| format!("/epaper/jumping/2026-11-21/a/{number}");
    let article = async |number: u32| visitor.page(&address(number)).await;
    let parts = async |number: u32| parts_in(&article(number).await);
    let begins = async |number: u32| begins(&visitor, &address(number)).await;
    let id_of = async |number: u32| {
        server.read(&format!("select id from articles where issue_id = '{id}' and number = {number}")).await
    };
    let jump = async |page: u32, words: &str, next: &str| {
        let place = format!("{desk}/{page}/makeup");
        let block = number_of(&maker.page(&place).await, words);
        maker.post(&place, &[("act", "jump"), ("block", &block), ("next", next)]).await
    };
    let place = format!("{desk}/1/makeup");

    // a way is undone like every other step
    location(&jump(1, "Weather", &id_of(3).await).await);
    assert_eq!(parts(2).await, ["3"]);
    location(&step(&maker, &place, "undo", "Weather", "").await);
    assert_eq!(parts(2).await, [""; 0]);

    // who takes an article in takes its ways, from it and to it; undone they are as they were
    location(&jump(1, "Weather", &id_of(3).await).await);
    location(&step(&maker, &place, "join", "Weather", "").await);
    assert_eq!(parts(1).await, ["3"]);
    assert_eq!(begins(3).await, format!("{}#part-3", address(1)));
    location(&step(&maker, &place, "undo", "Weather", "").await);
    assert_eq!((parts(2).await, parts(1).await), (vec!["3".to_owned()], vec![]));
    assert_eq!(begins(3).await, format!("{}#part-3", address(2)));
    location(&step(&maker, &place, "undo", "Weather", "").await);
    location(&jump(2, "A library", &id_of(2).await).await);
    location(&step(&maker, &place, "join", "Weather", "").await);
    assert_eq!(parts(3).await, ["1"]);
    location(&step(&maker, &place, "undo", "Weather", "").await);
    assert_eq!(parts(3).await, ["2"]);

    // what another page changed meanwhile stays where the way of before would lead nowhere, or back
    let second = format!("{desk}/2/makeup");
    location(&step(&maker, &second, "up", "Football", "").await);
    location(&step(&maker, &place, "join", "Weather", "").await);
    location(&step(&maker, &second, "undo", "Football", "").await);
    assert_eq!(parts(3).await, ["1"]);
    location(&step(&maker, &place, "undo", "Weather", "").await);
    location(&jump(2, "A library", "").await);
    location(&jump(1, "Trees", &id_of(3).await).await);
    location(&jump(1, "Trees", "").await);
    location(&jump(2, "A library", &id_of(1).await).await);
    location(&step(&maker, &place, "undo", "Trees", "").await);
    assert_eq!(parts(3).await, ["1"]);

    // nobody is led in a circle, however long it is
    location(&jump(2, "A library", "").await);
    location(&jump(1, "Trees", &id_of(3).await).await);
    location(&jump(2, "A library", &id_of(2).await).await);
    location(&jump(1, "Weather", &id_of(4).await).await);
    let answer = jump(2, "Football", &id_of(1).await).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(parts(1).await, ["3", "2", "4"]);
    assert_eq!(begins(4).await, format!("{}#part-4", address(1)));

    // a number is one article's for ever: links and 更正 name it
    let form = Form::new().text("article", id_of(4).await).text("act", "remove");
    location(&maker.post_multipart(&format!("{desk}/2"), form).await);
    let new = between(&maker.page(&format!("{desk}/2")).await, "name=\"article\" value=\"", "\"");
    let form = Form::new().text("article", new).text("title", "Ferries").text("act", "keep");
    location(&maker.post_multipart(&format!("{desk}/2"), form).await);
    assert_eq!(visitor.get("/epaper/jumping/2026-11-21/a/4").await.status(), StatusCode::NOT_FOUND);
    assert!(article(5).await.contains("Ferries"));
}

async fn a_step_that_makes_no_sense_changes_nothing(server: Server) {
    let maker = editor(&server).await;
    let (_, id) = out(&maker, "epaper", "no-step", "2026-11-21", &[]).await;
    let place = format!("/manager/epaper_issue/{id}/1/makeup");
    let lead = server.read(&format!("select id from articles where issue_id = '{id}' and number = 1")).await;
    let elsewhere =
        server.read(&format!("select id from articles where issue_id = '{id}' and number = 3")).await;
    let before = maker.page(&place).await;
    for (act, words, to, told) in [
        ("split", "Weather", "", "不能从这里分开"),
        ("join", "Trees", "", "已经在最前面"),
        ("up", "Trees", "", "已经在最前面"),
        ("down", "Weather", "", "最后面"),
        ("move", "Trees", &*lead, "请先选好"),
        ("move", "Trees", &*elsewhere, "请先选好"),
        ("merge", "Weather", "x", "请先选好"),
        ("role-x", "Weather", "", "请先选好"),
        ("undo", "Weather", "", "没有可以撤销的了"),
        ("", "Weather", "", "请先选好"),
    ] {
        let answer = step(&maker, &place, act, words, to).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{act}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told), "{act}: {}", between(&page, "id=\"errors\"", "</div>"));
        let block = number_of(&page, words);
        assert!(page.contains(&format!("value=\"{block}\" checked")), "the choice comes back");
    }
    for block in ["", "x", "99", "-1"] {
        let answer = maker.post(&place, &[("act", "split"), ("block", block)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{block}");
    }
    assert_eq!(blocks(&maker.page(&place).await), blocks(&before));
    // two editors
    let block = number_of(&before, "Weather");
    let seen = between(&before, "name=\"revision\" value=\"", "\"");
    let join = [("act", "join"), ("block", &*block), ("revision", &*seen)];
    location(&maker.post(&place, &join).await);
    let answer = maker.post(&place, &join).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(answer.text().await.unwrap().contains("刚刚在别处改过"));
    // others have no such page
    let other = server.member_of("other@example.com", "0", "超级会员").await;
    assert_eq!(other.get(&place).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(other.post(&place, &join).await.status(), StatusCode::NOT_FOUND);
    for page in ["0", "3"] {
        let place = format!("/manager/epaper_issue/{id}/{page}/makeup");
        assert_eq!(maker.get(&place).await.status(), StatusCode::NOT_FOUND);
        assert_eq!(maker.post(&place, &join).await.status(), StatusCode::NOT_FOUND);
    }
}

/// A paper whose lead goes on on its second page, and whose second story says so, too, but on a page that knows nothing of it.
fn going_on() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let marks = [('X', "（下转02版）"), ('Z', "（上接01版）"), ('Q', "（下转04版）")];
    let resources = letters_for(&mut pdf, &marks);
    let first = sheet_of(
        pdf,
        [
            "Harvest in the valley",
            "The rice stands higher than last year",
            "and is cut by hand and by machine. X",
        ],
        [
            "Weather",
            "Rain is said to come tomorrow in the afternoon",
            "so that everybody takes an umbrella. Q",
        ],
        resources.clone(),
    );
    sheet_of(
        first,
        [
            "Harvest in the valley",
            "Z On the hills they begin a week later",
            "because the nights are cool there.",
        ],
        ["Football", "The team of the mill wins by three to two", "before four hundred who look on."],
        resources,
    )
    .bytes()
}

async fn parts_that_name_each_other_are_one_article(server: Server) {
    let maker = editor(&server).await;
    let title = title(&maker, "epaper", "going-on", &[]).await;
    let id = issue(&maker, "epaper", &title, "2026-11-21", going_on()).await;
    let desk = format!("/manager/epaper_issue/{id}");
    // what is not sure is said where the issue is made, and on its page
    for place in [&*desk, &format!("{desk}/1/makeup")] {
        let page = maker.page(place).await;
        let loose = between(&page, "id=\"loose-ends\"", "</section>");
        assert!(loose.contains("01版 Weather") && loose.contains("下转 04版"), "{loose}");
        assert!(!loose.contains("Harvest"), "{loose}");
    }
    assert!(!maker.page(&format!("{desk}/2/makeup")).await.contains("loose-ends"));
    location(&maker.post(&format!("{desk}/proposals"), &[]).await);
    set(&maker, "epaper", &id, "publish").await;
    let visitor = server.visitor();
    let base = "/epaper/going-on/2026-11-21";
    let text = visitor.page(&format!("{base}/a/1")).await;
    let story = between(&text, "class=\"story\"", "</div>");
    assert!(story.contains("by machine.") && story.contains("the nights are cool there."), "{story}");
    assert!(!story.contains("下转") && !story.contains("上接"), "the way says it: {story}");
    assert!(story.contains(&format!("接 <a href=\"{base}/2\">02版</a>")), "{story}");
    assert_eq!(begins(&visitor, &format!("{base}/a/3?q=cool")).await, format!("{base}/a/1?q=cool#part-3"));
    assert!(text.contains("\"pagination\":\"1, 2\""), "{text}");
    // what leads nowhere keeps its words
    assert!(visitor.page(&format!("{base}/a/2")).await.contains("（下转04版）"));
    // the front page names it once
    let front = visitor.page("/epaper/going-on").await;
    assert!(front.contains("/a/1\"") && !front.contains("/a/3"), "{front}");
    // a part of another name says so
    server
        .sql(&format!(
            "update articles set title = '（上接01版）山上晚一周' where issue_id = '{id}' and number = 3"
        ))
        .await;
    let text = visitor.page(&format!("{base}/a/1")).await;
    assert!(between(&text, "class=\"called\">", "<") == "山上晚一周", "{text}");
    // a part that is taken away leaves a loose end, and the words that lead to it
    let part = server.read(&format!("select id from articles where issue_id = '{id}' and number = 3")).await;
    let form = Form::new().text("article", part).text("act", "remove");
    location(&maker.post_multipart(&format!("{desk}/2"), form).await);
    assert!(between(&maker.page(&desk).await, "id=\"loose-ends\"", "</section>").contains("Harvest"));
    assert!(visitor.page(&format!("{base}/a/1")).await.contains("（下转02版）"));
}
