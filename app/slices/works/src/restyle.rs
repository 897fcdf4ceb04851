//! The whole book in another style: its theme, how full its pages are, its chapters, the days in its captions.

use axum::extract::{RawForm, State};
use axum::http::request::Parts as RequestParts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::document::{Document, Element, Page};
use domain::ids::{MemberId, WorkId};
use domain::layout::{
    Density, LayoutError, PageRange, Parts, PhotoInput, Relay, Style, cities_of, cover_ways, dated,
    is_by_time, is_free, left_pages, relaid,
};
use web::app::App;
use web::render;
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;

use super::documents::{self, Typeset};
use super::forms::stale;
use super::store::{self, Cause};
use super::weak::library;

/// What a whole book can have another one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    Theme,
    Density,
    Chapters,
    Dates,
}

impl Aspect {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 4] = [Self::Theme, Self::Density, Self::Chapters, Self::Dates];

    /// The word in addresses.
    pub fn code(self) -> &'static str {
        match self {
            Self::Theme => "theme",
            Self::Density => "density",
            Self::Chapters => "chapters",
            Self::Dates => "dates",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Theme => "风格",
            Self::Density => "疏密",
            Self::Chapters => "章节页",
            Self::Dates => "图说日期",
        }
    }
}

/// Another style of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restyle {
    Theme(&'static press::Theme),
    Pages(Pages),
}

/// Other pages with the same photos and words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pages {
    Lay(Relay),
    /// With or without days in captions that nobody wrote.
    Dates(bool),
}

impl Restyle {
    /// The word for forms and addresses: `theme-calm`, `lay-even-days-1` (density, chapters, days), `dates-1`.
    pub fn code(self) -> String {
        match self {
            Self::Theme(theme) => format!("theme-{}", theme.name),
            Self::Pages(Pages::Dates(with)) => format!("dates-{}", u8::from(with)),
            Self::Pages(Pages::Lay(Relay { density, chapters, dates })) => {
                format!("lay-{}-{}-{}", density.code(), chapters_code(chapters), u8::from(dates))
            }
        }
    }

    /// The one of that word.
    pub fn of(code: &str) -> Option<Self> {
        let switch = |word: &str| ["0", "1"].iter().position(|known| *known == word).map(|at| at == 1);
        match code.split('-').collect::<Vec<_>>().as_slice() {
            ["theme", name] => press::themes().iter().find(|theme| theme.name == *name).map(Self::Theme),
            ["dates", with] => switch(with).map(Pages::Dates).map(Self::Pages),
            ["lay", density, chapters, dates] => Some(Self::Pages(Pages::Lay(Relay {
                density: Density::of(density)?,
                chapters: chapters_of(chapters)?,
                dates: switch(dates)?,
            }))),
            _ => None,
        }
    }
}

/// The ways to divide a book, in the order of a choice.
const CHAPTERS: [Option<Parts>; 4] = [None, Some(Parts::Pauses), Some(Parts::Days), Some(Parts::Cities)];

/// The word for a book that is not divided.
const UNDIVIDED: &str = "none";

fn chapters_code(chapters: Option<Parts>) -> &'static str {
    chapters.map_or(UNDIVIDED, Parts::code)
}

fn chapters_of(code: &str) -> Option<Option<Parts>> {
    if code == UNDIVIDED { Some(None) } else { Parts::of(code).map(Some) }
}

/// One of the styles to choose from.
pub struct Offer {
    pub to: Restyle,
    pub name: &'static str,
    pub hint: &'static str,
    /// The book so, where it can be.
    pub made: Result<Made, LayoutError>,
}

/// What a book would be.
pub struct Made {
    pub pages: usize,
    /// Whether it is that already.
    pub is_now: bool,
    /// The left-hand pages of the pairs that are shown: the first, one in the middle, the last. The first page stands with the
    /// cover.
    pub shown: Vec<usize>,
}

/// What a member's book is made anew of.
struct Book {
    document: Document,
    library: Vec<PhotoInput>,
    range: PageRange,
    style: Style,
}

impl Book {
    async fn of(app: &App, member: &MemberId, document: &Document) -> Result<Self, Error> {
        let aim = catalog::page_aim(app, document.trim).await?;
        let theme = press::themes().iter().find(|theme| theme.name == document.theme);
        Ok(Self {
            document: document.clone(),
            library: library(app, member, document, document.trim).await?,
            range: PageRange { min: aim.min, max: aim.max, step: aim.step },
            style: theme.map(|theme| theme.style).unwrap_or_default(),
        })
    }

