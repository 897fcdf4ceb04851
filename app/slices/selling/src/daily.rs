//! What readers paid to sellers on a day, in its summary: the house holds it.

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
            name: "读者购买（代收）",
            value: figures.in_words(),
            href: None,
            needs: Capability::Payments,
            is_of_the_day: true,
        }])
    }
}
