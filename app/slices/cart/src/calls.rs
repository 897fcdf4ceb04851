//! Calls 8, 9 and 10 of the specification's section 7, and ours beside them. `docs` of their formats: the contract.

use axum::routing::{get, post};
use base::db::now_ms;
use base::error::Error;
use domain::artwork::Artwork;
use domain::ids::{CartLineId, GoodsId};
use domain::price::Quote;
use domain::print_options::{Choice, Quantity, check, complete, evaluate};
use domain::typed::words;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, Json, PostUrl};
use serde::{Deserialize, Serialize};
use web::access::Policy;
use web::calls::{Answer, Inner, List, PlainText, Refusal, caller, handle};
use web::route::Route;

use super::forms::REMARK_LENGTH;
use super::props::{CartInfo, PriceLine};
use super::{Line, artwork_findings, line, lines, plate_refusal, store};

/// The most pages that a price is asked for: the end of the widest range of the specification's section 5.
const MOST_PAGES: u32 = 9_999;

/// The slice's calls.
pub const ROUTES: &[Route] = &[
    Route::new("/cart/artworkNotes", Policy::Member).handled(|| get(handle)),
    Route::new("/cart/cartInfo", Policy::Member).handled(|| get(handle)),
    Route::new("/cart/cartList", Policy::Member).handled(|| get(handle)),
    Route::new("/cart/priceLines", Policy::Member).handled(|| get(handle)),
    Route::new("/shopping/getTotal", Policy::Member).handled(|| get(handle)),
    Route::new("/shopping/updateCart", Policy::Member).handled(|| post(handle)),
];

/// A line of `cartList`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    #[serde(rename = "cartID")]
    cart_id: String,
    goods_name: String,
    client_design_name: String,
    count: u32,
    total_price: String,
}

/// The parts of a price with their sum.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Explained {
    list: Vec<PriceLine>,
    total: String,
}

/// GET /cart/cartInfo (call 8).
#[server(name = CartInfoCall, prefix = "/cart", endpoint = "cartInfo", input = GetUrl, output = Json)]
async fn cart_info(
    #[server(default)]
    #[server(rename = "cartID")]
    cart_id: String,
) -> Result<Answer<Inner<CartInfo>>, Refusal> {
    let (app, member) = caller()?;
    let line = line(&app, &line_id(&cart_id)?, &member).await?;
    Ok(Answer::ok(Inner { data: CartInfo::of(&line) }))
}

/// GET /cart/cartList.
#[server(prefix = "/cart", endpoint = "cartList", input = GetUrl, output = Json)]
async fn cart_list() -> Result<Answer<List<Listed>>, Refusal> {
    let (app, member) = caller()?;
    let lines = lines(&app, &member).await?;
    let list = lines
        .into_iter()
        .map(|line| Listed {
            cart_id: line.id.to_string(),
            goods_name: line.goods.name.clone(),
            client_design_name: line.work.title,
            count: line.quantity.get(),
            total_price: line.quote.total.to_string(),
        })
        .collect();
    Ok(Answer::ok(List { list }))
}

/// GET /cart/artworkNotes: what is to be known of what a choice puts on the cover besides ink, a sentence each.
#[server(prefix = "/cart", endpoint = "artworkNotes", input = GetUrl, output = Json)]
async fn artwork_notes(
    #[server(default)]
    #[server(rename = "cartID")]
    cart_id: String,
    #[server(default)] cnums: String,
    #[server(default)] artwork: String,
) -> Result<Answer<List<String>>, Refusal> {
    let (app, member) = caller()?;
    let line = line(&app, &line_id(&cart_id)?, &member).await?;
    let artwork = if artwork.is_empty() { Artwork::Title } else { artwork.parse().map_err(bad)? };
    let asked = Choice::parse(&cnums).with_artwork(artwork);
    let evaluation = evaluate(&line.goods, line.pages, &asked);
    let found = artwork_findings(&app, &member, &Line { evaluation, ..line }).await?;
    Ok(Answer::ok(List { list: found.into_iter().map(|finding| finding.message).collect() }))
}

/// GET /shopping/getTotal (call 9). `memberID` and `random` mean nothing: the tier is the caller's own.
#[server(prefix = "/shopping", endpoint = "getTotal", input = GetUrl, output = PlainText)]
async fn get_total(
    #[server(default)]
    #[server(rename = "goodsID")]
    goods_id: String,
    #[server(default)] cnums: String,
    #[server(default)] count: String,
    #[server(default)]
    #[server(rename = "pagesNum")]
    pages_num: String,
) -> Result<String, Refusal> {
    Ok(price(&goods_id, &cnums, &count, &pages_num).await?.get_total())
}

