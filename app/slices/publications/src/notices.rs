//! What readers are told.

use std::collections::HashSet;

use domain::ids::{IssueId, MemberId};
use domain::issue_state::IssueState;

use super::by_mail::CameOut;
use super::store::following;
use super::store::{issues, publications};
use super::{TITLE_KIND, address};
use platform::app::App;
use platform::base::Base;
use platform::db::now_ms;
use platform::error::Error;

/// Whether issues go out by mail: the links in a letter need the site's address, and the letter somebody who takes it.
pub fn letters_leave(app: &App) -> bool {
    Base::configured(&app.config).is_some() && app.config.delivery.mails()
}

/// Tells those who follow a title, and those who subscribed to it, that an issue came out: each once, in the study; who
/// agreed to that by a message, too.
pub async fn tell(app: &App, id: &IssueId) -> Result<(), Error> {
    let issue = match issues::find(&app.db, id).await {
        Ok(issue) => issue,
        Err(Error::NotFound) => return Ok(()),
        Err(error) => return Err(error),
    };
    if issue.state != IssueState::Published {
        return Ok(());
    }
    let publication = publications::find(&app.db, &issue.publication).await?;
    let now = now_ms();
    let mut readers = following::followers(&app.db, &publication.id).await?;
    let followers: HashSet<MemberId> = readers.iter().map(|(member, _)| member.clone()).collect();
    let subscribers = selling::readers_of(&app.db, TITLE_KIND, publication.id.as_str(), now).await?;
    let others = subscribers.into_iter().filter(|member| !followers.contains(member));
    readers.extend(others.map(|member| (member, false)));
    let path = address::issue(&publication, &issue);
    let place = match Base::configured(&app.config) {
        Some(base) => format!("：{} 。", base.join(&path)),
        None => "，登录书坊就可以读。".to_owned(),
    };
    let mut tx = app.db.begin().await?;
    app.house.tell(&mut tx, &CameOut { issue: id.clone() }).await?;
    tx.commit().await?;
    let letters = letters_leave(app);
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
    }
    app.bell.ring();
    Ok(())
}
