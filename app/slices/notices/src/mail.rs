//! Mails to clerks: what happens within five minutes of the last one is told in one.

use base::db::{Tx, now_ms};
use base::delivery::{self, Message, NOTICE_LIFE_MS};
use base::error::Error;
use base::jobs::{self, Job, Lane};
use base::time;
use domain::contact::Contact;
use domain::notices::{APART_MS, Kind, hears, next_mail};
use serde::{Deserialize, Serialize};
use web::app::App;
use web::notices::Told;

use super::{MINE, store};

/// Events that one mail names; of more it says how many.
const NAMED: usize = 100;

/// Adds an event to a clerk's next mail. The clerk's row is held, so that no mail leaves meanwhile without it.
pub async fn add(tx: &mut Tx, clerk: &str, told: &Told, now: i64) -> Result<(), Error> {
    let wish = store::lock(tx, clerk).await?;
    if store::insert_mail(tx, clerk, told).await? == 1 {
        // the first one that waits has the mail written; the others are in it
        let job = MailNotices { clerk: clerk.to_owned() };
        jobs::enqueue_at(tx, &job, next_mail(wish.mailed_at, now)).await?;
    }
    Ok(())
}

/// Writes a clerk's mail.
#[derive(Debug, Serialize, Deserialize)]
pub struct MailNotices {
    pub clerk: String,
}

impl Job for MailNotices {
    type App = App;
    const KIND: &'static str = "notice_mail";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        let colleagues = web::staff::accounts(&app)?.all(&app).await?;
        let colleague = colleagues.into_iter().find(|colleague| colleague.id == self.clerk);
        let now = now_ms();
        let mut tx = app.db.begin().await?;
        let mut wish = store::lock(&mut tx, &self.clerk).await?;
        let at = next_mail(wish.mailed_at, now);
        let mut told = store::take_mail(&mut tx, &self.clerk).await?;
        if told.is_empty() {
            return Ok(());
        }
        if at > now {
            // one left meanwhile
            drop(tx);
            let mut tx = app.db.begin().await?;
            jobs::enqueue_at(&mut tx, &self, at.min(now + APART_MS)).await?;
            return Ok(tx.commit().await?);
        }
        // roles and choices of now: what was chosen before may be nobody's business any more
        let roles = colleague.map(|colleague| colleague.roles).unwrap_or_default();
        let kinds = wish.kinds();
        told.retain(|told| Kind::of(&told.kind).is_some_and(|kind| hears(&roles, &kinds, kind)));
        if let Some(to) = Contact::read(&wish.address)
            && !told.is_empty()
        {
            let (subject, text) = written(app.config.public_url.as_deref(), &told);
            let expires_at = now + NOTICE_LIFE_MS;
            let message = Message { to: &to, subject: &subject, text, expires_at, on_behalf_of: None };
            delivery::queue(&app, &mut tx, message).await?;
            wish.mailed_at = now;
            store::update(&mut tx, &wish).await?;
        }
        tx.commit().await?;
        app.bell.ring();
        Ok(())
    }
}

/// An event in words.
fn line(told: &Told) -> String {
    let name = Kind::of(&told.kind).map_or(told.kind.as_str(), |kind| kind.name());
    format!("{name}：{}", told.subject)
}

/// Subject and text of a mail.
fn written(site: Option<&str>, told: &[Told]) -> (String, String) {
    let subject = match told {
        [one] => format!("书坊后台：{}", line(one)),
        more => format!("书坊后台：{} 件事", more.len()),
    };
    let mut text = String::new();
    for told in told.iter().take(NAMED) {
        text += &format!("{} {}\n", time::stamp(told.happened_at), line(told));
        if let Some(site) = site {
            text += &format!("{site}{}\n", told.page);
        }
        text += "\n";
    }
    if told.len() > NAMED {
        text += &format!("还有 {} 件，请在后台查看。\n\n", told.len() - NAMED);
    }
    text += &match site {
        Some(site) => format!("收哪些通知，在这里选：{site}{MINE}\n"),
        None => "收哪些通知，在后台的“通知”里选。\n".to_owned(),
    };
    (subject, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_one_mail_with_its_list() {
        let told = |number: usize| Told {
            id: number.to_string(),
            kind: "order.paid".to_owned(),
            subject: format!("order-{number}"),
            page: format!("/staff/orders/order-{number}"),
            happened_at: 0,
        };
        let (subject, text) = written(Some("https://books.example"), &[told(1)]);
        assert_eq!(subject, "书坊后台：新订单（已付款）：order-1");
        assert!(text.contains("https://books.example/staff/orders/order-1\n"), "{text}");
        let many: Vec<Told> = (0..103).map(told).collect();
        let (subject, text) = written(None, &many);
        assert_eq!(subject, "书坊后台：103 件事");
        assert!(
            text.contains("order-99\n") && !text.contains("order-100\n") && text.contains("还有 3 件"),
            "{text}"
        );
        assert!(!text.contains("/staff/"), "no links where nobody knows the site's address");
    }
}
