//! Demo content: a member, photos that the program paints itself, books, a cart that shows every rule, and another member's
//! orders, so that there is something to do in the back office (`floor`).
//!
//! Everything goes through the same functions as a member's own uploads, works and cart lines.

mod floor;

use domain::calendar::{self, Plan, WeekStart, YearMonth, parse_anniversaries};
use domain::goods::{Goods, step_name};
use domain::ids::{CartLineId, MemberId, PackageId, PhotoId, WorkId};
use domain::layout::{Captions, LayoutOptions, PageRange, PhotoInput, lay_out};
use domain::money::Fen;
use domain::package::Term;
use domain::print_options::{Choice, Fit, Quantity, evaluate, fits};
use domain::tier::Tier;

use accounts::{self, Address};
use platform::app::App;
use platform::db::{new_id, now_ms, with_db};
use platform::error::Error;

/// The demo member's sign-in.
pub const ACCOUNT: &str = "demo@example.com";
pub const PASSWORD: &str = "bindery-demo";
/// Who may do everything in the demo's back office, with the same password.
pub const STAFF: &str = "demo";
/// Somebody who edits its books, with the same password.
const EDITOR: &str = "editor@example.com";

/// Photos that are painted.
const PHOTOS: u32 = 48;

/// One book for each goods: how many pages, what it is called, how many copies. The page counts are chosen so
/// that together the cart's lines show every rule of sections 4 and 5 of the specification both ways.
const BOOKS: &[(&str, u32, &str, u32)] = &[
    ("album-210", 48, "山海之间", 20),
    ("album-a4", 50, "外婆的老屋", 1),
    ("album-a5", 24, "秋日徒步手记", 3),
    ("booklet-a5", 30, "毕业那年", 50),
    ("layflat-280", 20, "我们的婚礼", 2),
    ("calendar-a5", 14, "二〇二七", 10),
    ("calendar-desk-254", 26, "一年好景", 1),
    ("calendar-wall-300", 14, "四时", 2),
    ("calendar-wall-a3", 14, "山河岁月", 1),
    ("document-a5", 96, "家书", 1),
];

/// See [`statistics::demo`].
const VISITS: [i64; 3] = [46, 17, 9];

/// The editor type of calendars (specification section 2).
const CALENDAR: u8 = 13;
/// What the demo member's family keeps.
const ANNIVERSARIES: &str = "3-15 妈妈生日\n6-20 结婚纪念日\n农历八月初八 外婆生日\n11-2 知夏生日\n";

/// Whether nobody has an account yet.
pub async fn is_empty(app: &App) -> Result<bool, Error> {
    let (members,): (i64,) =
        with_db!(&app.db, |pool| sqlx::query_as("select count(*) from members").fetch_one(pool).await)?;
    Ok(members == 0)
}

