//! What a roster may say, when a link takes something, and the book in which every copy differs.

use std::collections::BTreeSet;

use crate::common::options;
use domain::days::DAY_MS;
use domain::document::{Crop, Document, Element, Page, TextRole, Trim, Variant};
use domain::faces::Face;
use domain::layout::{
    ALONE_FRONT, ALONE_PLACE, HEAD_MIDDLE, HEAD_SHARE, NoYearBook, PageRange, PhotoInput, Portrayed, alone,
    portrait_crop, reflow, year_book,
};
use domain::yearbook::{
    Entry, LinkState, MOST_PEOPLE, NAME_LENGTH, Share, read_entry, read_roster, reminders,
};

const LONG: &str = "阿卜杜热合曼·买买提江·吐尔逊娜依·古丽加玛丽·艾合买提江";
const RANGE: PageRange = PageRange { min: 16, max: 200, step: 4 };

fn entry(name: &str, group: &str, contact: &str) -> Entry {
    Entry { name: name.into(), group: group.into(), contact: contact.into() }
}

#[test]
fn a_roster_is_read_as_spreadsheets_write_it_and_as_people_type_it() {
    let wanted = [
        entry("张伟", "三年二班", "zhangwei@example.com"),
        entry(LONG, "三年二班", ""),
        entry("李娜", "三年一班", "13800138000"),
    ];
    for text in [
        format!(
            "张伟,三年二班,ZhangWei@example.com\r\n{LONG},三年二班\r\n\r\n李娜,三年一班,138 0013 8000\r\n"
        ),
        format!(
            "\u{feff}姓名,班级,邮箱\n张伟,三年二班,zhangwei@example.com\n{LONG},三年二班,\n李娜,三年一班,13800138000"
        ),
        format!(
            "学号\t班级\t姓名\nzhangwei@example.com\t三年二班\t张伟\n\t三年二班\t{LONG}\n13800138000\t三年一班\t李娜"
        ),
        format!("张伟，三年二班，zhangwei@example.com\n{LONG}，三年二班\n李娜，三年一班，13800138000"),
        format!("\"张伟\",\"三年二班\",zhangwei@example.com\n{LONG},三年二班,\n李娜,三年一班,13800138000"),
    ] {
        assert_eq!(read_roster(&text, &[]).unwrap().new, wanted, "{text}");
    }
    assert!(LONG.chars().count() >= 28 && LONG.chars().count() <= NAME_LENGTH);
}

#[test]
fn one_person_is_there_once_and_two_of_one_name_are_two() {
    let twice = read_roster("张伟,三年二班\n李娜,三年二班\n张伟,三年二班", &[]).unwrap_err();
    assert_eq!(twice.len(), 1);
    assert!(twice[0].contains("第 3 行和第 1 行都是三年二班 张伟"), "{twice:?}");
    // one of them tells who it is: the other may be the same
    assert!(read_roster("张伟,三年二班,0701\n张伟,三年二班", &[]).is_err());
    let two = read_roster("张伟,三年二班,0701\n张伟,三年二班,0702\n张伟,三年一班", &[]).unwrap();
    assert_eq!((two.new.len(), two.namesakes), (3, vec!["三年二班 张伟".to_owned()]));
    // the same roster again adds those who came late, and what is known by now
    let known = [entry("张伟", "三年二班", "")];
    let again = read_roster("张伟,三年二班,a@example.com\n王芳,三年二班", &known).unwrap();
    assert_eq!(again.new, [entry("王芳", "三年二班", "")]);
    assert_eq!((again.known, again.contacts), (1, vec![(0, "a@example.com".to_owned())]));
    assert!(read_entry(["张伟", "三年二班", ""], &known).is_err_and(|(field, _)| field == "contact"));
    assert!(read_entry(["", "三年二班", ""], &known).is_err_and(|(field, _)| field == "name"));
    // whatever stands in it
    assert!(read_entry(["李娜", "", "姓名@"], &known).is_err_and(|(field, _)| field == "contact"));
}

