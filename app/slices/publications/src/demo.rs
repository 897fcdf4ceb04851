//! The demo's newspaper of a month and more, and a magazine. Pages are set by the press when somebody first looks at them; their
//! articles are known, since what stands on the pages is made here.

use base::db::{Tx, new_id, now_ms};
use base::error::Error;
use domain::days::DAY_MS;
use domain::document::{
    Align, Border, Crop, Document, Element, Ink, Page, PaletteColour, PhotoFrame, Rect, Shape, ShapeKind,
    TextBlock, TextRole, Trim,
};
use domain::hot_area::Place;
use domain::ids::WorkId;
use domain::issue_state::IssueState;
use domain::layout::PhotoInput;
use domain::money::Fen;
use domain::publication::{Day, Kind, Numbers, Weekdays};
use web::app::App;
use web::demo::Demo;

use super::demo_texts::{STORIES, Story};
use super::store::articles::{self, Article, ArticlePhoto};
use super::store::issues::{self, Issue};
use super::store::publications::{self, Publication, Sale};
use super::{new_picture_key, uses};

/// Issues of the newspaper, one a day.
const PAPERS: i64 = 33;
/// What its first issue here is counted by.
const FIRST_TOTAL: i64 = 3_001;
/// Its pages, in mm.
const TRIM: Trim = Trim { width: 260.0, height: 352.0 };
const MARGIN: f64 = 14.0;
const WIDTH: f64 = TRIM.width - 2.0 * MARGIN;
/// Between columns.
const GAP: f64 = 6.0;
const PAGES: [&str; 4] = ["要闻", "本地", "生活", "副刊"];
/// When it comes out.
const HOUR_MS: i64 = 60 * 60_000;
/// Pages that an issue of the magazine has of each book.
const OF_BOOK: usize = 14;

/// A newspaper with an issue for each of the last days, and a magazine of some of the member's books.
pub async fn fill(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let (member, photos) = (&demo.member, &*demo.library);
    let books: Vec<WorkId> = demo.books.iter().map(|(work, _)| work.clone()).collect();
    let now = now_ms();
    let paper = Publication {
        id: new_id(),
        member: member.clone(),
        kind: Kind::Epaper,
        address: "longjing".parse().map_err(Error::internal)?,
        name: "龙井晚报".into(),
        organiser: "龙井镇文化站".into(),
        number: "浙内准字第 A-018 号".into(),
        description: "龙井镇的一张小报：雪后的路、早班的公交、茶厂里的图书馆，每天四个版。".into(),
        weekdays: Weekdays::of(0..7),
        sale: None,
        pdf: true,
        epub: true,
        updated_at: now,
    };
    let magazine = Publication {
        id: new_id(),
        kind: Kind::Magazine,
        address: "shanye".parse().map_err(Error::internal)?,
        name: "山野".into(),
        organiser: "山野影社".into(),
        number: String::new(),
        description: "一本慢慢走、慢慢看的摄影双月刊。".into(),
        weekdays: Weekdays::default(),
        sale: Some(Sale { issue_price: Some(Fen(600)), preview_pages: 5, given_articles: 5 }),
        ..paper.clone()
    };
    let today = Day::of(now);
    let mut tx = app.db.begin().await?;
    for publication in [&paper, &magazine] {
        publications::insert(&mut tx, publication).await?;
    }
    for back in (0..PAPERS).rev() {
        let day = today.plus(-back);
        let total = FIRST_TOTAL + PAPERS - 1 - back;
        let (document, articles) = newspaper(&paper, day, total, photos)?;
        let names: Vec<String> = PAGES.iter().map(|name| (*name).to_owned()).collect();
        let issue = issue(&paper, day, total, "", &document, now);
        write(&mut tx, &issue, &document, &names, articles, now).await?;
    }
    tx.commit().await?;
    for (total, book) in (1i64..).zip(books.iter().take(4)) {
        let work = works::for_owner(app, book, member).await?;
        let day = today.plus(-62 * (i64::try_from(books.len().min(4)).unwrap_or(4) - total) - 6);
        let mut document = work.document;
        document.pages.truncate(OF_BOOK);
        document.pages.insert(0, std::mem::take(&mut document.cover));
        let articles = essays(&document, total);
        let issue = issue(&magazine, day, total, &document.title, &document, now);
        let names: Vec<String> = (1..=document.pages.len())
            .map(|page| if page == 1 { "封面".to_owned() } else { String::new() })
            .collect();
        let mut tx = app.db.begin().await?;
        write(&mut tx, &issue, &document, &names, articles, now).await?;
        tx.commit().await?;
    }
    Ok(())
}

