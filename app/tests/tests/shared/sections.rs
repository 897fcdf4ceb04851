//! /epaper/{title}/section/{name} and /magazine/{title}/section/{name}: pages of one name are followed over issues.

use reqwest::StatusCode;

use support::publications::{editor, issue, out, paper, set, title};
use support::{Caller, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    a_section_is_followed_over_issues,
    a_long_section_is_read_page_by_page;
    on_sqlite:
    headlines_of_what_is_sold_are_shown_and_no_texts,
    a_magazine_has_sections_too,
);

/// 副刊 as an address has it.
const SUPPLEMENT: &str = "%E5%89%AF%E5%88%8A";

/// Names the pages of an issue.
async fn name(
    maker: &Caller,
    kind: &str,
    issue: &str,
    (day, number): (&str, &str),
    [first, second]: [&str; 2],
) {
    let fields = [("day", day), ("number", number), ("total", number), ("page-1", first), ("page-2", second)];
    location(&maker.post(&format!("/manager/{kind}_issue/{issue}"), &fields).await);
}

/// An issue of a title that came out, its pages named.
async fn named(
    maker: &Caller,
    kind: &str,
    title: &str,
    (day, number): (&str, &str),
    names: [&str; 2],
) -> String {
    let id = issue(maker, kind, title, day, paper()).await;
    name(maker, kind, &id, (day, number), names).await;
    location(&maker.post(&format!("/manager/{kind}_issue/{id}/proposals"), &[]).await);
    set(maker, kind, &id, "publish").await;
    id
}

/// The pages that a section lists, by their addresses.
fn listed(page: &str) -> Vec<String> {
    between_all(&between(page, "<ol class=\"section-pages\">", "</ol>"), "<h2><a href=\"", "\"")
}

