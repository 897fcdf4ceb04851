//! What happens to a card before somebody has it: it is begun, paid, sent, given back. Each is one transaction over its locked row
//! and the ledger. What it pays then is in [`crate::using`].
//!
//! The code follows from a salt in the card's row and the installation's key, so that its buyer can see it and print it; once
//! somebody has the card the salt is forgotten, and what stays is a digest.

use async_trait::async_trait;
use base::audit;
use base::db::{Tx, id_from, now_ms};
use base::delivery::{self, Message};
use base::error::Error;
use base::jobs;
use base::signing::{keyed, new_salt, redeem_code, short_digest};
use domain::contact::Contact;
use domain::days::DAY_MS;
use domain::gift::{APART_MS, MOST_SENT, NotSent, Way};
use domain::gift_card::{LIFE_MS, LONGER_MS, Move, Stored, is_over};
use domain::ids::{GiftCardId, MemberId};
use domain::money::Fen;
use domain::payment::Method;
use domain::redeem_code::RedeemCode;
use domain::trial::same_for_all;
use hmac::Mac;
use serde_json::json;
use web::app::App;
use web::approvals::{self, By, Decision, Kind, Request, Thing};
use web::origin::Origin;
use web::slice::Payable;

use crate::jobs::SendGiftCard;
use crate::store::{self, Card};
use ledger::Refusal;

/// How long the message of a card is worth sending, in ms.
const MESSAGE_LIFE_MS: i64 = 7 * DAY_MS;
/// The word for cards among what is paid.
pub const KIND: &str = "gift_card";

/// What goes with a card, as its buyer typed it.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub amount: Fen,
    pub way: Way,
    /// Where its message goes; empty for one to be printed.
    pub address: String,
    pub receiver: String,
    pub giver: String,
    pub words: String,
}

/// The page of a card for its buyer.
pub fn own_address(id: &GiftCardId) -> String {
    format!("{}/{id}", crate::PAGE)
}

/// Where a code is taken in.
pub fn address(code: &RedeemCode) -> String {
    format!("{}?code={code}", crate::PAGE)
}

/// What is kept of a code.
pub fn digest(key: &str, code: &RedeemCode) -> String {
    short_digest(keyed(key.as_bytes(), "gift card").chain_update(code.plain()))
}

fn code_of(key: &str, salt: &str) -> RedeemCode {
    redeem_code(keyed(key.as_bytes(), "code of a gift card").chain_update(salt))
}

/// A card's code; none when it is of no use any more, or not yet.
pub fn code(app: &App, card: &Card) -> Option<RedeemCode> {
    let salt = card.salt.as_ref().filter(|_| card.state == Stored::Open);
    salt.map(|salt| code_of(&app.key, salt))
}

/// Begins to buy a card, once for each form that was shown; what is sent again until it is paid is what counts.
pub async fn begin(
    app: &App,
    buyer: &MemberId,
    shown: &str,
    wanted: Wanted,
    now: i64,
) -> Result<GiftCardId, Error> {
    let id: GiftCardId = id_from(shown, buyer.as_str());
    let salt = new_salt();
    let Wanted { amount, way, address, receiver, giver, words } = wanted;
    let card = Card {
        id: id.clone(),
        buyer: buyer.clone(),
        amount,
        state: Stored::Unpaid,
        pay_way: None,
        way,
        address,
        receiver,
        giver,
        words,
        digest: digest(&app.key, &code_of(&app.key, &salt)),
        salt: Some(salt),
        created_at: now,
        paid_at: None,
        expires_at: None,
        sent: 0,
        sent_at: None,
        holder: None,
        held_at: None,
        spent: Fen::ZERO,
        redeemed_at: None,
    };
    let mut tx = app.db.begin().await?;
    if !store::insert(&mut tx, &card).await? {
        // paid meanwhile it stays as it is
        store::rewrite(&mut tx, &card).await?;
    }
    tx.commit().await?;
    Ok(id)
}

/// Pays for a card from its buyer's balance, as part of a transaction; false where it was paid before.
pub async fn pay(
    tx: &mut Tx,
    id: &GiftCardId,
    buyer: &MemberId,
    way: &str,
    now: i64,
) -> Result<bool, Refusal> {
    let card = store::lock(tx, id.as_str()).await?;
    if card.buyer != *buyer {
        return Err(Error::NotFound.into());
    }
    if card.state != Stored::Unpaid {
        return Ok(false);
    }
    store::set_paid(tx, id, way, now, now.saturating_add(LIFE_MS)).await?;
    if card.way == Way::Mail {
        jobs::enqueue_at(tx, &SendGiftCard { card: id.clone() }, now).await?;
    }
    post(tx, &card, Move::Sale, buyer, &format!("购买礼品卡 {id}"), now).await?;
    Ok(true)
}

