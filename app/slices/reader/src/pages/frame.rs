//! What stands around every page of a shared work.

use std::sync::Arc;

use axum::http::request::Parts;
use base::db::now_ms;
use base::error::Error;
use domain::ids::WorkId;
use domain::sharing::Access;
use domain::webpub;
use leptos::prelude::*;
use serde_json::json;
use web::app::App;
use web::origin::Origin;
use web::render::{Card, HeadSlot, Link, use_form, use_member};
use web::security::Framing;
use web::session::{Member, Visitor};
use web::ui::parts::{ErrorSummary, Field};
use web::ui::shell::{Head, Mark};

use crate::open::{self, Opened};
use crate::published::KIND;
use crate::room::{Volume, encoded};
use crate::store::Share;
use crate::{manifest, pictures, public};
use study::{self, OfReader, Thing};

/// Where a shared work is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// On this site.
    Site,
    /// In a frame of another one.
    Frame,
}

impl Place {
    /// The address of a work there; of one of its pages, where it is not 0.
    pub fn address(self, share: &Share, page: usize) -> String {
        let base = match self {
            Self::Site => "read",
            Self::Frame => "embed",
        };
        if page == 0 { format!("/{base}/{}", share.work) } else { format!("/{base}/{}/{page}", share.work) }
    }

    /// The work as the room knows it, all of it open; see [`Reading::volume`].
    pub fn volume(self, share: &Share) -> Volume {
        Volume {
            kind: KIND,
            id: share.work.to_string(),
            title: share.settings.title.clone(),
            home: self.address(share, 0),
            pictures: pictures::base(share),
            edition: String::new(),
            trim: share.facts.trim,
            pages: share.facts.pages,
            open: share.facts.pages,
            direction: share.settings.direction,
            word: "页",
            names: Vec::new(),
        }
    }
}

/// What a reading page works with.
pub struct Reading {
    pub app: App,
    pub base: Origin,
    pub place: Place,
    pub opened: Opened,
    /// What a signed-in reader has of the work in its study.
    pub own: Option<OfReader>,
}

/// Opens the work of this request for whoever asks. In a frame nobody is anybody: no cookie is read there.
pub async fn reading(
    app: Option<App>,
    parts: Option<Parts>,
    place: Place,
    work: Result<WorkId, Error>,
) -> Result<Reading, Error> {
    let outside = || Error::internal("a page outside a request");
    let (app, parts, work) = (app.ok_or_else(outside)?, parts.ok_or_else(outside)?, work?);
    let opened = match place {
        Place::Site => open::open_for(&app, &parts, &work).await?,
        Place::Frame => open::open(&app, &Default::default(), None, &work).await?,
    };
    if place == Place::Frame {
        Framing::allow(&parts, &opened.share.settings.embed_sites);
    }
    let own = match reader_of(&parts, place) {
        Some(member) if opened.access != Access::Locked => {
            let thing = Thing { kind: KIND, id: opened.share.work.as_str() };
            Some(study::of_reader(&app, &member.id, thing).await?)
        }
        _ => None,
    };
    let base = Origin::of(&app.config, &parts.headers);
    Ok(Reading { app, base, place, opened, own })
}

/// Who reads, where that is known.
fn reader_of(parts: &Parts, place: Place) -> Option<&Member> {
    parts.extensions.get::<Visitor>().and_then(|visitor| visitor.0.as_ref()).filter(|_| place == Place::Site)
}

impl Reading {
    /// The work as far as it is open to whoever asks.
    pub fn volume(&self) -> Volume {
        let share = &self.opened.share;
        let open = (0..=share.facts.pages).rev().find(|page| self.opened.access.opens(*page));
        Volume { open: open.unwrap_or(0), ..self.place.volume(share) }
    }

    /// Tells search engines and messengers what this page is, 0 for the cover; those that may not know get nothing.
    pub fn present(&self, page: usize, neighbours: (Option<usize>, Option<usize>)) {
        let Some(slot) = use_context::<HeadSlot>() else { return };
        let share = &self.opened.share;
        for (rel, number) in [("prev", neighbours.0), ("next", neighbours.1)] {
            if let Some(number) = number {
                slot.link(Link { rel, href: self.place.address(share, number), kind: "" });
            }
        }
        let is_listed = share.terms().is_listed(now_ms());
        if !is_listed || self.place == Place::Frame {
            slot.hide();
        }
        if self.opened.access == Access::Locked || !share.terms().is_readable_by_address(now_ms()) {
            return;
        }
        let address = self.base.join(&Place::Site.address(share, page));
        let picture = self.base.join(&format!("/read/{}/card.jpg?v={}", share.work, share.updated_at));
        let icon = self.base.join(&format!("/read/{}/icon.jpg?v={}", share.work, share.updated_at));
        slot.link(Link { rel: "image_src", href: icon, kind: "image/jpeg" });
        if self.place == Place::Site {
            let manifest = manifest::address(&share.work);
            slot.link(Link { rel: "alternate", href: manifest, kind: webpub::PICTURES });
        }
        if public::is_shown_elsewhere(share) {
            let home = self.base.join(&Place::Site.address(share, 0));
            let href = self.base.join(&format!("/oembed?url={}", encoded(&home)));
            slot.link(Link { rel: "alternate", href, kind: "application/json+oembed" });
        }
        slot.present(Card {
            kind: "book",
            description: description(share),
            address,
            picture: picture.clone(),
            data: self.data(page, &picture),
        });
    }