/// GET /cart/priceLines: where the price of the same parameters comes from.
#[server(prefix = "/cart", endpoint = "priceLines", input = GetUrl, output = Json)]
async fn price_lines(
    #[server(default)]
    #[server(rename = "goodsID")]
    goods_id: String,
    #[server(default)] cnums: String,
    #[server(default)] count: String,
    #[server(default)]
    #[server(rename = "pagesNum")]
    pages_num: String,
) -> Result<Answer<Explained>, Refusal> {
    let quote = price(&goods_id, &cnums, &count, &pages_num).await?;
    Ok(Answer::ok(Explained { list: PriceLine::all(&quote), total: quote.total.to_string() }))
}

/// POST /shopping/updateCart (call 10): everything or nothing. What else the specification's payload carries
/// (`memberID`, `pdfchecked`, `fuwu`, …) decides nothing; `pagesNum` neither, but it must be a number where it is sent.
/// `artwork` is what a craft is drawn from; without it that stays as it is, where it still can be.
#[server(prefix = "/shopping", endpoint = "updateCart", input = PostUrl, output = PlainText)]
async fn update_cart(
    #[server(default)]
    #[server(rename = "CartID")]
    cart_id: String,
    #[server(default)]
    #[server(rename = "goodsID")]
    goods_id: String,
    #[server(default)] count: String,
    #[server(default)] cnums: String,
    #[server(default)]
    #[server(rename = "pagesNum")]
    pages_num: String,
    #[server(default)]
    #[server(rename = "remarkinfo")]
    remark: String,
    #[server(default)] artwork: String,
) -> Result<String, Refusal> {
    let (app, member) = caller()?;
    if !pages_num.is_empty() {
        page_count(&pages_num)?;
    }
    let id = line_id(&cart_id)?;
    let line = line(&app, &id, &member).await?;
    if goods_id != line.goods.id.as_str() {
        return Err(bad("商品与购物车不符"));
    }
    let quantity: Quantity = count.parse().map_err(bad)?;
    let chosen = Choice::parse(&cnums);
    let artwork = if artwork.is_empty() {
        let kept = chosen.clone().with_artwork(line.evaluation.choice().artwork());
        evaluate(&line.goods, line.pages, &kept).choice().artwork()
    } else {
        artwork.parse().map_err(bad)?
    };
    let choice = chosen.with_artwork(artwork);
    check(&line.goods, line.pages, &choice).map_err(bad)?;
    if let Some(reason) = plate_refusal(&app, &member, &line, &choice).await? {
        return Err(bad(reason));
    }
    let remark = words(&remark);
    if remark.chars().count() > REMARK_LENGTH {
        return Err(bad(format!("备注最多 {REMARK_LENGTH} 个字")));
    }
    // without the empty code of a step that has no items
    let named = choice.cnums().iter().filter(|cnum| !cnum.0.is_empty()).cloned().collect();
    let choice = Choice::new(named).with_artwork(artwork);
    store::save(&app.db, &id, &member.id, &choice, quantity, &remark, now_ms()).await?;
    Ok("ok".to_owned())
}

/// What any caller may ask the price of. Whether the page count allows every item is `updateCart`'s to say, which
/// knows the work.
async fn price(goods: &str, cnums: &str, count: &str, pages: &str) -> Result<Quote, Refusal> {
    let (app, member) = caller()?;
    let count: Quantity = count.parse().map_err(bad)?;
    let pages = page_count(pages)?;
    let goods: GoodsId = goods.parse().map_err(|_| bad("商品编号不正确"))?;
    let goods = catalog::find(&app, &goods).await?;
    let choice = Choice::parse(cnums);
    complete(&goods, &choice).map_err(bad)?;
    domain::price::quote(&goods, pages, &choice, count, member.tier).map_err(bad)
}

/// A page count that was sent.
fn page_count(text: &str) -> Result<u32, Refusal> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let pages = text.parse::<u32>().ok().filter(|pages| is_number && (1..=MOST_PAGES).contains(pages));
    pages.ok_or_else(|| bad(format!("页数须为 1 到 {MOST_PAGES} 的整数")))
}

fn line_id(text: &str) -> Result<CartLineId, Refusal> {
    if text.is_empty() {
        return Err(bad("缺少购物车编号"));
    }
    // what is no id at all looks like somebody else's
    text.parse().map_err(|_| Error::NotFound.into())
}

fn bad(reason: impl ToString) -> Refusal {
    Error::BadRequest(reason.to_string()).into()
}
