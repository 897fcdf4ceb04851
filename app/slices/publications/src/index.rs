//! Takes pages of issues into what all issues are searched by: their articles, and what the pages say beside those.

use base::db::{self, now_ms};
use base::error::Error;
use base::jobs;
use domain::ids::MemberId;
use domain::publication::Day;
use domain::reading::folded;
use reader::PageBlock;
use web::app::App;

use super::jobs::IndexPages;
use super::store::search::{self as store, Entry};

/// Pages that one job takes in, before others have their turn.
const SLICE: i64 = 200;

/// Takes in pages that wait, some at once; the rest is another job's.
pub async fn take_in(app: &App) -> Result<(), Error> {
    let waiting = store::waiting(&app.db, SLICE).await?;
    let count = waiting.len() as i64;
    let (mut failed, mut maker) = (None, None);
    for (issue, page) in waiting {
        // one that cannot be taken in keeps no other out
        match page_of(app, &issue, page).await {
            Ok(of) => maker = of.or(maker),
            Err(error) => {
                tracing::warn!(%error, issue, page, "A page could not be taken into the index");
                failed = Some(error);
            }
        }
    }
    if count == SLICE {
        let mut tx = app.db.begin().await?;
        // whose pages they were has many: the rest takes turns with what others wait for
        match maker {
            Some(maker) => jobs::enqueue_for(&mut tx, &IndexPages {}, &maker, now_ms()).await?,
            None => jobs::enqueue(&mut tx, &IndexPages {}).await?,
        }
        tx.commit().await?;
        app.bell.ring();
    } else {
        // also where the last ones filled a job of their own
        store::settle(&app.db).await?;
    }
    failed.map_or(Ok(()), Err)
}

/// A page, in a transaction of its own; whose it is.
async fn page_of(app: &App, issue: &str, number: i64) -> Result<Option<MemberId>, Error> {
    let mut tx = app.db.begin().await?;
    let mut maker = None;
    if let Some(page) = store::take(&mut tx, issue, number).await? {
        let articles = store::articles(&mut tx, &page).await?;
        let day: Day = page.day.parse().map_err(Error::internal)?;
        let section = folded(&page.name);
        for (position, entry) in entries(articles, page.blocks.as_deref())?.iter().enumerate() {
            store::add(&mut tx, &page, (day, &section), (position, entry)).await?;
        }
        maker = Some(page.member_id.try_into().map_err(Error::internal)?);
    }
    tx.commit().await?;
    Ok(maker)
}

/// What is found of a page. Its own words are those that none of its articles has which readers see.
pub fn entries(articles: Vec<store::Words>, blocks: Option<&str>) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    let mut said = String::new();
    for (article, is_proposed, kicker, title, subtitle, author, text) in articles {
        let headline = lines([&*kicker, &*title, &*subtitle]);
        let words = lines([&*headline, &*author, &*text]);
        if is_proposed == 0 {
            said += &words.replace('\n', "");
            said.push('\n');
        }
        entries.push(Entry { article, is_proposed: is_proposed == 1, headline, words });
    }
    let blocks: Vec<PageBlock> = match blocks {
        Some(blocks) => db::json("blocks", blocks)?,
        None => Vec::new(),
    };
    let own: Vec<String> = blocks
        .iter()
        .map(|block| folded(&block.text))
        .filter(|words| !words.is_empty() && !said.contains(words.as_str()))
        .collect();
    if !own.is_empty() {
        entries.push(Entry {
            article: 0,
            is_proposed: false,
            headline: String::new(),
            words: own.join("\n"),
        });
    }
    Ok(entries)
}

/// Texts as they are searched: folded line by line, as they are shown in paragraphs.
fn lines<const N: usize>(texts: [&str; N]) -> String {
    let folded = texts.iter().flat_map(|text| text.lines()).map(folded).filter(|line| !line.is_empty());
    folded.collect::<Vec<_>>().join("\n")
}
