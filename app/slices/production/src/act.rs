//! What a clerk does to a line on the floor. Each is one transaction over the order's held lines, and does nothing when it was
//! done before.

use base::audit;
use base::db::Tx;
use base::error::Error;
use base::time::start_of;
use domain::ids::OrderId;
use domain::production::Stage;
use serde_json::json;
use time::Date;
use web::app::App;

use super::store::{self, Ended, Kind, Line, Number};
use super::{due_of, note};

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// This stage is done: the next one has it.
    Done(Stage),
    /// What this stage got is not right: an earlier one has it again.
    Back {
        at: Stage,
        to: Stage,
        why: String,
    },
    /// Nothing is done to it until it is released.
    Hold(String),
    Release,
    /// Whoever acts has it at this stage.
    Take(Stage),
    /// Whoever acts has it no more.
    Leave,
    /// Another day is promised.
    Promise(Date),
    /// A word for the shop alone.
    Note(String),
}

impl Act {
    /// What the audit log calls it.
    fn action(&self) -> &'static str {
        match self {
            Self::Done(_) => "line done",
            Self::Back { .. } => "line back",
            Self::Hold(_) => "line hold",
            Self::Release => "line release",
            Self::Take(_) => "line take",
            Self::Leave => "line leave",
            Self::Promise(_) => "line promise",
            Self::Note(_) => "line note",
        }
    }
}

/// Does it; the line as it is now, and false where it was done before. `seen` is the line's version on the page that asks for
/// it: what was changed since is looked at once more.
///
/// # Errors
/// [`Error::NotFound`] where there is no such line, [`Error::Conflict`] where it can't be done to it.
pub async fn act(
    app: &App,
    number: &Number,
    act: &Act,
    seen: Option<i64>,
    now: i64,
) -> Result<(Line, bool), Error> {
    let mut tx = app.db.begin().await?;
    let mut line = store::lock_line(&mut tx, number).await?;
    let before = line.clone();
    if let Act::Note(words) = act {
        // a button that was pressed twice
        let last = store::last_event(&mut tx, &line).await?;
        let clerk = audit::clerk().unwrap_or_default();
        if last
            .is_some_and(|last| last.kind() == Some(Kind::Note) && last.note == *words && last.actor == clerk)
        {
            return Ok((line, false));
        }
    }
    let applied = apply(&mut line, act, seen, now)
        .map_err(|refused| Error::Conflict(format!("《{}》{refused}", before.title)))?;
    let Some((kind, words)) = applied else { return Ok((line, false)) };
    keep(&mut tx, &before, &line, act, (kind, &words), now).await?;
    tx.commit().await?;
    Ok((line, true))
}

/// Writes down what was done to a locked line.
async fn keep(
    tx: &mut Tx,
    before: &Line,
    line: &Line,
    act: &Act,
    (kind, words): (Kind, &str),
    now: i64,
) -> Result<(), Error> {
    // it is noted where it happened
    note(tx, before, kind, words, now).await?;
    if line != before {
        store::update(tx, line).await?;
    }
    let stage = before.stage.map(Stage::code);
    // of a line, so that what was done to its order is not buried
    let subject = format!("{}/{}", before.order, before.line);
    audit::note(tx, act.action(), &subject, &json!({ "stage": stage, "note": words })).await
}

/// Lines of an order, each in a round, came back printed: what comes after the printing has them. Those that are past it, or
/// printed once more by now, stay where they are.
///
/// # Errors
/// [`Error::Conflict`] where one of them is not begun, on hold, or not to be made any more.
pub async fn printed(tx: &mut Tx, order: &OrderId, lines: &[(i64, i64)], now: i64) -> Result<(), Error> {
    let open = |line: &Line| lines.contains(&(line.line, line.round));
    for mut line in store::lock(tx, order).await?.into_iter().filter(open) {
        for at in [Stage::Prepress, Stage::Printing] {
            if !line.stages.as_slice().contains(&at) {
                continue;
            }
            let (before, act) = (line.clone(), Act::Done(at));
            let applied = apply(&mut line, &act, None, now)
                .map_err(|refused| Error::Conflict(format!("《{}》{refused}", before.title)))?;
            let Some((kind, words)) = applied else { continue };
            keep(tx, &before, &line, &act, (kind, &words), now).await?;
        }
    }
    Ok(())
}

