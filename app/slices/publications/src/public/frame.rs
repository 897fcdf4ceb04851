//! What stands around every public page of a title: the masthead above, the foot below, what search engines are told, and how
//! the rest is bought.

use axum::http::request::Parts;
use base::error::Error;
use base::time;
use domain::issue_state::IssueState;
use domain::publication::Kind;
use domain::webpub;
use leptos::prelude::*;
use serde_json::{Value, json};
use web::app::App;
use web::assets;
use web::origin::Origin;
use web::render::{Card, HeadSlot, Link, parameter, use_member};
use web::ui::counted::Counted;
use web::ui::parts::Money;
use web::ui::shell::{Head, Mark};

use crate::issue_sale::gift_address;
use crate::open::{self, Opened, Rights};
use crate::store::articles::Article;
use crate::store::issues::Issue;
use crate::store::publications::Publication;
use crate::{ISSUE_KIND, address, feeds, kind_here};
use study::{Continue, OfReader};
use works::BookFormat;

/// The program and the request of a public page, with the kind that its address is of.
pub struct Asked {
    pub app: App,
    pub parts: Parts,
    pub base: Origin,
    pub kind: Kind,
}

/// See [`Asked`].
pub fn asked() -> Result<Asked, Error> {
    let outside = || Error::internal("a page outside a request");
    let app = use_context::<App>().ok_or_else(outside)?;
    let parts = use_context::<Parts>().ok_or_else(outside)?;
    let base = Origin::of(&app.config, &parts.headers);
    Ok(Asked { app, parts, base, kind: kind_here()? })
}

/// The words of an address that name the title and the issue.
pub fn names() -> (Result<String, Error>, Result<String, Error>) {
    (parameter::<String>("title"), parameter::<String>("issue"))
}

impl Asked {
    /// The issue of this address for whoever asks.
    pub async fn open(&self, title: &str, issue: &str) -> Result<Opened, Error> {
        open::open(&self.app, &self.parts, self.kind, title, issue).await
    }
}

/// A page for everybody, as search engines and messengers are told of it.
pub struct Presented {
    pub kind: &'static str,
    pub description: String,
    /// The path of the page's one address.
    pub path: String,
    /// The path of a card of its own, where it has one that strangers may see.
    pub card: Option<String>,
    pub data: Value,
}

/// Tells them; of what did not come out nobody is told anything.
pub fn present(
    base: &Origin,
    publication: &Publication,
    shown: Option<&Opened>,
    newest: Option<&Issue>,
    page: Presented,
) {
    let Some(slot) = use_context::<HeadSlot>() else { return };
    for (path, name) in feeds::of(publication) {
        slot.link(Link { rel: "alternate", href: path, kind: name });
    }
    if let Some(Opened { issue, .. }) = shown.filter(|opened| opened.rights.opens(1)) {
        let manifest = address::manifest(publication, issue);
        slot.link(Link { rel: "alternate", href: manifest, kind: webpub::PICTURES });
    }
    if shown.is_some_and(|opened| opened.issue.state != IssueState::Published) {
        slot.hide();
        return;
    }
    // a card shows the first page: of what is sold, where anybody may read that
    let is_shown = publication.sale.is_none_or(|sale| sale.preview_pages > 0);
    let issue = shown.map(|opened| &opened.issue).or(newest).filter(|_| is_shown);
    let picture = page.card.unwrap_or_else(|| match issue {
        Some(issue) => address::card(publication, issue),
        None => assets::address("sample-card.jpg"),
    });
    slot.present(Card {
        kind: page.kind,
        description: page.description,
        address: base.join(&page.path),
        picture: base.join(&picture),
        data: page.data,
    });
}

/// The title in schema.org's words.
pub fn periodical(base: &Origin, publication: &Publication) -> Value {
    let home = base.join(&publication.path());
    let mut data = json!({
        "@type": "Periodical",
        "@id": home,
        "url": home,
        "name": publication.name,
        "inLanguage": "zh-CN",
        "publisher": { "@type": "Organization", "name": publication.organiser },
        "isAccessibleForFree": publication.sale.is_none(),
    });
    if !publication.description.is_empty() {
        data["description"] = json!(publication.description);
    }
    if let Some(issn) = issn(&publication.number) {
        data["issn"] = json!(issn);
    }
    data
}

/// An ISSN in a number 刊号.
fn issn(number: &str) -> Option<&str> {
    let from = number.to_ascii_uppercase().find("ISSN")? + 4;
    let rest = number.get(from..)?.trim_start_matches([' ', ':', '：']);
    rest.get(..9).filter(|text| text.as_bytes()[4] == b'-')
}

