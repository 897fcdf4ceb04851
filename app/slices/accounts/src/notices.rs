//! What members are told of changes to their account, wherever they are reached.

use base::db::{Tx, now_ms};
use base::delivery::{self, Message, NOTICE_LIFE_MS};
use base::error::Error;
use domain::contact::Contact;
use domain::ids::MemberId;
use web::app::App;

use super::store::contacts::{self, Holder};

async fn tell(app: &App, tx: &mut Tx, to: &Contact, subject: &str, text: String) -> Result<(), Error> {
    let expires_at = now_ms() + NOTICE_LIFE_MS;
    delivery::queue(app, tx, Message { to, subject, text, expires_at, on_behalf_of: None }).await
}

/// Tells a member something where it is reached best, as part of the transaction of what it tells of: by e-mail, which
/// may be long, else by a short message.
pub async fn tell_member(
    app: &App,
    tx: &mut Tx,
    member: &MemberId,
    subject: &str,
    text: String,
) -> Result<(), Error> {
    match best_contact(tx, member).await? {
        Some(to) => tell(app, tx, &to, subject, text).await,
        None => Ok(()),
    }
}

/// The same, where it is one of a maker's many readers.
pub async fn tell_reader(
    app: &App,
    tx: &mut Tx,
    reader: &MemberId,
    maker: &MemberId,
    subject: &str,
    text: String,
) -> Result<(), Error> {
    let Some(to) = best_contact(tx, reader).await? else { return Ok(()) };
    let expires_at = now_ms() + NOTICE_LIFE_MS;
    delivery::queue(app, tx, Message { to: &to, subject, text, expires_at, on_behalf_of: Some(maker) }).await
}

/// The address that a member's mails go to, if it has one.
pub async fn email_of(app: &App, member: &MemberId) -> Result<Option<String>, Error> {
    Ok(contacts::holder_by_id(&app.db, member).await?.email)
}

async fn best_contact(tx: &mut Tx, member: &MemberId) -> Result<Option<Contact>, Error> {
    let mut contacts = contacts::holder_within(tx, member).await?.contacts();
    let best = contacts.iter().position(|contact| !contact.is_phone()).unwrap_or(0);
    Ok((!contacts.is_empty()).then(|| contacts.swap_remove(best)))
}

/// Every contact of the member learns of something that concerns its account's safety.
pub async fn tell_everywhere(
    app: &App,
    tx: &mut Tx,
    member: &Holder,
    subject: &str,
    text: &str,
) -> Result<(), Error> {
    for contact in member.contacts() {
        tell(app, tx, &contact, subject, text.to_owned()).await?;
    }
    Ok(())
}

/// Every contact of the member learns of the new password.
pub async fn password_changed(app: &App, tx: &mut Tx, member: &Holder) -> Result<(), Error> {
    let text = "【书坊】您的密码刚刚修改，其他设备上的登录都已退出。若不是您本人操作，请立即在登录页用“找回密码”重设。";
    tell_everywhere(app, tx, member, "书坊密码已修改", text).await
}

/// The contact that no longer counts, or the other one, learns of the new contact.
pub async fn contact_changed(app: &App, tx: &mut Tx, before: &Holder, new: &Contact) -> Result<(), Error> {
    let contacts = before.contacts();
    let old = contacts.iter().find(|old| old.is_phone() == new.is_phone());
    if let Some(to) = old.or(contacts.first()) {
        let change = if old.is_some() { "改为" } else { "新增了" };
        let (kind, name) = (new.kind(), hidden(new));
        let text = format!(
            "【书坊】您账号的{kind}刚刚{change} {name}。若不是您本人操作，请立即修改密码并联系我们。"
        );
        tell(app, tx, to, "书坊联系方式已更改", text).await?;
    }
    Ok(())
}

/// Enough of a contact for its owner to know it by.
fn hidden(contact: &Contact) -> String {
    match contact {
        Contact::Phone(_) => contact.name(),
        Contact::Email(address) => {
            let (name, host) = address.split_once('@').unwrap_or((address, ""));
            format!("{}***@{host}", name.chars().next().unwrap_or('*'))
        }
    }
}
