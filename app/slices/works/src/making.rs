//! What becomes of chosen photos, before they are a book: how many pages, which stay empty, what else could be done.

use axum::extract::{RawForm, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use base::error::Error;
use domain::ids::{MemberId, PhotoId};
use domain::layout::{
    Captions, Density, LayoutOptions, PageRange, Parts, PhotoInput, cities_of, empty_pages, is_across,
    title_of,
};
use domain::look::{Seen, alike};
use web::app::App;
use web::render::Form;
use web::session::Member;
use web::ui::forms::read_form;

use super::formats::{FORMATS, WorkFormat, format};
use super::forms::chosen_photos;
use super::from_guests;
use super::pages::ahead_part;
use super::photo_input;
use super::weak::{Judged, Weak};
use photos::{self, Photo, PhotoState};

/// What a book is called that nobody named and whose photos say no day.
pub const UNTITLED: &str = "未命名作品";

/// Other ways that are offered at once.
const MOST_WAYS: usize = 3;

/// What would be made of the chosen photos.
#[derive(Debug, Clone, Default)]
pub struct Ahead {
    pub photos: usize,
    pub pages: usize,
    /// Pages on which nothing stands.
    pub empty: usize,
    /// Photos that stand across the fold.
    pub across: usize,
    /// What leaves fewer pages empty.
    pub ways: Vec<Way>,
    /// What the photos' days would call it; empty where they say none.
    pub title: String,
    /// The cities that chapters could have, in their order, and whether the form asks for such chapters.
    pub cities: Vec<String>,
    pub by_cities: bool,
    /// Photos whose time is told by their files' names alone, and those without any.
    pub named: usize,
    pub timeless: usize,
    /// Photos that nobody has looked at yet: what is said may change.
    pub pending: usize,
    /// Photos that look alike, the best first.
    pub alike: Vec<Vec<Photo>>,
    /// Those of them that stay out of the book: what the form says, all but the best where nobody has looked yet.
    pub left_out: Vec<PhotoId>,
    /// What is said of the weak ones.
    pub weak: Weak,
    /// Why they can't be laid out.
    pub refusal: Option<String>,
}

/// Another way to make it, as a button of the form says it.
#[derive(Debug, Clone)]
pub struct Way {
    /// `airy`, `short`, or the key of a format.
    pub value: String,
    pub pages: usize,
    pub empty: usize,
    /// What is done.
    pub label: String,
}

/// Takes the way that a button names into the form.
pub fn take_way(form: &mut Form) {
    let way = form.get("way").to_owned();
    match way.as_str() {
        "" => {}
        "airy" => form.set("density", "airy"),
        "short" => form.set("short", "1"),
        key => form.set("format", key),
    }
}

/// The density that was chosen; the usual one where none was.
pub fn density_of(form: &Form) -> Density {
    Density::of(form.get("density")).unwrap_or_default()
}

/// The options of a form, for a format.
pub async fn options(
    app: &App,
    form: &Form,
    chosen: &WorkFormat,
    theme: &press::Theme,
) -> Result<LayoutOptions, Error> {
    let aim = if form.get("short").is_empty() {
        catalog::page_aim(app, chosen.trim).await?
    } else {
        catalog::shortest_aim(app, chosen.trim).await?
    };
    let parts = parts_of(form.get("chapters"));
    Ok(LayoutOptions {
        trim: chosen.trim,
        pages: PageRange { min: aim.min, max: aim.max, step: aim.step },
        title: form.get("title").to_owned(),
        author: form.get("author").to_owned(),
        theme: theme.name.to_owned(),
        captions: if form.get("dates").is_empty() { Captions::Empty } else { Captions::Dates },
        chapters: parts.is_some(),
        parts: parts.unwrap_or_default(),
        density: density_of(form),
        style: theme.style,
    })
}

/// How the parts of a book are chosen, by the word of a form; nothing for a book without chapters. Forms of before said `gaps` and
/// `1` of those after pauses.
pub fn parts_of(word: &str) -> Option<Parts> {
    (!word.is_empty()).then(|| Parts::of(word).unwrap_or_default())
}

/// What the photos' days call a book.
fn proposed_title<'p>(photos: impl Iterator<Item = &'p Photo>) -> Option<String> {
    title_of(photos.filter_map(|photo| photo.taken_at))
}