/// Fills an empty database.
pub async fn fill(app: &App) -> Result<(), Error> {
    if !is_empty(app).await? {
        return Err(Error::Conflict("the database already has members; the demo needs an empty one".into()));
    }
    let member = accounts::add_member(app, ACCOUNT, PASSWORD, Tier::Basic).await.map_err(Error::internal)?;
    ledger::grant(&app.db, &member, Fen(1_064_800), "demo:opening", now_ms())
        .await
        .map_err(Error::internal)?;
    let editor = accounts::add_member(app, EDITOR, PASSWORD, Tier::Basic).await.map_err(Error::internal)?;
    membership::demo(app, &member, &editor).await?;
    for (receiver, province, city, district, street) in [
        ("林知夏", "浙江省", "杭州市", "西湖区", "龙井路 18 号"),
        ("林建国", "江苏省", "苏州市", "姑苏区", "平江路 62 号"),
    ] {
        let address = Address {
            id: new_id(),
            receiver: receiver.into(),
            phone: "13800138000".into(),
            province: province.into(),
            city: city.into(),
            district: district.into(),
            street: street.into(),
            is_default: false,
        };
        accounts::add_address(app, &member, &address).await?;
    }
    let buyer =
        accounts::add_member(app, floor::ACCOUNT, PASSWORD, Tier::Basic).await.map_err(Error::internal)?;
    let (library, of_buyer) = paint(app, &member, (&buyer, floor::PHOTOS)).await?;
    let (mut covers, mut books, mut made) = (Vec::new(), Vec::new(), Vec::new());
    for (index, goods) in catalog::all(app).await?.into_iter().enumerate() {
        let (_, pages, title, copies) = BOOKS
            .iter()
            .find(|(id, ..)| *id == goods.id.as_str())
            .copied()
            .unwrap_or(("", goods.pages.min, "样书", 1));
        let theme = press::themes().get(index % press::themes().len()).map_or("", |theme| theme.name);
        // each book begins with another photo and has another on its cover, and one for nearly every page
        let count = pages as usize - 2;
        let free: Vec<_> = library.iter().filter(|photo| !covers.contains(&photo.id)).collect();
        let photos = free.into_iter().cycle().skip(index * 7).take(count).cloned().collect();
        let (work, cover) = if goods.editor_type == CALENDAR {
            make_calendar(app, &member, photos, &goods, pages, title, theme).await?
        } else {
            make_book(app, &member, photos, &goods, pages, title, theme).await?
        };
        covers.extend(cover);
        books.push((work.to_string(), title));
        put_in_cart(app, &member, &work, &goods, pages, copies).await?;
        made.push(work);
    }
    reader::demo(app, &member, &made).await?;
    publications::demo(app, &member, &library, &made).await?;
    sell(app, &member, &books).await?;
    let named =
        |name: &str| books.iter().zip(&made).find(|((_, title), _)| *title == name).map(|(_, work)| work);
    if let Some(ebook) = named(EBOOK) {
        let others: Vec<_> = ALSO_PUBLIC.iter().filter_map(|name| named(name)).collect();
        reader::demo_ebook(app, &member, ebook, &others).await?;
    }
    shelves::demo(app, &member, "林知夏").await?;
    study::demo(app, &member, &books).await?;
    card::demo(app, &member).await?;
    staff::demo(app, STAFF, PASSWORD).await?;
    floor::fill(app, &buyer, &of_buyer).await?;
    // those that everybody, or whoever has the link, may read, and how often each is opened in a day
    let read: Vec<_> =
        made.iter().zip(VISITS).map(|(work, visits)| ("work", work.to_string(), visits)).collect();
    statistics::demo(app, &member, &read).await
}

/// The e-book, and what else stands on the public shelf beside it and the book that is sold.
const EBOOK: &str = "山海之间";
const ALSO_PUBLIC: &[&str] = &["四时", "山河岁月"];

/// Packages of the demo member's books: what they are called, what is said of them, their term, price in 分, and books.
const PACKAGES: &[(&str, &str, Term, i64, std::ops::Range<usize>)] = &[
    ("山野与远方", "三本在路上拍的画册，一年里随时翻看。", Term::Months(12), 4_800, 0..3),
    ("家里的书", "老屋、婚礼和家书，买一次，一直可以读。", Term::Forever, 2_900, 3..6),
];
/// Codes of the first one, as a school would get them.
const CODES: u32 = 50;

/// Two packages, and a batch of codes for the first.
async fn sell(app: &App, member: &MemberId, books: &[(String, &str)]) -> Result<(), Error> {
    let now = now_ms();
    let mut packages = Vec::new();
    for (title, description, term, price, range) in PACKAGES {
        let books = books.get(range.clone()).unwrap_or_default();
        let contents: Vec<_> = books
            .iter()
            .map(|(id, title)| selling::Content {
                kind: "work".to_owned(),
                id: id.clone(),
                title: (*title).to_owned(),
            })
            .collect();
        let id: PackageId = new_id();
        packages.push(id.clone());
        let new = selling::NewPackage {
            id,
            seller: member,
            seller_name: "林知夏",
            title,
            description,
            term: *term,
            price: Fen(*price),
            trial_pages: 4,
            on_sale_from: now,
            on_sale_until: None,
        };
        selling::keep_package(app, new, &contents, now).await?;
    }
    if let Some(package) = packages.into_iter().next() {
        let note = "春季学期，三年级二班".to_owned();
        let wanted =
            selling::NewCodes { id: new_id(), package, note, codes: CODES, active: true, expires_at: None };
        selling::make_codes(app, member, wanted, now).await?;
    }
    Ok(())
}

