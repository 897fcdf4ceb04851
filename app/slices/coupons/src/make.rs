//! Making a coupon, and agreeing to one that can give away more than whoever makes it may alone.

use base::audit;
use base::db::now_ms;
use base::error::Error;
use base::jobs;
use base::signing::new_salt;
use domain::coupon::Rule;
use domain::ids::CouponId;
use domain::money::Fen;
use domain::redeem_code::FILE_LIFE_MS;
use serde_json::{Value, json};
use web::app::App;
use web::approvals::{self, By, Request, Thing};

use crate::jobs::ForgetSalt;
use crate::store::{self, Coupon, Inserted};
use crate::{KIND, codes};

/// Codes that are written by one statement.
const AT_ONCE: usize = 500;
/// What one that nothing bounds counts as: more than anybody may give alone.
const UNBOUNDED: Fen = Fen(1_000_000_000_000_000);

/// A coupon to be made.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The form's own, so that it is made once.
    pub id: CouponId,
    pub name: String,
    pub rule: Rule,
    pub called: Called,
}

/// What is typed for it.
#[derive(Debug, Clone)]
pub enum Called {
    Word(String),
    /// So many codes.
    Batch(u32),
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// It can be used.
    Good,
    /// Another clerk has to agree.
    Waits,
    Before,
    WordTaken,
}

/// A coupon as what is given of.
pub fn thing(id: &CouponId) -> Thing<'_> {
    Thing { kind: KIND, id: id.as_str() }
}

/// What it counts as among what is given away.
pub fn weight(rule: &Rule) -> Fen {
    rule.most_given().unwrap_or(UNBOUNDED)
}

fn told(coupon: &Coupon) -> Value {
    json!({
        "name": coupon.name, "word": coupon.word, "codes": coupon.codes, "rule": coupon.rule.to_string(),
        "goods": coupon.rule.goods, "once": coupon.rule.once, "most": coupon.rule.most,
        "from": coupon.rule.from, "until": coupon.rule.until,
    })
}

/// Makes a coupon with its codes, all of it or nothing.
pub async fn make(app: &App, wanted: Wanted, by: &str) -> Result<Made, Error> {
    let now = now_ms();
    let (word, codes) = match wanted.called {
        Called::Word(word) => (Some(word), 0),
        Called::Batch(codes) => (None, codes),
    };
    // each code of a batch is used once
    let most = if codes > 0 { Some(codes) } else { wanted.rule.most };
    let is_batch = codes > 0;
    let coupon = Coupon {
        id: wanted.id,
        name: wanted.name,
        word,
        rule: Rule { most, ..wanted.rule },
        used: 0,
        codes: codes.into(),
        salt: is_batch.then(new_salt),
        file_until: is_batch.then_some(now + FILE_LIFE_MS),
        made_by: by.to_owned(),
        created_at: now,
        agreed_at: None,
        ended_at: None,
    };
    let mut tx = app.db.begin().await?;
    match store::insert(&mut tx, &coupon).await? {
        Inserted::Now => {}
        Inserted::WordTaken => return Ok(Made::WordTaken),
        Inserted::Before => {
            drop(tx);
            return before(app, &coupon.id, by).await;
        }
    }
    if let Some(salt) = &coupon.salt {
        let digests: Vec<String> = (1..=coupon.codes)
            .map(|number| codes::digest(&app.key, &codes::code(&app.key, salt, number)))
            .collect();
        for (part, digests) in digests.chunks(AT_ONCE).enumerate() {
            store::insert_codes(&mut tx, &coupon.id, (part * AT_ONCE) as i64 + 1, digests).await?;
        }
        jobs::enqueue_at(&mut tx, &ForgetSalt { coupon: coupon.id.clone() }, now + FILE_LIFE_MS).await?;
    }
    let alone =
        approvals::gives(app, &mut tx, By::OwnRight, thing(&coupon.id), weight(&coupon.rule), now).await?;
    if alone {
        store::agree(&mut tx, &coupon.id, now).await?;
    }
    // last: the log's end is held until the commit
    audit::note(&mut tx, "coupon add", coupon.id.as_str(), &told(&coupon)).await?;
    tx.commit().await?;
    app.bell.ring();
    if alone {
        return Ok(Made::Good);
    }
    ask(app, &coupon, by).await?;
    Ok(Made::Waits)
}

/// A form that was sent before; its request is asked once more, in case the program ended between the two.
async fn before(app: &App, id: &CouponId, by: &str) -> Result<Made, Error> {
    let coupon = store::find(&app.db, id).await?;
    if coupon.agreed_at.is_none() && coupon.ended_at.is_none() {
        ask(app, &coupon, by).await?;
    }
    Ok(Made::Before)
}

async fn ask(app: &App, coupon: &Coupon, by: &str) -> Result<bool, Error> {
    let request = Request {
        id: coupon.id.to_string(),
        about: coupon.id.to_string(),
        amount: coupon.rule.most_given().map(|most| most.0),
        reason: format!("优惠券“{}”：{}", coupon.name, coupon.rule),
        asked_by: by.to_owned(),
        asked_at: now_ms(),
        decided_at: None,
    };
    approvals::ask(app, KIND, &request).await
}

/// Another one agrees, under a request's right or the host's own; whether it is done now.
pub async fn agree(app: &App, coupon: &Coupon, by: By<'_>) -> Result<bool, Error> {
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    if !approvals::gives(app, &mut tx, by, thing(&coupon.id), weight(&coupon.rule), now).await?
        || !store::agree(&mut tx, &coupon.id, now).await?
    {
        return Ok(false);
    }
    audit::note(&mut tx, "coupon agree", coupon.id.as_str(), &told(coupon)).await?;
    tx.commit().await?;
    Ok(true)
}

/// Ends it: nobody uses it any more, and orders that did keep what they have. Whether it is done now.
pub async fn end(app: &App, id: &CouponId) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    if !store::end(&mut tx, id, now_ms()).await? {
        return Ok(false);
    }
    audit::note(&mut tx, "coupon end", id.as_str(), &json!({})).await?;
    tx.commit().await?;
    Ok(true)
}