fn issue(
    publication: &Publication,
    day: Day,
    total: i64,
    name: &str,
    document: &Document,
    now: i64,
) -> Issue {
    let new_year: i64 = format!("{:04}-01-01", day.year()).parse::<Day>().map_or(0, Day::start);
    let number = match publication.kind {
        Kind::Epaper => (day.start() - new_year) / DAY_MS + 1,
        Kind::Magazine => i64::from(day.month()).div_euclid(2) + 1,
    };
    Issue {
        id: new_id(),
        publication: publication.id.clone(),
        member: publication.member.clone(),
        day,
        numbers: Numbers { number, total },
        name: name.to_owned(),
        state: IssueState::Draft,
        scheduled_at: None,
        published_at: None,
        withdrawn_reason: None,
        trim: document.trim,
        pages: document.pages.len(),
        picture_key: new_picture_key(),
        edition: 0,
        revision: 0,
        updated_at: now,
    }
}

/// Writes an issue that came out in the morning of its day, with articles that nobody has to look at any more.
async fn write(
    tx: &mut Tx,
    issue: &Issue,
    document: &Document,
    names: &[String],
    articles: Vec<Article>,
    now: i64,
) -> Result<(), Error> {
    issues::insert(tx, issue, document, names).await?;
    for (number, article) in (1i64..).zip(articles) {
        articles::keep(tx, &issue.id, &Article { number, position: number, ..article }).await?;
    }
    for page in 1..=issue.pages {
        issues::set_read(tx, (&issue.id, issue.edition), page, &[], 1, now).await?;
    }
    uses::shown(tx, &issue.id, &issue.member, document).await?;
    let out = now.min(issue.day.start() + 6 * HOUR_MS);
    issues::set_state(tx, &issue.id, (IssueState::Draft, IssueState::Published), None, out).await?;
    Ok(())
}

/// What stands on a page, while it is laid out.
#[derive(Default)]
struct Sheet {
    elements: Vec<Element>,
    articles: Vec<Article>,
}

impl Sheet {
    fn words(&mut self, frame: Rect, role: TextRole, text: &str, size: i8, align: Option<Align>) {
        if !text.is_empty() {
            let block = TextBlock { size, align, ..TextBlock::new(frame, role, text) };
            self.elements.push(Element::Text(block));
        }
    }

    fn rule(&mut self, y: f64, width: f64) {
        self.elements.push(Element::Shape(Shape {
            common: Default::default(),
            shape: ShapeKind::Line,
            frame: Rect { x: MARGIN, y, width: WIDTH, height: 1.0 },
            fill: None,
            border: Some(Border { width, colour: Ink::Theme(PaletteColour::Strong) }),
            radius: None,
        }));
    }

    /// A story in columns inside a frame, its headline above them.
    fn story(&mut self, page: usize, story: &Story, frame: Rect, columns: usize) {
        let Rect { x, y, width, height } = frame;
        let line = |y: f64, height: f64| Rect { x, y, width, height };
        let mut top = y;
        if !story.0.is_empty() {
            self.words(line(top, 5.0), TextRole::Caption, story.0, 1, Some(Align::Left));
            top += 5.5;
        }
        self.words(line(top, 9.0), TextRole::Heading, story.1, -2, Some(Align::Left));
        top += 10.0;
        if !story.2.is_empty() {
            self.words(line(top, 6.0), TextRole::Subtitle, story.2, -1, Some(Align::Left));
            top += 7.0;
        }
        let count = columns as f64;
        let wide = (width - GAP * (count - 1.0)) / count;
        for (column, text) in in_columns(story.4, columns).into_iter().enumerate() {
            let x = x + column as f64 * (wide + GAP);
            self.words(
                Rect { x, y: top, width: wide, height: y + height - top },
                TextRole::Body,
                &text,
                -1,
                None,
            );
        }
        self.keep(page, story, frame, Vec::new());
    }

