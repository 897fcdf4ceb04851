//! What the host does about coupons: whoever has the machine needs nobody's agreement.

use base::error::{Error, Failure};
use clap::Subcommand;
use domain::coupon::Day;
use domain::ids::CouponId;
use web::app::App;
use web::approvals::By;

use crate::make;
use crate::store::{self, Coupon};

/// Who agrees on the command line, as the request has it.
const HOST: &str = "bindery";
/// Coupons that are printed at once.
const AT_ONCE: i64 = 200;

/// Commands about coupons.
#[derive(Subcommand)]
pub enum Command {
    /// Print the newest coupons, with how often each is used.
    List,
    /// Agree to a coupon that waits for another clerk: for a shop with only one.
    Agree { coupon: CouponId },
    /// End a coupon; orders that use it keep what they have.
    End { coupon: CouponId },
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::List => list(app).await,
        Command::Agree { coupon } => {
            let known = known(app, &coupon).await?;
            // its request is decided with it
            let asked = By::Agreement { request: coupon.as_str(), name: HOST };
            let done =
                make::agree(app, &known, asked).await? || make::agree(app, &known, By::OwnRight).await?;
            println!("{coupon} {}", if done { "can be used now." } else { "did not wait." });
            Ok(())
        }
        Command::End { coupon } => {
            known(app, &coupon).await?;
            let done = make::end(app, &coupon).await?;
            println!("{coupon} {}", if done { "is ended." } else { "was ended before." });
            Ok(())
        }
    }
}

async fn known(app: &App, id: &CouponId) -> Result<Coupon, Failure> {
    match store::find(&app.db, id).await {
        Err(Error::NotFound) => Err(format!("there is no coupon {id}").into()),
        found => Ok(found?),
    }
}

async fn list(app: &App) -> Result<(), Failure> {
    let coupons = store::newest(&app.db, None, AT_ONCE).await?;
    if coupons.is_empty() {
        println!("There are no coupons.");
    }
    for coupon in coupons {
        let called = coupon.word.clone().unwrap_or_else(|| format!("{} codes", coupon.codes));
        let state = match (coupon.agreed_at, coupon.ended_at) {
            (_, Some(_)) => "ended",
            (None, None) => "waits for another clerk",
            (Some(_), None) => "good",
        };
        let most = coupon.rule.most.map(|most| format!(" of {most}")).unwrap_or_default();
        let until = Day(coupon.rule.until - 1);
        println!(
            "{} {called} {} ({state}) used {}{most}, until {until}",
            coupon.id, coupon.rule, coupon.used
        );
    }
    Ok(())
}
