//! Gifts 送给别人: a sale that opens nothing until somebody takes it by its code. Its money is owed until then, and its giver may
//! take it back.
//!
//! The code follows from a salt in the gift's row and the installation's key, so that its giver can see it, print it and send it
//! again; when the gift is taken, or its money given back, the salt is forgotten, and what stays is a digest.

use base::db::{Tx, id_from, now_ms};
use base::delivery::{self, Message};
use base::error::Error;
use base::jobs;
use base::signing::{keyed, new_salt, redeem_code};
use domain::contact::Contact;
use domain::days::DAY_MS;
use domain::gift::{GiftState, NotSent, Way, leads_elsewhere};
use domain::ids::{MemberId, SaleId};
use domain::redeem_code::RedeemCode;
use domain::sale::SaleState;
use domain::trial::same_for_all;
use hmac::Mac;
use web::app::App;
use web::origin::Origin;
use web::session::Member;

use super::codes::digest;
use super::jobs::SendGift;
use super::redeem::NotRedeemed;
use super::refunds::{self, Kept};
use super::sales::{self, NotSold, Wanted};
use super::store::gifts::{self as store, Gift};
use super::store::sales::{self as rows, Sale};

/// How long the message of a gift is worth sending, in ms.
const MESSAGE_LIFE_MS: i64 = 7 * DAY_MS;

/// What goes with a gift, as its giver typed it.
#[derive(Debug, Clone)]
pub struct Words {
    pub way: Way,
    /// Where its message goes; none for a card.
    pub address: Option<Contact>,
    pub receiver: String,
    pub giver: String,
    pub words: String,
    pub send_at: Option<i64>,
}

impl Words {
    /// A gift with these.
    fn on(self, gift: Gift) -> Gift {
        let Self { way, address, receiver, giver, words, send_at } = self;
        let address = address.map(|address| address.to_string()).unwrap_or_default();
        Gift { way, address, receiver, giver, words, send_at, ..gift }
    }
}

/// The page of a gift for who has its code.
pub fn address(code: &RedeemCode) -> String {
    format!("/gift/{code}")
}

/// The page of a gift for its giver.
pub fn own_address(sale: &SaleId) -> String {
    format!("/manager/gift/{sale}")
}

/// A gift's code; none when nobody can redeem it any more.
pub fn code(app: &App, gift: &Gift) -> Option<RedeemCode> {
    gift.salt.as_ref().map(|salt| code_of(&app.key, salt))
}

fn code_of(key: &str, salt: &str) -> RedeemCode {
    redeem_code(keyed(key.as_bytes(), "code of a gift").chain_update(salt))
}

/// Begins to give something, once for each form that was shown: its sale, to be paid. What is sent again until then is what
/// counts: somebody went back and corrected it.
pub async fn order(
    app: &App,
    giver: &Member,
    shown: &str,
    wanted: Wanted,
    words: Words,
    now: i64,
) -> Result<SaleId, NotSold> {
    if wanted.seller == giver.id {
        return Err(NotSold::Own);
    }
    let mut tx = app.db.begin().await?;
    accounts::hold_member(&mut tx, &giver.id).await?;
    let id: SaleId = id_from(shown, giver.id.as_str());
    if rows::find_own(&mut tx, &id, &giver.id).await?.is_some() {
        let sale = rows::lock(&mut tx, &id).await?;
        let known = store::find(&mut tx, &id).await?;
        let gift = words.on(known.clone());
        if sale.subject != wanted.subject || (sale.state != SaleState::Unpaid && gift != known) {
            return Err(NotSold::Given);
        }
        store::rewrite(&mut tx, &gift).await?;
        tx.commit().await?;
        return Ok(id);
    }
    let sale = Sale { is_gift: true, ..sales::begin(app, giver, wanted, id.clone(), now)? };
    rows::insert(&mut tx, &sale).await?;
    let salt = new_salt();
    let gift = words.on(Gift {
        sale: id.clone(),
        way: Way::Card,
        address: String::new(),
        receiver: String::new(),
        giver: String::new(),
        words: String::new(),
        digest: digest(&app.key, &code_of(&app.key, &salt)),
        salt: Some(salt),
        send_at: None,
        sent: 0,
        sent_at: None,
        taken_by: None,
        taken_at: None,
    });
    store::insert(&mut tx, &gift).await?;
    tx.commit().await?;
    Ok(id)
}

