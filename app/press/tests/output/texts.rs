//! Texts that are set as pages: structure, contents, page numbers, and words that stay words.

use std::path::Path;
use std::process::Command;

use crate::common::{jpeg, landscape, pdf_boxes};
use domain::document::Trim;
use press::manuscript::{
    Block, Markup, Picture, Pictures, SetText, Style, TextRefusal, addresses, decode, read, set,
};

const SAMPLE: &str = include_str!("texts/sample.md");

fn style(theme: &str, width: f64, height: f64) -> Style {
    Style {
        trim: Trim { width, height },
        theme: theme.to_owned(),
        first_page: 3,
        title: None,
        emoji: Default::default(),
    }
}

fn set_text(text: &str, markup: Markup, style: &Style) -> SetText {
    set(text, markup, style, &Pictures::default()).expect("Typst sets it").expect("it has words")
}

/// The words of each page.
fn pages_of(pdf: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("text.pdf");
    std::fs::write(&file, pdf).expect("written");
    let said =
        Command::new("pdftotext").args(["-layout", "-enc", "UTF-8"]).args([&file, Path::new("-")]).output();
    // a long address may break anywhere, which pdftotext tells
    let said = String::from_utf8(said.expect("pdftotext").stdout).expect("UTF-8").replace('\u{200b}', "");
    said.trim_end_matches('\u{c}').split('\u{c}').map(str::to_owned).collect()
}

#[test]
fn markdown_gets_contents_with_the_pages_where_its_chapters_are() {
    for (theme, width, height) in [("calm", 148.0, 210.0), ("classic", 210.0, 297.0), ("calm", 210.0, 210.0)]
    {
        let set = set_text(SAMPLE, Markup::Markdown, &style(theme, width, height));
        if let Ok(folder) = std::env::var("BINDERY_LOOK") {
            std::fs::write(format!("{folder}/{theme}-{width}.pdf"), &set.pdf).expect("written");
        }
        assert_eq!(set.title.as_deref(), Some("山中笔记"));
        let pages = pages_of(&set.pdf);
        let contents = &pages[0];
        assert!(contents.lines().any(|line| line.trim() == "目录"), "{contents}");
        for chapter in ["第一日：进山", "第二日：山里的人", "器物与数字"] {
            let begins =
                pages.iter().skip(1).position(|page| page.contains(chapter)).expect("the chapter") + 1;
            // the first page is page 3
            let entry = contents.lines().find(|line| line.contains(chapter)).expect("an entry");
            assert!(entry.trim_end().ends_with(&(begins + 3).to_string()), "{entry} is on {}", begins + 3);
        }
        for (index, page) in pages.iter().enumerate() {
            let last = page.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            assert_eq!(last.trim(), (index + 3).to_string(), "the number at the foot");
        }
        assert!(
            pages.iter().any(|page| page.contains("https://example.com/mountain/path")),
            "where the link led"
        );
        let boxes = pdf_boxes(&set.pdf);
        assert!(boxes.iter().all(|page| (page.trim[2] - page.trim[0] - width * 72.0 / 25.4).abs() < 0.1));
        assert!(boxes.iter().all(|page| page.media[0] < page.trim[0] - 8.0), "with bleed");
        assert_eq!(set.notes.len(), 2, "{:?}", set.notes);
        assert!(set.notes[0].contains("1 张图片没有排进来（第 "), "{:?}", set.notes);
        assert!(set.notes[1].contains("第 1–3 行"), "{:?}", set.notes);
    }
}

#[test]
fn what_a_member_writes_is_never_code() {
    let text = "# 一\n\n#set page(width: 1cm) $x^2$ @ref <label> \\u{1f} #read(\"/document.json\")\n\n`#panic()` [a](javascript:alert)\n\n# 二\n\n| #a | $b |\n|--|--|\n| #panic() | *x* |\n\n# 三\n\n- #panic()\n";
    let set = set_text(text, Markup::Markdown, &style("calm", 148.0, 210.0));
    let pages = pages_of(&set.pdf).concat();
    for words in
        ["#set page(width: 1cm)", "#read(\"/document.json\")", "#panic()", "$x^2$", "@ref", "<label>"]
    {
        // a tag in angle brackets is HTML
        assert_eq!(pages.contains(words), words != "<label>", "{words}: {pages}");
    }
}

