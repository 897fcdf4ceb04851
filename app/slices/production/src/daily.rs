//! What the shop hears of the floor: orders that are late or will be, and its lines of a day's summary.

use std::time::Duration;

use async_trait::async_trait;
use base::db::now_ms;
use base::error::Error;
use base::time::date;
use domain::ids::OrderId;
use domain::staff::Capability;
use web::app::App;
use web::background::Background;
use web::notices::{self, Kind, Notice};
use web::slice::{Daily, Figure};

use super::{FLOOR, plan, store, today};

/// Looks for orders that are late: each is told once for the day that it was promised.
pub const WATCH: Background = Background::every(Duration::from_secs(5 * 60), "orders that are late", |app| {
    Box::pin(async move { watch(&app).await })
});

async fn watch(app: &App) -> Result<(), Error> {
    let late = store::late_orders(&app.db, today()).await?;
    let (shop, open) = store::plan::read(&app.db).await?;
    let behind = plan::planned(&shop, open, date(now_ms())).1;
    let behind = behind.into_iter().filter_map(|late| {
        let due = late.line.due.filter(|due| *due >= today())?;
        Some((Kind::OrderBehind, late.line.number.order, due))
    });
    let late = late.into_iter().map(|(order, due)| (Kind::OrderLate, order, due));
    for (kind, order, due) in late.chain(behind) {
        tell(app, kind, &order, due).await?;
    }
    Ok(())
}

/// Another promised day that is not kept, either, is told again.
async fn tell(app: &App, kind: Kind, order: &OrderId, due: i64) -> Result<(), Error> {
    let (about, page) = (format!("{order} {due}"), format!("{FLOOR}/{order}"));
    if notices::is_told(&app.db, kind, &about).await? {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    notices::tell(&mut tx, Notice { kind, about: &about, subject: order.as_str(), page: &page }).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// See [`Daily`].
#[derive(Debug)]
pub struct AtDay;

#[async_trait]
impl Daily for AtDay {
    async fn figures(&self, app: &App, _from: i64, _to: i64) -> Result<Vec<Figure>, Error> {
        let due = store::count_due(&app.db, today()).await?;
        let (late, _) = store::count_late(&app.db, today()).await?;
        let (held, _) = store::count_held(&app.db).await?;
        let figure = |name, count: i64, href: String| Figure {
            name,
            value: format!("{count} 件"),
            href: Some(href),
            needs: Capability::SeeOrders,
            is_of_the_day: false,
        };
        Ok(vec![
            figure("今天到期", due, FLOOR.to_owned()),
            figure("过了交期", late, format!("{FLOOR}?view=late")),
            figure("暂停", held, format!("{FLOOR}?view=held")),
        ])
    }
}