    fn with(&self, pages: Pages) -> Result<Document, LayoutError> {
        match pages {
            Pages::Lay(how) => relaid(&self.document, &self.library, how, self.range, self.style),
            Pages::Dates(with) => Ok(dated(&self.document, &self.library, with)),
        }
    }

    /// One of the choices; `is_now` says of what it makes whether the book is that already.
    fn offer(
        &self,
        (pages, name, hint): (Pages, &'static str, &'static str),
        is_now: impl Fn(&Document) -> bool,
    ) -> Offer {
        let made = self.with(pages).map(|after| Made {
            pages: after.pages.len(),
            is_now: is_now(&after),
            shown: shown_of(&after),
        });
        Offer { to: Restyle::Pages(pages), name, hint, made }
    }

    fn densities(&self) -> Vec<Offer> {
        let now = Relay::marked(&self.document, &self.library);
        let offer = |density: Density| {
            let choice = (Pages::Lay(Relay { density, ..now }), density.name(), density.hint());
            self.offer(choice, |after| is_laid_alike(after, &self.document))
        };
        Density::ALL.map(offer).into()
    }

    fn chapters(&self) -> Vec<Offer> {
        let now = Relay::of(&self.document, &self.library, self.range, self.style);
        let lay = |chapters| Pages::Lay(Relay { chapters, ..now });
        let mut choices = vec![
            (lay(CHAPTERS[0]), "不分章", "照片一路排下去"),
            (lay(CHAPTERS[1]), "按时间分", "隔了很久才拍的，另起一章"),
            (lay(CHAPTERS[2]), "一天一章", "每天另起一章，写上日期"),
        ];
        if cities_of(&self.library).len() > 1 {
            choices.push((lay(CHAPTERS[3]), "一地一章", "换了城市另起一章，写上地名"));
        }
        let is_now =
            |after: &Document| is_laid_alike(after, &self.document) && is_named_alike(after, &self.document);
        choices.into_iter().map(|choice| self.offer(choice, is_now)).collect()
    }

    fn dates(&self) -> Vec<Offer> {
        [
            (Pages::Dates(true), "写上日期", "空着的图说写上拍摄的日子，写过字的不动"),
            (Pages::Dates(false), "不写日期", "只有日期的图说清空，写过字的不动"),
        ]
        .map(|choice| self.offer(choice, |after| *after == self.document))
        .into()
    }
}

/// The styles of one aspect that a book can have. Why there are none, as a sentence.
pub async fn offers(
    app: &App,
    member: &MemberId,
    document: &Document,
    aspect: Aspect,
) -> Result<Result<Vec<Offer>, &'static str>, Error> {
    let of = match aspect {
        Aspect::Theme => return Ok(Ok(themes(document))),
        Aspect::Density => Book::densities,
        Aspect::Chapters => Book::chapters,
        Aspect::Dates => Book::dates,
    };
    if !is_free(document) {
        return Ok(Err("这件作品的书页是按月历或原稿排的，只能换风格和开本。"));
    }
    if document.pages.iter().flat_map(Page::photos).next().is_none() {
        return Ok(Err("书里还没有照片：放进照片以后，再来换疏密、章节和日期。"));
    }
    let book = Book::of(app, member, document).await?;
    if aspect != Aspect::Density && !is_by_time(document, &book.library) {
        return Ok(Err("照片没有拍摄时间，或者顺序是您自己排的，不能按日期分章、写日期。"));
    }
    Ok(Ok(app.compute(move || of(&book)).await?))
}

fn themes(document: &Document) -> Vec<Offer> {
    // a theme is its letters, too: the cover and the title page in the place of the first pair
    let shown: Vec<usize> = std::iter::once(0).chain(shown_of(document).into_iter().skip(1)).collect();
    let offer = |theme: &'static press::Theme| Offer {
        to: Restyle::Theme(theme),
        name: theme.title,
        hint: theme.hint,
        made: Ok(Made {
            pages: document.pages.len(),
            is_now: theme.name == document.theme && document.pages.iter().all(|page| page.theme.is_none()),
            shown: shown.clone(),
        }),
    };
    press::themes().iter().map(offer).collect()
}

/// Whether the chapters of two books are called alike.
fn is_named_alike(one: &Document, other: &Document) -> bool {
    let names = |document: &Document| -> Vec<String> {
        let bare = document.pages.iter().filter(|page| page.photos().next().is_none());
        bare.flat_map(Page::texts).map(|block| block.text.clone()).collect()
    };
    names(one) == names(other)
}