#[test]
fn plain_text_keeps_its_lines_and_finds_its_chapters() {
    let text = "序\r\n\r\n　　从前有一座山。\r\n　　山里有一座庙。\r\n\r\n第一章 出门\r\n走了很远。\r\n第二日，又走了很远。\r\n第十二回：回家\r\n到了。";
    let blocks = read(text, Markup::Plain, None, &Pictures::default()).blocks;
    let headings: Vec<bool> = blocks.iter().map(|block| matches!(block, Block::Heading { .. })).collect();
    assert_eq!(headings, [true, false, false, true, false, false, true, false]);
    let broken = "This letter was written by a program that breaks its lines\nafter some sixty characters, as mail used to be written for\nmany years.\n\nAnother one.";
    assert_eq!(read(broken, Markup::Plain, None, &Pictures::default()).blocks.len(), 2);
    let set = set_text(text, Markup::Plain, &style("classic", 148.0, 210.0));
    assert!(pages_of(&set.pdf)[0].lines().any(|line| line.trim() == "目录"));
    assert_eq!((set.title, set.notes), (None, Vec::new()));
}

#[test]
fn a_heading_stays_in_the_text_unless_the_book_is_called_so() {
    let text = "# 山中笔记\n\n写在前面。\n\n## 进山\n\n走了很久。\n";
    let stays = |text: &str, title: Option<&str>| {
        let first = read(text, Markup::Markdown, title, &Pictures::default()).blocks.into_iter().next();
        matches!(first, Some(Block::Heading { level: 1, .. }))
    };
    assert!(!stays(text, None) && !stays(text, Some("山中笔记")));
    assert!(stays(text, Some("夏天的书")));
    let long = format!("# {}\n\n写在前面。\n", "长".repeat(61));
    assert!(stays(&long, None), "no book has so long a title");
    let other = Style { title: Some("夏天的书".to_owned()), ..style("calm", 148.0, 210.0) };
    let set = set_text(text, Markup::Markdown, &other);
    assert_eq!(set.title.as_deref(), Some("山中笔记"));
    assert!(pages_of(&set.pdf).concat().contains("山中笔记"));
    // styles that were stored before titles were
    let stored = serde_json::to_string(&style("calm", 148.0, 210.0)).expect("JSON");
    assert!(!stored.contains("title"));
    assert_eq!(serde_json::from_str::<Style>(&stored).expect("a style"), style("calm", 148.0, 210.0));
}

#[test]
fn cells_that_fit_on_no_page_are_told() {
    let row = |columns: usize| format!("|{}\n", "字|".repeat(columns));
    let table = |columns: usize| format!("{}|{}\n{}", row(columns), "---|".repeat(columns), row(columns));
    assert_eq!(read(&table(12), Markup::Markdown, None, &Pictures::default()).notes, Vec::<String>::new());
    let wide = read(&table(14), Markup::Markdown, None, &Pictures::default());
    assert!(
        matches!(&wide.blocks[0], Block::Table { columns, .. } if columns.len() == 12),
        "{:?}",
        wide.blocks
    );
    assert!(wide.notes.len() == 1 && wide.notes[0].contains("多出来的 4 格"), "{:?}", wide.notes);
}

#[test]
fn deep_and_odd_markdown_is_set() {
    let deep = format!(
        "{} deep\n\n{}\n",
        "> ".repeat(2_000),
        (0..60).map(|i| format!("{}- {i}\n", "  ".repeat(i))).collect::<String>()
    );
    let odd = "***\n\n![only](a.png)\n\n| a |\n|---|\n\n~~**_x_**~~ <br> y  \nz\n\n```\nfn main() {}\n```\n\n1. one\n3. two\n\n   more\n\n[ref]: x\n";
    for text in [deep.as_str(), odd] {
        let set = set_text(text, Markup::Markdown, &style("calm", 148.0, 210.0));
        assert!(!pages_of(&set.pdf).is_empty());
    }
    assert_eq!(
        set("![x](y)", Markup::Markdown, &style("calm", 148.0, 210.0), &Pictures::default())
            .expect("no failure"),
        Err(TextRefusal::Empty)
    );
    assert_eq!(
        set("---\ntitle: x\n---\n", Markup::Markdown, &style("calm", 148.0, 210.0), &Pictures::default())
            .expect("no failure"),
        Err(TextRefusal::Empty)
    );
}

#[test]
fn the_same_text_is_the_same_file() {
    let one = set_text(SAMPLE, Markup::Markdown, &style("calm", 148.0, 210.0));
    let two = set_text(SAMPLE, Markup::Markdown, &style("calm", 148.0, 210.0));
    assert!(one.pdf == two.pdf);
}

