use proptest::prelude::*;

use super::*;

fn piece(role: TextRole, text: &str, x: f64, y: f64, width: f64, height: f64, line: f64) -> Piece {
    Piece { role, text: text.into(), frame: Rect { x, y, width, height }, line, em: line, is_vertical: false }
}

fn proposed(pieces: &[Piece]) -> Vec<Proposal> {
    propose(pieces, &Separators::default())
}

/// A front page: a lead story over three columns with all parts of a headline, whose text ends in the third column above
/// a second story, and a third one below.
fn page() -> Vec<Piece> {
    use TextRole::{Body, Caption, Heading, Title};
    vec![
        piece(Body, "2026 年 11 月 21 日 星期六 01 版", 40.0, 20.0, 300.0, 12.0, 12.0),
        piece(Title, "西湖晚报", 300.0, 70.0, 400.0, 60.0, 60.0),
        piece(Heading, "全市冬季植树开始", 50.0, 170.0, 500.0, 18.0, 18.0),
        piece(Heading, "十万棵树种在河边", 50.0, 195.0, 600.0, 36.0, 36.0),
        piece(Heading, "每条河都有人认领", 50.0, 240.0, 400.0, 18.0, 18.0),
        piece(
            Body,
            "本报记者 林知夏\n昨天清晨，河边来了很多人，他们带着铁锹和",
            50.0,
            280.0,
            280.0,
            200.0,
            12.0,
        ),
        piece(Body, "树苗。\n到中午，第一排树已经种好。", 350.0, 280.0, 280.0, 200.0, 12.0),
        piece(Caption, "图为河边的新树", 350.0, 490.0, 200.0, 10.0, 9.0),
        piece(Heading, "图书馆延长开放", 660.0, 180.0, 290.0, 24.0, 24.0),
        piece(Body, "从下周起，开到晚上十点。", 660.0, 215.0, 290.0, 280.0, 12.0),
        piece(Heading, "明天有雨", 50.0, 560.0, 500.0, 24.0, 24.0),
        piece(Body, "气象台说，明天下午有小雨。", 50.0, 600.0, 280.0, 300.0, 12.0),
        piece(Body, "请带伞。", 350.0, 600.0, 280.0, 300.0, 12.0),
        piece(Body, "第四栏接着读。", 660.0, 980.0, 200.0, 12.0, 12.0),
    ]
}

#[test]
fn a_page_falls_into_its_articles() {
    let articles = proposed(&page());
    let titles: Vec<&str> = articles.iter().map(|article| article.title.as_str()).collect();
    assert_eq!(titles, ["十万棵树种在河边", "图书馆延长开放", "明天有雨"], "the paper's own name is none");
    let lead = &articles[0];
    assert_eq!((lead.kicker.as_str(), lead.subtitle.as_str()), ("全市冬季植树开始", "每条河都有人认领"));
    assert_eq!(lead.author, "本报记者 林知夏");
    assert_eq!(
        lead.text,
        "昨天清晨，河边来了很多人，他们带着铁锹和树苗。\n到中午，第一排树已经种好。\n图为河边的新树",
        "a paragraph goes on in the next column"
    );
    assert_eq!(lead.areas, [Place::new(45, 165, 610, 340).unwrap()]);
    assert_eq!(articles[1].text, "从下周起，开到晚上十点。");
    assert_eq!(articles[2].text, "气象台说，明天下午有小雨。\n请带伞。");
}

#[test]
fn an_article_that_another_one_lies_in_has_an_area_for_each_piece() {
    use TextRole::{Body, Heading};
    let articles = proposed(&[
        piece(Heading, "大文章", 50.0, 100.0, 900.0, 40.0, 40.0),
        piece(Body, "左栏。", 50.0, 160.0, 280.0, 600.0, 12.0),
        piece(Heading, "小文章", 360.0, 400.0, 280.0, 20.0, 20.0),
        piece(Body, "小文章的字。", 360.0, 430.0, 280.0, 100.0, 12.0),
        piece(Body, "右栏。", 670.0, 160.0, 280.0, 600.0, 12.0),
    ]);
    assert_eq!(articles.len(), 2);
    assert_eq!(articles[0].text, "左栏。\n右栏。");
    assert_eq!(articles[0].areas.len(), 3);
    assert_eq!(articles[1].areas.len(), 1);
}

#[test]
fn a_page_without_headlines_is_one_article_and_an_empty_one_is_none() {
    let one = proposed(&[piece(TextRole::Body, "只有一段话。", 50.0, 100.0, 400.0, 40.0, 12.0)]);
    assert_eq!(one[0].title, "只有一段话。");
    assert_eq!(one[0].text, "只有一段话。");
    assert!(proposed(&[]).is_empty());
    assert!(proposed(&[piece(TextRole::Title, "刊名", 50.0, 100.0, 400.0, 40.0, 40.0)]).is_empty());
}

proptest! {
    #[test]
    fn what_is_proposed_fits_and_no_running_text_is_lost(
        parts in proptest::collection::vec((0usize..4, 0.0f64..1000.0, 60.0f64..960.0, 1.0f64..500.0, 1.0f64..300.0), 0..30),
    ) {
        let roles = [TextRole::Title, TextRole::Heading, TextRole::Body, TextRole::Caption];
        let pieces: Vec<Piece> = parts
            .iter()
            .enumerate()
            .map(|(number, (role, x, y, width, height))| {
                piece(roles[*role], &format!("第{number}段文字在这里。"), *x, *y, *width, *height, height / 2.0)
            })
            .collect();
        let articles = proposed(&pieces);
        for article in &articles {
            prop_assert!(!article.title.is_empty() && article.title.chars().count() <= HEADLINE_LENGTH);
            prop_assert!(!article.areas.is_empty());
            for area in &article.areas {
                prop_assert!(Place::new(area.x, area.y, area.width, area.height).is_some());
            }
        }
        let said: String = articles.iter().map(|article| format!("{}\n", article.text)).collect();
        let first = pieces.iter().position(is_headline).unwrap_or(0);
        for piece in pieces[first..].iter().filter(|piece| !is_headline(piece) && !is_of_edge(piece, usual_line(&pieces))) {
            prop_assert!(said.contains(&piece.text), "{} is nowhere", piece.text);
        }
    }
}
