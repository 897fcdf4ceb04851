//! /epaper/{title}/search, /manager/publications/search, /manager/epaper/search: words are looked for in all issues, as far as
//! whoever asks may read them.

use reqwest::StatusCode;
use reqwest::multipart::Form;

use support::publications::{editor, issue, out, paper, set, title};
use support::wait::until;
use support::{Caller, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    words_are_found_in_all_issues_of_a_title,
    what_is_closed_is_in_no_answer,
    a_desk_finds_what_readers_do_not_see_yet,
    ; on_sqlite:
    letters_are_found_however_they_are_written,
    what_can_not_be_asked_is_said_beside_the_field,
);

/// Writes an article on a page of an issue.
async fn write(maker: &Caller, kind: &str, issue: &str, page: usize, id: &str, title: &str, text: &str) {
    let place = format!("/manager/{kind}_issue/{issue}/{page}");
    let revision = between(&maker.page(&place).await, "name=\"revision\" value=\"", "\"");
    let form = [
        ("article", id),
        ("title", title),
        ("text", text),
        ("x", "100"),
        ("y", "700"),
        ("width", "500"),
        ("height", "200"),
        ("areas", ""),
        ("telling", "typo"),
        ("revision", &revision),
        ("act", "keep"),
    ];
    let form = form.into_iter().fold(Form::new(), |form, (name, value)| form.text(name, value.to_owned()));
    let answer = maker.post_multipart(&place, form).await;
    if answer.status() != StatusCode::SEE_OTHER {
        panic!("{}", answer.text().await.unwrap());
    }
}

/// The headlines of an answer, in their order.
fn hits(page: &str) -> Vec<String> {
    let plain = page.replace("<mark>", "").replace("</mark>", "");
    between_all(&plain, "<li><h2><a href=\"", "</a>")
        .into_iter()
        .map(|hit| hit.split_once('>').unwrap().1.to_owned())
        .collect()
}

/// Waits until every page of a title has been read, where it is out, and is in the index.
async fn taken_in(server: &Server, title: &str) {
    let waiting = format!(
        "select i.id from issues i join issue_pages p on p.issue_id = i.id
         where i.publication_id = '{title}' and i.state = 'published'
           and not exists (select 1 from issue_words w where w.issue_id = p.issue_id and w.page = p.page)
         union all select issue_id from search_pages where publication_id = '{title}' and is_kept = 0"
    );
    until("the pages are in the index", async || server.column(&waiting).await.is_empty()).await;
}

