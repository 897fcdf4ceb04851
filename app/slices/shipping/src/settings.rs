//! /staff/shipping: zones with their prices, which province is in which, and who sends.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::error::Error;
use domain::money::Fen;
use domain::shipping::{LONGEST_NAME, MOST_ZONES, PROVINCES, Tariff, TariffProblem, Zone};
use domain::typed::{is_blank, typed, words};
use leptos::prelude::*;
use serde_json::{Value, json};
use web::app::App;
use web::render::{self, Form, loaded, use_form};
use web::staff::here;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, Field, FieldError};
use web::ui::staff::{StaffShell, said};

use super::PAGE;
use super::store::{self, Sender};

/// Empty rows behind the zones that there are.
const SPARE: usize = 2;
/// Characters of what says who sends.
const LONGEST_SENDER: u32 = 40;
const LONGEST_PHONE: u32 = 20;
const LONGEST_ADDRESS: u32 = 120;

/// The names of a zone's fields: its name, its prices.
fn fields(row: usize) -> [String; 3] {
    [format!("name{row}"), format!("first{row}"), format!("further{row}")]
}

/// The field that says in which row's zone a province is: the row's number, or nothing.
fn province_field(index: usize) -> String {
    format!("to{index}")
}

/// The zones that a form says. What is wrong is said in the form.
fn typed_tariff(form: &mut Form) -> Option<Tariff> {
    let mut zones: Vec<Zone> = Vec::new();
    // the row of each zone
    let mut rows: Vec<usize> = Vec::new();
    for row in 0..MOST_ZONES {
        let [name, first, further] = fields(row);
        if [&name, &first, &further].iter().all(|field| is_blank(form.get(field))) {
            continue;
        }
        let mut price = |field: &str| match Fen::read(form.get(field)) {
            Ok(Some(price)) => price,
            Ok(None) | Err(_) => {
                form.refuse(field, "请写多少元，例如 8 或 8.50");
                Fen::ZERO
            }
        };
        let (first_kg, further_kg) = (price(&first), price(&further));
        let name = words(form.get(&name));
        zones.push(Zone { name, first_kg, further_kg, provinces: Vec::new() });
        rows.push(row);
    }
    for (index, (short, full)) in PROVINCES.into_iter().enumerate() {
        let field = province_field(index);
        let chosen = typed(form.get(&field));
        if chosen.is_empty() {
            continue;
        }
        let zone = chosen.parse::<usize>().ok().and_then(|row| rows.iter().position(|known| *known == row));
        match zone.and_then(|zone| zones.get_mut(zone)) {
            Some(zone) => zone.provinces.push(full),
            None => form.refuse(&field, format!("{short}：它所在的地区没有了，请另选一个")),
        }
    }
    let problem = match Tariff::new(zones) {
        Ok(tariff) => return Some(tariff).filter(|_| !form.is_refused()),
        Err(problem) => problem,
    };
    let field = match &problem {
        TariffProblem::Name(zone) | TariffProblem::NameTwice(zone, _) => Some((*zone, 0)),
        TariffProblem::FirstKg(zone) => Some((*zone, 1)),
        TariffProblem::FurtherKg(zone) => Some((*zone, 2)),
        TariffProblem::Nothing | TariffProblem::TooManyZones | TariffProblem::Province(_) => None,
    };
    let field = field.and_then(|(zone, part)| Some(fields(*rows.get(zone)?)[part].clone()));
    form.refuse(&field.unwrap_or_default(), problem.to_string());
    None
}

/// Who a form says that sends.
fn typed_sender(form: &mut Form) -> Sender {
    let mut read = |field: &str, most: u32| {
        let text = words(form.get(field)).replace('\n', " ");
        if text.chars().count() > most as usize {
            form.refuse(field, format!("最多 {most} 个字"));
        }
        text
    };
    Sender {
        name: read("sender_name", LONGEST_SENDER),
        phone: read("sender_phone", LONGEST_PHONE),
        address: read("sender_address", LONGEST_ADDRESS),
    }
}

