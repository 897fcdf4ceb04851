//! Articles that an issue's pages may have: read from the words on them, and proposed to the maker. Nothing of it is shown to
//! readers before the maker took it.

use std::time::{Duration, Instant};

use base::db::{Tx, new_id, now_ms};
use base::error::Error;
use domain::correction::{Fate, fates};
use domain::document::Document;
use domain::ids::IssueId;
use domain::makeup::Block;
use domain::newspaper::{Piece, Proposal, propose};
use domain::publication::MOST_ARTICLES;
use web::app::App;

use super::joined::join_proposals;
use super::store::articles::{self, Article, Doubt, Found};
use super::store::issues::{self, Issue};
use super::store::steps;
use reader::{self, PageWords};

/// Reads pages that were not read yet; within a time, or all. Each page once, whoever reads it. What could be read is joined, though
/// a page could not.
pub async fn read(app: &App, id: &IssueId, within: Option<Duration>) -> Result<(), Error> {
    let read = read_unread(app, id, within).await;
    join_proposals(app, id).await?;
    read
}

async fn read_unread(app: &App, id: &IssueId, within: Option<Duration>) -> Result<(), Error> {
    let started = Instant::now();
    let issue = match issues::find(&app.db, id).await {
        Ok(issue) => issue,
        // it was removed meanwhile
        Err(Error::NotFound) => return Ok(()),
        Err(error) => return Err(error),
    };
    let unread = issues::pages(&app.db, id).await?.into_iter().filter(|page| page.read_at.is_none());
    let document = issues::document(&app.db, id).await?;
    for page in unread {
        if within.is_some_and(|within| started.elapsed() > within) {
            return Ok(());
        }
        read_page(app, &issue, &document, page.page).await?;
    }
    Ok(())
}

/// Takes what is proposed as it is: of a page, or of all of them where it is 0.
pub async fn accept(app: &App, id: &IssueId, page: usize) -> Result<(), Error> {
    let issue = match issues::find(&app.db, id).await {
        Ok(issue) => issue,
        // it was removed meanwhile
        Err(Error::NotFound) => return Ok(()),
        Err(error) => return Err(error),
    };
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    articles::accept(&mut tx, id, page, now).await?;
    for page in if page == 0 { 1..=issue.pages } else { page..=page } {
        steps::forget(&mut tx, id, page).await?;
    }
    issues::touch(&mut tx, id, now).await?;
    Ok(tx.commit().await?)
}

async fn read_page(app: &App, issue: &Issue, document: &Document, page: usize) -> Result<(), Error> {
    let words = reader::read_page(app, &issue.member, document, page).await?;
    let letters: usize = words.blocks.iter().map(|block| block.text.chars().count()).sum();
    let letters = i64::try_from(letters).map_err(Error::internal)?;
    let PageWords { blocks, links, separators } = words;
    let pieces: Vec<Piece> = blocks.into_iter().filter_map(|block| block.piece(document.trim)).collect();
    let mut proposed = propose(&pieces, &separators);
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    if !issues::set_read(&mut tx, (&issue.id, issue.edition), page, &links, letters, now).await? {
        return Ok(());
    }
    let blocks: Vec<Block> = pieces.iter().filter_map(Block::of).collect();
    steps::set_blocks(&mut tx, &issue.id, page, &blocks).await?;
    steps::forget(&mut tx, &issue.id, page).await?;
    let known = articles::of_page(&mut tx, &issue.id, page).await?;
    // of pictures of words nobody can say what became of them
    if !known.is_empty() && letters > 0 {
        proposed = keep_known(&mut tx, &known, proposed).await?;
    }
    let count = articles::count(&mut tx, &issue.id).await?;
    let room = MOST_ARTICLES.saturating_sub(usize::try_from(count).unwrap_or(0));
    proposed.truncate(room);
    let many = i64::try_from(proposed.len()).map_err(Error::internal)?;
    let first = articles::take_numbers(&mut tx, &issue.id, many).await?;
    for ((position, number), proposal) in (1i64..).zip(first..).zip(proposed) {
        articles::keep(&mut tx, &issue.id, &article(proposal, page, number, position, now)).await?;
    }
    Ok(tx.commit().await?)
}

/// The page took the place of another one: articles whose words are on it stay, with what their maker made of them; what is
/// not sure is marked. The rest is proposed.
async fn keep_known(
    tx: &mut Tx,
    known: &[Article],
    mut proposed: Vec<Proposal>,
) -> Result<Vec<Proposal>, Error> {
    let words = |title: &str, author: &str, text: &str| format!("{title}\n{author}\n{text}");
    let before: Vec<String> = known.iter().map(|one| words(&one.title, &one.author, &one.text)).collect();
    let now: Vec<String> = proposed.iter().map(|one| words(&one.title, &one.author, &one.text)).collect();
    let mut taken = vec![false; proposed.len()];
    for (article, fate) in known.iter().zip(fates(&before, &now)) {
        let (areas, doubt) = match fate {
            Fate::Same(place) => (proposed[place].areas.clone(), None),
            Fate::Changed(place) => {
                let Proposal { kicker, title, subtitle, author, text, areas } = proposed[place].clone();
                (areas, Some(Doubt::Changed(Found { kicker, title, subtitle, author, text })))
            }
            // it leads nobody to where something else stands now
            Fate::Gone => (Vec::new(), Some(Doubt::Gone)),
        };
        if let Fate::Same(place) | Fate::Changed(place) = fate {
            taken[place] = true;
        }
        articles::set_found(tx, &article.id, &areas, doubt.as_ref()).await?;
    }
    let mut taken = taken.into_iter();
    proposed.retain(|_| !taken.next().unwrap_or(false));
    Ok(proposed)
}

fn article(proposal: Proposal, page: usize, number: i64, position: i64, now: i64) -> Article {
    Article {
        id: new_id(),
        number,
        page,
        position,
        is_proposed: true,
        kicker: proposal.kicker,
        title: proposal.title,
        subtitle: proposal.subtitle,
        author: proposal.author,
        text: proposal.text,
        areas: proposal.areas,
        photos: Vec::new(),
        sound: None,
        doubt: None,
        goes_on: None,
        updated_at: now,
    }
}
