//! Changes of goods and price books: at once or on a day, each a version that one can go back to.
//!
//! What there was before is kept as a version, too, when it is changed first, or when somebody changed it past this.

use base::audit;
use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs::enqueue_at;
use domain::ids::GoodsId;
use serde_json::json;
use web::app::App;

use super::differences::{self, Difference};
use super::files::{Filed, lines};
use super::jobs::ChangeGoods;
use super::store::{self, Version, Waiting};

/// Versions that are listed.
const LISTED: i64 = 100;

/// Goods as they are now.
#[derive(Debug, Clone)]
pub struct Current {
    pub filed: Filed,
    /// The number of the version that this is, or will be when it is kept.
    pub number: i64,
    is_kept: bool,
}

/// Everything about goods for whoever changes them.
#[derive(Debug)]
pub struct Detail {
    pub current: Current,
    /// The newest first; none before the first change.
    pub versions: Vec<Version>,
    pub waiting: Option<Waiting>,
}

/// What somebody asks for.
#[derive(Debug, Clone)]
pub struct Asked {
    pub filed: Filed,
    /// The number of the version that it was made over.
    pub base: i64,
    pub note: String,
    /// A name in the back office.
    pub by: String,
    /// The day's first moment, epoch ms; `None` for at once.
    pub takes_effect_at: Option<i64>,
}

/// What can be made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It can be done, and these things are different then.
    Fits(Vec<Difference>),
    /// It was done before, or waits already.
    Before,
    /// Goods are so already.
    Same,
    /// Somebody else changed the goods meanwhile: the number of what they are now.
    Stale(i64),
    /// Works of that size lie in carts.
    OtherSize,
    /// Another change waits for this moment.
    Occupied(i64),
}

async fn current(tx: &mut Tx, filed: Filed) -> Result<Current, Error> {
    let newest = store::newest_version(tx, &filed.goods.id).await?;
    let (number, is_kept) = match newest {
        Some((number, Some(kept))) if kept == filed => (number, true),
        Some((number, _)) => (number + 1, false),
        None => (1, false),
    };
    Ok(Current { filed, number, is_kept })
}

/// Reads goods and holds them until the transaction ends; `None` where there are none of this id.
pub async fn hold(tx: &mut Tx, id: &GoodsId) -> Result<Option<Current>, Error> {
    match store::lock(tx, id).await? {
        Some(filed) => Ok(Some(current(tx, filed).await?)),
        None => Ok(None),
    }
}

/// Writes goods that are held, as the next version, and answers its number.
pub async fn write(
    tx: &mut Tx,
    before: Option<&Current>,
    filed: &Filed,
    note: &str,
    by: &str,
    now: i64,
) -> Result<i64, Error> {
    let mut number = 1;
    if let Some(before) = before {
        if !before.is_kept {
            let version =
                Version { number: before.number, note: String::new(), made_by: String::new(), made_at: now };
            store::add_version(tx, &before.filed, &version).await?;
        }
        number = before.number + 1;
    }
    store::put(tx, filed).await?;
    let version = Version { number, note: note.to_owned(), made_by: by.to_owned(), made_at: now };
    store::add_version(tx, filed, &version).await?;
    Ok(number)
}

/// Everything about goods.
pub async fn detail(app: &App, id: &GoodsId) -> Result<Detail, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    let filed = store::find(&mut tx, id).await?.ok_or(Error::NotFound)?;
    let current = current(&mut tx, filed).await?;
    let versions = store::versions(&mut tx, id, LISTED).await?;
    let waiting = store::waiting(&mut tx, id).await?;
    Ok(Detail { current, versions, waiting })
}

/// What goods were in a version.
pub async fn version(app: &App, id: &GoodsId, number: i64) -> Result<Filed, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    store::version(&mut tx, id, number).await?.ok_or(Error::NotFound)
}

/// What a version changed, in words; nothing of the first one.
pub async fn changed_in(app: &App, id: &GoodsId, number: i64) -> Result<Option<Vec<String>>, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    let filed = store::version(&mut tx, id, number).await?.ok_or(Error::NotFound)?;
    match store::version(&mut tx, id, number - 1).await? {
        Some(before) => Ok(Some(in_words(&before, &filed)?)),
        None => Ok(None),
    }
}

/// What is different, in words.
pub fn in_words(before: &Filed, after: &Filed) -> Result<Vec<String>, Error> {
    let found = differences::between(before, after)?;
    Ok(found.iter().map(|one| one.in_words(&before.goods, &after.goods)).collect())
}

fn judge(current: &Current, waiting: Option<&Waiting>, asked: &Asked) -> Result<Verdict, Error> {
    if current.filed.goods.trim != asked.filed.goods.trim {
        return Ok(Verdict::OtherSize);
    }
    let found = differences::between(&current.filed, &asked.filed)?;
    if let (Some(waiting), Some(at)) = (waiting, asked.takes_effect_at)
        && (waiting.takes_effect_at, waiting.base) == (at, asked.base)
        && waiting.filed.as_ref() == Some(&asked.filed)
        && waiting.failed.is_none()
    {
        return Ok(Verdict::Before);
    }
    let is_stale = current.number != asked.base;
    if found.is_empty() && (!is_stale || asked.takes_effect_at.is_none()) {
        return Ok(if is_stale { Verdict::Before } else { Verdict::Same });
    }
    if is_stale {
        return Ok(Verdict::Stale(current.number));
    }
    match waiting {
        // one that failed will never take effect
        Some(waiting) if asked.takes_effect_at.is_some() && waiting.failed.is_none() => {
            Ok(Verdict::Occupied(waiting.takes_effect_at))
        }
        _ => Ok(Verdict::Fits(found)),
    }
}