async fn post(
    tx: &mut Tx,
    card: &Card,
    step: Move,
    member: &MemberId,
    memo: &str,
    now: i64,
) -> Result<(), Refusal> {
    let posting = step.posting(card.id.as_str(), member, card.amount).map_err(Error::internal)?;
    ledger::post(tx, &posting, memo, now).await.map(drop)
}

/// Cards as what is paid for from outside.
#[derive(Debug)]
pub struct Bought;

#[async_trait]
impl Payable for Bought {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn hold(
        &self,
        _app: &App,
        tx: &mut Tx,
        id: &str,
        member: &MemberId,
        _now: i64,
    ) -> Result<Option<Fen>, Error> {
        let card = store::lock(tx, id).await?;
        if card.buyer != *member {
            return Err(Error::NotFound);
        }
        Ok((card.state == Stored::Unpaid).then_some(card.amount))
    }

    async fn pay(
        &self,
        tx: &mut Tx,
        id: &str,
        member: &MemberId,
        way: Method,
        now: i64,
    ) -> Result<(), Error> {
        let id: GiftCardId = id.parse().map_err(|_| Error::NotFound)?;
        match pay(tx, &id, member, way.code(), now).await {
            Ok(_) => Ok(()),
            Err(Refusal::Failed(error)) => Err(error),
            Err(refusal) => Err(Error::internal(refusal)),
        }
    }
}

/// What can't be refused, as the card's row was looked at before.
pub fn moved(posted: Result<(), Refusal>) -> Result<(), Error> {
    match posted {
        Ok(()) => Ok(()),
        Err(Refusal::Failed(error)) => Err(error),
        Err(refusal) => Err(Error::internal(refusal)),
    }
}

/// Why a card is not given back to its buyer.
pub fn not_refunded(card: &Card, now: i64) -> String {
    match card.state {
        Stored::Held => "这张礼品卡已经有人领用，不能再退给买卡的人".to_owned(),
        _ => format!("这张礼品卡{}，没有可退的钱", card.named(now)),
    }
}

/// Gift cards among what is given of.
pub const REFUND: Kind = Kind { name: "gift_card", log: "gift card refund" };

/// A card as what is given of.
pub fn thing(id: &GiftCardId) -> Thing<'_> {
    Thing { kind: REFUND, id: id.as_str() }
}

/// The shop gives all of a card that nobody has used back to its buyer's balance; false where it did before.
pub async fn refund(app: &App, id: &GiftCardId, reason: &str, now: i64) -> Result<bool, Error> {
    let done = refund_by(app, id, reason, By::OwnRight, now).await?;
    done.ok_or_else(|| Error::internal("the host needs nobody else"))
}

/// The same in the back office; `None`, and nothing is done, where whoever acts may not give that much alone, or the request
/// was decided before. All cards of a buyer have one limit: a sum is as easily bought on ten cards as on one.
///
/// # Errors
/// [`Error::Conflict`] where somebody has the card, or nobody has paid it.
pub async fn refund_by(
    app: &App,
    id: &GiftCardId,
    reason: &str,
    by: By<'_>,
    now: i64,
) -> Result<Option<bool>, Error> {
    let mut tx = app.db.begin().await?;
    let card = store::lock(&mut tx, id.as_str()).await?;
    match card.state {
        Stored::Refunded => return Ok(Some(false)),
        Stored::Open => {}
        _ => return Err(Error::Conflict(not_refunded(&card, now))),
    }
    let limited = Thing { kind: REFUND, id: card.buyer.as_str() };
    if !approvals::gives(app, &mut tx, by, limited, card.amount, now).await? {
        return Ok(None);
    }
    store::set_refunded(&mut tx, id, now).await?;
    let text = format!(
        "【书坊】您买的 ¥{} 礼品卡没有人用过，已退回您的账户余额，卡号作废。原因：{reason}",
        card.amount.grouped()
    );
    accounts::tell_member(app, &mut tx, &card.buyer, "书坊礼品卡已退款", text).await?;
    moved(post(&mut tx, &card, Move::Refund, &card.buyer, &format!("礼品卡退款 {id}：{reason}"), now).await)?;
    // last: the log's end is held until the commit
    let detail = json!({ "amount": card.amount, "reason": reason });
    audit::note(&mut tx, REFUND.log, id.as_str(), &detail).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Some(true))
}

/// Asks another one for a refund that whoever asks may not give alone; whether it is asked now, or was before.
pub async fn ask_refund(
    app: &App,
    card: &Card,
    reason: &str,
    asked_by: String,
    asked_before: usize,
) -> Result<bool, Error> {
    let request = Request {
        // a declined one may be asked again, and one press is one request
        id: format!("card-{}-{asked_before}", card.id),
        about: card.id.to_string(),
        amount: Some(card.amount.0),
        reason: reason.to_owned(),
        asked_by,
        asked_at: now_ms(),
        decided_at: None,
    };
    approvals::ask(app, REFUND, &request).await
}