/// An issue of it.
pub fn publication_issue(base: &Origin, publication: &Publication, issue: &Issue) -> Value {
    let place = base.join(&address::issue(publication, issue));
    json!({
        "@type": "PublicationIssue",
        "@id": place,
        "url": place,
        "name": format!("{} {}", publication.name, issue.title()),
        "issueNumber": issue.numbers.total.to_string(),
        "datePublished": issue.day.to_string(),
        "dateModified": time::rfc3339(issue.updated_at),
        "isAccessibleForFree": publication.sale.is_none(),
        "isPartOf": periodical(base, publication),
    })
}

/// An article by its headline.
pub fn headline(base: &Origin, publication: &Publication, issue: &Issue, article: &Article) -> Value {
    json!({
        "@type": "Article",
        "headline": article.title,
        "url": base.join(&address::article(publication, issue, article.number)),
    })
}

/// Masthead, content, foot.
#[component]
pub fn PaperFrame(
    title: String,
    publication: Publication,
    #[prop(optional)] issue: Option<Opened>,
    /// Whether the name is the page's own title.
    #[prop(optional)]
    front: bool,
    children: Children,
) -> impl IntoView {
    let kind = publication.kind;
    let name = publication.name.clone();
    let nameplate = if front {
        view! { <h1 class="nameplate">{name}</h1> }.into_any()
    } else {
        view! { <p class="nameplate"><a href=publication.path()>{name}</a></p> }.into_any()
    };
    let ears = issue.as_ref().map(|opened| {
        let issue = &opened.issue;
        let day = match kind {
            Kind::Epaper => issue.day.long(),
            Kind::Magazine => format!("{} 年{}", issue.day.year(), issue.title()),
        };
        let count = match kind {
            Kind::Epaper => {
                format!("{} · 总第 {} 期 · {} 版", issue.title(), issue.numbers.total, issue.pages)
            }
            Kind::Magazine => format!("总第 {} 期 · {} 出版", issue.numbers.total, issue.day),
        };
        view! { <p class="ear">{day}</p><p class="ear">{count}</p> }
    });
    let note = issue.as_ref().and_then(|opened| {
        let state = opened.issue.state;
        if opened.is_owner {
            let href = address::issue_desk(kind, &opened.issue);
            let words = format!("这是您出的一期，{state}。");
            return Some(view! { <p class="notice owner">{words}<a href=href>"去编辑"</a></p> }.into_any());
        }
        (state == IssueState::Withdrawn).then(|| {
            view! { <p class="notice">"这一期已经撤回，别人打不开了；您买过它，可以一直读。"</p> }.into_any()
        })
    });
    let files = issue.as_ref().filter(|opened| opened.rights == Rights::Whole).map(|opened| {
        let link = |format: BookFormat| {
            let href = address::file(&publication, &opened.issue, format);
            view! { <a href=href download rel="nofollow">{format!("下载 {}", format.name())}</a> }
        };
        publication.files().map(link).collect::<Vec<_>>()
    });
    let ways = issue.as_ref().map(|opened| {
        let saved = (opened.rights == Rights::Whole).then(|| address::base(&publication, &opened.issue));
        let contents = (kind == Kind::Magazine)
            .then(|| view! { <a href=address::issue(&publication, &opened.issue)>"目录"</a> });
        let is_given = opened.issue.state == IssueState::Published
            && !opened.is_owner
            && publication.sale.is_some_and(|sale| sale.issue_price.is_some());
        let gift =
            is_given.then(|| view! { <a href=gift_address(&opened.issue.id) rel="nofollow">"送给别人"</a> });
        view! {
            <nav class="ways" aria-label="这一期" data-offline=saved>
                {contents}
                {gift}
                <a href=address::search(&publication, &opened.issue) rel="nofollow">"搜索这一期"</a>
                <a href=address::search_of_title(&publication) rel="nofollow">"搜索各期"</a>
            </nav>
        }
    });
    // a reader with an account has its study beside it
    let assets: &[&str] = match (issue.is_some(), use_member().is_some()) {
        (true, true) => &["publications.css", "study.css", "reader.js", "study.js"],
        (true, false) => &["publications.css", "reader.js"],
        (false, _) => &["publications.css"],
    };
    let follow = format!("{}/follow", publication.path());
    let number = (!publication.number.is_empty())
        .then(|| view! { <span class="number">{publication.number.clone()}</span> });
    view! {
        <Head title assets/>
        <a class="skip" href="#main">"跳到正文"</a>
        <header class="masthead" data-front=front.then_some("front")>
            <div class="strip">
                <a class="brand" href="/about" aria-label="书坊"><Mark/></a>
                <span class="organiser">{publication.organiser.clone()}"主办"</span>
                {number}
                <a class="follow" href=follow rel="nofollow">"订阅更新"</a>
            </div>
            {nameplate}
            <div class="ears">{ears}</div>
            {ways}
        </header>
        <main id="main" class="paper" tabindex="-1" data-direction="left">{note}{children()}</main>
        <footer class="paperfoot">
            {files}
            <a href=publication.path()>{publication.name.clone()}</a>
            <a href=format!("{}/feed.atom", publication.path())>"Atom"</a>
            <a href=format!("{}/opds.xml", publication.path())>"OPDS"</a>
            <a href=format!("{}/report", publication.path()) rel="nofollow">"举报"</a>
            <p class="quiet">"在"<a href="/about">"书坊"</a>"出版"</p>
        </footer>
    }
}

