//! Adding to the cart, saving print options, removing, checking out.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::artwork::Artwork;
use domain::days::DAY_MS;
use domain::goods::{Cnum, Goods, step_name};
use domain::ids::{CartLineId, GoodsId, WorkId};
use domain::print_options::{ARTWORK_ID, Choice, Quantity, Refusal, check, default_choice};
use web::app::App;
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};

use super::pages::CHECKS;
use super::store;

/// Characters that a remark 备注 may have.
pub const REMARK_LENGTH: usize = 500;

/// The cart's page.
pub const CART: &str = "/manager/shopping/cart";

/// The word that asks to order a line as soon as its options are saved.
pub const ORDER: &str = "order";

/// The parameter that says the chosen lines are named beside it.
pub const RECOUNT: &str = "recount";

/// How long a removed line is kept, in ms.
const KEPT_MS: i64 = DAY_MS;

/// POST /manager/add_shopping/{id}: a work as these goods.
pub async fn add(
    State(app): State<App>,
    member: Member,
    Parameter(work): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = works::for_owner(&app, &work, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let line: Option<CartLineId> = form.own("line");
    let sizes = catalog::of_size(&app, work.document.trim).await?;
    let goods =
        form.get("goods").parse::<GoodsId>().ok().and_then(|id| sizes.iter().find(|goods| goods.id == id));
    if goods.is_none() {
        form.refuse("goods", "请选择印刷商品");
    }
    let (Some(line), Some(goods)) = (line, goods) else {
        return render::again(&app, parts, &format!("/manager/add_shopping/{}", work.id), form).await;
    };
    let pages = u32::try_from(work.document.pages.len()).map_err(Error::internal)?;
    // copies that differ are ordered together
    let copies = u32::try_from(work.document.copies().len().max(1)).map_err(Error::internal)?;
    let copies = Quantity::try_from(copies).map_err(Error::internal)?;
    let options = format!("/manager/shopping/cart/{line}/options");
    super::add(&app, line, &member.id, &work.id, goods, default_choice(goods, pages), copies).await?;
    Ok(Redirect::to(&options).into_response())
}

/// The choice that a form holds: `step-{ID}` for each shown step with items, in step order, and what the craft is drawn from.
pub fn choice_of(form: &Form, goods: &Goods) -> Choice {
    let chosen = goods
        .shown_steps()
        .filter(|step| !step.items.is_empty())
        .map(|step| form.get(&format!("step-{}", step.id)))
        .filter(|cnum| !cnum.is_empty())
        .map(Cnum::from)
        .collect();
    Choice::new(chosen).with_artwork(form.get(ARTWORK_ID).parse().unwrap_or_default())
}

/// Notes in a form what is wrong with the choice that it holds.
pub fn refuse_choice(form: &mut Form, goods: &Goods, pages: u32, choice: &Choice) {
    let artwork = form.get(ARTWORK_ID).to_owned();
    if let Err(unknown) = artwork.parse::<Artwork>()
        && !artwork.is_empty()
    {
        form.refuse(ARTWORK_ID, unknown.to_string());
    }
    let Err(refusal) = check(goods, pages, choice) else { return };
    let step = match &refusal {
        Refusal::Disabled { step, .. } if step == step_name::ARTWORK => Some(ARTWORK_ID.to_owned()),
        Refusal::Missing { step } | Refusal::Disabled { step, .. } | Refusal::TwoOfOneStep { step } => {
            goods.shown_steps().find(|known| known.name == *step).map(|known| format!("step-{}", known.id))
        }
        Refusal::UnknownItem(_) | Refusal::OutOfOrder => None,
    };
    form.refuse(step.as_deref().unwrap_or(""), refusal.to_string());
}

/// POST /manager/shopping/cart/{line}/proof: the member looked at the proof, and says so point by point.
pub async fn confirm_proof(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CartLineId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let line = super::line(&app, &id, &member).await?;
    let mut form = read_form(&body)?;
    for (name, _) in CHECKS {
        if form.get(name).is_empty() {
            form.refuse(name, "请看过后勾选");
        }
    }
    if form.get("revision") != line.work.revision.to_string() {
        form.refuse("", "作品刚刚改过，下面是新的样稿，请再看一遍");
        for (name, _) in CHECKS {
            form.forget(name);
        }
    }
    if form.is_refused() {
        return render::again(&app, parts, &format!("{CART}/{id}/proof"), form).await;
    }
    let proof = store::Proof { revision: line.work.revision, at: now_ms() };
    store::confirm_proof(&app.db, &id, &member.id, proof).await?;
    Ok(Redirect::to(&format!("{CART}#line-{id}")).into_response())
}

/// POST /manager/shopping/cart/{line}/options: 下一步, or 直接结算 of this line alone. The rules are checked again; nothing is
/// saved unless all of them hold.
pub async fn save_options(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CartLineId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let line = super::line(&app, &id, &member).await?;
    let mut form = read_form(&body)?;
    let choice = choice_of(&form, &line.goods);
    refuse_choice(&mut form, &line.goods, line.pages, &choice);
    if let Some(reason) = super::plate_refusal(&app, &member, &line, &choice).await? {
        let step = line.goods.shown_steps().find(|step| step.name == step_name::CRAFT);
        form.refuse(&step.map(|step| format!("step-{}", step.id)).unwrap_or_default(), reason);
    }
    let quantity = Quantity::read(form.get("quantity"));
    if let Err(error) = &quantity {
        form.refuse("quantity", error.to_string());
    }
    check_length(&mut form, "remark", "备注", 0, REMARK_LENGTH);
    let remark = form.get("remark").to_owned();
    match quantity {
        Ok(quantity) if !form.is_refused() => {
            store::save(&app.db, &id, &member.id, &choice, quantity, &remark, now_ms()).await?;
            let next = match form.get("then") {
                ORDER => format!("/manager/shopping/order/{id}"),
                _ => CART.to_owned(),
            };
            Ok(Redirect::to(&next).into_response())
        }
        _ => render::again(&app, parts, &format!("/manager/shopping/cart/{id}/options"), form).await,
    }
}

/// POST /manager/shopping/cart/{line}/quantity: another number of copies, everything else as it was.
pub async fn save_quantity(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CartLineId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let line = store::find_for_owner(&app.db, &id, &member.id).await?;
    let sent = read_form(&body)?;
    // the page has a quantity for each line
    let mut form = Form::sent([(quantity_field(&id), sent.or("quantity", ""))]);
    if save_quantities(&app, &member, &[line], &mut form).await? {
        return Ok(Redirect::to(CART).into_response());
    }
    render::again(&app, parts, CART, form).await
}

/// The buttons − and +: each names its line.
const LESS: &str = "less";
const MORE: &str = "more";

/// One copy less or more of the line that a button names, as far as there can be; what is no number stays to be refused.
fn step_quantity(form: &mut Form, button: &str, step: fn(u32, u32) -> u32) {
    let Ok(line) = form.get(button).parse::<CartLineId>() else { return };
    let field = quantity_field(&line);
    if let Ok(typed) = Quantity::read(form.get(&field))
        && let Ok(stepped) = Quantity::try_from(step(typed.get(), 1))
    {
        form.set(&field, &stepped.to_string());
    }
}

/// POST of the cart: keeps every number of copies that was typed and shows the sum of the chosen lines.
pub async fn recount(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    step_quantity(&mut form, LESS, u32::saturating_sub);
    step_quantity(&mut form, MORE, u32::saturating_add);
    let lines = store::of_member(&app.db, &member.id).await?;
    if !save_quantities(&app, &member, &lines, &mut form).await? {
        return render::again(&app, parts, CART, form).await;
    }
    let chosen: String = chosen_ids(&form).iter().map(|id| format!("&line={id}")).collect();
    Ok(Redirect::to(&format!("{CART}?{RECOUNT}=1{chosen}")).into_response())
}

/// Keeps the numbers of copies in a form that differ from the lines'. One that is no quantity is noted in the form,
/// and then none is kept: false.
async fn save_quantities(
    app: &App,
    member: &Member,
    lines: &[store::Stored],
    form: &mut Form,
) -> Result<bool, Error> {
    let mut changed = Vec::new();
    for line in lines {
        let field = quantity_field(&line.id);
        if form.all(&field).next().is_none() {
            continue;
        }
        match Quantity::read(form.get(&field)) {
            Ok(quantity) if quantity != line.quantity => changed.push((&line.id, quantity)),
            Ok(_) => {}
            Err(error) => form.refuse(&field, error.to_string()),
        }
    }
    if form.is_refused() {
        return Ok(false);
    }
    for (id, quantity) in changed {
        store::save_quantity(&app.db, id, &member.id, quantity, now_ms()).await?;
    }
    Ok(true)
}

/// The lines whose boxes are ticked.
pub fn chosen_ids(form: &Form) -> Vec<CartLineId> {
    form.all("line").filter_map(|id| id.parse().ok()).collect()
}

/// The name under which a line's quantity comes back.
pub fn quantity_field(id: &CartLineId) -> String {
    format!("quantity-{id}")
}

/// POST /manager/shopping/cart/{line}/removal. The line can be put back for a while.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CartLineId>,
) -> Result<Redirect, Error> {
    let now = now_ms();
    store::set_removed(&app.db, &id, &member.id, Some(now)).await?;
    store::forget_removed(&app.db, &member.id, now - KEPT_MS).await?;
    Ok(Redirect::to(CART))
}

/// POST /manager/shopping/cart/{line}/restoration: undoes a removal.
pub async fn restore(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CartLineId>,
) -> Result<Redirect, Error> {
    store::set_removed(&app.db, &id, &member.id, None).await?;
    Ok(Redirect::to(CART))
}

/// POST /manager/shopping/checkout: keeps every number of copies that was typed and goes on to the order page of the
/// chosen lines.
pub async fn checkout(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let chosen = chosen_ids(&form);
    if chosen.is_empty() {
        form.refuse("", "请先选择要结算的商品");
    } else if let Err(Error::TooLarge(sentence)) = super::lines_to_order(&app, &member, &chosen).await {
        // what else is wrong with a line is said on the order's page
        form.refuse("", sentence);
    }
    let ids: Vec<String> = chosen.iter().map(ToString::to_string).collect();
    let lines = store::of_member(&app.db, &member.id).await?;
    if !save_quantities(&app, &member, &lines, &mut form).await? {
        return render::again(&app, parts, CART, form).await;
    }
    Ok(Redirect::to(&format!("/manager/shopping/order/{}", ids.join(","))).into_response())
}