/// What would be made of a change.
pub async fn look(app: &App, asked: &Asked) -> Result<Verdict, Error> {
    let id = &asked.filed.goods.id;
    let mut tx = app.db.begin_snapshot().await?;
    let filed = store::find(&mut tx, id).await?.ok_or(Error::NotFound)?;
    let current = current(&mut tx, filed).await?;
    let waiting = store::waiting(&mut tx, id).await?;
    judge(&current, waiting.as_ref(), asked)
}

/// Makes a change, or keeps it for its day, where it fits.
pub async fn change(app: &App, asked: &Asked, now: i64) -> Result<Verdict, Error> {
    let id = &asked.filed.goods.id;
    let mut tx = app.db.begin().await?;
    let current = hold(&mut tx, id).await?.ok_or(Error::NotFound)?;
    let waiting = store::waiting(&mut tx, id).await?;
    let verdict = judge(&current, waiting.as_ref(), asked)?;
    let Verdict::Fits(found) = &verdict else { return Ok(verdict) };
    let Asked { filed, base, note, by, takes_effect_at } = asked;
    match takes_effect_at {
        None => {
            let number = write(&mut tx, Some(&current), filed, note, by, now).await?;
            let detail = json!({ "version": number, "note": note, "changed": lines(found) });
            audit::note(&mut tx, "goods change", id.as_str(), &detail).await?;
        }
        Some(at) => {
            let version = Version { number: 0, note: note.clone(), made_by: by.clone(), made_at: now };
            store::put_waiting(&mut tx, filed, *base, &version, *at).await?;
            enqueue_at(&mut tx, &ChangeGoods { goods: id.clone() }, *at).await?;
            let detail = json!({ "from": at, "base": base, "note": note, "changed": lines(found) });
            audit::note(&mut tx, "goods change-later", id.as_str(), &detail).await?;
        }
    }
    tx.commit().await?;
    Ok(verdict)
}

/// Takes back the change that waits; false where none does.
pub async fn withdraw(app: &App, id: &GoodsId) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    hold(&mut tx, id).await?.ok_or(Error::NotFound)?;
    let Some(waiting) = store::waiting(&mut tx, id).await? else { return Ok(false) };
    store::drop_waiting(&mut tx, id).await?;
    let detail = json!({ "from": waiting.takes_effect_at, "by": waiting.made_by, "note": waiting.note });
    audit::note(&mut tx, "goods change-withdraw", id.as_str(), &detail).await?;
    tx.commit().await?;
    Ok(true)
}

/// Makes the change whose day has come, under the name of whoever asked for it. One that does not fit any more stays, with
/// the reason.
pub async fn take_effect(app: &App, id: &GoodsId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let Some(current) = hold(&mut tx, id).await? else { return Ok(()) };
    let Some(waiting) = store::waiting(&mut tx, id).await? else { return Ok(()) };
    // another one was put in its place, or it was looked at before
    if waiting.takes_effect_at > now || waiting.failed.is_some() {
        return Ok(());
    }
    let (action, detail) = match due(&current, &waiting) {
        Ok(filed) => {
            let found = differences::between(&current.filed, filed)?;
            let number =
                write(&mut tx, Some(&current), filed, &waiting.note, &waiting.made_by, now_ms()).await?;
            store::drop_waiting(&mut tx, id).await?;
            let detail = json!({ "version": number, "note": waiting.note, "changed": lines(&found) });
            ("goods change", detail)
        }
        Err(reason) => {
            store::fail_waiting(&mut tx, id, &reason).await?;
            ("goods change-fail", json!({ "note": waiting.note, "reason": reason }))
        }
    };
    let (noted, _) =
        audit::acting(&waiting.made_by, audit::note(&mut tx, action, id.as_str(), &detail)).await;
    noted?;
    Ok(tx.commit().await?)
}

/// What goods become by a change whose day has come; or why they do not.
fn due<'a>(current: &Current, waiting: &'a Waiting) -> Result<&'a Filed, String> {
    let filed = waiting.filed.as_ref().ok_or("程序升级后读不懂这个改动，请重新填写")?;
    if current.number != waiting.base {
        let (base, number) = (waiting.base, current.number);
        return Err(format!(
            "它是在第 {base} 版上改的，商品现在已是第 {number} 版。请载入它，看过差别再应用"
        ));
    }
    if let Err(problems) = filed.goods.validate() {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        return Err(problems.join("；"));
    }
    if filed.goods.trim != current.filed.goods.trim {
        return Err("成品尺寸不能改".to_owned());
    }
    Ok(filed)
}
