//! What the back office shows of backups, by what was noted in the database.

use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::backup::Retention;
use leptos::prelude::*;
use web::app::App;
use web::backups::{self, Act, Ended, Failed, Standing};
use web::ui::staff::waited;

use crate::schedule::today;
use crate::settings::Settings;

const HOUR_MS: i64 = 60 * 60_000;
/// How old the last good one may be before the page says so, in ms.
const OLD_MS: i64 = 36 * HOUR_MS;
/// The same since one was looked through: 35 days.
const UNSEEN_MS: i64 = 35 * 24 * HOUR_MS;

/// How backups stand.
pub struct State {
    settings: Option<Settings>,
    run: Standing,
    verify: Standing,
}

/// Reads it.
pub async fn state(app: &App) -> Result<State, Error> {
    Ok(State {
        settings: Settings::from_env().map_err(Error::internal)?,
        run: backups::standing(&app.db, Act::Run).await?,
        verify: backups::standing(&app.db, Act::Verify).await?,
    })
}

/// Bytes as people read them.
fn size(bytes: i64) -> String {
    match bytes {
        ..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// How long something took.
fn span(ms: i64) -> String {
    match ms / 1000 {
        seconds @ ..120 => format!("{seconds} 秒"),
        seconds @ 120..7200 => format!("{} 分钟", seconds / 60),
        seconds => format!("{} 小时", seconds / 3600),
    }
}

/// A part of /staff/machine.
#[component]
pub fn Backups(state: State) -> impl IntoView {
    let State { settings, run, verify } = state;
    let Some(settings) = settings else {
        return view! {
            <section class="sheet" id="backups">
                <h2>"自动备份"</h2>
                <p class="quiet">"没有设置。在设置里写上 BINDERY_BACKUP_TO（另一块磁盘上的文件夹，或者存储桶），程序就每天备份一次。"</p>
            </section>
        }
        .into_any();
    };
    let now = now_ms();
    let today = today(&settings, now);
    let next = if now < today { today } else { today + 24 * HOUR_MS };
    let late = |is_late: bool| if is_late { "late" } else { "" };
    let is_old = run.good.as_ref().is_none_or(|good| now - good.ended_at > OLD_MS);
    let is_unseen = verify.good.as_ref().is_none_or(|good| now - good.ended_at > UNSEEN_MS);
    let moment = |at: i64| format!("{}（{}前）", time::stamp(at), waited(at, now));
    let last = |good: &Option<Ended>| match good {
        Some(good) => format!("{}，{}", moment(good.ended_at), good.generation),
        None => "还没有过".to_owned(),
    };
    let (made, seen) = (last(&run.good), last(&verify.good));
    let sizes = run.good.as_ref().map(|good| {
        let sizes = format!(
            "{}，其中新存 {}，用了 {}",
            size(good.size),
            size(good.stored),
            span(good.ended_at - good.began_at)
        );
        view! { <dt>"大小"</dt><dd class="num">{sizes}</dd> }
    });
    let damaged = run.good.as_ref().map(|good| good.damaged).filter(|damaged| *damaged > 0);
    let damaged = damaged.map(|damaged| {
        let said = format!("{damaged} 个文件不见了，或和存下时不一样；名字在日志里");
        view! { <dt>"坏了的文件"</dt><dd class="late">{said}</dd> }
    });
    let left = run.good.as_ref().and_then(|good| good.prune_fault.clone());
    let left = left.map(|fault| {
        view! { <dt>"旧的没有清掉"</dt><dd class="late"><span class="detail">{fault}</span></dd> }
    });
    let failed = |what: &'static str, failed: Option<Failed>, failures: i64| {
        failed.map(|failed| {
            let said = format!("{} 次，最后一次 {}：", failures, time::stamp(failed.ended_at));
            view! { <dt>{what}</dt><dd class="late">{said}<span class="detail">{failed.fault}</span></dd> }
        })
    };
    let under_way = run.since.map(|since| {
        view! { <dt>"正在备份"</dt><dd>{format!("从 {} 起", time::stamp(since))}</dd> }
    });
    let sealed = match &settings.recipient {
        Some(recipient) => format!("加密给 {recipient}"),
        None => "不加密".to_owned(),
    };
    let kept = kept(settings.keep);
    view! {
        <section class="sheet" id="backups">
            <h2>"自动备份"</h2>
            <p class="hint">"校验和恢复用命令行：bindery backups verify、bindery backups restore。"</p>
            <dl class="facts">
                <dt>"存放在"</dt><dd>{settings.repository.named}</dd>
                <dt>"加密"</dt><dd><span class="detail">{sealed}</span></dd>
                {under_way}
                <dt>"最近一次"</dt><dd class=late(is_old)>{made}</dd>
                {sizes}
                {damaged}
                {left}
                {failed("此后失败", run.failed, run.failures)}
                <dt>"下一次"</dt><dd class="num">{time::stamp(next)}</dd>
                <dt>"保留"</dt><dd>{kept}</dd>
                <dt>"最近一次校验"</dt><dd class=late(is_unseen)>{seen}</dd>
                {failed("校验失败", verify.failed, verify.failures)}
            </dl>
        </section>
    }
    .into_any()
}

/// Which stay, in words.
fn kept(keep: Retention) -> String {
    let spans = [(keep.days, "天"), (keep.weeks, "周"), (keep.months, "个月")];
    let spans = spans.iter().filter(|(count, _)| *count > 0);
    let spans: Vec<String> = spans.map(|(count, unit)| format!("最近 {count} {unit}各一份")).collect();
    spans.join("，")
}
