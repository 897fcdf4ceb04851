//! Allowances 额度: what a house sets aside for a sub-member. It is a ledger account of its own, and only ever passes through
//! the sub-member's balance within the transaction that pays an order: nothing of it can be spent otherwise.

use std::any::Any;

use async_trait::async_trait;
use base::db::{Tx, now_ms};
use base::error::Error;
use domain::ids::{MemberId, OrderId, SubMemberId};
use domain::ledger::{Account, LedgerError, Posting};
use domain::money::Fen;
use domain::sub_member::may_work;
use web::app::App;
use web::slice::{Listener, Purse, Purses};

use super::store::{allowances, sub_members};
use ledger::{self, Refusal};
use orders::{GivenBack, Returned};

/// Why money is not moved, as a sentence for the house.
#[derive(Debug, thiserror::Error)]
pub enum NotMoved {
    #[error("账户余额不足，请先充值")]
    HouseIsShort,
    #[error("额度里没有这么多")]
    AllowanceIsShort,
    #[error("这张表单已经用过，请刷新页面再试")]
    FormUsed,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for NotMoved {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Which way money goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the house's balance into the allowance.
    Give,
    /// Back.
    Take,
}

fn failed(error: LedgerError) -> Error {
    Error::internal(error)
}

/// What is left of an allowance.
pub async fn left(tx: &mut Tx, place: &SubMemberId) -> Result<Fen, Error> {
    ledger::balance_of(tx, &Account::Allowance(place.clone())).await
}

/// Moves money between a house's balance and one of its allowances, once for each form.
pub async fn transfer(
    app: &App,
    house: &MemberId,
    place: &SubMemberId,
    way: Way,
    amount: Fen,
    key: &str,
    now: i64,
) -> Result<(), NotMoved> {
    let mut tx = app.db.begin().await?;
    let place = sub_members::lock_for_house(&mut tx, place, house).await?;
    let (balance, allowance) = (Account::Member(house.clone()), Account::Allowance(place.id.clone()));
    let (from, to, memo) = match way {
        Way::Give => (balance, allowance, format!("转给{}的额度", place.name)),
        Way::Take => (allowance, balance, format!("从{}的额度收回", place.name)),
    };
    let key = format!("allowance:{}:{key}", place.id).parse().map_err(failed)?;
    let posting = Posting::transfer(key, from, to, amount).map_err(failed)?;
    match ledger::post(&mut tx, &posting, &memo, now).await {
        Ok(_) => Ok(tx.commit().await?),
        Err(Refusal::InsufficientBalance) if way == Way::Give => Err(NotMoved::HouseIsShort),
        Err(Refusal::InsufficientBalance) => Err(NotMoved::AllowanceIsShort),
        Err(Refusal::KeyReused) => Err(NotMoved::FormUsed),
        Err(Refusal::Failed(error)) => Err(error.into()),
    }
}

/// What is left of an allowance goes back to the house, as part of the transaction that ends the place and holds its row.
pub async fn sweep(tx: &mut Tx, place: &sub_members::SubMember, now: i64) -> Result<Fen, Error> {
    let rest = left(tx, &place.id).await?;
    if rest > Fen::ZERO {
        let key = format!("allowance-sweep:{}", place.id).parse().map_err(failed)?;
        let (from, to) = (Account::Allowance(place.id.clone()), Account::Member(place.house.clone()));
        let posting = Posting::transfer(key, from, to, rest).map_err(failed)?;
        let memo = format!("收回{}的额度", place.name);
        ledger::post(tx, &posting, &memo, now).await.map_err(Error::internal)?;
    }
    Ok(rest)
}

/// Allowances, for whoever takes the money for orders, and for what is given back of them.
pub struct Allowances;

#[async_trait]
impl Purses for Allowances {
    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Purse>, Error> {
        let mut tx = app.db.begin_snapshot().await?;
        let places = sub_members::of_member(&mut tx, member).await?;
        let mut purses = Vec::new();
        for place in places {
            let amount = left(&mut tx, &place.id).await?;
            let longer = sub_members::longer(&mut tx, &place).await?;
            let (name, standing) = accounts::house(&mut tx, &place.house).await?;
            if amount > Fen::ZERO && may_work(standing.at(now_ms()).0, longer) {
                purses.push(Purse { id: place.id.to_string(), name: format!("{name}给的额度"), amount });
            }
        }
        Ok(purses)
    }

    async fn paid(&self, app: &App, order: &OrderId) -> Result<bool, Error> {
        Ok(allowances::of_order(&mut app.db.begin_snapshot().await?, order).await?.is_some())
    }

    async fn draw(
        &self,
        tx: &mut Tx,
        purse: &str,
        member: &MemberId,
        order: &OrderId,
        amount: Fen,
        now: i64,
    ) -> Result<bool, Error> {
        let Ok(id) = purse.parse::<SubMemberId>() else { return Ok(false) };
        if sub_members::place_of(tx, &id, member).await?.is_none() {
            return Ok(false);
        }
        let place = sub_members::lock(tx, &id).await?;
        let longer = sub_members::longer(tx, &place).await?;
        let (_, standing) = accounts::house(tx, &place.house).await?;
        if place.removed_at.is_some() || !may_work(standing.at(now).0, longer) {
            return Ok(false);
        }
        allowances::insert(tx, order, &id, amount).await?;
        let key = format!("allowance-order:{order}").parse().map_err(failed)?;
        let (from, to) = (Account::Allowance(id), Account::Member(member.clone()));
        let posting = Posting::transfer(key, from, to, amount).map_err(failed)?;
        match ledger::post(tx, &posting, &format!("用额度支付订单 {order}"), now).await {
            Ok(_) => Ok(true),
            Err(Refusal::InsufficientBalance) => Ok(false),
            Err(Refusal::Failed(error)) => Err(error),
            Err(refusal) => Err(Error::internal(refusal)),
        }
    }
}

#[async_trait]
impl Listener for Allowances {
    async fn hear(&self, tx: &mut Tx, event: &(dyn Any + Send + Sync)) -> Result<(), Error> {
        if let Some(GivenBack { order, .. }) = event.downcast_ref() {
            // its row before the ledger's, as everybody takes them
            if let Some(place) = allowances::of_order(tx, order).await? {
                sub_members::lock(tx, &place).await?;
            }
        }
        match event.downcast_ref() {
            Some(returned) => put_back(tx, returned, now_ms()).await,
            None => Ok(()),
        }
    }
}

/// What was given back of an order that an allowance paid goes there again, or to the house where the place has ended.
async fn put_back(tx: &mut Tx, returned: &Returned, now: i64) -> Result<(), Error> {
    let Some(place) = allowances::of_order(tx, &returned.order).await? else { return Ok(()) };
    let place = sub_members::lock(tx, &place).await?;
    let to = match place.removed_at {
        None => Account::Allowance(place.id.clone()),
        Some(_) => Account::Member(place.house.clone()),
    };
    let from = Account::Member(place.member.clone());
    let key = format!("allow-back:{}:{}", returned.order, returned.key).parse().map_err(failed)?;
    let posting = Posting::transfer(key, from, to, returned.amount).map_err(failed)?;
    ledger::post(tx, &posting, &format!("退款回到额度 {}", returned.order), now)
        .await
        .map_err(Error::internal)?;
    Ok(())
}