async fn words_are_found_in_all_issues_of_a_title(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, first) = out(&maker, "epaper", "find-a", "2026-01-10", &[]).await;
    let second = issue(&maker, "epaper", &paper_id, "2026-02-20", paper()).await;
    set(&maker, "epaper", &second, "publish").await;
    write(&maker, "epaper", &first, 1, "find-a-1", "西湖音乐节开幕", "湖边搭起了舞台，\n晚上很热闹。").await;
    write(&maker, "epaper", &first, 2, "find-a-2", "本市新闻", "今年的西湖音乐节来了三万人。").await;
    write(&maker, "epaper", &second, 1, "find-a-3", "春天的安排", "西湖边的茶园开放，音乐会在周末。").await;
    write(&maker, "epaper", &second, 2, "find-a-4", "节气", "音乐节与西湖：一个回顾。西湖音乐节还会再来。")
        .await;
    taken_in(&server, &paper_id).await;
    let visitor = server.visitor();
    let ask = async |query: &str| visitor.page(&format!("/epaper/find-a/search?{query}")).await;
    let empty = ask("").await;
    assert!(empty.contains("role=\"search\"") && empty.contains("noindex") && !empty.contains("没有找到"));
    assert!(visitor.page("/epaper/find-a").await.contains("/epaper/find-a/search"), "the way to it");

    // a phrase: headlines first, then the newest
    let page = ask("q=西湖音乐节").await;
    assert_eq!(hits(&page), ["西湖音乐节开幕", "节气", "本市新闻"], "{page}");
    assert!(page.contains("noindex") && page.contains("在 3 处"), "{page}");
    assert!(page.contains("今年的<mark>西湖音乐节</mark>来了三万人。"), "{page}");
    // words: all of them have to be there, those that stand together go first
    let page = ask("q=西湖+音乐").await;
    assert_eq!(hits(&page), ["西湖音乐节开幕", "节气", "本市新闻", "春天的安排"], "{page}");
    assert_eq!(
        hits(&ask("q=西湖+音乐&order=time").await),
        ["春天的安排", "节气", "西湖音乐节开幕", "本市新闻"]
    );
    // a word may stand on two lines' ends only within its paragraph
    assert!(hits(&ask("q=舞台晚上").await).is_empty(), "two paragraphs are two");
    // filters
    assert_eq!(hits(&ask("q=西湖&from=2026-02-01").await), ["春天的安排", "节气"]);
    assert_eq!(hits(&ask("q=西湖&until=2026/2/19&page=2").await), ["本市新闻"]);
    assert_eq!(hits(&ask("q=西湖&until=2026-02-19&page=要闻").await), ["西湖音乐节开幕"]);
    // words of the page that no article says
    let page = ask("q=umbrella&from=2026-02-01").await;
    assert_eq!(hits(&page), ["01版 要闻", "02版"], "{page}");

    // nothing found says what could be tried, with the question still there
    let page = ask("q=西湖冬泳&from=2026-01-01").await;
    assert!(page.contains("没有找到“西湖冬泳”") && page.contains("value=\"西湖冬泳\""), "{page}");
    assert!(
        page.contains("不限日期") && page.contains("只找“西湖”") && page.contains("只找“冬泳”"),
        "{page}"
    );

    // the article and the picture of its page show where it is
    let page = ask("q=西湖+茶园").await;
    let article = between(&page, "<h2><a href=\"", "\"").replace("&amp;", "&");
    let article = visitor.page(&article).await;
    assert!(article.contains("<mark>西湖</mark>边的<mark>茶园</mark>"), "{article}");
    let page = ask("q=umbrella").await;
    let plate = visitor.page(&between(&page, "<h2><a href=\"", "\"")).await;
    assert!(between(&plate, "class=\"marks\"", "</svg>").contains("<rect"), "{plate}");

    // what is changed is found as it is now, and what is withdrawn nowhere
    write(&maker, "epaper", &first, 2, "find-a-2", "本市新闻", "今年的灯会来了三万人。").await;
    taken_in(&server, &paper_id).await;
    assert_eq!(hits(&ask("q=西湖音乐节").await), ["西湖音乐节开幕", "节气"]);
    assert_eq!(hits(&ask("q=灯会").await), ["本市新闻"]);
    set(&maker, "epaper", &first, "withdraw").await;
    assert_eq!(hits(&ask("q=西湖音乐节").await), ["节气"]);
    assert!(hits(&ask("q=灯会").await).is_empty());
    let answer = visitor.get("/epaper/find-nobody/search?q=西湖").await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

