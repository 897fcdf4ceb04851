//! A book of what guests sent 来宾照片: their photos are chosen, their names and words stand below them, their wishes on pages.

use std::collections::{BTreeMap, BTreeSet};

use base::error::Error;
use domain::document::Document;
use domain::ids::{CollectionId, MemberId, PhotoId};
use domain::layout::{NoRoom, PageRange, Sender, captioned, with_guest_book};
use domain::titles::TITLE_LENGTH;
use leptos::prelude::*;
use web::app::App;
use web::render::{Form, use_form};

/// The fields: which collection, whether its guests' words stand below photos, whether their wishes have pages.
const FIELD: &str = "guests";
const WORDS: &str = "guest_words";
const BOOK: &str = "guest_book";

/// What a collection offers a book.
#[derive(Debug, Clone)]
pub struct Offer {
    id: CollectionId,
    title: String,
    photos: Vec<String>,
    wishes: i64,
}

/// What the collection offers that a form, or an address, names; nothing where that is not the member's.
pub async fn offer(
    app: &App,
    member: &MemberId,
    form: &Form,
    named: Option<&str>,
) -> Result<Option<Offer>, Error> {
    let Some(id) = named.unwrap_or(form.get(FIELD)).parse::<CollectionId>().ok() else { return Ok(None) };
    let found = guests::for_book(app, member, &id).await?;
    Ok(found.map(|guests::ForBook { title, photos, wishes }| {
        let photos = photos.into_iter().map(String::from).collect();
        Offer { id, title, photos, wishes }
    }))
}

impl Offer {
    /// The form of a first visit, with all accepted photos chosen.
    pub fn first_form(&self) -> Form {
        let title: String = self.title.chars().take(TITLE_LENGTH).collect();
        let chosen = self.photos.iter().map(|id| ("photo".to_owned(), id.clone()));
        let rest = [(FIELD, self.id.to_string()), (WORDS, "1".into()), (BOOK, "1".into()), ("title", title)];
        Form::sent(chosen.chain(rest.map(|(name, value)| (name.to_owned(), value))))
    }
}

/// The choice of what guests said.
#[component]
pub fn GuestsPart(offer: Offer) -> impl IntoView {
    let form = use_form();
    let (words, book) = (!form.get(WORDS).is_empty(), !form.get(BOOK).is_empty());
    let told = match offer.wishes {
        0 => "一页写上照片来自谁".to_owned(),
        wishes => format!("{wishes} 条留言，还有照片来自谁"),
    };
    view! {
        <fieldset class="picks part" id="guests">
            <legend>{format!("来宾照片：{}", offer.title)}</legend>
            <input type="hidden" name=FIELD value=offer.id.to_string()/>
            <label>
                <input type="checkbox" name=WORDS value="1" checked=words/>
                <span>"图说写上来宾的名字和话"<small class="hint">"之后都能改"</small></span>
            </label>
            <label>
                <input type="checkbox" name=BOOK value="1" checked=book/>
                <span>"书末加来宾留言页"<small class="hint">{told}</small></span>
            </label>
        </fieldset>
    }
}

/// Who sent which photo of a form's collection; nothing where it names none, or one that was deleted since it was shown.
async fn senders(
    app: &App,
    member: &MemberId,
    form: &Form,
) -> Result<Option<(CollectionId, BTreeMap<PhotoId, Sender>)>, Error> {
    let Ok(id) = form.get(FIELD).parse::<CollectionId>() else { return Ok(None) };
    if guests::for_book(app, member, &id).await?.is_none() {
        return Ok(None);
    }
    let senders = guests::senders(app, member, &id).await?;
    Ok(Some((id, senders)))
}

/// The photos below which a book's form wants what their guests wrote.
pub async fn worded(app: &App, member: &MemberId, form: &Form) -> Result<BTreeSet<PhotoId>, Error> {
    if form.get(WORDS).is_empty() {
        return Ok(BTreeSet::new());
    }
    let Some((_, senders)) = senders(app, member, form).await? else { return Ok(BTreeSet::new()) };
    Ok(senders.into_iter().filter(|(_, sender)| !sender.caption.is_empty()).map(|(photo, _)| photo).collect())
}

/// Writes into a book what its form wants of the guests.
pub async fn write_in(
    app: &App,
    member: &MemberId,
    form: &Form,
    document: &mut Document,
    range: PageRange,
) -> Result<Result<(), NoRoom>, Error> {
    let Some((id, senders)) = senders(app, member, form).await? else { return Ok(Ok(())) };
    if !form.get(WORDS).is_empty() {
        captioned(document, &senders);
    }
    if form.get(BOOK).is_empty() {
        return Ok(Ok(()));
    }
    let wishes = guests::wishes(app, member, &id).await?;
    let (mut named, mut names) = (BTreeSet::new(), Vec::new());
    for sender in
        document.pages.iter().flat_map(|page| page.photos()).filter_map(|frame| senders.get(&frame.photo))
    {
        if !sender.name.is_empty() && named.insert(sender.name.clone()) {
            names.push(sender.name.clone());
        }
    }
    Ok(with_guest_book(document, &wishes, &names, range))
}
