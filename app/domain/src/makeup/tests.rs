use proptest::prelude::*;

use super::*;

fn block(text: &str, x: u32, y: u32) -> Block {
    Block { text: text.to_owned(), place: Place::new(x, y, 200, 90).unwrap() }
}

/// A page: a story of two columns, whose second subheading was taken for a headline, and a short one below.
fn page() -> (Vec<Story>, Vec<Block>) {
    let blocks = vec![
        block("十万棵树种在河边", 0, 0),
        block("昨天清晨，河边来了很多人，他们带着铁锹和", 0, 100),
        block("树苗，一直种到天黑才回家。", 250, 100),
        block("每条河都有人认领", 250, 200),
        block("今年起每条河都有一位认领人，负责浇水。", 250, 300),
        block("明天有小雨", 0, 600),
        block("出门请带伞，气温六到十一度。", 0, 700),
        block("本报记者 林知夏", 0, 800),
    ];
    let story = |title: &str, text: &str, areas: &[usize]| Story {
        title: title.to_owned(),
        text: text.to_owned(),
        areas: areas.iter().map(|index| blocks[*index].place).collect(),
        ..Story::default()
    };
    let stories = vec![
        story(
            "十万棵树种在河边",
            "昨天清晨，河边来了很多人，他们带着铁锹和树苗，一直种到天黑才回家。",
            &[0, 1, 2],
        ),
        story("每条河都有人认领", "今年起每条河都有一位认领人，负责浇水。", &[3, 4]),
        story("明天有小雨", "出门请带伞，气温六到十一度。\n本报记者 林知夏", &[5, 6, 7]),
    ];
    (stories, blocks)
}

fn done(step: Step) -> Vec<Placed> {
    let (stories, blocks) = page();
    apply(&stories, &blocks, step).unwrap()
}

#[test]
fn a_subheading_that_was_taken_for_a_headline_is_put_back() {
    let all = done(Step::Merge { from: 1, into: 0 });
    assert_eq!(all.iter().map(|(of, _)| *of).collect::<Vec<_>>(), [Some(0), Some(2)]);
    assert_eq!(
        all[0].1.text,
        "昨天清晨，河边来了很多人，他们带着铁锹和树苗，一直种到天黑才回家。\n每条河都有人认领\n今年起每条河都有一位认领人，负责浇水。"
    );
    assert_eq!(all[0].1.areas, [Place::new(0, 0, 450, 390).unwrap()]);
    assert_eq!(all[1].1, page().0[2], "the others are as they were");
    // and taken apart again
    let (_, blocks) = page();
    let stories: Vec<Story> = all.into_iter().map(|(_, story)| story).collect();
    let again = apply(&stories, &blocks, Step::Split { block: 3 }).unwrap();
    assert_eq!(again.iter().map(|(of, _)| *of).collect::<Vec<_>>(), [Some(0), None, Some(1)]);
    let words = |story: &Story| (story.title.clone(), story.text.clone());
    let expected: Vec<_> = page().0.iter().map(words).collect();
    assert_eq!(again.iter().map(|(_, story)| words(story)).collect::<Vec<_>>(), expected);
}

#[test]
fn a_block_moves_to_another_article_where_it_stands_on_the_page() {
    // the middle of a sentence is cut out, and put in
    let all = done(Step::Move { block: 1, to: 1 });
    assert_eq!(all[0].1.text, "树苗，一直种到天黑才回家。");
    assert_eq!(
        all[1].1.text,
        "昨天清晨，河边来了很多人，他们带着铁锹和今年起每条河都有一位认领人，负责浇水。"
    );
    let (stories, blocks) = page();
    let stories: Vec<Story> = stories
        .into_iter()
        .map(|story| Story {
            text: story.text.replace("出门请带伞，气温六到十一度。\n", ""), ..story
        })
        .collect();
    assert_eq!(owner(&blocks[6], &stories), None, "words that are in no article are seen to be in none");
    let all = apply(&stories, &blocks, Step::Move { block: 6, to: 2 }).unwrap();
    assert_eq!(all[2].1.text, "出门请带伞，气温六到十一度。\n本报记者 林知夏");
    // an article without words is none
    let alone = vec![
        stories[0].clone(),
        Story {
            title: "每条河都有人认领".into(), areas: stories[1].areas.clone(), ..Story::default()
        },
    ];
    let all = apply(&alone, &blocks, Step::Move { block: 3, to: 0 }).unwrap();
    assert_eq!(all.len(), 1);
    assert!(all[0].1.text.ends_with("\n每条河都有人认领"));
}