async fn what_is_closed_is_in_no_answer(server: Server) {
    let maker = editor(&server).await;
    let sold = [("reading", "sold"), ("issue_price", "6"), ("preview_pages", "1")];
    let (paper_id, id) = out(&maker, "epaper", "find-b", "2026-01-10", &sold).await;
    let own = server.own("暗号");
    let open = format!("{own}甲在试读版");
    write(&maker, "epaper", &id, 1, "find-b-1", &format!("{own}试读"), &format!("{open}。")).await;
    write(&maker, "epaper", &id, 2, "find-b-2", &format!("{own}付费"), "谜底是龙井问茶。").await;
    taken_in(&server, &paper_id).await;
    let (visitor, reader) = (server.visitor(), server.member("reader@example.com", "10").await);
    let ask = async |who: &Caller, words: &str| who.page(&format!("/epaper/find-b/search?q={words}")).await;
    for nobody in [&visitor, &reader] {
        let page = ask(nobody, "龙井问茶").await;
        assert!(hits(&page).is_empty() && page.contains("没有找到"), "{page}");
        // its headline is on public pages anyway, and nothing else of it
        let page = ask(nobody, &format!("{own}付费")).await;
        assert_eq!(hits(&page), [format!("{own}付费")], "{page}");
        assert!(page.contains("class=\"locked\"") && !page.contains("谜底"), "{page}");
        assert_eq!(hits(&ask(nobody, &format!("{own}甲")).await).len(), 1);
        // the same words stand on both pages, of which one is open
        assert_eq!(hits(&ask(nobody, "umbrella").await), ["Weather"]);
    }
    // what may be read is found in the study, and nothing that may not
    let mine = async |words: &str| reader.page(&format!("/manager/publications/search?q={words}")).await;
    assert_eq!(hits(&mine(&own).await), [format!("{own}试读")]);
    let sale = location(&reader.post(&format!("/manager/issue/{id}/purchase"), &[]).await);
    location(&reader.post(&sale, &[("method", "balance")]).await);
    let page = ask(&reader, "龙井问茶").await;
    assert_eq!(hits(&page), [format!("{own}付费")]);
    assert!(page.contains("谜底是<mark>龙井问茶</mark>。"), "{page}");
    let mut found = hits(&mine(&own).await);
    found.sort();
    assert_eq!(found, [format!("{own}付费"), format!("{own}试读")]);
    assert!(hits(&ask(&visitor, "龙井问茶").await).is_empty());
    assert_eq!(hits(&ask(&maker, "龙井问茶").await).len(), 1, "it is its maker's");
    // withdrawn it is found by whoever bought it, and by nobody else
    set(&maker, "epaper", &id, "withdraw").await;
    let page = mine(&own).await;
    let mut found = hits(&page);
    found.sort();
    assert_eq!(found, [format!("{own}付费"), format!("{own}试读")]);
    assert!(page.contains("href=\"/epaper/find-b/2026-01-10/a/") && page.contains("已撤回"), "{page}");
    let stranger = server.member("stranger@example.com", "0").await;
    assert!(hits(&stranger.page(&format!("/manager/publications/search?q={own}")).await).is_empty());
    let all = [("act", "withdraw"), ("refund", "all")];
    location(&maker.post(&format!("/manager/epaper_issue/{id}/state"), &all).await);
    until("the money is back", async || reader.balance().await == "10.00").await;
    assert!(hits(&mine(&own).await).is_empty());
    assert!(
        reader.page("/manager/book-study").await.contains("/manager/publications/search"),
        "the way to it"
    );
}

async fn a_desk_finds_what_readers_do_not_see_yet(server: Server) {
    let maker = editor(&server).await;
    let paper_id = title(&maker, "epaper", "find-c", &[]).await;
    let id = issue(&maker, "epaper", &paper_id, "2026-03-10", paper()).await;
    write(&maker, "epaper", &id, 1, "find-c-1", "还没发的稿", "草稿里的龙井问茶。").await;
    taken_in(&server, &paper_id).await;
    let desk = async |words: &str| maker.page(&format!("/manager/epaper/search?q={words}")).await;
    let page = desk("龙井问茶").await;
    assert_eq!(hits(&page), ["还没发的稿"], "{page}");
    assert!(
        page.contains("草稿") && page.contains(&format!("href=\"/manager/epaper_issue/{id}/1\"")),
        "{page}"
    );
    let page = desk("Football").await;
    assert!(page.contains("建议") && hits(&page) == ["Football"], "{page}");
    assert!(hits(&maker.page("/manager/magazine/search?q=龙井问茶").await).is_empty(), "the other desk");
    assert!(maker.page("/manager/epaper").await.contains("/manager/epaper/search"), "the way to it");
    let other = server.member_of("other@example.com", "0", "超级会员").await;
    assert!(hits(&other.page("/manager/epaper/search?q=龙井问茶").await).is_empty(), "somebody else's");
    assert!(hits(&other.page("/manager/publications/search?q=草稿里的龙井问茶").await).is_empty());
    let answer = server.visitor().get("/epaper/find-c/search?q=龙井问茶").await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND, "nothing came out yet");

    // readers find another of the house's titles where they ask for it
    set(&maker, "epaper", &id, "publish").await;
    let (other_id, _) = out(&maker, "magazine", "find-c-m", "2026-03-11", &[]).await;
    taken_in(&server, &other_id).await;
    let visitor = server.visitor();
    let ask = async |more: &str| visitor.page(&format!("/magazine/find-c-m/search?q=龙井问茶{more}")).await;
    assert!(hits(&ask("").await).is_empty());
    let page = ask("&of=house").await;
    assert_eq!(hits(&page), ["还没发的稿"], "{page}");
    assert!(
        page.contains("连同西湖文化站主办的其他报刊") && page.contains("<span>西湖晚报</span>"),
        "{page}"
    );
}

