//! What a coupon takes off an order: shown before, taken in the transaction that places it, and given back when it ends.

use base::db::Tx;
use base::error::Error;
use domain::coupon::{Priced, Refused, Rule, Taken, Typed, read, veiled};
use domain::ids::{CouponId, MemberId, OrderId};
use domain::money::Fen;
use web::app::App;

use crate::codes::digest;
use crate::store;

/// What a coupon takes off lines, as long as it is good.
#[derive(Debug, Clone)]
pub struct Offer {
    coupon: CouponId,
    /// Under what a code of a batch is kept.
    digest: Option<String>,
    /// What an order keeps of it.
    pub taken: Taken,
    /// What each line bears, in their order.
    pub lines: Vec<Fen>,
    rule: Rule,
}

/// What a member typed takes off these lines; `None` where nothing was typed. Nothing is set apart by that.
pub async fn offer(
    app: &App,
    member: &MemberId,
    typed: &str,
    lines: &[Priced<'_>],
    now: i64,
) -> Result<Result<Option<Offer>, Refused>, Error> {
    let (found, code, digest) = match read(typed) {
        Err(refused) => return Ok(Err(refused)),
        Ok(None) => return Ok(Ok(None)),
        Ok(Some(Typed::Word(word))) => {
            let found = store::with_word(&app.db, &word).await?;
            (found.map(|coupon| (coupon, false)), word, None)
        }
        Ok(Some(Typed::Code(code))) => {
            let digest = digest(&app.key, &code);
            (store::with_code(&app.db, &digest).await?, veiled(&code), Some(digest))
        }
    };
    let Some((coupon, code_used)) = found else { return Ok(Err(Refused::Unknown)) };
    let mut standing = store::Coupon::standing(&coupon);
    standing.code_used = code_used;
    standing.by_member = store::uses_of(&app.db, &coupon.id, member).await?;
    let parts = coupon.rule.check(standing, now).and_then(|()| coupon.rule.split(lines));
    let parts = match parts {
        Ok(parts) => parts,
        Err(refused) => return Ok(Err(refused)),
    };
    let amount = Fen::sum(parts.iter().copied()).map_err(Error::internal)?;
    let taken = Taken { coupon: coupon.id.to_string(), code, rule: coupon.rule.to_string(), amount };
    Ok(Ok(Some(Offer { coupon: coupon.id, digest, taken, lines: parts, rule: coupon.rule })))
}

/// An order uses it, as part of the transaction that places it. Its row is held until then, so that of any number at once no more
/// use it than may. After a refusal the transaction must be dropped.
pub async fn take(
    tx: &mut Tx,
    offer: &Offer,
    order: &OrderId,
    member: &MemberId,
    now: i64,
) -> Result<Result<(), Refused>, Error> {
    let coupon = store::count_one(tx, &offer.coupon).await?;
    let mut standing = coupon.standing();
    standing.by_member = store::uses_within(tx, &offer.coupon, member).await?;
    if let Some(digest) = &offer.digest {
        standing.code_used = !store::take_code(tx, digest, order).await?;
    }
    if let Err(refused) = offer.rule.check(standing, now) {
        return Ok(Err(refused));
    }
    let Taken { code, amount, .. } = &offer.taken;
    store::insert_use(tx, &offer.coupon, order, member, (code, *amount), now).await?;
    Ok(Ok(()))
}

/// An order that was cancelled, or given back as a whole, uses its coupon no more.
pub async fn give_back(tx: &mut Tx, order: &OrderId, now: i64) -> Result<(), Error> {
    store::give_back(tx, order, now).await
}