async fn a_section_is_followed_over_issues(server: Server) {
    let maker = editor(&server).await;
    let paper_id = title(&maker, "epaper", "sections-a", &[]).await;
    let home = "/epaper/sections-a";
    // as they were typed: with space around it, a letter decomposed
    named(&maker, "epaper", &paper_id, ("2026-11-19", "1"), ["要闻", " 副刊\u{3000}"]).await;
    named(&maker, "epaper", &paper_id, ("2026-11-20", "2"), ["要闻", "Cafe\u{301}"]).await;
    let newest = named(&maker, "epaper", &paper_id, ("2026-11-21", "3"), ["副刊", "副刊"]).await;
    let draft = issue(&maker, "epaper", &paper_id, "2026-11-22", paper()).await;
    name(&maker, "epaper", &draft, ("2026-11-22", "4"), ["要闻", "副刊"]).await;
    let visitor = server.visitor();

    // the title's page leads there
    let front = visitor.page(home).await;
    let nav = between(&front, "class=\"sections\">", "</nav>");
    assert_eq!(
        between_all(&nav, "<a href=\"", "</a>"),
        [
            format!("{home}/section/{SUPPLEMENT}\">副刊<small>3 版</small>"),
            format!("{home}/section/%E8%A6%81%E9%97%BB\">要闻<small>2 版</small>"),
            format!("{home}/section/Caf%C3%A9\">Café<small>1 版</small>"),
        ],
        "{nav}"
    );
    let section = format!("{home}/section/{SUPPLEMENT}");
    let page = visitor.page(&section).await;
    let expected = ["2026-11-21/1", "2026-11-21/2", "2026-11-19/2"].map(|page| format!("{home}/{page}"));
    assert_eq!(listed(&page), expected, "the newest first, of issues that came out: {page}");
    let list = between(&page, "<ol class=\"section-pages\">", "</ol>");
    assert_eq!(
        list.split("<strong>")
            .skip(1)
            .map(|rest| rest.split("</strong>").next().unwrap())
            .collect::<Vec<_>>(),
        [
            "Trees along the river",
            "Weather",
            "A library in a tea mill",
            "Football",
            "A library in a tea mill",
            "Football"
        ],
        "{list}"
    );
    assert!(list.contains(&format!("href=\"{home}/2026-11-19/a/3\"")) && !list.contains("lead story"));
    assert!(page.contains("<title>副刊 · 西湖晚报"), "{page}");
    assert_eq!(page.matches("<h1").count(), 1);
    let canonical = between(&page, "rel=\"canonical\" href=\"", "\"");
    assert_eq!(canonical, format!("{}{section}", server.base));
    let description = between(&page, "name=\"description\" content=\"", "\"");
    assert!(description.starts_with("《西湖晚报》各期的“副刊”。Trees along the river；"), "{description}");

    // however the name is written; an unknown one is none
    for same in ["%20%E5%89%AF%E5%88%8A%20", "%E5%89%AF%E5%88%8A%E3%80%80", "副刊"] {
        let page = visitor.page(&format!("{home}/section/{same}")).await;
        assert_eq!(between(&page, "rel=\"canonical\" href=\"", "\""), canonical, "{same}");
    }
    for same in ["Caf%C3%A9", "Cafe%CC%81"] {
        assert_eq!(listed(&visitor.page(&format!("{home}/section/{same}")).await).len(), 1, "{same}");
    }
    // kept before names were composed
    server
        .sql(&format!(
            "update issue_pages set name = 'Cafe\u{301}' where name = 'Caf\u{e9}' and issue_id in
             (select id from issues where publication_id = '{paper_id}')"
        ))
        .await;
    assert_eq!(listed(&visitor.page(&format!("{home}/section/Caf%C3%A9")).await).len(), 1);
    assert!(visitor.page(home).await.contains("Caf%C3%A9"));
    for unknown in [
        "%E5%89%AF",
        "nowhere",
        "%20",
        "%00",
        "a%0Ab",
        "%FF",
        &"x".repeat(2_000),
        "%E5%89%AF%E5%88%8A?page=2",
    ] {
        let answer = visitor.get(&format!("{home}/section/{unknown}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{unknown}");
    }
    for wrong in ["0", "-1", "x", "9223372036854775807"] {
        let answer = visitor.get(&format!("{section}?page={wrong}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{wrong}");
    }
    let other_kind = visitor.get(&format!("/magazine/sections-a/section/{SUPPLEMENT}")).await;
    assert_eq!(other_kind.status(), StatusCode::NOT_FOUND);

    // an article names its page, and that its section
    let article = visitor.page(&format!("{home}/2026-11-19/a/3")).await;
    let byline = between(&article, "class=\"byline\"", "</p>");
    assert!(byline.contains(&format!("href=\"{home}/2026-11-19/2\">02版</a>")), "{byline}");
    assert!(byline.contains(&format!("href=\"{section}\"")) && byline.contains(">副刊</a>"), "{byline}");

    // what is withdrawn leaves it
    set(&maker, "epaper", &newest, "withdraw").await;
    assert_eq!(listed(&visitor.page(&section).await), [format!("{home}/2026-11-19/2")]);
    assert!(visitor.page(home).await.contains("副刊<small>1 版"));
}

async fn a_long_section_is_read_page_by_page(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, first) = out(&maker, "epaper", "sections-b", "2026-01-01", &[]).await;
    // as many more as fill a page, day by day, one of them of long ago
    for number in 2..=26 {
        let day = if number == 26 { "2024-12-31".to_owned() } else { format!("2026-02-{number:02}") };
        let (id, year) = (format!("{first}-{number}"), &day[..4]);
        server
            .sql(&format!(
                "insert into issues (id, publication_id, member_id, day, year, number, total, name, state, document,
                    width, height, pages, picture_key, created_at, updated_at)
                 select '{id}', publication_id, member_id, '{day}', {year}, {number}, {number}, name, state, document,
                    width, height, pages, picture_key, created_at, updated_at from issues where id = '{first}'"
            ))
            .await;
        let name = if number == 26 { "旧闻" } else { "要闻" };
        server
            .sql(&format!(
                "insert into issue_pages (issue_id, page, name, links, letters) values ('{id}', 1, '{name}', '[]', 0)"
            ))
            .await;
    }
    assert_eq!(
        server
            .read(&format!("select cast(count(*) as text) from issues where publication_id = '{paper_id}'"))
            .await,
        "26"
    );
    let visitor = server.visitor();
    let section = "/epaper/sections-b/section/%E8%A6%81%E9%97%BB";
    let page = visitor.page(section).await;
    let days = listed(&page);
    assert_eq!((days.len(), days[0].as_str()), (24, "/epaper/sections-b/2026-02-25/1"));
    assert!(
        page.contains(&format!("rel=\"next\" href=\"{section}?page=2\"")) && !page.contains("rel=\"prev\"")
    );
    let second = visitor.page(&format!("{section}?page=2")).await;
    assert_eq!(listed(&second), ["/epaper/sections-b/2026-01-01/1"]);
    assert!(second.contains("Trees along the river") && !second.contains("rel=\"next\""));
    assert!(second.contains(&format!("rel=\"prev\" href=\"{section}\"")) && second.contains("第 2 页"));
    let canonical = between(&second, "rel=\"canonical\" href=\"", "\"");
    assert_eq!(canonical, format!("{}{section}?page=2", server.base));
    assert_eq!(visitor.get(&format!("{section}?page=3")).await.status(), StatusCode::NOT_FOUND);
    // of the last year's issues the title's page has the sections; older ones stay where they are
    let front = visitor.page("/epaper/sections-b").await;
    let nav = between(&front, "class=\"sections\">", "</nav>");
    assert!(nav.contains("要闻<small>25 版") && !nav.contains("旧闻"), "{nav}");
    assert_eq!(listed(&visitor.page("/epaper/sections-b/section/%E6%97%A7%E9%97%BB").await).len(), 1);
}

