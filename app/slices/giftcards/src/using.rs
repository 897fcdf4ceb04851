//! What a card pays: whoever uses it first has it from then on; it is put on orders, pays them, gets back what goes back of them,
//! and its rest goes into its holder's balance. Rows are held in this order, so that none wait for each other in a circle: the
//! order, its cards by their ids, the ledger's accounts.

use std::any::Any;

use async_trait::async_trait;
use axum::http::request::Parts;
use base::db::{Tx, now_ms};
use base::error::Error;
use domain::gift_card::{self, Refused, Stored, may_use, pays};
use domain::ids::{GiftCardId, MemberId, OrderId};
use domain::money::Fen;
use domain::order_state::OrderState;
use domain::redeem_code::{Mistyped, RedeemCode};
use web::app::App;
use web::prepaid::{Chosen, Prepaid, PrepaidCard};
use web::slice::Listener;

use crate::cards::{digest, moved};
use crate::store::uses::{self, Kind, Use};
use crate::store::{self, Card};
use orders::{GivenBack, Returned};

/// Why a card does nothing.
#[derive(Debug, thiserror::Error)]
pub enum NotUsed {
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for NotUsed {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Holds the card with a code, which is its member's from then on; its buyer is told when that is somebody else.
async fn take(
    app: &App,
    tx: &mut Tx,
    member: &MemberId,
    code: &RedeemCode,
    now: i64,
) -> Result<Card, NotUsed> {
    let card = store::lock_by_digest(tx, &digest(&app.key, code)).await?.ok_or(Refused::Unknown)?;
    may_use(card.state, card.whose(member), card.expires_at, now)?;
    if card.state == Stored::Held {
        return Ok(card);
    }
    store::set_held(tx, &card.id, member, now).await?;
    if card.buyer != *member {
        let whom = if card.receiver.is_empty() { "对方" } else { &card.receiver };
        let text = format!("【书坊】您送出的 ¥{} 礼品卡，{whom}已经收下了。", card.amount.grouped());
        accounts::tell_member(app, tx, &card.buyer, "书坊礼品卡已被收下", text).await?;
    }
    Ok(Card {
        state: Stored::Held,
        holder: Some(member.clone()),
        held_at: Some(now),
        expires_at: None,
        ..card
    })
}

/// Puts the card with a code among a member's own; what is on it.
///
/// # Errors
/// [`Refused`] where it gives nothing, one that is used up among them.
pub async fn keep(app: &App, member: &MemberId, code: &RedeemCode, now: i64) -> Result<Fen, NotUsed> {
    let mut tx = app.db.begin().await?;
    let card = take(app, &mut tx, member, code, now).await?;
    if card.rest() == Fen::ZERO {
        return Err(Refused::Empty.into());
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(card.rest())
}

/// Which card.
#[derive(Debug, Clone, Copy)]
pub enum Which<'a> {
    Code(&'a RedeemCode),
    /// One that the member has.
    Own(&'a GiftCardId),
}

async fn lock(
    app: &App,
    tx: &mut Tx,
    member: &MemberId,
    which: Which<'_>,
    now: i64,
) -> Result<Card, NotUsed> {
    match which {
        Which::Code(code) => take(app, tx, member, code, now).await,
        Which::Own(id) => {
            let card = store::lock(tx, id.as_str()).await?;
            if card.state == Stored::Held && card.holder.as_ref() == Some(member) {
                Ok(card)
            } else {
                Err(Error::NotFound.into())
            }
        }
    }
}

/// Puts all that is left on a card into its holder's balance; what that was.
///
/// # Errors
/// [`Refused`] where there is nothing, or where some of it is set aside for an order.
pub async fn redeem(app: &App, member: &MemberId, which: Which<'_>, now: i64) -> Result<Fen, NotUsed> {
    let mut tx = app.db.begin().await?;
    let card = lock(app, &mut tx, member, which, now).await?;
    let rest = card.rest();
    if rest == Fen::ZERO {
        return Err(Refused::Empty.into());
    }
    let set_aside = uses::set_aside(&mut tx, &card.id).await?;
    if set_aside > Fen::ZERO {
        return Err(Refused::SetAside(set_aside).into());
    }
    let less = rest.negated().map_err(Error::internal)?;
    let number = uses::record(&mut tx, &card.id, Kind::Redemption, less, (None, None), now).await?;
    let posting = gift_card::redemption(card.id.as_str(), number, member, rest).map_err(Error::internal)?;
    moved(ledger::post(&mut tx, &posting, &format!("礼品卡转入余额 {}", card.id), now).await.map(drop))?;
    tx.commit().await?;
    app.bell.ring();
    Ok(rest)
}

/// Puts a card on a member's unpaid order: as much of it as is free and due is set aside. One that is on it stays there.
///
/// # Errors
/// [`Refused`]; [`Error::Conflict`] where nothing is due.
pub async fn put(
    app: &App,
    member: &MemberId,
    order: &OrderId,
    which: Which<'_>,
    now: i64,
) -> Result<(), NotUsed> {
    let mut tx = app.db.begin().await?;
    let order = orders::lock_for_owner(&mut tx, order, member).await?;
    let card = lock(app, &mut tx, member, which, now).await?;
    let on_it = uses::of_order(&mut tx, &order.id).await?;
    if order.state != OrderState::Unpaid || on_it.iter().any(|on| on.card == card.id) {
        return Ok(());
    }
    let due = order.due();
    if due == Fen::ZERO {
        return Err(Error::Conflict("礼品卡已经够付这份订单，不用再加".into()).into());
    }
    let set_aside = uses::set_aside(&mut tx, &card.id).await?;
    let amount = pays(card.rest(), set_aside, due)?;
    uses::insert(&mut tx, &order.id, &card.id, amount, now).await?;
    let by_cards = order.by_cards.plus(amount).map_err(Error::internal)?;
    orders::set_by_cards(&mut tx, &order.id, by_cards).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// Takes a card off a member's order, as long as that is unpaid.
///
/// # Errors
/// [`Error::NotFound`] where the order is another's.
pub async fn take_off(app: &App, member: &MemberId, order: &OrderId, card: &GiftCardId) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let order = orders::lock_for_owner(&mut tx, order, member).await?;
    let on_it = uses::of_order(&mut tx, &order.id).await?;
    let Some(on) = on_it.iter().find(|on| on.card == *card) else { return Ok(()) };
    if order.state != OrderState::Unpaid {
        return Ok(());
    }
    uses::delete(&mut tx, &order.id, card).await?;
    let by_cards = order.by_cards.minus(on.amount).map_err(Error::internal)?;
    orders::set_by_cards(&mut tx, &order.id, by_cards).await?;
    Ok(tx.commit().await?)
}

/// Holds the rows of the cards on an order.
async fn hold(tx: &mut Tx, order: &OrderId) -> Result<Vec<Use>, Error> {
    let on_it = uses::of_order(tx, order).await?;
    let mut ids: Vec<&GiftCardId> = on_it.iter().map(|on| &on.card).collect();
    ids.sort();
    for id in ids {
        store::lock(tx, id.as_str()).await?;
    }
    Ok(on_it)
}

/// Tries what was typed as a code. Tries that are none, and those at no card, are counted.
///
/// # Errors
/// Those of `act`; [`Refused::Mistyped`].
pub async fn try_typed<T, F>(
    app: &App,
    parts: &Parts,
    member: &MemberId,
    typed: &str,
    act: impl FnOnce(RedeemCode) -> F,
) -> Result<T, NotUsed>
where
    F: Future<Output = Result<T, NotUsed>>,
{
    let code: RedeemCode = match typed.parse() {
        Ok(code) => code,
        Err(mistyped) => {
            if mistyped != Mistyped::Empty {
                accounts::start_typing(app, member).await?;
            }
            return Err(Refused::Mistyped(mistyped).into());
        }
    };
    let attempt = accounts::start_redeeming(app, parts, member).await?;
    let done = act(code).await;
    if !matches!(done, Err(NotUsed::Refused(Refused::Unknown))) {
        attempt.succeeded(app).await?;
    }
    done
}

/// What is said beside the field of a code that gave nothing.
///
/// # Errors
/// What is nobody's mistake.
pub fn said(refused: NotUsed) -> Result<String, Error> {
    match refused {
        NotUsed::Refused(refused) => Ok(refused.to_string()),
        NotUsed::Failed(error @ (Error::TooMany(_) | Error::Conflict(_))) => Ok(error.message()),
        NotUsed::Failed(error) => Err(error),
    }
}

/// Cards, for whoever takes the money for orders.
pub struct AtTill;

#[async_trait]
impl Prepaid for AtTill {
    async fn of_member(
        &self,
        app: &App,
        member: &MemberId,
        order: Option<&OrderId>,
    ) -> Result<Vec<PrepaidCard>, Error> {
        let of = order.map_or("", OrderId::as_str);
        let cards = uses::for_order(&app.db, member, of).await?;
        Ok(cards
            .into_iter()
            .map(|(id, rest, set_aside, pays)| PrepaidCard {
                name: format!("礼品卡 {}", short(&id)),
                id,
                pays: Fen(pays),
                free: Fen(rest.saturating_sub(set_aside)),
            })
            .filter(|card| card.pays > Fen::ZERO || card.free > Fen::ZERO)
            .collect())
    }

    async fn put(
        &self,
        app: &App,
        parts: &Parts,
        member: &MemberId,
        order: &OrderId,
        card: Chosen<'_>,
    ) -> Result<Result<(), String>, Error> {
        let now = now_ms();
        let done = match card {
            Chosen::Typed(typed) => {
                let act =
                    |code: RedeemCode| async move { put(app, member, order, Which::Code(&code), now).await };
                try_typed(app, parts, member, typed, act).await
            }
            Chosen::Own(id) => {
                let id: GiftCardId = id.parse().map_err(|_| Error::NotFound)?;
                put(app, member, order, Which::Own(&id), now).await
            }
        };
        done.map_or_else(|refused| said(refused).map(Err), |()| Ok(Ok(())))
    }

    async fn take_off(&self, app: &App, member: &MemberId, order: &OrderId, card: &str) -> Result<(), Error> {
        let card: GiftCardId = card.parse().map_err(|_| Error::NotFound)?;
        take_off(app, member, order, &card).await
    }

    async fn hold(&self, tx: &mut Tx, order: &OrderId) -> Result<(), Error> {
        hold(tx, order).await.map(drop)
    }

    async fn draw(&self, tx: &mut Tx, order: &OrderId, member: &MemberId, now: i64) -> Result<(), Error> {
        let on_it = uses::of_order(tx, order).await?;
        for on in &on_it {
            let less = on.amount.negated().map_err(Error::internal)?;
            uses::record(tx, &on.card, Kind::Payment, less, (Some(order), None), now).await?;
        }
        let sum = Fen::sum(on_it.iter().map(|on| on.amount)).map_err(Error::internal)?;
        let posting = gift_card::payment(order.as_str(), member, sum).map_err(Error::internal)?;
        moved(ledger::post(tx, &posting, &format!("礼品卡付订单 {order}"), now).await.map(drop))
    }
}

/// The end of a card's number, which tells a member's cards apart.
pub fn short(id: &str) -> String {
    let from = id.len().saturating_sub(4);
    id.get(from..).unwrap_or(id).to_uppercase()
}

/// What goes back of orders goes on to the cards that had paid them.
pub struct Returns;

#[async_trait]
impl Listener for Returns {
    async fn hear(&self, tx: &mut Tx, event: &(dyn Any + Send + Sync)) -> Result<(), Error> {
        if let Some(GivenBack { order, .. }) = event.downcast_ref() {
            // their rows before the ledger's, as everybody takes them
            hold(tx, order).await?;
        }
        match event.downcast_ref() {
            Some(returned) => put_back(tx, returned, now_ms()).await,
            None => Ok(()),
        }
    }
}

async fn put_back(tx: &mut Tx, returned: &Returned, now: i64) -> Result<(), Error> {
    let Returned { order, amount, key } = returned;
    let on_it = uses::of_order(tx, order).await?;
    let Some(holder) = on_it.first() else { return Ok(()) };
    let holder = store::lock(tx, holder.card.as_str()).await?.holder;
    let kept: Vec<Fen> = on_it.iter().map(Use::kept).collect();
    let (shares, _) = gift_card::back(&kept, *amount).map_err(Error::internal)?;
    let sum = Fen::sum(shares.iter().copied()).map_err(Error::internal)?;
    let Some(holder) = holder.filter(|_| sum > Fen::ZERO) else { return Ok(()) };
    for (on, share) in on_it.iter().zip(shares).filter(|(_, share)| *share > Fen::ZERO) {
        uses::give_back(tx, order, &on.card, share).await?;
        uses::record(tx, &on.card, Kind::Return, share, (Some(order), Some(key)), now).await?;
    }
    let posting = gift_card::returned(order.as_str(), key, &holder, sum).map_err(Error::internal)?;
    moved(ledger::post(tx, &posting, &format!("退款回到礼品卡 {order}"), now).await.map(drop))
}
