//! Making a work, and changing its texts.

use axum::extract::{RawForm, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::document::{Document, Element, Emoji, Page, TextBlock, Typeface};
use domain::ids::{MemberId, PhotoId, WorkId};
use domain::layout::blank;
use domain::titles::{TITLE_LENGTH, retitle};
use press::PageRef;
use web::app::App;
use web::multipart::{Budget, Multipart, bounded};
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, has_control, read_form, unwritable};

use super::formats::{WorkFormat, format};
use super::from_guests;
use super::making;
use super::pictures::page_of;
use super::store::{self, Cause};
use super::weak::{Judged, takes_back};
use photos::{self, Intake, Photo, PhotoState};

/// Characters that an author's name may have.
pub const AUTHOR_LENGTH: usize = 40;
/// Characters that one caption may have.
pub const TEXT_LENGTH: usize = domain::document::TEXT_LENGTH;
/// Bytes that a field of a desk may have; what it may say is checked later, and comes back in the form.
const MOST_FIELD: usize = 64 * 1024;
/// Bytes that all fields of a desk may have: a choice of thousands of photos, and all words.
const MOST_WORDS: usize = 2 << 20;

/// Reads the form of a making desk. Photos that came with it are taken into the library and chosen; those that were
/// refused are named.
pub async fn read_desk(app: &App, member: &Member, mut multipart: Multipart) -> Result<Form, Error> {
    let mut intake = Intake::default();
    let mut pairs = Vec::new();
    let mut budget = Budget::of(MOST_WORDS);
    while let Some(field) = multipart.next_field().await.map_err(|error| photos::broken_request(&error))? {
        let name = field.name().unwrap_or("").to_owned();
        if name == "photos" {
            intake.take(app, member, field).await?;
        } else {
            let too_long = || Error::TooLarge("写的文字太多了，请缩短".into());
            let value = bounded(field, MOST_FIELD).await.map_err(|error| photos::broken_request(&error))?;
            let value = value.map_err(|_| too_long())?;
            if !budget.pay(name.len() + value.len()) {
                return Err(too_long());
            }
            let value = String::from_utf8(value).map_err(|_| unwritable())?;
            if has_control(&value) {
                return Err(unwritable());
            }
            pairs.push((name, value));
        }
    }
    pairs.extend(intake.taken.iter().map(|id| ("photo".to_owned(), id.to_string())));
    let mut form = Form::sent(pairs);
    for refused in &intake.refused {
        form.refuse("photos", format!("{}：{}", refused.file_name, refused.reason));
    }
    Ok(form)
}

/// The photos chosen on a making desk; none, and a broken one, are refused.
pub async fn read_photos(app: &App, member: &MemberId, form: &mut Form) -> Result<Vec<Photo>, Error> {
    let ids = chosen_photos(form);
    let library: Vec<Photo> = photos::of_member(app, member, &ids).await?;
    if ids.is_empty() && form.error("photos").is_none() {
        form.refuse("photos", "请选择照片");
    }
    refuse_broken(form, &library);
    Ok(library)
}

/// The theme that was chosen.
pub fn read_theme(form: &mut Form) -> Option<&'static press::Theme> {
    let theme = press::themes().iter().find(|theme| theme.name == form.get("theme"));
    if theme.is_none() {
        form.refuse("theme", "请选择风格");
    }
    theme
}

/// The same where none may be chosen.
pub fn theme_or_none(form: &mut Form) -> Option<&'static press::Theme> {
    if form.get("theme").is_empty() { None } else { read_theme(form) }
}

/// How emoji are to be shown; as before where a form says nothing of it, like those of programs and of older pages.
pub fn read_emoji(form: &mut Form, before: Emoji) -> Emoji {
    let chosen = form.get("emoji");
    let emoji = if chosen.is_empty() { Some(before) } else { Emoji::of(chosen) };
    if emoji.is_none() {
        form.refuse("emoji", "请选择表情符号是单色还是彩色");
    }
    emoji.unwrap_or(before)
}

/// Refuses chosen photos that can't be read.
pub fn refuse_broken(form: &mut Form, chosen: &[Photo]) {
    if chosen.iter().any(|photo| photo.state == PhotoState::Broken) {
        form.refuse("photos", "选中的照片里有一张已损坏，请取消选择它");
    }
}