/// A text as Python writes it in an encoding.
fn encoded(text: &str, encoding: &str) -> Vec<u8> {
    let write = "import sys;sys.stdout.buffer.write(sys.argv[1].encode(sys.argv[2]))";
    let said = Command::new("python3").args(["-c", write, text, encoding]).env("PYTHONUTF8", "1").output();
    let said = said.expect("python3");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    said.stdout
}

#[test]
fn texts_are_read_in_the_encodings_of_east_asian_computers() {
    let simplified = "春眠不觉晓，处处闻啼鸟。\r\n夜来风雨声，花落知多少。";
    let traditional = "山中相送罷，日暮掩柴扉。\r\n春草明年綠，王孫歸不歸？";
    for (text, encoding) in [
        ("春眠不觉晓", "gb18030"),
        ("第一章", "gbk"),
        ("书坊.jpg", "gbk"),
        (simplified, "gb2312"),
        ("生僻字𠮷", "gb18030"),
        (traditional, "big5"),
        ("第一章 出門\n他說：「天氣很好。」", "big5"),
        (traditional, "utf-16"),
        (traditional, "utf-16-le"),
        (simplified, "utf-16-be"),
        ("吾輩は猫である。名前はまだ無い。", "shift_jis"),
        ("나는 고양이로소이다. 이름은 아직 없다.", "euc_kr"),
        (simplified, "utf-8"),
        (simplified, "utf-8-sig"),
    ] {
        assert_eq!(decode(&encoded(text, encoding)).as_deref(), Ok(text), "{encoding}");
    }
    assert_eq!(decode(b" \n"), Err(TextRefusal::Empty));
    for no_text in [
        &[0x89, b'P', b'N', b'G', 0, 1, 2, 0xff][..],
        b"PK\x03\x04\x14\x00\x06\x00\x08\x00",
        &encoded(simplified, "utf-32"),
        // UTF-16 without a mark, and without anything to tell it by
        &encoded("春眠不觉晓，处处闻啼鸟。", "utf-16-le"),
    ] {
        assert_eq!(decode(no_text), Err(TextRefusal::NoText), "{no_text:x?}");
    }
    assert_eq!(decode(&vec![b'a'; (2 << 20) + 1]), Err(TextRefusal::TooLong));
}

#[test]
fn pictures_stand_where_the_text_shows_them() {
    let picture = Picture::of_derivative(&jpeg(&landscape(1200, 800))).expect("a picture");
    assert_eq!((picture.width, picture.height), (1200, 800));
    let mut pictures = Pictures::default();
    pictures.add(["img/a.jpg".to_owned()], picture);
    let text = "# 山\n\n上山。![一座山](img/a.jpg \"山顶 & 云\") 下山。\n\n- 一\n\n  ![小的](img/a.jpg)\n\n![没有](img/b.jpg)\n\n回家。\n";
    assert_eq!(addresses(text).into_iter().collect::<Vec<_>>(), ["img/a.jpg", "img/b.jpg"]);
    let blocks = read(text, Markup::Markdown, None, &pictures).blocks;
    let kinds: Vec<_> = blocks.iter().map(std::mem::discriminant).collect();
    let shown =
        Block::Picture {
            picture: 0, alternative: "一座山".to_owned(), caption: "山顶 & 云".to_owned()
        };
    assert_eq!(blocks[1], shown, "after the words that it stands among: {kinds:?}");
    assert!(
        matches!(&blocks[2], Block::List { items, .. } if matches!(items[0].blocks[1], Block::Picture { .. }))
    );
    let set =
        set(text, Markup::Markdown, &style("calm", 148.0, 210.0), &pictures).expect("set").expect("words");
    assert_eq!(set.notes.len(), 1, "one was not brought: {:?}", set.notes);
    let words = pages_of(&set.pdf).join("");
    for said in ["上山。", "山顶 & 云", "小的", "回家。"] {
        assert!(words.contains(said), "{said}: {words}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("text.pdf");
    std::fs::write(&file, &set.pdf).expect("written");
    let images = crate::common::run("pdfimages", &["-list"], &file);
    let dpi: Vec<u32> =
        images.lines().skip(2).filter_map(|line| line.split_whitespace().nth(12)?.parse().ok()).collect();
    assert!(dpi.len() == 2 && dpi.iter().all(|dpi| *dpi >= 200), "{images}");
    assert_eq!(Picture::of_derivative(b"no picture"), None);
    // a picture above the title leaves it the title
    let titled = read("![](img/a.jpg)\n\n# 书名\n\n走。\n", Markup::Markdown, None, &pictures);
    assert_eq!(titled.title.as_deref(), Some("书名"));
    assert!(matches!(titled.blocks[..], [Block::Picture { .. }, Block::Paragraph { .. }]));
}