/// Gives a book without a title the one that its days propose: a book with a title has pages for it.
pub fn take_title<'p>(form: &mut Form, photos: impl Iterator<Item = &'p Photo>) {
    if form.get("title").is_empty() {
        form.set("title", &proposed_title(photos).unwrap_or_else(|| UNTITLED.to_owned()));
    }
}

/// Looks ahead: what the form would make of all the photos that it chooses, those that it leaves out among them.
pub async fn look_ahead(app: &App, member: &MemberId, form: &Form, all: &[Photo]) -> Result<Ahead, Error> {
    let alike = alike_photos(all);
    let proposed = alike.iter().filter(|group| !is_compared(form, group)).flat_map(|group| &group[1..]);
    let said = all.iter().filter(|photo| is_left_out(form, &photo.id));
    let left_out: Vec<PhotoId> = said.chain(proposed).map(|photo| photo.id.clone()).collect();
    let chosen_format = format(form.get("format")).or(FORMATS.first());
    let Some(chosen_format) = chosen_format else { return Ok(Ahead::default()) };
    let usable =
        all.iter().filter(|photo| photo.state != PhotoState::Broken && !left_out.contains(&photo.id));
    let judged = Judged::of_form(usable, chosen_format.trim, form)
        .with_words_for(from_guests::worded(app, member, form).await?);
    let usable: Vec<&Photo> = judged.used().collect();
    let mut titled = form.clone();
    take_title(&mut titled, usable.iter().copied());
    let inputs: Vec<PhotoInput> = usable.iter().copied().map(photo_input).collect();
    let mut ahead = Ahead {
        photos: usable.len(),
        weak: judged.weak(form),
        title: proposed_title(usable.iter().copied()).unwrap_or_default(),
        cities: cities_of(&inputs),
        by_cities: parts_of(form.get("chapters")) == Some(Parts::Cities),
        named: usable.iter().filter(|photo| photo.is_time_named).count(),
        timeless: usable.iter().filter(|photo| photo.taken_at.is_none()).count(),
        pending: all.iter().filter(|photo| photo.state == PhotoState::Pending).count(),
        alike,
        left_out,
        ..Ahead::default()
    };
    let theme = press::themes().iter().find(|theme| theme.name == form.get("theme"));
    let theme = theme.or(press::themes().first()).ok_or_else(|| Error::internal("no theme"))?;
    if ahead.photos == 0 {
        return Ok(ahead);
    }
    let form = &titled;

    let mut plans: Vec<(String, String, LayoutOptions)> = Vec::new();
    let now = options(app, form, chosen_format, theme).await?;
    if now.density != Density::Airy {
        let airy = LayoutOptions { density: Density::Airy, ..now.clone() };
        plans.push(("airy".into(), "照片放大，跨页铺开".into(), airy));
    }
    let short = catalog::shortest_aim(app, chosen_format.trim).await?;
    if short.min < now.pages.min {
        let pages = PageRange { min: short.min, max: short.max, step: short.step };
        plans.push(("short".into(), "做薄一点".into(), LayoutOptions { pages, ..now.clone() }));
    }
    for other in FORMATS.iter().filter(|other| other.key != chosen_format.key) {
        let options = options(app, form, other, theme).await?;
        plans.push((other.key.into(), format!("换成{}", other.name), options));
    }
    let count = ahead.photos;
    let laid = app
        .compute(move || {
            let counted = |options: &LayoutOptions| {
                judged.laid_out(options).map(|book| {
                    let across = (1..book.pages.len()).filter(|left| is_across(&book, *left)).count();
                    (book.pages.len(), empty_pages(&book).count(), across)
                })
            };
            let first = counted(&now);
            let is_empty = matches!(first, Ok((_, empty, _)) if empty > 0) || first.is_err();
            let others: Vec<_> = if is_empty {
                plans
                    .into_iter()
                    .filter_map(|(value, label, options)| Some((value, label, counted(&options).ok()?)))
                    .collect()
            } else {
                Vec::new()
            };
            (first, others)
        })
        .await?;
    let before = match laid.0 {
        Ok((pages, empty, across)) => {
            (ahead.pages, ahead.empty, ahead.across) = (pages, empty, across);
            empty
        }
        Err(refusal) => {
            ahead.refusal = Some(refusal.to_string());
            usize::MAX
        }
    };
    let mut ways: Vec<Way> = laid
        .1
        .into_iter()
        .filter(|(_, _, (_, empty, _))| *empty < before && count > 0)
        .map(|(value, label, (pages, empty, _))| Way { value, label, pages, empty })
        .collect();
    ways.sort_by_key(|way| way.empty);
    ways.truncate(MOST_WAYS);
    ahead.ways = ways;
    Ok(ahead)
}

