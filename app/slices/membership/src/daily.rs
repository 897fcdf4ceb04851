//! What terms of tiers brought in on a day, in its summary.

use async_trait::async_trait;
use base::error::Error;
use domain::close::Figures;
use domain::staff::Capability;
use web::app::App;
use web::slice::{Daily, Figure};

use super::month;

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
