//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

use domain::publication::Kind;
use publications::tested::{Asked, Candidate, MOST_HITS, Words, entries, kind_of, named, ranked, token};
use web::render::Form;

#[test]
fn an_address_says_its_kind() {
    for (path, kind) in [
        ("/epaper/x/2026-11-21/1", Some(Kind::Epaper)),
        ("/magazine/x", Some(Kind::Magazine)),
        ("/manager/epaper/new", Some(Kind::Epaper)),
        ("/manager/magazine_issue/abc/1", Some(Kind::Magazine)),
        ("/manager/epaper_sell", None),
        ("/", None),
    ] {
        assert_eq!(kind_of(path).ok(), kind, "{path}");
    }
}

#[test]
fn what_is_found_twice_is_shown_once() {
    let one = |place: i64, is_whole: i64| Candidate { place, is_open: 1, is_whole };
    let (by_fit, is_cut) =
        ranked(&[one(1, 0), one(2, 1)], &[one(4, 0), one(3, 1), one(2, 1), one(1, 1)], false);
    assert_eq!(
        (by_fit.iter().map(|(place, _)| *place).collect::<Vec<_>>(), is_cut),
        (vec![2, 1, 3, 4], false)
    );
    let (by_time, _) = ranked(&[one(1, 0)], &[one(3, 0), one(4, 1)], true);
    assert_eq!(by_time.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [4, 3, 1]);
    let many: Vec<Candidate> = (0..=MOST_HITS as i64).map(|place| one(place, 1)).collect();
    let (all, is_cut) = ranked(&[], &many, false);
    assert_eq!((all.len(), is_cut), (MOST_HITS, true));
}

#[test]
fn a_form_says_what_is_asked_or_what_is_wrong() {
    let form = |fields: &[(&str, &str)]| {
        let mut form =
            Form::sent(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        (Asked::read(&mut form), form)
    };
    assert!(form(&[]).0.is_none() && !form(&[("q", "")]).1.is_refused());
    let asked =
        form(&[("q", "西湖"), ("from", "2026/1/2"), ("page", "第3版"), ("sheet", "99"), ("order", "time")]);
    let asked = asked.0.unwrap();
    assert_eq!(
        (asked.from.unwrap().to_string().as_str(), asked.page, asked.sheet),
        ("2026-01-02", Some(3), 10)
    );
    assert!(asked.by_time && asked.is_narrow());
    assert_eq!(form(&[("q", "西湖"), ("page", "要闻")]).0.unwrap().section, "要闻");
    for (fields, wrong) in [
        (&[("q", "西湖"), ("from", "2026-02-30")][..], "from"),
        (&[("q", "西湖"), ("from", "2026-02-03"), ("until", "2026-02-02")], "until"),
        (&[("q", "西湖"), ("page", "201")], "page"),
        (&[("q", "湖")], "q"),
        (&[("q", ""), ("from", "2026-02-03")], "q"),
    ] {
        let (asked, form) = form(fields);
        assert!(asked.is_none() && form.error(wrong).is_some(), "{fields:?}");
    }
}

fn article(number: i64, is_proposed: i64, title: &str, text: &str) -> Words {
    (number, is_proposed, String::new(), title.into(), "副题".into(), "作者".into(), text.into())
}

#[test]
fn a_page_says_what_no_article_of_its_readers_says() {
    let blocks = r#"[{"role":"heading","text":"河边种树","lines":[]},{"role":"body","text":"第一段。第二\n段。","lines":[]},
        {"role":"body","text":"广告：西湖茶楼","lines":[]},{"role":"body","text":"还没有看过的稿件","lines":[]}]"#;
    let articles =
        vec![article(1, 0, "河边种树", "第一段。\n第二段。"), article(2, 1, "提要", "还没有看过的稿件")];
    let found = entries(articles, Some(blocks)).unwrap();
    let words: Vec<(i64, &str)> = found.iter().map(|entry| (entry.article, &*entry.words)).collect();
    assert_eq!(
        words,
        [
            (1, "河边种树\n副题\n作者\n第一段。\n第二段。"),
            (2, "提要\n副题\n作者\n还没有看过的稿件"),
            (0, "广告:西湖茶楼\n还没有看过的稿件"),
        ]
    );
    assert_eq!(found[0].headline, "河边种树\n副题");
    assert!(entries(Vec::new(), None).unwrap().is_empty());
}

#[test]
fn a_link_to_an_article_is_good_for_what_it_was_made_for() {
    let made = token("key", "one");
    assert_eq!(named("key", &made), Some("one"));
    assert_eq!(named("other", &made), None, "another key");
    assert_eq!(named("key", &made.replace("one", "two")), None, "another article");
    assert_eq!(named("key", "one"), None, "unsigned");
    assert_eq!(named("key", &made[..made.len() - 2]), None, "cut short");
}