    /// The work in schema.org's words.
    fn data(&self, page: usize, picture: &str) -> serde_json::Value {
        let share = &self.opened.share;
        let home = self.base.join(&Place::Site.address(share, 0));
        let mut book = json!({
            "@context": "https://schema.org",
            "@type": "Book",
            "@id": home,
            "url": home,
            "name": share.settings.title,
            "bookFormat": "https://schema.org/EBook",
            "inLanguage": "zh-CN",
            "numberOfPages": share.facts.pages,
            "datePublished": base::time::rfc3339(share.published_at),
            "dateModified": base::time::rfc3339(share.updated_at),
            "image": picture,
            "isAccessibleForFree": !share.terms().is_sold,
        });
        if !share.facts.author.is_empty() {
            book["author"] = json!({ "@type": "Person", "name": share.facts.author });
        }
        if !share.settings.description.is_empty() {
            book["description"] = json!(share.settings.description);
        }
        if page > 0 {
            return json!({
                "@context": "https://schema.org",
                "@type": "WebPage",
                "url": self.base.join(&Place::Site.address(share, page)),
                "name": format!("{} 第 {page} 页", share.settings.title),
                "isPartOf": book,
            });
        }
        book
    }
}

/// What is said of a work where it has no description of its own.
pub fn description(share: &Share) -> String {
    if !share.settings.description.is_empty() {
        return share.settings.description.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let author =
        if share.facts.author.is_empty() { String::new() } else { format!("{}的", share.facts.author) };
    format!("{author}《{}》，共 {} 页，在书坊在线阅读。", share.settings.title, share.facts.pages)
}

/// The bar above and the foot below. Of a page inside the work the bar leads back to its beginning.
#[component]
pub fn ReadFrame(
    title: String,
    share: Share,
    place: Place,
    #[prop(optional)] is_owner: bool,
    #[prop(optional)] inside: bool,
    /// What stands between bar and foot, as it was kept; what is said beside it shows nothing.
    #[prop(optional, into)]
    kept: Option<Arc<str>>,
    children: Children,
) -> impl IntoView {
    let direction = share.settings.direction.code();
    let home = place.address(&share, 0);
    let name = share.settings.title.clone();
    let name = if inside {
        view! { <a class="work" href=home.clone()>{name}</a> }.into_any()
    } else {
        view! { <span class="work">{name}</span> }.into_any()
    };
    let ways = inside.then(|| {
        view! {
            <nav class="ways" aria-label="这本书">
                <a href=format!("{home}#contents")>"目录"</a>
                <a href=format!("{home}#search")>"搜索"</a>
            </nav>
        }
    });
    let note = is_owner.then(|| view! { <OwnerNote share=share.clone()/> });
    let (report, target) = match place {
        Place::Site => (format!("/read/{}/report", share.work), None),
        Place::Frame => (format!("/read/{}", share.work), Some("_top")),
    };
    let report_name = if place == Place::Site { "举报" } else { "在书坊打开" };
    // a reader with an account has its study beside it
    let has_account = place == Place::Site && use_member().is_some();
    let main = match kept {
        Some(kept) => {
            view! { {children()}<main id="main" class="reader" tabindex="-1" data-direction=direction inner_html=kept></main> }
                .into_any()
        }
        None => {
            view! { <main id="main" class="reader" tabindex="-1" data-direction=direction>{note}{children()}</main> }
                .into_any()
        }
    };
    let assets: &[&str] = if has_account {
        &["reader.css", "study.css", "reader.js", "study.js"]
    } else {
        &["reader.css", "reader.js"]
    };
    view! {
        <Head title assets/>
        <a class="skip" href="#main">"跳到正文"</a>
        <header class="readbar">
            <a class="brand" href="/about" target=target aria-label="书坊"><Mark/></a>
            {name}
            {ways}
        </header>
        {main}
        <footer class="readfoot">
            <a href=report target=target rel=(place == Place::Site).then_some("nofollow")>{report_name}</a>
            <p class="quiet">"在"<a href="/about" target=target>"书坊"</a>"制作"</p>
        </footer>
    }
}

/// What the maker is told that nobody else sees.
#[component]
fn OwnerNote(share: Share) -> impl IntoView {
    let state = super::share::state_text(&share, now_ms());
    view! {
        <p class="notice owner">
            {format!("这是您的作品：{state}。")}
            <a href=format!("/manager/opus_share_edit/{}", share.work)>"分享设置"</a>
        </p>
    }
}

/// Where the password of a work is typed. Nothing of the work is here: neither a picture nor a word but its title.
#[component]
pub fn Locked(share: Share, place: Place) -> impl IntoView {
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.hide();
    }
    let sent = use_form().is_sent();
    let target = (place == Place::Frame).then_some("_top");
    view! {
        <Head title="需要密码".to_owned() assets=&["reader.css"]/>
        <main id="main" class="reader locked">
            <a class="brand" href="/about" target=target><Mark/>"书坊"</a>
            <h1>"这本书要密码才能看"</h1>
            <p class="quiet">"密码是作者设的，请问把链接发给您的人。"</p>
            {sent.then(|| view! { <ErrorSummary title="没有打开"/> })}
            <form method="post" action=Place::Site.address(&share, 0) target=target>
                <Field name="password" label="密码" kind="password" autocomplete="off" required=true/>
                <button class="button primary wide">"打开"</button>
            </form>
        </main>
    }
}
