//! GET /epaper/{title}/articles.atom, and of magazines: the newest articles (RFC 4287), with their whole texts where anybody may
//! read them.

use std::fmt::Write as _;

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use base::names::urn;
use base::time;
use domain::article::{Part, parts};
use domain::jump::text_between;
use domain::xml::escaped;
use web::app::App;
use web::conditional::{self, Shown};
use web::origin::Origin;

use super::{element, head, link};
use crate::joined::Joined;
use crate::open::{self, Rights};
use crate::pictures::kind_of;
use crate::store::articles::{self, Article};
use crate::store::issues::{self, Issue};
use crate::store::publications::{self, Publication};
use crate::{address, naming};

/// Issues that are gone through, and articles in the feed, at most.
const ISSUES: i64 = 10;
const MOST: usize = 60;
/// The long side of photos in pixels.
const PHOTO: u32 = 1280;

/// What stands in the place of what is not open.
const REST: &str = "订阅以后读全文。";

/// See the module.
pub async fn stories(
    State(app): State<App>,
    Path(title): Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let publication = publications::at_address(&app.db, kind_of(&parts)?, &title).await?;
    let issues = issues::published(&app.db, &publication.id, ISSUES).await?;
    if issues.is_empty() {
        return Err(Error::NotFound);
    }
    let base = Origin::of(&app.config, &parts.headers);
    let mut entries = String::new();
    let mut changed = publication.updated_at;
    let mut count = 0;
    for issue in &issues {
        let (rights, _) = open::rights(&app, None, &publication, issue, false).await?;
        let joined = Joined::of(articles::open_to(&app.db, &issue.id, rights).await?);
        for first in joined.firsts().take(MOST - count) {
            let parts = joined.parts(first.number);
            changed = parts.iter().map(|part| updated(issue, part)).fold(changed, i64::max);
            entry(&mut entries, &base, (&publication, issue), &parts, rights);
            count += 1;
        }
        if count == MOST {
            break;
        }
    }
    let [_, _, _, (own, kind)] = super::of(&publication);
    let mut feed = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"zh-CN\">\n",
    );
    head(&mut feed, &base, &publication, &urn("articles", publication.id.as_str()), changed);
    link(&mut feed, "self", kind, &base.join(&own));
    feed.push_str(&entries);
    feed.push_str("</feed>\n");
    let shown =
        Shown { body: feed, kind: "application/atom+xml; charset=utf-8", changed: None, is_personal: false };
    Ok(conditional::answer(&parts.headers, shown))
}

/// When readers last saw something new of it, epoch ms.
fn updated(issue: &Issue, article: &Article) -> i64 {
    article.updated_at.max(issue.published_at.unwrap_or(issue.updated_at))
}

fn entry(
    feed: &mut String,
    base: &Origin,
    (publication, issue): (&Publication, &Issue),
    parts: &[&Article],
    rights: Rights,
) {
    let Some((article, _)) = parts.split_first() else { return };
    feed.push_str("<entry>\n");
    element(feed, "id", &urn("article", article.id.as_str()));
    element(feed, "title", &article.title);
    if !article.author.is_empty() {
        let _ = writeln!(feed, "<author><name>{}</name></author>", escaped(&article.author));
    }
    element(feed, "published", &time::rfc3339(issue.published_at.unwrap_or(issue.updated_at)));
    let changed = parts.iter().map(|part| updated(issue, part)).max();
    element(feed, "updated", &time::rfc3339(changed.unwrap_or(issue.updated_at)));
    let page = publication.kind.page_title(article.page, "");
    let _ = writeln!(
        feed,
        "<category term=\"{}\"/>",
        escaped(&format!("{} {page}", naming::issue(publication, issue)))
    );
    let path = base.join(&address::article(publication, issue, article.number));
    link(feed, "alternate", "text/html", &path);
    if rights.opens(article.page) {
        let open: Vec<_> = parts.iter().take_while(|part| rights.opens(part.page)).collect();
        let mut html = String::new();
        for (place, part) in open.iter().enumerate() {
            let text = text_between(&part.text, place > 0, place + 1 < parts.len());
            html.push_str(&content(base, (publication, issue), part, text));
        }
        if open.len() < parts.len() {
            let _ = write!(html, "<p>{REST}</p>");
        }
        let _ = writeln!(feed, "<content type=\"html\">{}</content>", escaped(&html));
    } else {
        element(feed, "summary", REST);
    }
    feed.push_str("</entry>\n");
}

/// A part of an article as HTML: its headlines, photos and paragraphs.
fn content(
    base: &Origin,
    (publication, issue): (&Publication, &Issue),
    article: &Article,
    text: &str,
) -> String {
    let mut html = String::new();
    for line in [&article.kicker, &article.subtitle] {
        if !line.is_empty() {
            let _ = write!(html, "<p><strong>{}</strong></p>", escaped(line));
        }
    }
    for photo in &article.photos {
        let source = base.join(&address::photo(publication, issue, article.number, &photo.photo, PHOTO));
        let caption = escaped(&photo.caption);
        let _ = write!(
            html,
            "<figure><img src=\"{}\" alt=\"{caption}\"/><figcaption>{caption}</figcaption></figure>",
            escaped(&source)
        );
    }
    for part in parts(text) {
        match part {
            Part::Paragraph(line) => _ = write!(html, "<p>{}</p>", escaped(line)),
            Part::Table(rows) => {
                html.push_str("<table>");
                for row in rows {
                    html.push_str("<tr>");
                    row.iter().for_each(|cell| _ = write!(html, "<td>{}</td>", escaped(cell)));
                    html.push_str("</tr>");
                }
                html.push_str("</table>");
            }
        }
    }
    html
}