    /// The story that a page begins with: a large headline, a photo, the text beside it.
    fn lead(&mut self, page: usize, story: &Story, photo: &PhotoInput, y: f64, height: f64) {
        let line = |y: f64, height: f64| Rect { x: MARGIN, y, width: WIDTH, height };
        let mut top = y;
        if !story.0.is_empty() {
            self.words(line(top, 7.0), TextRole::Subtitle, story.0, 0, Some(Align::Left));
            top += 8.0;
        }
        self.words(line(top, 13.0), TextRole::Heading, story.1, 1, Some(Align::Left));
        top += 15.0;
        if !story.2.is_empty() {
            self.words(line(top, 7.0), TextRole::Subtitle, story.2, 0, Some(Align::Left));
            top += 9.0;
        }
        let bottom = y + height;
        let wide = WIDTH * 0.62;
        let frame = Rect { x: MARGIN, y: top, width: wide, height: bottom - top };
        self.elements.push(Element::Photo(PhotoFrame::new(photo.id.clone(), frame, filling(photo, &frame))));
        let x = MARGIN + wide + GAP;
        let beside = Rect { x, y: top, width: WIDTH - wide - GAP, height: bottom - top };
        self.words(beside, TextRole::Body, &story.4.join("\n"), -1, None);
        let photos = vec![ArticlePhoto { photo: photo.id.clone(), caption: "本报资料照片".into() }];
        self.keep(page, story, Rect { x: MARGIN, y, width: WIDTH, height }, photos);
    }

    fn keep(&mut self, page: usize, story: &Story, frame: Rect, photos: Vec<ArticlePhoto>) {
        let mille = |part: f64, whole: f64| (part / whole * 1000.0).clamp(0.0, 1000.0) as u32;
        let (x, y) = (mille(frame.x - 2.0, TRIM.width), mille(frame.y - 2.0, TRIM.height));
        let (right, bottom) =
            (mille(frame.x + frame.width + 2.0, TRIM.width), mille(frame.y + frame.height, TRIM.height));
        self.articles.push(Article {
            id: new_id(),
            number: 0,
            page,
            position: 0,
            is_proposed: false,
            kicker: story.0.to_owned(),
            title: story.1.to_owned(),
            subtitle: story.2.to_owned(),
            author: story.3.to_owned(),
            text: story.4.join("\n"),
            areas: Place::new(x, y, right - x, bottom - y).into_iter().collect(),
            photos,
            sound: None,
            doubt: None,
            goes_on: None,
            updated_at: 0,
        });
    }
}

/// Paragraphs in so many columns, in their order.
fn in_columns(paragraphs: &[&str], columns: usize) -> Vec<String> {
    let per = paragraphs.len().div_ceil(columns).max(1);
    paragraphs.chunks(per).map(|part| part.join("\n")).collect()
}

/// The middle of a photo that fills a frame.
fn filling(photo: &PhotoInput, frame: &Rect) -> Crop {
    let (width, height) = (f64::from(photo.width), f64::from(photo.height));
    let wanted = frame.width / frame.height;
    if width / height > wanted {
        let part = wanted * height / width;
        Crop { x: (1.0 - part) / 2.0, y: 0.0, width: part, height: 1.0 }
    } else {
        let part = width / wanted / height;
        Crop { x: 0.0, y: (1.0 - part) / 2.0, width: 1.0, height: part }
    }
}