/// What the shop's rows say, and whether that can be read: what another program wrote is put right here.
fn readable(tariff: Result<Tariff, Error>) -> (Tariff, bool) {
    match tariff {
        Ok(tariff) => (tariff, true),
        Err(error) => {
            tracing::error!(%error, "The tariff can't be read");
            (Tariff::default(), false)
        }
    }
}

fn told(tariff: &Tariff, sender: &Sender) -> Value {
    let zones: Vec<Value> = tariff
        .zones()
        .iter()
        .map(|zone| {
            let provinces = zone.short_names().join(" ");
            json!({ "name": zone.name, "first_kg": zone.first_kg, "further_kg": zone.further_kg, "provinces": provinces })
        })
        .collect();
    let Sender { name, phone, address } = sender;
    json!({ "zones": zones, "sender": { "name": name, "phone": phone, "address": address } })
}

/// POST /staff/shipping: `name…`, `first…`, `further…` for each row, `to…` for each province, `sender_…`, and `seen`.
pub async fn set(State(app): State<App>, parts: Parts, RawForm(body): RawForm) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let (tariff, sender) = (typed_tariff(&mut form), typed_sender(&mut form));
    let Some(tariff) = tariff.filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, PAGE, form).await;
    };
    let mut tx = app.db.begin().await?;
    let known = store::lock(&mut tx).await?;
    let (tariff_before, is_readable) = readable(store::tariff(&mut tx).await);
    let known = told(&tariff_before, &known);
    let asked = told(&tariff, &sender);
    if known == asked && is_readable {
        audit::unchanged();
        return Ok(Redirect::to(&said(PAGE, false)).into_response());
    }
    let mark = known.to_string();
    if mark != form.get("seen") {
        drop(tx);
        form.set("seen", &mark);
        form.refuse("", "在您打开这一页以后有人改过。确实要照您写的改，就再按一次“记下”");
        return render::again(&app, parts, PAGE, form).await;
    }
    store::write(&mut tx, &tariff, &sender).await?;
    audit::note(&mut tx, "shipping set", "", &asked).await?;
    tx.commit().await?;
    Ok(Redirect::to(&said(PAGE, true)).into_response())
}

/// GET /staff/shipping.
#[component]
pub fn SettingsPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let db = &here?.app.db;
            let mut tx = db.begin_snapshot().await?;
            Ok((readable(store::tariff(&mut tx).await), store::sender(&mut tx).await?))
        },
        |((tariff, is_readable), sender)| {
            let unread = (!is_readable).then(|| {
                view! { <p class="notice bad">"记着的表是别的版本写的，这里读不懂，会员现在不能下单。下面是程序自带的表，记下就换成它。"</p> }
            });
            let seen = use_form().or("seen", &told(&tariff, &sender).to_string());
            view! {
                <StaffShell title="运费与寄件人".to_owned() assets=&["staff.css", "shipping.css"]>
                    <header class="head"><h1>"运费与寄件人"</h1></header>
                    <ErrorSummary title="没有记下"/>
                    {unread}
                    <form class="stack tariff" method="post" action=PAGE>
                        <input type="hidden" name="seen" value=seen/>
                        <Zones tariff=tariff.clone()/>
                        <Provinces tariff/>
                        <section class="sheet fields">
                            <h2>"寄件人"</h2>
                            <p class="hint">"印在面单上，退件时用。空着就不印。"</p>
                            <Field name="sender_name" label="名称" value=sender.name most=LONGEST_SENDER/>
                            <Field name="sender_phone" label="电话" value=sender.phone kind="tel" most=LONGEST_PHONE inputmode="tel" autocomplete="off"/>
                            <Field name="sender_address" label="地址" value=sender.address most=LONGEST_ADDRESS/>
                        </section>
                        <div class="actionbar">
                            <p class="quiet">"已经下的订单，运费不变"</p>
                            <button class="button primary">"记下"</button>
                        </div>
                    </form>
                </StaffShell>
            }
        },
    )
}

