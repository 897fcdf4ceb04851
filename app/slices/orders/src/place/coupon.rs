//! What a coupon takes off the lines that are about to be ordered.

use base::db::now_ms;
use base::error::Error;
use domain::coupon::{Priced, Refused};
use domain::ids::{GoodsId, MemberId};
use domain::money::Fen;
use web::app::App;

use super::{Item, Proposal};

impl Proposal {
    /// Takes off what a member typed; the reason where it takes nothing off. What a maker adds is the maker's.
    pub async fn take_off(
        &mut self,
        app: &App,
        member: &MemberId,
        typed: &str,
    ) -> Result<Option<Refused>, Error> {
        let markup = self.maker.as_ref().map_or(Fen::ZERO, |(_, markup)| *markup);
        let priced = |line: &Item| line.quote.total.minus(markup).unwrap_or_default().max(Fen::ZERO);
        let priced: Vec<(GoodsId, Fen)> =
            self.lines.iter().map(|line| (line.goods.id.clone(), priced(line))).collect();
        let lines: Vec<Priced<'_>> =
            priced.iter().map(|(goods, price)| Priced { goods, price: *price }).collect();
        let offer = match coupons::offer(app, member, typed, &lines, now_ms()).await? {
            Ok(Some(offer)) => offer,
            Ok(None) => return Ok(None),
            Err(refused) => return Ok(Some(refused)),
        };
        for (line, off) in self.lines.iter_mut().zip(&offer.lines) {
            let quote = line.quote.clone().with_coupon(&offer.taken.code, &offer.taken.rule, *off);
            line.quote = quote.map_err(Error::internal)?;
        }
        self.goods_total =
            Fen::sum(self.lines.iter().map(|line| line.quote.total)).map_err(Error::internal)?;
        self.coupon = Some(offer);
        Ok(None)
    }
}
