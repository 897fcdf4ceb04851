//! What is looked at again and again: the disk, whether a day is to be summed up, what is old.

use ::time::Date;
use async_trait::async_trait;
use base::audit;
use base::db::now_ms;
use base::error::Error;
use base::jobs;
use base::storage::LITTLE_ROOM;
use base::time;
use domain::days::DAY_MS;
use domain::notices::day_to_sum_up;
use domain::staff::Capability;
use web::app::App;
use web::background::{Background, HOUR, MINUTE};
use web::backups;
use web::notices::{self, Kind, Notice};
use web::slice::{Daily, Figure};

use super::mail::MailNotices;
use super::store::{self, summaries};
use super::summary::MailSummary;
use super::{settings, store::webhooks};

/// How long deliveries are listed, in ms.
const DELIVERIES_MS: i64 = 30 * DAY_MS;
/// How long it is known what was told, in ms.
const NOTICES_MS: i64 = 400 * DAY_MS;

/// Tells once a day that the disk is nearly full.
pub const DISK: Background = Background::every(MINUTE, "room on the disk", |app| {
    Box::pin(async move {
        let Ok(free) = app.storage.free() else { return Ok(()) };
        let today = time::day(now_ms());
        if free >= LITTLE_ROOM || notices::is_told(&app.db, Kind::DiskLow, &today).await? {
            return Ok(());
        }
        let mut tx = app.db.begin().await?;
        let told =
            Notice { kind: Kind::DiskLow, about: &today, subject: &gigabytes(free), page: "/staff/machine" };
        notices::tell(&mut tx, told).await?;
        tx.commit().await?;
        app.bell.ring();
        Ok(())
    })
});

fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

/// Has yesterday summed up when its hour comes: once, whichever instance is first.
pub const SUM_UP: Background = Background::every(MINUTE, "the day's summary", |app| {
    Box::pin(async move {
        let now = now_ms();
        let Some(day) = day_to_sum_up(time::local_time(now), settings::summary_hour()?) else {
            return Ok(());
        };
        let day = written(day);
        if summaries::is_made(&app.db, &day).await? {
            return Ok(());
        }
        let mut tx = app.db.begin().await?;
        if !summaries::insert(&mut tx, &day, now).await? {
            return Ok(());
        }
        for wish in store::listening(&mut tx).await?.into_iter().filter(|wish| wish.summary == 1) {
            summaries::insert_mail(&mut tx, &day, &wish.clerk).await?;
            jobs::enqueue(&mut tx, &MailSummary { day: day.clone(), clerk: wish.clerk }).await?;
        }
        tx.commit().await?;
        app.bell.ring();
        Ok(())
    })
});

/// `2026-11-27`.
pub fn written(day: Date) -> String {
    time::day(time::start_of(day))
}

/// Forgets what is old, and writes mails whose job came to nothing.
pub const FORGET: Background = Background::every(HOUR, "notices that are old", |app| {
    Box::pin(async move {
        let now = now_ms();
        webhooks::forget_before(&app.db, now - DELIVERIES_MS).await?;
        notices::forget_before(&app, now - NOTICES_MS).await?;
        summaries::forget_before(&app.db, now - NOTICES_MS).await?;
        let mut tx = app.db.begin().await?;
        for clerk in store::waiting_since(&mut tx, now - 60 * 60_000).await? {
            jobs::enqueue(&mut tx, &MailNotices { clerk }).await?;
        }
        Ok(tx.commit().await?)
    })
});

/// What the machine and the log say of themselves.
#[derive(Debug)]
pub struct AtDay;

#[async_trait]
impl Daily for AtDay {
    async fn figures(&self, app: &App, _from: i64, _to: i64) -> Result<Vec<Figure>, Error> {
        let figure = |name, value, href: &str, needs| Figure {
            name,
            value,
            href: Some(href.to_owned()),
            needs,
            is_of_the_day: false,
        };
        let machine = |name, value| figure(name, value, "/staff/machine", Capability::Machine);
        let free = app.storage.free().map_or_else(|_| "不知道".to_owned(), gigabytes);
        let backup = backups::newest(&app.db).await?;
        let backup = backup.map_or_else(|| "还没有做过".to_owned(), time::stamp);
        let mut figures = vec![machine("磁盘余量", free), machine("最近一次备份", backup)];
        if let Some(head) = audit::head(&app.db).await? {
            figures.push(figure("操作日志末条", head.to_string(), "/staff/audit", Capability::Audit));
        }
        Ok(figures)
    }
}