#[component]
fn Zones(tariff: Tariff) -> impl IntoView {
    let form = use_form();
    let shown = (tariff.zones().len() + SPARE).min(MOST_ZONES);
    // a row that was typed in stays
    let typed_in =
        (0..MOST_ZONES).rev().find(|row| fields(*row).iter().any(|field| !form.get(field).is_empty()));
    let shown = shown.max(typed_in.map_or(0, |row| row + 1));
    let rows: Vec<_> = (0..shown)
        .map(|row| {
            let zone = tariff.zones().get(row);
            let price = |price: Option<Fen>| price.map(|price| price.to_yuan().normalize().to_string());
            let known = [
                zone.map(|zone| zone.name.clone()),
                price(zone.map(|zone| zone.first_kg)),
                price(zone.map(|zone| zone.further_kg)),
            ];
            let labels = ["地区", "首重 1 公斤（元）", "续重每公斤（元）"];
            let cells: Vec<_> = fields(row)
                .into_iter()
                .zip(known)
                .zip(labels)
                .enumerate()
                .map(|(part, ((field, known), label))| {
                    let error = form.error(&field).is_some();
                    let (mode, most) = if part == 0 { (None, LONGEST_NAME) } else { (Some("decimal"), 10) };
                    view! {
                        <div class="field">
                            <label for=field.clone()>{label}<span class="sr">{format!("，第 {} 行", row + 1)}</span></label>
                            <input
                                id=field.clone() name=field.clone() value=form.or(&field, &known.unwrap_or_default())
                                inputmode=mode maxlength=most.to_string() class=(part > 0).then_some("num")
                                aria-invalid=error.then_some("true") aria-describedby=error.then(|| format!("{field}-error"))
                            />
                            <FieldError name=field.clone()/>
                        </div>
                    }
                })
                .collect();
            view! { <li>{cells}</li> }
        })
        .collect();
    view! {
        <section class="sheet">
            <h2>"地区与价格"</h2>
            <p class="hint">"按整单重量计；不足 1 公斤按 1 公斤算。清空一行就是去掉这个地区，它的省份要另选。"</p>
            <ol class="zones">{rows}</ol>
        </section>
    }
}

#[component]
fn Provinces(tariff: Tariff) -> impl IntoView {
    let form = use_form();
    // what was typed names the rows anew
    let names: Vec<(usize, String)> = (0..MOST_ZONES)
        .filter_map(|row| {
            let known = tariff.zones().get(row).map_or("", |zone| zone.name.as_str());
            let name = form.or(&fields(row)[0], known);
            let shown = if is_blank(&name) { format!("第 {} 行", row + 1) } else { name.clone() };
            (row < tariff.zones().len() + SPARE || !is_blank(&name)).then_some((row, shown))
        })
        .collect();
    let choices: Vec<_> = PROVINCES
        .into_iter()
        .enumerate()
        .map(|(index, (short, full))| {
            let field = province_field(index);
            let known = tariff.zones().iter().position(|zone| zone.provinces.contains(&full));
            let chosen = form.or(&field, &known.map(|row| row.to_string()).unwrap_or_default());
            let options: Vec<_> = names
                .iter()
                .map(|(row, name)| {
                    let value = row.to_string();
                    let selected = value == chosen;
                    view! { <option value=value selected=selected>{name.clone()}</option> }
                })
                .collect();
            let error = form.error(&field).is_some();
            view! {
                <div class="field">
                    <label for=field.clone()>{short}</label>
                    <select
                        id=field.clone() name=field.clone()
                        aria-invalid=error.then_some("true") aria-describedby=error.then(|| format!("{field}-error"))
                    >
                        <option value="" selected=chosen.is_empty()>"不寄"</option>
                        {options}
                    </select>
                    <FieldError name=field.clone()/>
                </div>
            }
        })
        .collect();
    view! {
        <section class="sheet">
            <h2>"哪个省在哪个地区"</h2>
            <div class="provinces">{choices}</div>
        </section>
    }
}