async fn letters_are_found_however_they_are_written(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, id) = out(&maker, "epaper", "find-d", "2026-01-10", &[]).await;
    let text = "他说……然后走了。\n宽 12㎜ 的eﬀekt。\nCafé am Straßenrand, İstanbul.\n西\u{200b}湖龙井";
    write(&maker, "epaper", &id, 1, "find-d-1", "字形", text).await;
    taken_in(&server, &paper_id).await;
    let visitor = server.visitor();
    for (words, marked) in [
        ("……", "……"),
        ("说……然", "说……然"),
        ("㎜", "㎜"),
        ("mm", "㎜"),
        ("12mm", "12㎜"),
        ("ﬀ", "ﬀ"),
        ("effekt", "eﬀekt"),
        ("cafe\u{301}", "Café"),
        ("STRASSEN", "Straßen"),
        ("istanbul", "İstanbul"),
        ("西湖龙井", "西湖龙井"),
        ("西\u{200b}湖", "西湖"),
    ] {
        let page = visitor.page(&format!("/epaper/find-d/search?q={words}")).await;
        assert_eq!(hits(&page), ["字形"], "{words}: {page}");
        assert!(page.contains(&format!("<mark>{marked}</mark>")), "{words}: {page}");
        let page = visitor.page(&format!("/epaper/find-d/2026-01-10/search?q={words}")).await;
        assert!(page.contains(&format!("<mark>{marked}</mark>")), "in the issue, {words}: {page}");
    }
    for nothing in ["%25%25", "cafe+am+strand", "__"] {
        let page = visitor.page(&format!("/epaper/find-d/search?q={nothing}")).await;
        assert!(page.contains("没有找到"), "{nothing}: {page}");
    }
}

async fn what_can_not_be_asked_is_said_beside_the_field(server: Server) {
    let maker = editor(&server).await;
    out(&maker, "epaper", "find-e", "2026-01-10", &[]).await;
    let places = ["/epaper/find-e/search", "/manager/publications/search", "/manager/epaper/search"];
    let long = "长".repeat(61);
    for place in places {
        for (query, field, said) in [
            ("q=西湖&from=2026-02-30", "from", "日期写成"),
            ("q=西湖&until=昨天", "until", "日期写成"),
            ("q=西湖&from=2026-03-01&until=2026-02-01", "until", "结束日期不能早于开始日期"),
            ("q=西湖&page=999", "page", "版次是 1 到"),
            ("q=湖", "q", "至少写两个"),
            (&format!("q={long}"), "q", "最多写 60 个字"),
            ("q=一二+三四+五六+七八+九十+百千", "q", "一次最多找 5 个词"),
        ] {
            let answer = maker.get(&format!("{place}?{query}")).await;
            assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{place} {query}");
            let page = answer.text().await.unwrap();
            let error = between(&page, &format!("id=\"{field}-error\""), "</p>");
            assert!(error.contains(said), "{place} {query}: {error}");
            assert!(page.contains("noindex") || place.starts_with("/manager"), "{page}");
            if query.starts_with("q=西湖") {
                assert!(page.contains("value=\"西湖\""), "{place} {query}: what was typed is there");
            }
        }
    }
}
