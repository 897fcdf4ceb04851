//! The demo's books and calendars, one for each goods, and a cart that shows every rule.

use base::db::new_id;
use base::error::Error;
use domain::calendar::{self, Plan, WeekStart, YearMonth, parse_anniversaries};
use domain::goods::{Goods, step_name};
use domain::ids::{CartLineId, MemberId, PhotoId, WorkId};
use domain::layout::{Captions, LayoutOptions, PageRange, PhotoInput, lay_out};
use domain::print_options::{Choice, Fit, Quantity, evaluate, fits};
use web::app::App;
use web::demo::{Demo, NAME};

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

/// The editor type of calendars (specification section 2).
const CALENDAR: u8 = 13;
/// What the demo member's family keeps.
const ANNIVERSARIES: &str = "3-15 妈妈生日\n6-20 结婚纪念日\n农历八月初八 外婆生日\n11-2 知夏生日\n";

/// Makes them.
pub async fn fill(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let mut covers = Vec::new();
    for (index, goods) in catalog::all(app).await?.into_iter().enumerate() {
        let (_, pages, title, copies) = BOOKS
            .iter()
            .find(|(id, ..)| *id == goods.id.as_str())
            .copied()
            .unwrap_or(("", goods.pages.min, "样书", 1));
        let theme = press::themes().get(index % press::themes().len()).map_or("", |theme| theme.name);
        // each book begins with another photo and has another on its cover, and one for nearly every page
        let count = pages as usize - 2;
        let free: Vec<_> = demo.library.iter().filter(|photo| !covers.contains(&photo.id)).collect();
        let photos = free.into_iter().cycle().skip(index * 7).take(count).cloned().collect();
        let (work, cover) = if goods.editor_type == CALENDAR {
            make_calendar(app, &demo.member, photos, &goods, pages, title, theme).await?
        } else {
            make_book(app, &demo.member, photos, &goods, pages, title, theme).await?
        };
        covers.extend(cover);
        put_in_cart(app, &demo.member, &work, &goods, pages, copies).await?;
        demo.books.push((work, title));
    }
    Ok(())
}

/// Answers the work, and the photo on its cover.
pub async fn make_book(
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
        author: NAME.into(),
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
pub async fn put_in_cart(
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
    super::add(app, line.clone(), member, work, goods, choice, copies).await?;
    Ok(line)
}