/// Paints the photos, a few at a time, and takes them in like an upload. Another member has the first of them, too.
async fn paint(
    app: &App,
    member: &MemberId,
    (other, shared): (&MemberId, usize),
) -> Result<(Vec<PhotoInput>, Vec<PhotoInput>), Error> {
    let painting: Vec<_> = (0..PHOTOS)
        .map(|number| {
            let app = app.clone();
            tokio::spawn(async move { app.compute(move || press::specimen::paint(number)).await })
        })
        .collect();
    let (mut library, mut of_other) = (Vec::new(), Vec::new());
    for (number, task) in painting.into_iter().enumerate() {
        let painted = task.await.map_err(Error::internal)??;
        let (width, height, taken_at) = (painted.width, painted.height, painted.taken_at);
        let name = format!("风景 {:02}.jpg", number + 1);
        let keep = async |member: &MemberId, jpeg: Vec<u8>| {
            let id: PhotoId = photos::keep_jpeg(app, member, &name, jpeg, width, height, taken_at).await?;
            Ok::<_, Error>(PhotoInput { id, width, height, taken_at: Some(taken_at), subject: None })
        };
        if number < shared {
            of_other.push(keep(other, painted.jpeg.clone()).await?);
        }
        library.push(keep(member, painted.jpeg).await?);
    }
    Ok((library, of_other))
}

/// Answers the work, and the photo on its cover.
async fn make_book(
    app: &App,
    member: &MemberId,
    mut photos: Vec<PhotoInput>,
    goods: &Goods,
    pages: u32,
    title: &str,
    theme: &str,
) -> Result<(WorkId, Option<PhotoId>), Error> {
    let known = press::themes().iter().find(|known| known.name == theme);
    let options = LayoutOptions {
        trim: goods.trim,
        pages: PageRange { min: pages, max: pages, step: 2 },
        title: title.into(),
        author: "林知夏".into(),
        theme: theme.into(),
        captions: Captions::Empty,
        chapters: false,
        parts: Default::default(),
        density: Default::default(),
        style: known.map(|known| known.style).unwrap_or_default(),
    };
    for (order, photo) in photos.iter_mut().enumerate() {
        photo.taken_at = Some(order as i64 * 7_200_000);
    }
    let mut document = app.compute(move || lay_out(&photos, &options)).await?.map_err(Error::internal)?;
    document.cover.ground = known.map(|known| known.cover).unwrap_or_default();
    let cover = document.cover.photos().next().map(|frame| frame.photo.clone());
    Ok((works::keep(app, member, "album", &document).await?, cover))
}

/// A calendar of the year after the photos, with the family's own days. With many pages each photo has one of its own.
async fn make_calendar(
    app: &App,
    member: &MemberId,
    photos: Vec<PhotoInput>,
    goods: &Goods,
    pages: u32,
    title: &str,
    theme: &str,
) -> Result<(WorkId, Option<PhotoId>), Error> {
    let start = YearMonth::new(2027, 1).ok_or_else(|| Error::internal("no such month"))?;
    let plan = Plan {
        trim: goods.trim,
        theme: theme.into(),
        title: title.into(),
        start,
        months: 12,
        week_start: WeekStart::Monday,
        anniversaries: parse_anniversaries(ANNIVERSARIES)
            .map_err(|wrong| Error::internal(wrong.join(" ")))?,
        is_facing: pages > 20,
    };
    let photos: Vec<PhotoInput> = photos.into_iter().take(13).collect();
    let document = calendar::make(&plan, &photos).map_err(Error::internal)?;
    let cover = document.cover.photos().next().map(|frame| frame.photo.clone());
    Ok((works::keep(app, member, "calendar", &document).await?, cover))
}

/// A line with the choices that show the goods' rules best: saddle stitch where the page count allows it, else 布艺 with
/// the foil that is all that is seen on it, where they are offered, else what comes first.
async fn put_in_cart(
    app: &App,
    member: &MemberId,
    work: &WorkId,
    goods: &Goods,
    pages: u32,
    copies: u32,
) -> Result<CartLineId, Error> {
    let items = || goods.shown_steps().flat_map(|step| step.items.iter().map(move |item| (step, item)));
    let saddle =
        items().find(|(step, item)| item.name == "骑马钉" && fits(goods, pages, step, item) == Fit::Fits);
    let cloth = items().find(|(step, item)| step.name == step_name::COVER && item.name.contains("布艺"));
    let foil = items().find(|(step, item)| step.name == step_name::CRAFT && item.name.contains("烫金"));
    let gilded = cloth.zip(foil).map(|(cloth, foil)| vec![cloth, foil]);
    let wanted = saddle.map(|saddle| vec![saddle]).or(gilded).unwrap_or_default();
    let wanted = wanted.into_iter().map(|(_, item)| item.cnum.clone()).collect();
    let choice = evaluate(goods, pages, &Choice::new(wanted)).choice();
    let line: CartLineId = new_id();
    let copies = Quantity::try_from(copies).map_err(Error::internal)?;
    cart::add(app, line.clone(), member, work, goods, choice, copies).await?;
    Ok(line)
}