/// Queues the message of a gift that was paid in this transaction.
pub async fn begin_to_send(tx: &mut Tx, sale: &Sale, now: i64) -> Result<(), Error> {
    let gift = store::find(tx, &sale.id).await?;
    match gift.way {
        Way::Card => Ok(()),
        Way::Mail => {
            let job = SendGift { sale: sale.id.clone() };
            match gift.send_at.filter(|at| *at > now) {
                None => jobs::enqueue_for(tx, &job, &sale.buyer, now).await,
                // of no member: whatever else its giver waits for until then would stand behind it
                Some(at) => jobs::enqueue_at(tx, &job, at).await,
            }
        }
    }
}

/// Counts a message of a gift against what its giver and a mailbox get in a day.
async fn take_message(tx: &mut Tx, sale: &Sale, gift: &Gift) -> Result<(), Error> {
    let mailbox = Contact::read(&gift.address).map(|contact| same_for_all(&contact));
    accounts::take_gift_message(tx, &sale.buyer, &mailbox.unwrap_or_default()).await
}

/// The job: the first message of a gift, unless it left before its day, was taken or taken back. It waits while its mailbox, or
/// its giver, has had enough for a day.
pub async fn send_first(app: &App, id: &SaleId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let sale = rows::lock(&mut tx, id).await?;
    let gift = store::find(&mut tx, id).await?;
    if gift.sent > 0 || gift.facts(&sale).may_send(now).is_err() {
        return Ok(());
    }
    if let Err(error) = take_message(&mut tx, &sale, &gift).await {
        let Error::TooMany(wait) = error else { return Err(error) };
        drop(tx);
        let mut tx = app.db.begin().await?;
        let wait_ms = i64::try_from(wait.seconds).map_err(Error::internal)?.saturating_mul(1_000);
        // of no member, as one that leaves on a day of its own
        jobs::enqueue_at(&mut tx, &SendGift { sale: id.clone() }, now.saturating_add(wait_ms)).await?;
        return Ok(tx.commit().await?);
    }
    send(app, &mut tx, &sale, &gift, now).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// Why a giver's message does not leave.
#[derive(Debug, thiserror::Error)]
pub enum Unsent {
    #[error(transparent)]
    Not(#[from] NotSent),
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Sends the message of a gift now, perhaps once more.
pub async fn send_again(app: &App, id: &SaleId, giver: &MemberId, now: i64) -> Result<(), Unsent> {
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    let sale = rows::lock(&mut tx, id).await?;
    if sale.buyer != *giver || !sale.is_gift {
        return Err(Error::NotFound.into());
    }
    let gift = store::find(&mut tx, id).await?;
    gift.facts(&sale).may_send(now)?;
    take_message(&mut tx, &sale, &gift).await?;
    send(app, &mut tx, &sale, &gift, now).await?;
    tx.commit().await.map_err(Error::from)?;
    app.bell.ring();
    Ok(())
}

async fn send(app: &App, tx: &mut Tx, sale: &Sale, gift: &Gift, now: i64) -> Result<(), Error> {
    let (Some(code), Some(to)) = (code(app, gift), Contact::read(&gift.address)) else { return Ok(()) };
    let to_whom = if gift.receiver.is_empty() { String::new() } else { format!("{}：\n", gift.receiver) };
    let words = if gift.words.is_empty() { String::new() } else { format!("\n{}\n", gift.words) };
    // a host without an address of its own sends no link
    let link = Origin::configured(&app.config).map(|base| base.join(&address(&code)));
    let link = link.map(|link| format!("打开下面的链接收下：\n{link}\n或者")).unwrap_or_default();
    // the seller's words lead nowhere either
    let title = if leads_elsewhere(&sale.title) { "一份礼物" } else { &sale.title };
    let text = format!(
        "【书坊】{to_whom}{}送给您{}（{}）。\n{words}\n{link}登录后在“书房”里输入兑换码：{code}\n\
         没有截止日期，收下的那天起算。不认识送礼的人，不用理会。",
        gift.giver, title, sale.term
    );
    let subject = format!("{}送给您一份礼物", gift.giver);
    let message = Message {
        to: &to,
        subject: &subject,
        text,
        expires_at: now + MESSAGE_LIFE_MS,
        on_behalf_of: Some(&sale.buyer),
    };
    store::set_sent(tx, &sale.id, now).await?;
    delivery::queue(app, tx, message).await
}

/// Who has a gift; none of what is no gift.
pub async fn taker(tx: &mut Tx, sale: &Sale) -> Result<Option<MemberId>, Error> {
    if sale.is_gift { Ok(store::find(tx, &sale.id).await?.taken_by) } else { Ok(None) }
}

/// Nobody can redeem it any more.
pub async fn close(tx: &mut Tx, sale: &SaleId) -> Result<(), Error> {
    store::close(tx, sale).await
}

/// Whether a member took a gift itself, so that it may be told.
pub async fn is_taken_by(app: &App, digest: &str, member: &MemberId) -> Result<bool, Error> {
    store::is_taken_by(&app.db, digest, member).await
}

/// Gives what a code is of to a reader who is held, its own giver too: what it is called, and until when it may be read.
pub async fn take(
    app: &App,
    tx: &mut Tx,
    reader: &MemberId,
    code: &RedeemCode,
    now: i64,
) -> Result<(String, Option<i64>), NotRedeemed> {
    let gift = store::by_digest(tx, &digest(&app.key, code)).await?.ok_or(NotRedeemed::Refused)?;
    let mut sale = rows::lock(tx, &gift.sale).await?;
    if !store::take(tx, &sale.id, reader, now).await? {
        return Err(NotRedeemed::Refused);
    }
    let title = sale.title.trim_matches(['《', '》']).to_owned();
    let until = match sales::open_gift(tx, &mut sale, reader, code.tail(), now).await {
        Ok(until) => until,
        Err(NotSold::Failed(error)) => return Err(error.into()),
        // dropped, the transaction leaves the gift to be given to somebody else
        Err(_) => return Err(NotRedeemed::ForEver(title)),
    };
    if sale.buyer != *reader {
        let whom = if gift.receiver.is_empty() { "对方" } else { &gift.receiver };
        let text = format!("【书坊】您送出的{}，{whom}已经收下了。", sale.title);
        accounts::tell_member(app, tx, &sale.buyer, "书坊礼物已被领取", text).await?;
    }
    Ok((title, until))
}

/// Gives all of a gift that nobody has taken back to its giver.
pub async fn take_back(app: &App, id: &SaleId, giver: &MemberId, now: i64) -> Result<(), Kept> {
    let mut tx = app.db.begin().await?;
    accounts::hold_member(&mut tx, giver).await?;
    let mut sale = rows::lock(&mut tx, id).await?;
    if sale.buyer != *giver || !sale.is_gift {
        return Err(Error::NotFound.into());
    }
    let gift = store::find(&mut tx, id).await?;
    match gift.facts(&sale).state(now) {
        GiftState::Taken => return Err(Kept::Taken),
        GiftState::Back => return Ok(()),
        GiftState::Unpaid | GiftState::Waiting | GiftState::Open => {}
    }
    refunds::give_back(&mut tx, &mut sale, "收回礼物", now).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// A gift as who has its code is shown it.
pub struct Shown {
    pub sale: Sale,
    pub gift: Gift,
}

/// The gift of a code, where somebody may still take it.
pub async fn of_code(app: &App, code: &RedeemCode) -> Result<Option<Shown>, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    let Some(gift) = store::by_digest(&mut tx, &digest(&app.key, code)).await? else { return Ok(None) };
    let sale = rows::find_within(&mut tx, &gift.sale).await?;
    let is_open = gift.facts(&sale).state(now_ms()).is_open();
    Ok(is_open.then_some(Shown { sale, gift }))
}