/// Carries out what another one decided; whether it is done now, or was before.
pub async fn decide_refund(app: &App, id: &GiftCardId, decision: &Decision) -> Result<bool, Error> {
    if decision.is_late() {
        return Ok(false);
    }
    if !decision.grants {
        return decision.decline(app, REFUND).await;
    }
    if refund_by(app, id, &decision.request.reason, decision.right(), now_ms()).await? != Some(true) {
        return Ok(false);
    }
    decision.note_granted(app, REFUND).await?;
    Ok(true)
}

/// The shop makes a card good again whose time is over, for a year; false where it is good.
pub async fn activate(app: &App, id: &GiftCardId, now: i64) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    let card = store::lock(&mut tx, id.as_str()).await?;
    if card.state != Stored::Open {
        return Err(Error::Conflict(format!("这张礼品卡{}，不能激活", card.named(now))));
    }
    if !is_over(card.expires_at, now) {
        return Ok(false);
    }
    let until = now.saturating_add(LONGER_MS);
    store::set_end(&mut tx, id, until).await?;
    audit::note(&mut tx, "gift card activate", id.as_str(), &json!({ "until": until })).await?;
    tx.commit().await?;
    Ok(true)
}

/// Whether a message of a card may leave now.
fn may_send(card: &Card, now: i64) -> Result<(), NotSent> {
    if card.way == Way::Card {
        return Err(NotSent::Card);
    }
    if card.state != Stored::Open || is_over(card.expires_at, now) {
        return Err(NotSent::Closed);
    }
    if card.sent >= MOST_SENT {
        return Err(NotSent::Often);
    }
    if card.sent_at.is_some_and(|at| now < at.saturating_add(APART_MS)) {
        return Err(NotSent::JustNow);
    }
    Ok(())
}

/// Counts a message against what its giver and a mailbox get in a day.
async fn take_message(tx: &mut Tx, card: &Card) -> Result<(), Error> {
    let mailbox = Contact::read(&card.address).map(|contact| same_for_all(&contact));
    accounts::take_gift_message(tx, &card.buyer, &mailbox.unwrap_or_default()).await
}

/// The job: the first message of a card. It waits while its mailbox, or its giver, has had enough for a day.
pub async fn send_first(app: &App, id: &GiftCardId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let card = store::lock(&mut tx, id.as_str()).await?;
    if card.sent > 0 || may_send(&card, now).is_err() {
        return Ok(());
    }
    if let Err(error) = take_message(&mut tx, &card).await {
        let Error::TooMany(wait) = error else { return Err(error) };
        drop(tx);
        let mut tx = app.db.begin().await?;
        let wait_ms = i64::try_from(wait.seconds).map_err(Error::internal)?.saturating_mul(1_000);
        jobs::enqueue_at(&mut tx, &SendGiftCard { card: id.clone() }, now.saturating_add(wait_ms)).await?;
        return Ok(tx.commit().await?);
    }
    send(app, &mut tx, &card, now).await?;
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

/// Sends the message of a member's card once more.
pub async fn send_again(app: &App, id: &GiftCardId, buyer: &MemberId, now: i64) -> Result<(), Unsent> {
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    let card = store::lock(&mut tx, id.as_str()).await?;
    if card.buyer != *buyer {
        return Err(Error::NotFound.into());
    }
    may_send(&card, now)?;
    take_message(&mut tx, &card).await?;
    send(app, &mut tx, &card, now).await?;
    tx.commit().await.map_err(Error::from)?;
    app.bell.ring();
    Ok(())
}

async fn send(app: &App, tx: &mut Tx, card: &Card, now: i64) -> Result<(), Error> {
    let (Some(code), Some(to)) = (code(app, card), Contact::read(&card.address)) else { return Ok(()) };
    let to_whom = if card.receiver.is_empty() { String::new() } else { format!("{}：\n", card.receiver) };
    let words = if card.words.is_empty() { String::new() } else { format!("\n{}\n", card.words) };
    // a host without an address of its own sends no link
    let link = Origin::configured(&app.config).map(|base| base.join(&address(&code)));
    let link = link.map(|link| format!("打开下面的链接收下：\n{link}\n或者")).unwrap_or_default();
    let until = card.until();
    let text = format!(
        "【书坊】{to_whom}{}送给您一张 ¥{} 的礼品卡。\n{words}\n{link}登录后在“礼品卡”里、或者付款时输入卡号：{code}\n\
         付订单可以分几次用完，也可以转入余额，{until} 以前收下都可以。不认识送卡的人，不用理会。",
        card.giver,
        card.amount.grouped()
    );
    let subject = format!("{}送给您一张礼品卡", card.giver);
    let message = Message {
        to: &to,
        subject: &subject,
        text,
        expires_at: now + MESSAGE_LIFE_MS,
        on_behalf_of: Some(&card.buyer),
    };
    store::set_sent(tx, &card.id, now).await?;
    delivery::queue(app, tx, message).await
}