/// The way into an issue: on from the page that its reader has come to, or from the first. A script knows where this device was.
#[component]
pub fn ReadOn(opened: Opened, own: Option<OfReader>, begin: &'static str) -> impl IntoView {
    let Opened { publication, issue, rights, .. } = &opened;
    let word = publication.kind.page_word();
    let open = rights.of(issue.pages);
    let come_to = own.and_then(|own| own.place).filter(|(page, _)| *page > 1 && *page <= open);
    let class = if come_to.is_some() { "button" } else { "button primary" };
    let on = come_to.map(|(page, read_at)| {
        view! { <Continue address=address::base(publication, issue) page word read_at/> }
    });
    view! {
        <p class="row">
            {on}
            <a
                class=class
                href=address::page(publication, issue, 1)
                data-start=issue.id.to_string()
                data-word=word
                data-open=open.to_string()
            >
                {begin}
            </a>
        </p>
    }
}

/// Counts that a page of an issue is read, 0 for its contents; its maker's looking is not counted.
#[component]
pub fn CountedPage(
    opened: Opened,
    page: usize,
    /// The last one, where there are several.
    #[prop(optional)]
    last: usize,
    /// What was searched for.
    #[prop(optional)]
    asked: String,
    /// The article that it is the own page of, by its area.
    #[prop(optional)]
    area: String,
) -> impl IntoView {
    let Opened { publication, issue, is_owner, .. } = opened;
    let home = address::base(&publication, &issue);
    (!is_owner)
        .then(|| view! { <Counted kind=ISSUE_KIND id=issue.id.to_string() home first=page last asked area/> })
}

/// How the rest of an issue is to be had.
#[component]
pub fn ToBuy(opened: Opened, title: &'static str) -> impl IntoView {
    let Rights::Preview(preview) = opened.rights else { return None };
    let Opened { publication, issue, offers, .. } = opened;
    let word = publication.kind.page_word();
    let price = publication.sale.and_then(|sale| sale.issue_price);
    let single = price.map(|price| {
        view! {
            <li>
                <span>"只买这一期，长期阅读"</span>
                <Money amount=price class="price"/>
                <form method="post" action=format!("/manager/issue/{}/purchase", issue.id)>
                    <button class="button primary">"购买这一期"</button>
                </form>
            </li>
        }
    });
    let packages: Vec<_> = offers
        .into_iter()
        .map(|offer| {
            view! {
                <li>
                    <span>{offer.words()}</span>
                    <Money amount=offer.price class="price"/>
                    <a class="button" href=offer.address>"看套餐"</a>
                </li>
            }
        })
        .collect();
    let none = (single.is_none() && packages.is_empty())
        .then(|| view! { <p class="quiet">"暂时没有开售，请过些时候再来。"</p> });
    let preview = match preview.min(issue.pages) {
        0 => "订阅或购买以后阅读。".to_owned(),
        pages => format!("可以试读前 {pages} {word}，这一期共 {} {word}。", issue.pages),
    };
    Some(view! {
        <section class="tobuy paywall" id="buy" aria-labelledby="buy-title">
            <h2 id="buy-title">{title}</h2>
            <p class="quiet">{preview}"买过、订阅过或兑换过的，登录以后就能读。"</p>
            {none}
            <ul>{single}{packages}</ul>
        </section>
    })
}

/// The first words of a text, for a description; nothing longer than a search engine shows.
pub fn beginning(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let cut: String = line.chars().take(most - 1).collect();
    format!("{cut}…")
}
