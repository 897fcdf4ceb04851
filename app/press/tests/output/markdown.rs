//! Markdown as people write it: every word is set, in the book and in the EPUB, or named with its line.

use std::io::{Cursor, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use domain::document::Trim;
use press::epub::{self, Direction, Metadata};
use press::manuscript::{Align, Block, Markup, Pictures, SetText, Span, Style, read, set};

fn style() -> Style {
    let trim = Trim { width: 148.0, height: 210.0 };
    Style { trim, theme: "calm".to_owned(), first_page: 1, title: None, emoji: Default::default() }
}

fn set_text(text: &str) -> SetText {
    set(text, Markup::Markdown, &style(), &Pictures::default()).expect("Typst sets it").expect("it has words")
}

fn with_file<T>(bytes: &[u8], look: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book");
    std::fs::write(&file, bytes).expect("written");
    look(&file)
}

/// The words of the pages as poppler reads them, line by line.
fn printed(text: &str) -> String {
    with_file(&set_text(text).pdf, |file| {
        let said = Command::new("pdftotext").args(["-layout", "-enc", "UTF-8"]).arg(file).arg("-").output();
        String::from_utf8(said.expect("pdftotext").stdout).expect("UTF-8").replace('\u{200b}', "")
    })
}

/// The places of the words of the first page; from `xMin` and its like, in points.
struct Places(String);

impl Places {
    fn of(text: &str) -> Self {
        let read = |file: &Path| {
            let output = Command::new("pdftotext").arg("-bbox").arg(file).arg("-").output();
            String::from_utf8(output.expect("pdftotext").stdout).expect("UTF-8")
        };
        Self(with_file(&set_text(text).pdf, read))
    }

    fn side(&self, word: &str, side: &str) -> f64 {
        let line = self.0.lines().find(|line| line.contains(&format!(">{word}<")));
        let rest = line.and_then(|line| line.split(&format!("{side}=\"")).nth(1)).unwrap_or_default();
        rest.split('"').next().and_then(|x| x.parse().ok()).unwrap_or_else(|| panic!("{word}: {}", self.0))
    }
}

/// The fonts that are in the pages.
fn fonts(text: &str) -> String {
    with_file(&set_text(text).pdf, |file| crate::common::run("pdffonts", &[], file))
}

/// A chapter of the EPUB.
fn chapter(text: &str, number: usize) -> String {
    let read = read(text, Markup::Markdown, Some("别的名字"), &Pictures::default());
    let metadata = Metadata {
        title: "书".to_owned(),
        author: String::new(),
        description: String::new(),
        language: "zh-CN".to_owned(),
        identifier: "urn:bindery:markdown".to_owned(),
        modified: 0,
        direction: Direction::LeftToRight,
    };
    let pictures = Pictures::default();
    let text =
        epub::Text { blocks: &read.blocks, footnotes: &read.footnotes, cover: None, pictures: &pictures };
    let mut book = Vec::new();
    epub::write_text(&text, &metadata, &mut book).expect("a book");
    let mut archive = zip::ZipArchive::new(Cursor::new(book)).expect("an archive");
    let mut said = String::new();
    let name = format!("EPUB/text-{number:03}.xhtml");
    archive.by_name(&name).expect("the chapter").read_to_string(&mut said).expect("text");
    said
}

/// The words of XHTML as Python's parser of XML reads them; no white space.
fn words_of(xhtml: &str) -> String {
    let read = "import sys,xml.etree.ElementTree as E;print(''.join(''.join(E.fromstring(sys.stdin.buffer.read()).itertext()).split()))";
    let mut python = Command::new("python3")
        .args(["-c", read])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    std::io::Write::write_all(&mut python.stdin.take().expect("its input"), xhtml.as_bytes())
        .expect("written");
    let said = python.wait_with_output().expect("python3");
    assert!(said.status.success(), "no XML: {xhtml}");
    String::from_utf8(said.stdout).expect("UTF-8")
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn notes(text: &str) -> Vec<String> {
    set_text(text).notes
}

fn spans(text: &str) -> Vec<Span> {
    match read(text, Markup::Markdown, None, &Pictures::default()).blocks.as_slice() {
        [Block::Paragraph { spans, .. }] => spans.clone(),
        blocks => panic!("one paragraph: {blocks:?}"),
    }
}

#[test]
fn words_beside_chinese_punctuation_are_strong() {
    for (text, strong) in [
        ("**重点。**后面", "重点。"),
        ("他说**“不要走”**然后", "“不要走”"),
        ("**注意：**正文", "注意："),
        ("这是**《红楼梦》**里", "《红楼梦》"),
        ("前面**（括号）**后面", "（括号）"),
        ("前**「引」**後", "「引」"),
        ("这**加粗**的", "加粗"),
        ("한국어**(강조)**는", "(강조)"),
        ("__“整句。”__", "“整句。”"),
    ] {
        let found: String =
            spans(text).into_iter().filter(|span| span.strong).map(|span| span.text).collect();
        assert_eq!(found, strong, "{text}");
    }
    let emphasised = spans("前*“话”*后 ~~“删”~~的");
    assert!(emphasised.iter().any(|span| span.emphasis && span.text == "“话”"), "{emphasised:?}");
    assert!(emphasised.iter().any(|span| span.struck && span.text == "“删”"), "{emphasised:?}");
    assert!(!printed("**重点。**后面，**《红楼梦》**里").contains('*'));
}

#[test]
fn words_in_odd_places_of_html_stay() {
    for text in [
        "<td>重要的话</td>",
        "一 <td>重要的话</td> 三",
        "<pre><div>重要的话</div></pre>",
        "<pre><ul><li>重要的话</li></ul></pre>",
        "<ol start=\"18446744073709551615\"><li>重要的话</li></ol>",
    ] {
        assert!(squeezed(&printed(text)).contains("重要的话"), "{text}");
        assert!(words_of(&chapter(text, 1)).contains("重要的话"), "{text}");
    }
}

/// What takes minutes where each end is looked for among all that is open.
#[test]
fn html_that_never_ends_is_read_in_a_moment() {
    let started = std::time::Instant::now();
    let open = format!("<div>\n{}{}\n", "<a>".repeat(100_000), "</b>".repeat(100_000));
    let labels: String = (0..20_000).map(|number| format!("[甲{number}]: 乙\n")).collect();
    for text in [open, labels, "<!--a--!>".repeat(50_000)] {
        drop(press::manuscript::addresses(&text));
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}

const HTML: &str = "# 书\n\n第一段。\n\n<div align=\"center\">\n居中的文字\n</div>\n紧跟着的**一段**。\n- 列表一\n- 列表二\n\n<p>标签里的</p>\n\n\
    <center><b>粗体</b>与<font color=red>颜色</font></center>\n\n<details><summary>点开</summary>\n\n里面的 **Markdown**\n\n</details>\n\n\
    <ul><li>甲项<li>乙项</ul>\n\n<blockquote>引文</blockquote>\n\n<dl><dt>术语<dd>解释</dl>\n\n<pre>\n  原样\n</pre>\n\n\
    <h2>小标题</h2>\n\n行内 <span>跨度</span>、<u>下划</u>、Vec<String> 和 <我> 与 a < b。<br>换行\n\n<div>没有关上\n\n<b>还有</p></td>杂乱</i>\n\n<foo>\n\n<p 半个标签\n\n最后一段。\n";

#[test]
fn words_in_html_stay_in_the_book_and_the_epub() {
    let (book, epub) = (squeezed(&printed(HTML)), words_of(&chapter(HTML, 1)));
    for words in [
        "居中的文字",
        "紧跟着的一段。",
        "列表一",
        "列表二",
        "标签里的",
        "粗体与颜色",
        "点开",
        "里面的Markdown",
        "甲项",
        "乙项",
        "引文",
        "术语",
        "解释",
        "原样",
        "小标题",
        "跨度、下划、Vec<String>和<我>与a<b。",
        "换行",
        "没有关上",
        "还有杂乱",
        "<foo>",
        "半个标签",
        "最后一段。",
    ] {
        assert!(book.contains(words), "{words} in the book: {book}");
        assert!(epub.contains(words), "{words} in the EPUB: {epub}");
    }
    assert_eq!(notes(HTML), Vec::<String>::new());
    let blocks = read(HTML, Markup::Markdown, None, &Pictures::default()).blocks;
    let is_list = |block: &&Block| matches!(block, Block::List { items, .. } if items.len() == 2);
    assert_eq!(blocks.iter().filter(is_list).count(), 2, "of Markdown below HTML, and of HTML: {blocks:?}");
    let centred = |block: &&Block| matches!(block, Block::Paragraph { align: Align::Center, .. });
    assert_eq!(blocks.iter().filter(centred).count(), 2);
}

#[test]
fn what_is_not_set_is_named_with_its_line() {
    let text = "---\ntitle: 书\n---\n一段。![图](a.png)\n\n<div>\n<iframe src=\"x\"></iframe>\n</div>\n\n<script>\nlet a;\n</script>\n\n<svg><text>字</text></svg>后面\n\n\
        [甲]: 你好吗\n\n[用]: https://a.example\n\n[//]: # (注释)\n\n见[用]，[^无]。\n\n[^没用]: 脚注\n\n𰻞\u{10ffff} 和 𰻞\n\n<!-- 注释 -->\n\n<!-- 没有结束\n丢了\n";
    let notes = notes(text).join("\n");
    for said in [
        "1 张图片没有排进来（第 4 行）",
        "<iframe>（第 7 行）",
        "<script>（第 10 行）",
        "<svg>（第 14 行）",
        "第 16 行写成了链接的地址",
        "第 22 行的脚注标记",
        "第 24 行的脚注在正文里没有标记",
        "（U+10FFFF，第 26 行）",
        "第 30 行的注释",
        "第 1–3 行",
    ] {
        assert!(notes.contains(said), "{said}: {notes}");
    }
    assert!(!notes.contains("第 18"), "an address that is used: {notes}");
    assert!(squeezed(&printed(text)).contains("后面"), "{notes}");
    assert!(squeezed(&printed(text)).contains("注没用：脚注"));
    // rules with words between them are no metadata
    assert!(printed("---\n\n第一段\n\n---\n\n第二段").contains("第一段"));
}

#[test]
fn addresses_that_find_no_place_are_named() {
    for (text, line) in [
        ("# 甲\n\n字\n\n# [乙](https://a.example)\n", Some(5)),
        ("字\n\n[![图](a.png)](https://a.example)\n", Some(3)),
        ("<a href=\"https://a.example\"><div>整段</div></a>\n", Some(1)),
        ("[甲](https://a.example)，[乙](#丙)，<https://a.example>\n", None),
    ] {
        let said = notes(text).join("\n");
        let named = line.map(|line| format!("第 {line} 行的链接只排了内容"));
        assert_eq!(said.contains("的链接"), named.is_some(), "{text}: {said}");
        assert!(named.is_none_or(|named| said.contains(&named)), "{text}: {said}");
    }
}

const NOTES: &str = "# 书\n\n正文第一句[^1]，第二句[^note]，再引用一次[^1]。\n\n[^1]: 第一个脚注。\n[^note]: 见 *Smith*：\n\n    - 甲[^1]\n    - 乙[^note]\n\n## 标题[^h]\n\n## 后面\n\n## 最后\n\n\
    | 表[^t] |\n|--|\n| 格[^1] |\n\n后文。\n\n[^t]: 表的脚注。\n[^h]: 标题的脚注。\n";

#[test]
fn footnotes_stand_at_the_foot_of_their_page() {
    let pages = printed(NOTES);
    assert!(!pages.contains("[^"), "{pages}");
    for note in ["第一个脚注。", "标题的脚注。", "表的脚注。"] {
        assert_eq!(pages.matches(note).count(), 1, "{note}, once: {pages}");
        assert!(pages.find(note) > pages.find("后文。"), "{note} stands below the text: {pages}");
    }
    // the contents show no marks
    let contents =
        pages.lines().find(|line| line.contains("标题") && line.contains(". .")).unwrap_or_default();
    assert!(contents.trim_start().starts_with("标题 "), "{pages}");
    assert_eq!(notes(NOTES), Vec::<String>::new());
}

#[test]
fn a_footnote_without_a_mark_that_is_set_stays_in_the_text() {
    for text in [
        "字\n\n![图[^1]](a.png)\n\n[^2]: 又[^1]\n[^1]: 脚注的话[^2]",
        "字\n\n<svg>[^1]</svg>\n\n[^1]: 脚注的话[^1]",
        "字[^2]\n\n<ruby>字<rt>[^1]</rt></ruby>\n\n[^1]: 脚注的话\n[^2]: 又[^1]",
        "# 书名[^1]\n\n字\n\n[^1]: 脚注的话",
    ] {
        assert!(printed(text).contains("脚注的话"), "{text}");
        assert!(words_of(&chapter(text, 1)).contains("脚注的话"), "{text}");
    }
    assert!(notes("字\n\n<svg>[^1]</svg>\n\n[^1]: 脚注的话")[1].contains("第 5 行的脚注"));
}

#[test]
fn an_epub_has_notes_that_programs_open_beside_their_marks() {
    let chapter = chapter(NOTES, 1);
    for part in [
        "<a epub:type=\"noteref\" role=\"doc-noteref\" id=\"mark-1\" href=\"#note-1\">1</a>",
        "id=\"mark-1-2\" href=\"#note-1\">1</a>",
        "<aside epub:type=\"footnote\" role=\"doc-footnote\" id=\"note-1\">",
        "<a role=\"doc-backlink\" href=\"#mark-1\">1</a> 第一个脚注。",
    ] {
        assert!(chapter.contains(part), "{part}: {chapter}");
    }
    for number in 1..=4 {
        assert_eq!(chapter.matches(&format!("id=\"note-{number}\"")).count(), 1, "{number}: {chapter}");
    }
    // each number leads to a mark that leads to its note, as a parser of XML reads them
    let (mut marks, mut note, mut backs) = (std::collections::BTreeMap::new(), String::new(), 0);
    let mut ends = Vec::new();
    for token in html5gum::Tokenizer::new(chapter.as_str()) {
        let Ok(html5gum::Token::StartTag(tag)) = token else { continue };
        let value = |name: &str| {
            tag.attributes
                .get(name.as_bytes())
                .map(|value| String::from_utf8_lossy(&value.value).into_owned())
                .unwrap_or_default()
        };
        match value("role").as_str() {
            "doc-noteref" => _ = marks.insert(value("id"), value("href")),
            "doc-footnote" => note = value("id"),
            "doc-backlink" => ends.push((value("href"), note.clone())),
            _ => {}
        }
    }
    for (back, note) in ends {
        assert_eq!(marks.get(back.trim_start_matches('#')), Some(&format!("#{note}")), "{chapter}");
        backs += 1;
    }
    assert_eq!(backs, 4);
    words_of(&chapter);
}

#[test]
fn tasks_are_boxes_and_no_brackets() {
    let text = "- [x] 做完的\n- [ ] 没做的\n  - [X] 里面的\n\n1. [ ] 编号的\n";
    let pages = printed(text);
    assert!(!pages.contains('[') && pages.contains("做完的") && pages.contains("编号的"), "{pages}");
    let chapter = chapter(text, 1);
    assert!(chapter.contains("<li>☑ 做完的</li><li>☐ 没做的<ul class=\"tasks\">"), "{chapter}");
}

#[test]
fn readings_stand_over_their_words() {
    let text = "<ruby>汉<rt>hàn</rt>字<rp>(</rp><rt>zì</rt><rp>)</rp></ruby>好";
    let found = spans(text);
    let read: Vec<_> = found.iter().map(|span| (span.text.as_str(), span.ruby.as_deref())).collect();
    assert_eq!(read, [("汉", Some("hàn")), ("字", Some("zì")), ("好", None)]);
    assert!(chapter(text, 1).contains("<ruby>汉<rt>hàn</rt></ruby><ruby>字<rt>zì</rt></ruby>好"));
    // the words lie on one line, and the reading above it
    let places = Places::of("<ruby>汉<rt>han</rt></ruby>好");
    assert!(places.side("han", "yMax") < places.side("汉好", "yMax") - 3.0, "{}", places.0);
    // nobody breaks a line in a reading: a long one stands behind
    assert!(
        squeezed(&printed("<ruby>这一句话实在是太长了一些<rt>duǎn</rt></ruby>")).contains("长了一些（duǎn）")
    );
}

#[test]
fn columns_are_set_to_their_sides() {
    let text =
        "| 左 | 中 | 右 |\n|:--|:-:|--:|\n| 甲 | 乙 | 1.5 |\n| 很长的一格 | 很长的一格 | 1234567.5 |\n";
    let places = Places::of(text);
    assert!((places.side("1.5", "xMax") - places.side("1234567.5", "xMax")).abs() < 1.0, "{}", places.0);
    assert!((places.side("左", "xMin") - places.side("甲", "xMin")).abs() < 1.0, "{}", places.0);
    assert!(places.side("乙", "xMin") > places.side("甲", "xMax") + 20.0, "{}", places.0);
    let chapter = chapter(text, 1);
    assert!(
        chapter.contains("<td class=\"right\">1.5</td>") && chapter.contains("<th class=\"center\">中</th>")
    );
    // cells that cover others keep the columns
    let covered =
        "<table><tr><th>甲<th colspan=2>乙<tr><td rowspan=2>高<td>1<td align=right>2<tr><td>3<td>4</table>";
    let blocks = read(covered, Markup::Markdown, None, &Pictures::default()).blocks;
    let [Block::Table { columns, rows }] = blocks.as_slice() else { panic!("a table: {blocks:?}") };
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| cell.iter().map(|span| span.text.as_str()).collect()).collect())
        .collect();
    assert_eq!(cells, [["甲", "乙", ""], ["高", "1", "2"], ["", "3", "4"]]);
    assert_eq!(columns[2], Align::Right);
}

#[test]
fn code_and_emoji_have_fonts_of_their_own() {
    assert!(fonts("用 `let a` 吧").contains("NotoSansMono"));
    assert!(fonts("笑😀和👨\u{200d}👩\u{200d}👧").contains("NotoEmoji"));
    assert_eq!(notes("笑😀，👨\u{200d}👩\u{200d}👧，🇨🇳，1\u{fe0f}\u{20e3}"), Vec::<String>::new());
}

#[test]
fn what_nobody_sees_is_neither_drawn_nor_named() {
    let text = "零甲\u{200b}乙\u{200d}丙\u{feff}丁\u{ad}戊\u{202a}己\u{2066}庚\u{2069}辛\u{2061}壬\u{fe0f}癸葛\u{e0100}完\u{180e}\u{34f}";
    assert_eq!(notes(text), Vec::<String>::new());
    assert!(!fonts(text).contains("LastResort"));
    let (seen, plain) = (set_text(text).pdf, set_text("零甲乙丙丁戊己庚辛壬癸葛完").pdf);
    let drawn = |pdf: &[u8]| crate::common::rasterised(pdf, 1, 600);
    assert!(crate::common::difference(&drawn(&seen), &drawn(&plain)) < 0.01, "the same ink");
    let lines = printed("甲\u{2028}乙\u{2028}丙");
    for line in ["甲", "乙", "丙"] {
        assert!(lines.lines().any(|printed| printed.trim() == line), "{line} has its own line: {lines}");
    }
    assert!(chapter("甲\u{2028}乙", 1).contains("甲<br/>乙"));
}

#[test]
fn odd_texts_are_set_in_time() {
    let many = |part: &str, count: usize| part.repeat(count);
    for text in [
        many("<div>a", 20_000),
        many("<ul><li>a", 5_000),
        many("<table><tr><td>a", 3_000),
        many("> ", 5_000) + "深",
        many("- ", 2_000) + "深",
        many("[^1]", 500) + "\n\n[^1]: 注[^1]",
        many("<b><i>", 5_000) + "粗",
        many("<ruby>", 3_000) + "字<rt>",
        "字[^a]\n\n[^a]: 甲[^b]\n[^b]: 乙[^a]".to_owned(),
        "</div></p></td></table></ul>字<li>项<td>格<tr>行<rt>注".to_owned(),
        "| a[^1] |\n|--|\n| b[^1] |\n\n[^1]: 注".to_owned(),
        "# [^1]\n\n字\n\n[^1]:\n".to_owned(),
        "# 书[^1]\n\n字\n\n[^1]: 注[^2]\n[^2]: 又[^1]\n".to_owned(),
    ] {
        let begun = std::time::Instant::now();
        let read = read(&text, Markup::Markdown, None, &Pictures::default());
        assert!(begun.elapsed().as_secs() < 10, "{text:.20} took {:?}", begun.elapsed());
        assert!(!read.blocks.is_empty());
        if text.len() < 3_000 {
            set_text(&text);
        }
        words_of(&chapter(&text, 1));
    }
}