/// POST /manager/make_ebook: photos from the library and from this very form become a laid-out album; with `blank` it is
/// an empty one, whose pages get their photos later. With `asks` the page comes again first, where pages would stay empty
/// or photos look alike. When something is refused, the photos that arrived stay in the library and stay chosen.
pub async fn make(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    multipart: Multipart,
) -> Result<Response, Error> {
    let mut form = read_desk(&app, &member, multipart).await?;
    if photos::turns(&mut form) || takes_back(&form) {
        return render::again(&app, parts, "/manager/make_ebook", form).await;
    }
    making::take_way(&mut form);
    let chosen_format = format(form.get("format"));
    if chosen_format.is_none() {
        form.refuse("format", "请选择版式");
    }
    let theme = read_theme(&mut form);
    read_emoji(&mut form, Emoji::Plain);
    check_length(&mut form, "title", "书名", 0, TITLE_LENGTH);
    check_length(&mut form, "author", "作者", 0, AUTHOR_LENGTH);
    // it begins without any
    let mut library =
        if is_blank(&form) { Vec::new() } else { read_chosen(&app, &member.id, &mut form).await? };
    if !form.is_refused() && library.iter().any(|photo| photo.state == PhotoState::Pending) {
        // where their people are is known from then on
        for photo in library.iter().filter(|photo| photo.state == PhotoState::Pending) {
            photos::make_derivatives(&app, &photo.id).await?;
        }
        let ids: Vec<PhotoId> = library.iter().map(|photo| photo.id.clone()).collect();
        library = photos::of_member(&app, &member.id, &ids).await?;
    }
    if !form.get("asks").is_empty() && !form.is_refused() && !library.is_empty() {
        refuse_broken(&mut form, &library);
        let ahead = making::look_ahead(&app, &member.id, &form, &library).await?;
        if let Some(question) = making::question(&form, &ahead) {
            form.refuse("ahead", question);
        }
    }
    let made = match (chosen_format, theme) {
        (Some(chosen), Some(theme)) if !form.is_refused() => {
            let usable = library.iter().filter(|photo| !making::is_left_out(&form, &photo.id));
            let judged = Judged::of_form(usable, chosen.trim, &form);
            making::take_title(&mut form, judged.used());
            create(&app, &member.id, chosen, theme, &form, judged).await?
        }
        _ => return render::again(&app, parts, "/manager/make_ebook", form).await,
    };
    match made {
        Ok(id) => Ok(Redirect::to(&format!("/manager/opus/{id}")).into_response()),
        Err(reason) => {
            form.refuse("photos", reason);
            render::again(&app, parts, "/manager/make_ebook", form).await
        }
    }
}

/// The photos chosen for a book, whole months included; none, and a broken one, are refused.
async fn read_chosen(app: &App, member: &MemberId, form: &mut Form) -> Result<Vec<Photo>, Error> {
    let ids = making::chosen(app, member, form).await?;
    let library: Vec<Photo> = photos::of_member(app, member, &ids).await?;
    let is_empty = library.iter().all(|photo| making::is_left_out(form, &photo.id));
    if is_empty && form.error("photos").is_none() {
        form.refuse("photos", "请选择照片");
    }
    refuse_broken(form, &library);
    Ok(library)
}

/// Whether an empty book was asked for.
fn is_blank(form: &Form) -> bool {
    !form.get("blank").is_empty()
}

/// Lays photos out and keeps the result as a new album. The inner error is the sentence for a member.
async fn create(
    app: &App,
    member: &MemberId,
    chosen: &WorkFormat,
    theme: &press::Theme,
    form: &Form,
    judged: Judged,
) -> Result<Result<WorkId, String>, Error> {
    let options = making::options(app, form, chosen, theme).await?;
    let (is_blank, range) = (is_blank(form), options.pages);
    let judged = judged.with_words_for(from_guests::worded(app, member, form).await?);
    let lay_out = move || if is_blank { blank(&options) } else { judged.laid_out(&options) };
    let mut document = match app.compute(lay_out).await? {
        Ok(document) => document,
        Err(error) => return Ok(Err(error.to_string())),
    };
    document.cover.ground = theme.cover;
    document.emoji = Emoji::of(form.get("emoji")).unwrap_or_default();
    if !is_blank && let Err(no_room) = from_guests::write_in(app, member, form, &mut document, range).await? {
        return Ok(Err(no_room.to_string()));
    }
    Ok(Ok(super::keep(app, member, "album", &document).await?))
}