/// The issue of a day: four pages of four stories, each day another one first.
fn newspaper(
    paper: &Publication,
    day: Day,
    total: i64,
    photos: &[PhotoInput],
) -> Result<(Document, Vec<Article>), Error> {
    let first = usize::try_from(total).map_err(Error::internal)? * 7;
    let story = |index: usize| &STORIES[(first + index) % STORIES.len()];
    let photo = |index: usize| photos.get((first + index) % photos.len().max(1));
    let mut sheet = Sheet::default();
    let mut pages = Vec::new();
    for (index, name) in PAGES.iter().enumerate() {
        let page = index + 1;
        let missing = || Error::internal("the demo has no photos");
        let top = if page == 1 {
            let nameplate = Rect { x: MARGIN, y: 10.0, width: WIDTH, height: 20.0 };
            sheet.words(nameplate, TextRole::Title, &paper.name, 2, Some(Align::Center));
            let facts =
                format!("{}    总第 {total} 期    {}主办    {}", day.long(), paper.organiser, paper.number);
            let under = Rect { x: MARGIN, y: 33.0, width: WIDTH, height: 5.0 };
            sheet.words(under, TextRole::Caption, &facts, 0, Some(Align::Center));
            sheet.rule(39.0, 0.8);
            sheet.lead(page, story(0), photo(0).ok_or_else(missing)?, 45.0, 138.0);
            190.0
        } else {
            let head = Rect { x: MARGIN, y: 8.0, width: WIDTH, height: 5.0 };
            let facts = format!("{}  {}", paper.kind.page_title(page, name), day);
            sheet.words(head, TextRole::Caption, &facts, 1, Some(Align::Left));
            sheet.rule(15.0, 0.4);
            sheet.lead(page, story(index * 4), photo(index).ok_or_else(missing)?, 20.0, 163.0);
            190.0
        };
        sheet.rule(top - 4.0, 0.2);
        let half = (WIDTH - 2.0 * GAP) / 2.0;
        let left = Rect { x: MARGIN, y: top, width: half, height: 84.0 };
        sheet.story(page, story(index * 4 + 1), left, 2);
        sheet.story(page, story(index * 4 + 2), Rect { x: MARGIN + half + 2.0 * GAP, ..left }, 2);
        sheet.rule(top + 86.0, 0.2);
        let last = Rect { x: MARGIN, y: top + 90.0, width: WIDTH, height: 62.0 };
        sheet.story(page, story(index * 4 + 3), last, 3);
        pages.push(Page { elements: std::mem::take(&mut sheet.elements), ..Page::default() });
    }
    let document = Document {
        trim: TRIM,
        theme: "classic".into(),
        title: paper.name.clone(),
        author: String::new(),
        description: String::new(),
        category: None,
        emoji: Default::default(),
        variants: None,
        cover: Page::default(),
        pages,
    };
    Ok((document, sheet.articles))
}

/// Two texts of an issue of the magazine: one on its first pages, which anybody may read, and one further in.
fn essays(document: &Document, total: i64) -> Vec<Article> {
    const ESSAYS: [(&str, &str, &str); 2] = [
        (
            "卷首：走得慢一点",
            "编者",
            "这一期的照片，大多是在路上停下来的时候拍的。停下来，不是因为到了什么地方，而是因为光正好。\n我们走过的路，有一半没有名字。山脚的小卖部，桥头晒着的萝卜干，一只跟了我们三里路的狗，都没有出现在地图上，却都出现在这本册子里。\n走得慢一点，看见的就多一点。愿你翻到某一页的时候，也停一停。",
        ),
        (
            "手记：等一场雾散",
            "林知夏",
            "早上四点半到了山口，雾把一切都盖住了。同行的人说回去吧，我说再等等。\n七点二十分，雾从山谷里往上退，先露出来的是一棵松，然后是一条路，最后是一整个村子，炊烟刚刚升起来。\n前后不过六分钟。等了三个小时，只按了十一次快门，这里用的是第九张。\n下山的时候，雾又合上了，好像什么也没有发生过。",
        ),
    ];
    let last = document.pages.len();
    ESSAYS
        .iter()
        .zip([2, last.saturating_sub(3).max(3)])
        .map(|((title, author, text), page)| Article {
            id: new_id(),
            number: 0,
            page: page.min(last),
            position: total,
            is_proposed: false,
            kicker: String::new(),
            title: (*title).to_owned(),
            subtitle: String::new(),
            author: (*author).to_owned(),
            text: (*text).to_owned(),
            areas: Vec::new(),
            photos: Vec::new(),
            sound: None,
            doubt: None,
            goes_on: None,
            updated_at: 0,
        })
        .collect()
}