/// Changes a line; what is noted of it, or nothing where it is so already. Else why it can't be done.
fn apply(line: &mut Line, act: &Act, seen: Option<i64>, now: i64) -> Result<Option<(Kind, String)>, String> {
    let refused = |sentence: String| Err(sentence);
    if let Act::Note(words) = act {
        return Ok(Some((Kind::Note, words.clone())));
    }
    match line.ended {
        Some(Ended::Dropped) => return refused("订单已取消或退款，不用再做".into()),
        Some(Ended::Shipped) if matches!(act, Act::Done(_)) => return Ok(None),
        Some(Ended::Shipped) => return refused("已经寄出".into()),
        None => {}
    }
    // what was done before is done
    match act {
        Act::Release if line.held.is_none() => return Ok(None),
        Act::Hold(why) if line.held.as_ref() == Some(why) => return Ok(None),
        Act::Leave if line.holder != audit::clerk() => return Ok(None),
        Act::Take(_) if line.holder.is_some() && line.holder == audit::clerk() => return Ok(None),
        Act::Promise(day) if line.due == Some(start_of(*day)) => return Ok(None),
        Act::Done(at)
            if line.stage.is_some_and(|stage| *at < stage) && line.stages.as_slice().contains(at) =>
        {
            return Ok(None);
        }
        _ => {}
    }
    if seen.is_some_and(|seen| seen != line.version) {
        return refused("在您打开这一页以后有人动过，请看一眼现在的样子再办".into());
    }
    match act {
        Act::Release => {
            line.held_since = None;
            return Ok(line.held.take().map(|why| (Kind::Released, why)));
        }
        Act::Hold(why) => {
            if let Some(held) = &line.held {
                return refused(format!("已经暂停着：{held}"));
            }
            (line.held, line.held_since) = (Some(why.clone()), Some(now));
            return Ok(Some((Kind::Held, why.clone())));
        }
        Act::Promise(day) => {
            let was = due_of(line.due).0;
            line.due = Some(start_of(*day));
            return Ok(Some((Kind::Promised, format!("{day}（原来：{was}）"))));
        }
        _ => {}
    }
    let Some(stage) = line.stage else { return refused("订单还没有开印".into()) };
    if let Some(why) = &line.held {
        return refused(format!("暂停着：{why}。先放行，再往下做"));
    }
    match act {
        Act::Done(at) if !line.stages.as_slice().contains(at) => {
            refused(format!("这一件不经过“{at}”，现在在“{stage}”"))
        }
        Act::Done(at) if *at != stage => refused(format!("现在在“{stage}”，还没有到“{at}”")),
        Act::Back { at, .. } | Act::Take(at) if *at != stage => {
            refused(format!("现在在“{stage}”，不在“{at}”"))
        }
        Act::Done(_) => {
            let Some(next) = line.stages.after(stage) else {
                return refused("填了运单就是发货，请在订单里填".into());
            };
            (line.stage, line.since, line.holder) = (Some(next), now, None);
            Ok(Some((Kind::Done, String::new())))
        }
        Act::Back { to, why, .. } => {
            if !line.stages.before(stage).any(|earlier| earlier == *to) {
                return refused(format!("“{to}”不在“{stage}”前面"));
            }
            (line.stage, line.since, line.holder) = (Some(*to), now, None);
            Ok(Some((Kind::Back, format!("到{to}：{why}"))))
        }
        Act::Take(_) => {
            let from = line.holder.take().map(|from| format!("从 {from} 手上"));
            line.holder = audit::clerk();
            Ok(Some((Kind::Taken, from.unwrap_or_default())))
        }
        Act::Leave => Ok(line.holder.take().map(|_| (Kind::Left, String::new()))),
        Act::Hold(_) | Act::Release | Act::Promise(_) | Act::Note(_) => Ok(None),
    }
}