/// The photos that look alike, in groups, the best of each first.
fn alike_photos(chosen: &[Photo]) -> Vec<Vec<Photo>> {
    let looks = chosen.iter().filter_map(|photo| {
        let pixels = u64::from(photo.width) * u64::from(photo.height);
        Some((photo, Seen { look: photo.look?, taken_at: photo.taken_at, pixels }))
    });
    let (photos, seen): (Vec<&Photo>, Vec<Seen>) = looks.unzip();
    alike(&seen)
        .into_iter()
        .map(|group| group.into_iter().map(|index| photos[index].clone()).collect())
        .collect()
}

/// What a member has to be asked before a book is made of it: why, where anything is. Nothing is asked that the form says
/// was seen.
pub fn question(form: &Form, ahead: &Ahead) -> Option<String> {
    let alike = ahead.alike.iter().any(|group| !is_compared(form, group));
    let seen = form.get("seen").parse().unwrap_or(0);
    let empty = ahead.empty > seen && form.get("way").is_empty();
    if !ahead.weak.is_seen(form) {
        let mut said = vec![ahead.weak.question()];
        said.extend(alike.then(|| format!("{} 组很像", ahead.alike.len())));
        said.extend(empty.then(|| format!("还有 {} 页会是空白", ahead.empty)));
        return Some(format!("{}：请看一看再生成", said.join("，")));
    }
    match (alike, empty) {
        (true, true) => Some(format!(
            "有 {} 组很像的照片，还有 {} 页会是空白：请看一看再生成",
            ahead.alike.len(),
            ahead.empty
        )),
        (true, false) => Some(format!("有 {} 组很像的照片：请看一看留哪张，再生成", ahead.alike.len())),
        (false, true) => {
            Some(format!("现在 {} 张照片，会有 {} 页空白：请选一种办法", ahead.photos, ahead.empty))
        }
        (false, false) => None,
    }
}

/// The photos that a form chooses: those marked and those of whole months; those that it leaves out are among them.
pub async fn chosen(app: &App, member: &MemberId, form: &Form) -> Result<Vec<PhotoId>, Error> {
    let mut ids = chosen_photos(form);
    let months: Vec<&str> = form.all("month").collect();
    if !months.is_empty() {
        let mut of_months = photos::library(app, member).await?;
        of_months.retain(|photo| {
            photo.state != PhotoState::Broken && months.contains(&photos::month_of(photo).as_str())
        });
        ids.extend(
            of_months.into_iter().map(|photo| photo.id).filter(|id| !ids.contains(id)).collect::<Vec<_>>(),
        );
    }
    Ok(ids)
}

/// Whether the form leaves a chosen photo out of the book, as one of several that look alike.
pub fn is_left_out(form: &Form, photo: &PhotoId) -> bool {
    form.all("without").any(|without| without == photo.as_str())
}

/// Whether the member has seen these photos beside each other.
fn is_compared(form: &Form, group: &[Photo]) -> bool {
    group.iter().all(|photo| form.all("compared").any(|compared| compared == photo.id.as_str()))
}

/// POST /manager/make_ebook/ahead: what the form so far would become, as a part of the page.
pub async fn ahead(
    State(app): State<App>,
    member: Member,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let form = read_form(&body)?;
    let ids = chosen(&app, &member.id, &form).await?;
    let all = photos::of_member(&app, &member.id, &ids).await?;
    let html = ahead_part(look_ahead(&app, &member.id, &form, &all).await?);
    Ok((
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "private, no-store")],
        html,
    )
        .into_response())
}