/// The photos marked in the form, each once, in the order of the form.
pub fn chosen_photos(form: &Form) -> Vec<PhotoId> {
    let mut ids: Vec<PhotoId> = Vec::new();
    for id in form.all("photo").filter_map(|id| id.parse().ok()) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// POST /manager/opus/{id}/texts: title, author, and the texts of pages as `text-{page}-{element}`
/// (`cover` or a page index from 0), and their typefaces as `font-{page}-{element}`, empty for the theme's.
pub async fn texts(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let (base, mut document) = super::document_before(&app, &member.id, &work, &form).await?;
    let before = document.clone();
    check_length(&mut form, "title", "书名", 1, TITLE_LENGTH);
    check_length(&mut form, "author", "作者", 0, AUTHOR_LENGTH);
    let mut refused = Vec::new();
    for (place, text) in form.starting_with("text-") {
        if text.chars().count() > TEXT_LENGTH {
            refused.push((format!("text-{place}"), format!("文字最多 {TEXT_LENGTH} 个字")));
        } else {
            text_of(&mut document, place)?.text = text.to_owned();
        }
    }
    for (place, code) in form.starting_with("font-") {
        match Typeface::of(code) {
            None if !code.is_empty() => refused.push((format!("font-{place}"), "没有这种字体".to_owned())),
            font => text_of(&mut document, place)?.font = font,
        }
    }
    for (field, message) in refused {
        form.refuse(&field, message);
    }
    retitle(&mut document, form.get("title").to_owned(), form.get("author").to_owned());
    let page = format!("/manager/opus/{id}");
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    if super::save(&app, &member.id, &id, base, &document, Cause::Texts).await? {
        // back to the page whose words they are
        let back =
            form.get("back").parse::<usize>().map_or_else(|_| page.clone(), |n| format!("{page}/page/{n}"));
        return Ok(Redirect::to(&format!("{back}?saved=1")).into_response());
    }
    forget_moved(&app, &member.id, &id, (base, &before), &mut form).await?;
    stale(&app, parts, &id, &page, form).await
}

/// Takes the texts out of a form that nobody changed in it, and those in whose page's place another one stands by now. The
/// version that was kept has them all.
async fn forget_moved(
    app: &App,
    member: &MemberId,
    id: &WorkId,
    (base, before): (i64, &Document),
    form: &mut Form,
) -> Result<(), Error> {
    let newest = store::find_for_owner(&app.db, id, member).await?.document;
    let moved = store::moved_since(&app.db, id, base).await?;
    let stays = |place: &str, typed: &str| match text_at(before, place) {
        Some((page, text)) => *text != typed && (!moved || stands_still(before, &newest, page)),
        None => false,
    };
    let gone = form.starting_with("text-").filter(|(place, typed)| !stays(place, typed));
    let gone: Vec<String> = gone.map(|(place, _)| format!("text-{place}")).collect();
    for field in gone {
        form.forget(&field);
    }
    Ok(())
}

/// A form of one page that came too late: nothing of it, where another page may stand in its place by now.
pub async fn for_same_page(
    app: &App,
    member: &MemberId,
    id: &WorkId,
    base: i64,
    name: &str,
    form: Form,
) -> Result<Form, Error> {
    if !store::moved_since(&app.db, id, base).await? {
        return Ok(form);
    }
    let before = store::revision(&app.db, id, member, base).await?.1;
    let newest = store::find_for_owner(&app.db, id, member).await?.document;
    let is_same = page_of(&before, name).is_ok_and(|place| stands_still(&before, &newest, place));
    Ok(if is_same { form } else { Form::default() })
}

/// Whether the same photos and words stand in a page's place.
fn stands_still(before: &Document, newest: &Document, place: PageRef) -> bool {
    let PageRef::Inner(index) = place else { return true };
    match (before.pages.get(index), newest.pages.get(index)) {
        (Some(old), Some(now)) => {
            old.photos().map(|frame| &frame.photo).eq(now.photos().map(|frame| &frame.photo))
                && old.texts().map(|block| &block.text).eq(now.texts().map(|block| &block.text))
        }
        _ => false,
    }
}

/// The text that a field names, and its page.
fn text_at<'d>(document: &'d Document, place: &str) -> Option<(PageRef, &'d String)> {
    let (page, element) = place.split_once('-')?;
    let (place, page) = match page {
        "cover" => (PageRef::Cover, &document.cover),
        index => {
            let index = index.parse().ok()?;
            (PageRef::Inner(index), document.pages.get(index)?)
        }
    };
    match page.elements.get(element.parse::<usize>().ok()?) {
        Some(Element::Text(block)) => Some((place, &block.text)),
        _ => None,
    }
}

/// Somebody else's save came first: what was typed is kept as a version of its own, and stays in the form, over the
/// newest revision. Where nothing was typed, or the page of the form is no more, the work says so.
pub async fn stale(
    app: &App,
    parts: Parts,
    work: &WorkId,
    page: &str,
    mut form: Form,
) -> Result<Response, Error> {
    const KEPT: &str = "这本书刚刚在别处改过。您的改动没有丢：已另存为一个版本";
    let has_words = form.is_sent();
    form.refuse("", format!("{KEPT}，也还在下面的表单里，请看过后再保存一次。"));
    form.forget("revision");
    let mut response = if has_words {
        render::again(app, parts.clone(), page, form).await?
    } else {
        StatusCode::NOT_FOUND.into_response()
    };
    if response.status() != StatusCode::UNPROCESSABLE_ENTITY {
        let mut form = Form::default();
        form.refuse("", format!("{KEPT}，请看过最新的书页再改。"));
        response = render::again(app, parts, &format!("/manager/opus/{work}"), form).await?;
    }
    *response.status_mut() = StatusCode::CONFLICT;
    Ok(response)
}

/// The text that a field names, to be changed.
fn text_of<'d>(document: &'d mut Document, place: &str) -> Result<&'d mut TextBlock, Error> {
    let wrong = || Error::BadRequest("表单里的页面不存在".into());
    let (page, element) = place.split_once('-').ok_or_else(wrong)?;
    let page: &mut Page = match page {
        "cover" => &mut document.cover,
        index => {
            index.parse::<usize>().ok().and_then(|index| document.pages.get_mut(index)).ok_or_else(wrong)?
        }
    };
    match element.parse::<usize>().ok().and_then(|index| page.elements.get_mut(index)) {
        Some(Element::Text(block)) => Ok(block),
        _ => Err(wrong()),
    }
}