#[test]
fn what_is_wrong_with_a_roster_is_said_line_by_line() {
    let long = "长".repeat(NAME_LENGTH + 1);
    let text = format!("张伟,三年二班,a@\n,三年二班\n{long}\n李娜");
    let wrong = read_roster(&text, &[]).unwrap_err();
    for (said, part) in
        wrong.iter().zip(["第 1 行的邮箱“a@”不对", "第 2 行没有姓名", "第 3 行的姓名超过 40 个字"])
    {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(wrong.len(), 3);
    // lines are counted as they stand, empty ones among them
    let wrong = read_roster("\n张三,一班\n\n\n,三班\n\"李\n四\",一班\n张三,一班", &[]).unwrap_err();
    assert!(wrong[0].contains("第 5 行没有姓名"), "{wrong:?}");
    let wrong = read_roster("张三,一班\n\n\"李\n四\",一班\n\n张三,一班", &[]).unwrap_err();
    assert!(wrong[0].contains("第 6 行和第 1 行"), "{wrong:?}");
    // the lines of a browser's form
    assert!(read_roster("张伟\r\n李娜\r\n张伟", &[]).unwrap_err()[0].contains("第 3 行和第 1 行"));
    assert!(read_roster("  \n", &[]).unwrap_err()[0].contains("请填写名单"));
    let many: String = (0..=MOST_PEOPLE).map(|at| format!("同学{at}\n")).collect();
    assert!(read_roster(&many, &[]).is_err());
}

#[test]
fn a_link_is_open_until_its_last_day_which_may_be_later_than_the_others() {
    for (own, is_withdrawn, now, state) in [
        (None, false, 9, LinkState::Open),
        (None, false, 10, LinkState::Over),
        (Some(20), false, 19, LinkState::Open),
        (Some(20), false, 20, LinkState::Over),
        // less time than the others have is none
        (Some(5), false, 9, LinkState::Open),
        (Some(20), true, 5, LinkState::Withdrawn),
    ] {
        assert_eq!(LinkState::of(10, own, is_withdrawn, now), state);
        assert_eq!(state.refusal().map(|reason| reason.status()), (state != LinkState::Open).then_some(410));
    }
    let until = 100 * DAY_MS;
    assert_eq!(reminders(until, 0).len(), 2);
    assert_eq!(reminders(until, until - 2 * DAY_MS).len(), 1);
    assert!(reminders(until, until - DAY_MS).is_empty());
}

fn photo(id: &str, (width, height): (u32, u32), face: Option<[f64; 4]>) -> PhotoInput {
    let faces =
        face.map(|[x, y, width, height]| Face { area: Crop { x, y, width, height }, confidence: 0.9 });
    PhotoInput { faces: faces.into_iter().collect(), ..PhotoInput::new(id.parse().unwrap(), width, height) }
}

#[test]
fn heads_are_as_large_and_as_high_wherever_they_stood_in_their_photos() {
    let shown = |photo: &PhotoInput| {
        let crop = portrait_crop(photo, 0.8);
        let (wide, high) = (f64::from(photo.width) * crop.width, f64::from(photo.height) * crop.height);
        assert!((wide / high - 0.8).abs() < 1e-6 && crop.x >= 0.0 && crop.x + crop.width <= 1.0 + 1e-9);
        assert!(crop.y >= 0.0 && crop.y + crop.height <= 1.0 + 1e-9);
        photo.faces.first().map(|face| {
            let head = face.head();
            (head.height / crop.height, (head.y + head.height / 2.0 - crop.y) / crop.height)
        })
    };
    for photo in [
        photo("a", (3000, 4000), Some([0.4, 0.3, 0.2, 0.2])),
        photo("b", (4000, 3000), Some([0.45, 0.35, 0.1, 0.18])),
        photo("c", (2000, 2000), Some([0.2, 0.45, 0.12, 0.15])),
    ] {
        let (share, middle) = shown(&photo).unwrap();
        assert!((share - HEAD_SHARE).abs() < 1e-6 && (middle - HEAD_MIDDLE).abs() < 1e-6, "{share} {middle}");
    }
    // a head that fills its photo is as small as the photo allows; one without a face is the upper middle
    let (share, _) = shown(&photo("d", (1000, 1000), Some([0.2, 0.2, 0.6, 0.7]))).unwrap();
    assert!(share > HEAD_SHARE);
    let tall = photo("e", (1000, 3000), None);
    shown(&tall);
    let crop = portrait_crop(&tall, 0.8);
    assert!(crop.y > 0.0 && crop.y < (1.0 - crop.height) / 2.0);
}

fn people(count: usize) -> Vec<Portrayed> {
    (0..count)
        .map(|at| Portrayed {
            person: Some(format!("person-{at}").parse().unwrap()),
            name: if at == 3 { LONG.into() } else { format!("同学{at}") },
            group: if at % 2 == 0 { "三年一班".into() } else { "三年二班".into() },
            motto: "海阔凭鱼跃，天高任鸟飞。".into(),
            words: if at % 3 == 0 { "很高兴认识大家。".repeat(18) } else { String::new() },
            portrait: (at != 1).then(|| photo(&format!("p{at}"), (1200, 1600), Some([0.4, 0.2, 0.2, 0.2]))),
            own: (at == 0).then(|| photo("own", (4000, 3000), None)),
            has_copy: at != 2,
        })
        .collect()
}

fn words(page: &Page) -> Vec<&str> {
    page.texts().map(|block| block.text.as_str()).collect()
}

#[test]
fn everybody_stands_in_the_book_and_each_copy_is_somebodys() {
    for (width, height) in [(210.0, 210.0), (210.0, 297.0), (148.0, 210.0), (280.0, 210.0)] {
        for share in Share::ALL {
            let people = people(9);
            let common = [photo("all", (4000, 3000), None), photo("more", (3000, 4000), None)];
            let book = year_book(&people, &common, (share, 2), &options(width, height, RANGE)).unwrap();
            assert!(book.pages.len().is_multiple_of(4) && book.pages.len() >= 16);
            let inside = |page: &Page| {
                for block in page.texts() {
                    let frame = block.frame;
                    assert!(frame.x >= 5.0 && frame.x + frame.width <= width - 5.0 + 0.02, "{block:?}");
                    assert!(frame.y >= 5.0 && frame.y + frame.height <= height - 5.0 + 0.02, "{block:?}");
                }
            };
            book.printed_pages().for_each(inside);
            for person in &people {
                // on the roster's page, and with the portrait or what stands for it
                let all: Vec<&str> = book.pages.iter().flat_map(words).flat_map(str::lines).collect();
                assert_eq!(all.iter().filter(|text| **text == person.name).count(), 2, "{}", person.name);
            }
            assert!(book.pages.iter().flat_map(words).any(|text| text == "同"), "the one without a portrait");
            let shown: BTreeSet<_> =
                book.printed_pages().flat_map(Page::photos).map(|it| it.photo.clone()).collect();
            assert_eq!(shown.len(), 8 + 1 + 2);
            // eight who want one, two that are nobody's
            let copies = book.copies();
            assert_eq!(copies.len(), 10);
            let named = |copy: &Document| copy.cover.texts().any(|block| block.text == LONG);
            assert_eq!((0..10).filter(|at| named(&book.copy(*at).unwrap())).count(), 1);
            for index in 0..10 {
                let copy = book.copy(index).unwrap();
                assert_eq!(copy.pages.len(), book.pages.len());
                let differs = copy.pages.iter().zip(&book.pages).filter(|(one, other)| one != other).count();
                assert_eq!(differs, if index < 8 { 2 } else { 0 });
            }
            assert!(book.count_refusal(10).is_none() && book.count_refusal(20).is_none());
            assert!(book.count_refusal(1).unwrap().contains("一套 10 本"));
            assert_eq!(book.clone().without_variants().count_refusal(1), None);
        }
    }
}

#[test]
fn a_roster_without_room_says_what_to_do() {
    let range = PageRange { min: 16, max: 20, step: 4 };
    let refused = year_book(&people(40), &[], (Share::Whole, 0), &options(210.0, 210.0, range)).unwrap_err();
    assert!(refused.to_string().contains("请改成每人半页"), "{refused}");
    let nobody = year_book(&[], &[], (Share::Half, 0), &options(210.0, 210.0, RANGE));
    assert_eq!(nobody.unwrap_err(), NoYearBook::Nobody);
}

#[test]
fn copies_stay_what_they_are_when_the_work_is_edited_stored_and_refitted() {
    let mut book = year_book(&people(4), &[], (Share::Half, 0), &options(210.0, 210.0, RANGE)).unwrap();
    book.identify(1).unwrap();
    let written = serde_json::to_string(&book).unwrap();
    assert_eq!(serde_json::from_str::<Document>(&written).unwrap(), book);
    assert!(!serde_json::to_string(&book.clone().without_variants()).unwrap().contains("variants"));
    // a page in front moves the places along
    let moved = |book: &Document| {
        let copy = book.copy(0).unwrap();
        copy.pages.iter().position(|page| {
            page.texts().any(|block| block.role == TextRole::Heading && block.text == "同学0")
        })
    };
    let before = moved(&book).unwrap();
    book.pages.insert(1, Page::default());
    assert_eq!(moved(&book), Some(before + 1));
    // a name that was taken off the cover is on no copy
    let small = reflow(&book, &[], Trim { width: 148.0, height: 210.0 }, 16).unwrap();
    let inside = |copy: &Variant| {
        copy.pages.iter().flat_map(Page::texts).all(|it| it.frame.x + it.frame.width <= 148.0)
    };
    assert!(small.copies().iter().all(inside));
    let place = book.name_place().unwrap();
    book.cover.elements.remove(place);
    assert!(book.name_place().is_none() && !words(&book.copy(0).unwrap().cover).contains(&"同学0"));
}

#[test]
fn some_copies_of_a_run_are_a_run_and_are_known_in_the_next_version() {
    let roster = people(6);
    let made = |people: &[Portrayed]| {
        year_book(people, &[], (Share::Half, 2), &options(210.0, 210.0, RANGE)).unwrap()
    };
    let book = made(&roster);
    let names = book.copy_names();
    // one of the six wants none, two are nobody's
    assert_eq!(names.len(), 7);
    let wanted = [names[3].clone(), names[0].clone(), names[5].clone()];
    let some = book.clone().with_copies(&wanted).unwrap();
    let of = |book: &Document| book.copies().iter().map(|copy| copy.name.clone()).collect::<Vec<_>>();
    // in the run's order, whatever order they were chosen in
    assert_eq!(of(&some), ["同学0", "同学4", ""]);
    assert_eq!(some.pages, book.pages);
    assert!(some.count_refusal(3).is_none() && some.count_refusal(7).is_some());
    assert_eq!(some.copy(1).unwrap().pages, book.copy_of(&wanted[0].key).unwrap().pages);
    // somebody else came before, and one has another name by now
    let mut later = roster.clone();
    later.insert(0, Portrayed { person: Some("late".parse().unwrap()), ..roster[5].clone() });
    later[1].name = "改名".into();
    assert_eq!(of(&made(&later).with_copies(&wanted).unwrap()), ["改名", "同学4", ""]);
    later.retain(|person| person.name != "同学4");
    let gone = made(&later).with_copies(&wanted).unwrap_err();
    assert!(gone.contains("同学4不在"), "{gone}");
    // two of one name are told apart by their classes
    later.push(Portrayed { name: "同学5".into(), group: "别班".into(), ..Portrayed::default() });
    later.last_mut().unwrap().has_copy = true;
    let names: Vec<String> = made(&later).copy_names().into_iter().map(|name| name.name).collect();
    assert!(
        names.contains(&"别班 同学5".to_owned()) && names.contains(&"三年二班 同学5".to_owned()),
        "{names:?}"
    );
}

#[test]
fn what_somebody_sees_of_the_own_pages_is_what_stands_in_the_book() {
    let people = people(5);
    for share in Share::ALL {
        let options = options(210.0, 297.0, RANGE);
        let book = year_book(&people, &[], (share, 0), &options).unwrap();
        for (person, copy) in people.iter().filter(|person| person.has_copy).zip(0..) {
            let alone = alone(person, share, &options);
            let front = ALONE_FRONT.map(|at| alone.pages[at].elements.clone());
            let copy = book.copy(copy).unwrap();
            assert_eq!(front, ALONE_FRONT.map(|at| copy.pages[at].elements.clone()));
            // in the half that is the first of a page, and with nobody else
            let place = &alone.pages[ALONE_PLACE];
            assert!(words(place).contains(&person.name.as_str()));
            assert!(
                people.iter().all(|other| other == person || !words(place).contains(&other.name.as_str()))
            );
        }
    }
}

#[test]
fn a_cover_that_can_not_say_a_name_is_refused() {
    use domain::binding::{Case, CoverMake, CoverSheet, Embellishment};
    let mut book = year_book(&people(4), &[], (Share::Half, 0), &options(210.0, 210.0, RANGE)).unwrap();
    let plain = CoverSheet::of(CoverMake::Case(Case::default()), book.trim, 11.5, 5.0, false);
    let foil = CoverSheet { embellishment: Some(Embellishment::Foil), ..plain };
    assert_eq!((plain.name_refusal(&book), foil.name_refusal(&book)), (None, None));
    let cloth = CoverSheet { cloth: Some(domain::document::Colour([40, 60, 90])), ..plain };
    assert!(cloth.name_refusal(&book).unwrap().contains("布面"));
    // without a title all words are the plate's, the name among them
    book.cover.elements.retain(|it| !matches!(it, Element::Text(block) if block.role == TextRole::Title));
    assert!(foil.name_refusal(&book).unwrap().contains("一块版"));
    assert_eq!(foil.name_refusal(&book.without_variants()), None);
}
