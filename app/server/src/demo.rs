//! Fills an empty database with the demo: its members are made here, and each slice adds its own (`Slice::demo`).

use domain::ids::MemberId;
use domain::tier::Tier;

use accounts::{self, Address};
use base::db::{new_id, with_db, with_tx};
use base::error::Error;
use web::app::App;
use web::demo::{ACCOUNT, BUYER, Demo, EDITOR, PASSWORD};

/// Whether nobody has an account yet.
pub async fn is_empty(app: &App) -> Result<bool, Error> {
    let (members,): (i64,) =
        with_db!(&app.db, |pool| sqlx::query_as("select count(*) from members").fetch_one(pool).await)?;
    Ok(members == 0)
}

/// Whether a demo was begun here and broken off: it lacks what would have come, so it is no use to anybody.
pub async fn is_half_made(app: &App) -> Result<bool, Error> {
    let (begun,): (i64,) =
        with_db!(&app.db, |pool| sqlx::query_as("select count(*) from secrets where name = 'demo_begun'")
            .fetch_one(pool)
            .await)?;
    Ok(begun > 0)
}

/// Fills an empty database.
pub async fn fill(app: &App) -> Result<(), Error> {
    if !is_empty(app).await? {
        return Err(Error::Conflict("the database already has members; the demo needs an empty one".into()));
    }
    let mut tx = app.db.begin().await?;
    with_tx!(&mut tx, |conn| sqlx::query("insert into secrets (name, value) values ('demo_begun', '')")
        .execute(conn)
        .await
        .map(drop))?;
    tx.commit().await?;
    let add = async |account: &str| -> Result<MemberId, Error> {
        accounts::add_member(app, account, PASSWORD, Tier::Basic).await.map_err(Error::internal)
    };
    let (member, editor, buyer) = (add(ACCOUNT).await?, add(EDITOR).await?, add(BUYER).await?);
    for (receiver, province, city, district, street) in [
        ("林知夏", "浙江省", "杭州市", "西湖区", "龙井路 18 号"),
        ("林建国", "江苏省", "苏州市", "姑苏区", "平江路 62 号"),
    ] {
        let address = Address {
            id: new_id(),
            receiver: receiver.into(),
            phone: "13800138000".into(),
            province: province.into(),
            city: city.into(),
            district: district.into(),
            street: street.into(),
            is_default: false,
        };
        accounts::add_address(app, &member, &address).await?;
    }
    let mut demo =
        Demo { member, editor, buyer, library: Vec::new(), of_buyer: Vec::new(), books: Vec::new() };
    for fill in app.house.slices.iter().filter_map(|slice| slice.demo) {
        fill(app, &mut demo).await?;
    }
    let mut tx = app.db.begin().await?;
    with_tx!(&mut tx, |conn| sqlx::query("delete from secrets where name = 'demo_begun'")
        .execute(conn)
        .await
        .map(drop))?;
    Ok(tx.commit().await?)
}
