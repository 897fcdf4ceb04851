//! What readers are told.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use base::db::now_ms;
use base::error::Error;
use base::jobs;
use domain::ids::{IssueId, MemberId, PublicationId};
use domain::issue_state::IssueState;
use web::app::App;
use web::origin::Origin;

use super::by_mail::CameOut;
use super::jobs::TellReaders;
use super::store::following;
use super::store::{issues, publications};
use super::{TITLE_KIND, address};

/// Whether issues go out by mail: the links in a letter need the site's address, and the letter somebody who takes it.
pub fn letters_leave(app: &App) -> bool {
    Origin::configured(&app.config).is_some() && app.config.delivery.mails()
}

/// How long readers are told before others have their turn.
const SLICE: Duration = Duration::from_secs(2);
/// Followers that are asked for at once.
const AT_ONCE: usize = 500;

/// Tells those who follow a title, and those who subscribed to it, that an issue came out: each once, in the study; who
/// agreed to that by a message, too. They are told in the order of their ids, from the one after `after` on; after a while the rest is
/// another job's.
pub async fn tell(app: &App, id: &IssueId, mut after: Option<MemberId>) -> Result<(), Error> {
    let issue = match issues::find(&app.db, id).await {
        Ok(issue) => issue,
        Err(Error::NotFound) => return Ok(()),
        Err(error) => return Err(error),
    };
    if issue.state != IssueState::Published {
        return Ok(());
    }
    let publication = publications::find(&app.db, &issue.publication).await?;
    let (began, now) = (Instant::now(), now_ms());
    let subscribed = selling::readers_of(&app.db, TITLE_KIND, publication.id.as_str(), now).await?;
    let path = address::issue(&publication, &issue);
    let place = match Origin::configured(&app.config) {
        Some(base) => format!("：{} 。", base.join(&path)),
        None => "，登录书坊就可以读。".to_owned(),
    };
    if after.is_none() {
        let mut tx = app.db.begin().await?;
        let event = CameOut { issue: id.clone(), maker: publication.member.clone() };
        app.house.tell(&mut tx, &event).await?;
        tx.commit().await?;
    }
    let letters = letters_leave(app);
    loop {
        let (readers, is_last) = next_readers(app, &publication.id, &subscribed, after.as_ref()).await?;
        for (member, by_message) in readers {
            // who has an address is sent the issue itself, where letters leave
            let has_letter = letters && by_message && accounts::email_of(app, &member).await?.is_some();
            let mut tx = app.db.begin().await?;
            if following::set_told(&mut tx, id, &member, now).await? {
                if by_message && !has_letter {
                    let text = format!(
                        "【书坊】《{}》{} {} 出版了{place}不想再收到，可在“书房”里改提醒设置。",
                        publication.name,
                        issue.day,
                        issue.title()
                    );
                    let subject = format!("《{}》新一期", publication.name);
                    accounts::tell_reader(app, &mut tx, &member, &publication.member, &subject, text).await?;
                }
                tx.commit().await?;
            }
            after = Some(member);
            if began.elapsed() >= SLICE {
                let mut tx = app.db.begin().await?;
                let rest = TellReaders { issue: id.clone(), after };
                jobs::enqueue_for(&mut tx, &rest, &publication.member, now_ms()).await?;
                tx.commit().await?;
                app.bell.ring();
                return Ok(());
            }
        }
        if is_last {
            app.bell.ring();
            return Ok(());
        }
    }
}

/// The next readers in the order of their ids, each with whether it wants messages, and whether they are the last ones.
async fn next_readers(
    app: &App,
    publication: &PublicationId,
    subscribed: &[MemberId],
    after: Option<&MemberId>,
) -> Result<(BTreeMap<MemberId, bool>, bool), Error> {
    let known = after.map_or("", MemberId::as_str);
    let followers = following::some_followers(&app.db, publication, known, AT_ONCE as i64).await?;
    // of the others those who stand between these
    let until = if followers.len() < AT_ONCE { None } else { followers.last().map(|(last, _)| last.clone()) };
    let mut readers: BTreeMap<MemberId, bool> = followers.into_iter().collect();
    for member in subscribed {
        if after.is_none_or(|after| member > after) && until.as_ref().is_none_or(|until| member <= until) {
            readers.entry(member.clone()).or_insert(false);
        }
    }
    Ok((readers, until.is_none()))
}