#[test]
fn a_block_becomes_what_it_is() {
    let all = done(Step::Role { block: 7, role: Role::Author });
    assert_eq!((&*all[2].1.author, &*all[2].1.text), ("本报记者 林知夏", "出门请带伞，气温六到十一度。"));
    let all = done(Step::Role { block: 3, role: Role::Text });
    assert_eq!(
        (&*all[1].1.title, &*all[1].1.text),
        (
            "每条河都有人认领今年起每条河都有一位认领",
            "每条河都有人认领今年起每条河都有一位认领人，负责浇水。"
        )
    );
    let all = done(Step::Role { block: 6, role: Role::Caption });
    assert_eq!(all[2].1.text, "本报记者 林知夏\n出门请带伞，气温六到十一度。");
    let all = done(Step::Role { block: 5, role: Role::Kicker });
    assert_eq!(
        (&*all[2].1.kicker, &*all[2].1.title),
        ("明天有小雨", "出门请带伞，气温六到十一度。 本报记者")
    );
    let all = done(Step::Down { story: 0 });
    assert_eq!(all.iter().map(|(of, _)| *of).collect::<Vec<_>>(), [Some(1), Some(0), Some(2)]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (stories, blocks) = page();
    for (step, expected) in [
        (Step::Up { story: 0 }, NotDone::AtEnd),
        (Step::Down { story: 2 }, NotDone::AtEnd),
        (Step::Merge { from: 1, into: 1 }, NotDone::Nothing),
        (Step::Merge { from: 1, into: 3 }, NotDone::Nothing),
        (Step::Split { block: 0 }, NotDone::NotInText),
        (Step::Split { block: 8 }, NotDone::Nothing),
        (Step::Move { block: 0, to: 0 }, NotDone::Nothing),
        (Step::Move { block: 0, to: 9 }, NotDone::Nothing),
    ] {
        assert_eq!(apply(&stories, &blocks, step), Err(expected), "{step:?}");
    }
    let long = vec![block(&"长".repeat(101), 0, 0)];
    let story =
        Story {
            title: "短".into(), text: "长".repeat(101), areas: vec![long[0].place], ..Story::default()
        };
    let step = Step::Role { block: 0, role: Role::Title };
    assert_eq!(apply(std::slice::from_ref(&story), &long, step), Err(NotDone::TooLong));
    assert_eq!(apply(&[], &long, Step::Role { block: 0, role: Role::Title }), Err(NotDone::InNone));
}

proptest! {
    /// Whatever an editor does, no word of the page is lost, and every area lies on the page.
    #[test]
    fn no_words_are_lost(steps in prop::collection::vec((0usize..6, 0usize..8, 0usize..4, 0usize..6), 1..12)) {
        let (mut stories, blocks) = page();
        for (kind, block, story, role) in steps {
            let step = match kind {
                0 => Step::Merge { from: story, into: block % 4 },
                1 => Step::Split { block },
                2 => Step::Move { block, to: story },
                3 => Step::Role { block, role: Role::ALL[role] },
                4 => Step::Up { story },
                _ => Step::Down { story },
            };
            if let Ok(all) = apply(&stories, &blocks, step) {
                stories = all.into_iter().map(|(_, story)| story).collect();
            }
            for block in &blocks {
                prop_assert!(owner(block, &stories).is_some(), "{step:?} lost {block:?}: {stories:#?}");
            }
            prop_assert!(stories.iter().all(|story| !story.title.is_empty() && story.areas.len() <= MOST_AREAS));
        }
    }
}
