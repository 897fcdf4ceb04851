//! What can be bought of a thing, for the slices on whose pages it is: packages that hold it, and the thing by itself.

use axum::http::request::Parts;
use axum::response::Response;
use base::db::{Db, now_ms};
use base::error::Error;
use domain::ids::MemberId;
use domain::money::Fen;
use domain::package::Term;
use web::app::App;
use web::render::Form;
use web::session::Member;

use super::sales::NotSold;
use super::{gift_form, purchase, sales, store};

/// A package on sale that holds a thing, for the page on which that is bought.
#[derive(Debug, Clone)]
pub struct Offer {
    pub title: String,
    pub term: Term,
    pub price: Fen,
    /// Pages of each work that can be read before buying.
    pub trial_pages: i64,
    /// Where it is bought.
    pub address: String,
    /// Days that a reader may read free, once; 0 for none.
    pub trial_days: i64,
}

impl Offer {
    /// What it is, in a line.
    pub fn words(&self) -> String {
        let trial = if self.trial_days > 0 {
            format!("，可免费试读 {} 天", self.trial_days)
        } else {
            String::new()
        };
        format!("套餐《{}》，{}{trial}", self.title, self.term)
    }
}

/// The packages that hold a thing and can be bought now, the cheapest first.
pub async fn offers(db: &Db, kind: &str, id: &str, now: i64) -> Result<Vec<Offer>, Error> {
    let packages = store::packages::on_sale_with(db, kind, id, now).await?;
    let offer = |package: store::packages::Package| Offer {
        address: format!("/manager/package/{}", package.id),
        title: package.title,
        term: package.term,
        price: package.price,
        trial_pages: package.trial_pages,
        trial_days: package.trial_days,
    };
    Ok(packages.into_iter().map(offer).collect())
}

/// A single thing that a reader is to buy for ever.
pub struct Single<'a> {
    pub kind: &'a str,
    pub id: &'a str,
    pub title: &'a str,
    pub seller: &'a MemberId,
    pub price: Fen,
}

impl Single<'_> {
    fn wanted(&self) -> sales::Wanted {
        sales::Wanted {
            subject: store::Subject::Item { kind: self.kind.to_owned(), id: self.id.to_owned() },
            title: format!("《{}》", self.title),
            seller: self.seller.clone(),
            term: Term::Forever,
            amount: self.price,
        }
    }
}

/// Begins to buy a single thing, and answers the page where it is paid. The caller knows the price and that it is for sale.
pub async fn buy_single(app: &App, buyer: &Member, single: &Single<'_>) -> Result<String, NotSold> {
    let id = sales::order(app, buyer, single.wanted(), now_ms()).await?;
    Ok(purchase::address(&id))
}

/// Begins to give a single thing to somebody as the form of a [`GivePage`](crate::GivePage) says, or shows that page again. The caller
/// knows the price and that it is for sale.
pub async fn give_single(
    app: &App,
    giver: &Member,
    parts: Parts,
    page: &str,
    form: Form,
    single: &Single<'_>,
) -> Result<Response, Error> {
    gift_form::give(app, giver, parts, page, form, single.wanted()).await
}
