//! What other programs follow a title by: an Atom feed of its issues (RFC 4287), and a catalogue of them (OPDS 1.2).

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::publication::Kind;
use domain::xml::escaped;
use sha2::{Digest, Sha256};

use super::address;
use super::pictures::kind_of;
use super::store::articles;
use super::store::issues::{self, Issue};
use super::store::publications::{self, Publication};
use platform::app::App;
use platform::base::Base;
use platform::error::Error;
use platform::ui::time;

/// Issues in a feed.
const MOST: i64 = 30;
const ATOM: &str = "application/atom+xml";
const OPDS: &str = "application/atom+xml;profile=opds-catalog;kind=acquisition";

/// The feeds of a title, with their media types.
pub fn of(publication: &Publication) -> [(String, &'static str); 2] {
    let path = publication.path();
    [(format!("{path}/feed.atom"), ATOM), (format!("{path}/opds.xml"), OPDS)]
}

async fn newest(app: &App, parts: &Parts, title: &str) -> Result<(Publication, Vec<Issue>), Error> {
    let publication = publications::at_address(&app.db, kind_of(parts)?, title).await?;
    let issues = issues::published(&app.db, &publication.id, MOST).await?;
    if issues.is_empty() { Err(Error::NotFound) } else { Ok((publication, issues)) }
}

fn name_of(publication: &Publication, issue: &Issue) -> String {
    match publication.kind {
        Kind::Epaper => format!("{} {} {}", publication.name, issue.day, issue.title()),
        Kind::Magazine => format!("{} {} 年{}", publication.name, issue.day.year(), issue.title()),
    }
}

/// A name that stays whatever the site's address is (RFC 4287, section 4.2.6): a UUID of this program's own making (RFC 9562,
/// version 8) out of what it names.
fn urn(kind: &str, id: &str) -> String {
    let digest = Sha256::digest(format!("{kind}\0{id}"));
    let mut bytes: [u8; 16] = digest[..16].try_into().unwrap_or_default();
    (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x80, bytes[8] & 0x3f | 0x80);
    let text = hex::encode(bytes);
    format!("urn:uuid:{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
}

/// Head of both feeds.
fn head(base: &Base, publication: &Publication, newest: &Issue, own: &str, kind: &str) -> String {
    let home = base.join(&publication.path());
    let (id, own) = (urn(kind, publication.id.as_str()), base.join(own));
    format!(
        "<id>{id}</id>\n<title>{}</title>\n<updated>{}</updated>\n<author><name>{}</name></author>\n\
         <link rel=\"self\" type=\"{kind}\" href=\"{own}\"/>\n<link rel=\"alternate\" type=\"text/html\" href=\"{home}\"/>\n",
        escaped(&publication.name),
        time::rfc3339(newest.updated_at),
        escaped(&publication.organiser),
    )
}

/// GET /epaper/{title}/feed.atom: each issue with its headlines; texts are read on the pages.
pub async fn atom(
    State(app): State<App>,
    Path(title): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let (publication, issues) = newest(&app, &parts, &title).await?;
    let base = Base::of(&app.config, &parts.headers);
    let mut entries = String::new();
    for issue in &issues {
        let headlines = articles::headlines(&app.db, &issue.id, false).await?;
        let items: String = headlines
            .iter()
            .map(|article| {
                let href = base.join(&address::article(&publication, issue, article.number));
                format!("<li><a href=\"{href}\">{}</a></li>", escaped(&article.title))
            })
            .collect();
        let place = base.join(&address::issue(&publication, issue));
        entries.push_str(&format!(
            "<entry>\n<id>{}</id>\n<title>{}</title>\n<published>{}</published>\n<updated>{}</updated>\n\
             <link rel=\"alternate\" type=\"text/html\" href=\"{place}\"/>\n<content type=\"html\">{}</content>\n</entry>\n",
            urn("issue", issue.id.as_str()),
            escaped(&name_of(&publication, issue)),
            time::rfc3339(issue.published_at.unwrap_or(issue.updated_at)),
            time::rfc3339(issue.updated_at),
            escaped(&format!("<ul>{items}</ul>")),
        ));
    }
    let [(own, kind), _] = of(&publication);
    let body = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"zh-CN\">\n{}{entries}</feed>\n",
        head(&base, &publication, issues.first().ok_or(Error::NotFound)?, &own, kind),
    );
    Ok(xml(&body, "application/atom+xml; charset=utf-8"))
}

/// GET /epaper/{title}/opds.xml: issues as readers' programs list books. What is read is a page of the web; what is sold says
/// its price.
pub async fn opds(
    State(app): State<App>,
    Path(title): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let (publication, issues) = newest(&app, &parts, &title).await?;
    let base = Base::of(&app.config, &parts.headers);
    let mut entries = String::new();
    for issue in &issues {
        let place = base.join(&address::issue(&publication, issue));
        let get = match publication.sale {
            None => format!(
                "<link rel=\"http://opds-spec.org/acquisition/open-access\" type=\"text/html\" href=\"{place}\"/>\n"
            ),
            Some(sale) => match sale.issue_price {
                Some(price) => format!(
                    "<link rel=\"http://opds-spec.org/acquisition/buy\" type=\"text/html\" href=\"{place}\">\
                     <opds:price currencycode=\"CNY\">{price}</opds:price></link>\n"
                ),
                None => format!(
                    "<link rel=\"http://opds-spec.org/acquisition/subscribe\" type=\"text/html\" href=\"{place}\"/>\n"
                ),
            },
        };
        let is_shown = publication.sale.is_none_or(|sale| sale.preview_pages > 0);
        let picture = if is_shown {
            let card = escaped(&base.join(&address::card(&publication, issue)));
            let small = base.join(&address::picture(&publication, issue, 1, 360));
            format!(
                "<link rel=\"http://opds-spec.org/image\" type=\"image/jpeg\" href=\"{card}\"/>\n\
                 <link rel=\"http://opds-spec.org/image/thumbnail\" type=\"image/webp\" href=\"{small}\"/>\n"
            )
        } else {
            String::new()
        };
        entries.push_str(&format!(
            "<entry>\n<id>{}</id>\n<title>{}</title>\n<updated>{}</updated>\n<dc:language>zh-CN</dc:language>\n\
             <dc:issued>{}</dc:issued>\n<dc:publisher>{}</dc:publisher>\n<summary>{}</summary>\n{get}{picture}</entry>\n",
            urn("issue", issue.id.as_str()),
            escaped(&name_of(&publication, issue)),
            time::rfc3339(issue.updated_at),
            issue.day,
            escaped(&publication.organiser),
            escaped(&format!("总第 {} 期，{} {}", issue.numbers.total, issue.pages, publication.kind.page_word())),
        ));
    }
    let [_, (own, kind)] = of(&publication);
    let body = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:dc=\"http://purl.org/dc/terms/\" \
         xmlns:opds=\"http://opds-spec.org/2010/catalog\" xml:lang=\"zh-CN\">\n{}\
         <link rel=\"start\" type=\"{kind}\" href=\"{}\"/>\n{entries}</feed>\n",
        head(&base, &publication, issues.first().ok_or(Error::NotFound)?, &own, kind),
        base.join(&own),
    );
    Ok(xml(&body, "application/atom+xml;profile=opds-catalog;kind=acquisition; charset=utf-8"))
}

fn xml(body: &str, kind: &'static str) -> Response {
    let mut response = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{body}").into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
