//! What terms of tiers brought in on a day, in its summary.

use async_trait::async_trait;
use domain::close::Figures;
use domain::staff::Capability;

use super::month;
use platform::app::App;
use platform::error::Error;
use platform::slice::{Daily, Figure};

/// See [`Daily`].
#[derive(Debug)]
pub struct AtDay;

#[async_trait]
impl Daily for AtDay {
    async fn figures(&self, app: &App, from: i64, to: i64) -> Result<Vec<Figure>, Error> {
        let mut figures = Figures::default();
        let mut tx = app.db.begin_snapshot().await?;
        month::add(&mut tx, (from, to), &mut figures).await?;
        Ok(vec![Figure {
            name: "会员收入",
            value: figures.in_words(),
            href: Some("/staff/members".to_owned()),
            needs: Capability::Payments,
            is_of_the_day: true,
        }])
    }
}