async fn headlines_of_what_is_sold_are_shown_and_no_texts(server: Server) {
    let maker = editor(&server).await;
    let sold = [("reading", "sold"), ("issue_price", "6"), ("preview_pages", "1")];
    let paper_id = title(&maker, "epaper", "sections-c", &sold).await;
    named(&maker, "epaper", &paper_id, ("2026-11-20", "1"), ["要闻", "副刊"]).await;
    let visitor = server.visitor();
    let closed = visitor.page(&format!("/epaper/sections-c/section/{SUPPLEMENT}")).await;
    assert!(closed.contains("A library in a tea mill") && closed.contains("付费"), "{closed}");
    assert!(!closed.contains("lead story") && !closed.contains("/picture/"), "{closed}");
    let open = visitor.page("/epaper/sections-c/section/%E8%A6%81%E9%97%BB").await;
    assert!(open.contains("Trees along the river") && !open.contains("付费"), "{open}");
    let own = maker.page(&format!("/epaper/sections-c/section/{SUPPLEMENT}")).await;
    assert!(own.contains("A library in a tea mill") && !own.contains("付费"), "{own}");
}

async fn a_magazine_has_sections_too(server: Server) {
    let maker = editor(&server).await;
    let id = title(&maker, "magazine", "sections-d", &[]).await;
    named(&maker, "magazine", &id, ("2026-10-01", "1"), ["卷首语", "山里/海边"]).await;
    named(&maker, "magazine", &id, ("2026-11-01", "2"), ["茶厂的夜班", "山里/海边"]).await;
    let visitor = server.visitor();
    let front = visitor.page("/magazine/sections-d").await;
    let nav = between(&front, "class=\"sections\">", "</nav>");
    // what stands in one issue alone is a chapter
    assert!(
        nav.contains("山里/海边<small>2 页") && !nav.contains("卷首语") && !nav.contains("夜班"),
        "{nav}"
    );
    // a name with a slash in it is one part of an address
    let address = between_all(&nav, "<a href=\"", "\"").pop().unwrap();
    assert!(address.contains("%2F"), "{address}");
    let page = visitor.page(&address).await;
    assert_eq!(listed(&page), ["/magazine/sections-d/2/2", "/magazine/sections-d/1/2"]);
    assert!(page.contains("2026 年第\u{a0}1\u{a0}期 第\u{a0}2 页"), "{page}");
}