/// Whether the photos of two books stand alike, on as many pages.
fn is_laid_alike(one: &Document, other: &Document) -> bool {
    let places = |page: &Page| page.photos().map(|it| (it.photo.clone(), it.frame)).collect::<Vec<_>>();
    let pages = |document: &Document| document.pages.iter().map(places).collect::<Vec<_>>();
    pages(one) == pages(other)
}

fn shown_of(document: &Document) -> Vec<usize> {
    let lefts: Vec<usize> = left_pages(document).collect();
    let mut shown = vec![0, lefts.len() / 2, lefts.len().saturating_sub(1)];
    shown.dedup();
    shown.into_iter().filter_map(|at| lefts.get(at).copied()).collect()
}

/// A book in another style, and the text that it shows where that was set anew. Nothing is kept.
///
/// # Errors
/// [`Error::Conflict`] with a sentence where it can't be made so.
pub async fn restyled(
    app: &App,
    member: &MemberId,
    document: &Document,
    to: Restyle,
) -> Result<(Document, Option<Typeset>), Error> {
    match to {
        Restyle::Theme(theme) => {
            let mut document = document.clone();
            // the whole book: pages that had another one, too
            document.pages.iter_mut().for_each(|page| page.theme = None);
            document.cover.theme = None;
            let document = themed(app, member, document, theme).await?;
            // a running text is set with the look of its theme
            Ok(match documents::set_again(app, member, &document, document.trim).await? {
                Some(set) => (set.document, Some(set.text)),
                None => (document, None),
            })
        }
        Restyle::Pages(pages) => {
            let book = Book::of(app, member, document).await?;
            let made = app.compute(move || book.with(pages)).await?;
            Ok((made.map_err(|refusal| Error::Conflict(refusal.to_string()))?, None))
        }
    }
}

/// A book with another theme. A cover and chapters as the old theme composes them become those of the new one.
pub async fn themed(
    app: &App,
    member: &MemberId,
    mut document: Document,
    theme: &press::Theme,
) -> Result<Document, Error> {
    let before = press::themes().iter().find(|known| known.name == document.theme);
    theme.name.clone_into(&mut document.theme);
    if is_free(&document) {
        document.cover.ground = theme.cover;
        document.cover.background = None;
        let library = library(app, member, &document, document.trim).await?;
        let book = document.clone();
        let ways = app.compute(move || cover_ways(&book, &library)).await?;
        let as_before =
            ways.iter().find(|(style, _)| before.is_some_and(|before| before.style.cover == *style));
        let frames = |page: &Page| page.elements.iter().map(Element::frame).collect::<Vec<_>>();
        if as_before.is_some_and(|(_, page)| frames(page) == frames(&document.cover))
            && let Some((_, page)) = ways.iter().find(|(style, _)| *style == theme.style.cover)
        {
            document.cover = page.clone();
        }
        if let Some(before) = before {
            domain::layout::restyle_chapters(&mut document, before.style, theme.style);
        }
    }
    Ok(document)
}

/// POST /manager/opus/{id}/style: the whole book gets the style `to`, over the revision that was looked at.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: RequestParts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let (base, document) = super::document_before(&app, &member.id, &work, &form).await?;
    let address = format!("/manager/opus/{id}/style");
    let Some(to) = Restyle::of(form.get("to")) else {
        form.refuse("to", "请选择一种样式");
        return render::again(&app, parts, &address, form).await;
    };
    match take(&app, &member, &id, (base, &document), to).await {
        Err(Error::Conflict(reason)) => {
            form.refuse("to", reason.to_string());
            render::again(&app, parts, &address, form).await
        }
        Ok(true) => Ok(Redirect::to(&format!("/manager/opus/{id}")).into_response()),
        Ok(false) => stale(&app, parts, &id, &address, form).await,
        Err(other) => Err(other),
    }
}

/// Gives a work another style over one of its revisions, with that revision's document; false where another save came first.
///
/// # Errors
/// [`Error::Conflict`] with a sentence where it can't be made so.
pub async fn take(
    app: &App,
    member: &Member,
    id: &WorkId,
    (base, document): (i64, &Document),
    to: Restyle,
) -> Result<bool, Error> {
    let (after, text) = restyled(app, &member.id, document, to).await?;
    if let Some(text) = text {
        text.keep(app, member).await?.map_err(Error::Conflict)?;
    }
    super::save(app, &member.id, id, base, &after, Cause::Style).await
}
