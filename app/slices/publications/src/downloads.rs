//! /epaper/{title}/{issue}/issue.pdf and /issue.epub, and of magazines: a whole issue as a file, where its maker allows it, for
//! whoever may read all of it.

use std::path::PathBuf;

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::detach;
use base::error::Error;
use press::epub::{Direction, Metadata};
use web::app::App;

use super::naming;
use super::open::{self, Opened, Rights};
use super::pictures::kind_of;
use super::store::issues::{self, Issue};
use super::store::publications::Publication;
use works::{self, BookFacts, BookFormat};

type Names = Path<(String, String)>;

/// GET /epaper/{title}/{issue}/issue.pdf.
pub async fn pdf(State(app): State<App>, Path(names): Names, parts: Parts) -> Result<Response, Error> {
    serve(&app, names, &parts, BookFormat::Pdf).await
}

/// GET /epaper/{title}/{issue}/issue.epub.
pub async fn epub(State(app): State<App>, Path(names): Names, parts: Parts) -> Result<Response, Error> {
    serve(&app, names, &parts, BookFormat::Epub).await
}

async fn serve(
    app: &App,
    (title, issue): (String, String),
    parts: &Parts,
    format: BookFormat,
) -> Result<Response, Error> {
    let opened = open::open(app, parts, kind_of(parts)?, &title, &issue).await?;
    let Opened { publication, issue, rights, .. } = opened;
    if !publication.files().any(|allowed| allowed == format) {
        return Err(Error::NotFound);
    }
    if rights != Rights::Whole {
        return Err(Error::Forbidden("这一期购买以后才能下载。"));
    }
    let title = naming::issue(&publication, &issue);
    let app = app.clone();
    // a long making goes on when its asker has gone: the next one finds it
    let make = async move { made(&app, &publication, &issue, format).await };
    let path = detach::run(make).await??;
    works::send_book(&path, parts, &title, format).await
}

/// Where the file of an issue lies on this machine; it is made where it is missing.
async fn made(
    app: &App,
    publication: &Publication,
    issue: &Issue,
    format: BookFormat,
) -> Result<PathBuf, Error> {
    let pages = issues::pages(&app.db, &issue.id).await?;
    let titles = pages.iter().map(|page| (page.page, publication.kind.page_title(page.page, &page.name)));
    let facts = BookFacts {
        metadata: Metadata {
            title: naming::issue(publication, issue),
            author: publication.organiser.clone(),
            description: publication.description.clone(),
            language: "zh-CN".to_owned(),
            identifier: naming::book_urn(issue),
            modified: issue.updated_at,
            direction: Direction::LeftToRight,
        },
        first_number: 2,
        chapters: titles.collect(),
    };
    let Metadata { title, author, description, .. } = &facts.metadata;
    let basis = serde_json::to_value((title, author, description, &facts.chapters, issue.edition))?;
    let make = async {
        let mut document = issues::document(&app.db, &issue.id).await?;
        // a file begins with its cover, which here is the first page
        if !document.pages.is_empty() {
            document.cover = document.pages.remove(0);
        }
        match format {
            BookFormat::Pdf => works::reading_pdf(app, &issue.member, document).await,
            BookFormat::Epub => works::reading_epub(app, &issue.member, document, facts).await,
        }
    };
    works::book_file(app, issue.id.as_str(), format, &basis, make).await
}
