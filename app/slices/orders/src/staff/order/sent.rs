//! An order's parcels on its page of the back office: those that left, the next one, and what is printed once more.

use base::lists;
use domain::order_refund::Paid;
use domain::order_state::OrderState;
use domain::parcel::{CARRIERS, Reason};
use leptos::prelude::*;
use web::render::use_form;
use web::ui::parts::{Field, FieldError, Moment, Money};

use super::super::forms::{AGAIN, SENT};
use super::super::{LABELS, SLIPS, address};
use crate::sending::in_words;
use crate::store::parcels::{Parcel, Reprint, Sending};
use crate::store::{Order, Title};
use press::LabelSize;

/// What is known of an order's parcels.
#[derive(Debug, Clone)]
pub struct Sent {
    pub order: Order,
    pub sending: Sending,
    pub titles: Vec<Title>,
    /// What its copies cost.
    pub prices: Paid,
}

impl Sent {
    fn copies(&self) -> Vec<(i64, String, u32)> {
        let rest = self.sending.rest(self.order.state);
        let of = |title: &Title| Some((title.position, quoted(title), *rest.get(&title.position)?));
        self.titles.iter().filter_map(of).collect()
    }
}

fn quoted(title: &Title) -> String {
    format!("《{}》", title.title)
}

/// The papers of one parcel, or of the next one.
#[component]
fn Papers(order: String, number: Option<i64>) -> impl IntoView {
    let number = number.map(|number| number.to_string()).unwrap_or_default();
    let place = |path: &str, size: &str| {
        lists::address(path, &[("order", order.as_str()), ("parcel", number.as_str()), ("size", size)])
    };
    let labels: Vec<_> = LabelSize::ALL
        .into_iter()
        .map(|size| {
            view! { <a class="link" href=place(LABELS, size.code()) download>{format!("面单 {}", size.name())}</a> }
        })
        .collect();
    view! { <p class="papers">{labels}<a class="link" href=place(SLIPS, "") download>"装箱单"</a></p> }
}

/// The carriers that a clerk may choose from; another one may be typed. Once on the page, for all its forms.
#[component]
pub fn Carriers() -> impl IntoView {
    let names: Vec<_> =
        CARRIERS.iter().map(|carrier| view! { <option value=carrier.name></option> }).collect();
    view! { <datalist id="carriers">{names}</datalist> }
}

/// The fields of a waybill. Names of fields stand once on a page: `mark` tells those of one form from another's, whose values
/// and errors they don't show.
#[component]
fn WaybillFields(
    #[prop(optional)] mark: String,
    carrier: String,
    tracking: String,
    is_sent: bool,
) -> impl IntoView {
    let form = use_form();
    let field = |name: &'static str, label: &'static str, known: String, list: Option<&'static str>| {
        let id = format!("{name}{mark}");
        let error = form.error(&id).filter(|_| is_sent);
        let value = if is_sent { form.or(name, &known) } else { known };
        let described = error.is_some().then(|| format!("{id}-error"));
        let said = error.clone().map(|error| view! { <p class="error" id=format!("{id}-error")>{error}</p> });
        view! {
            <div class="field">
                <label for=id.clone()>{label}</label>
                <input
                    id=id name=name value=value maxlength="40" required list=list autocomplete="off"
                    aria-invalid=error.map(|_| "true") aria-describedby=described
                />
                {said}
            </div>
        }
    };
    // asked once the number was refused
    let is_odd = form.error(&format!("tracking{mark}")).is_some() || !form.get("sure").is_empty();
    let sure = (is_sent && is_odd).then(|| {
        view! {
            <label class="check">
                <input type="checkbox" name="sure" value="1" checked=!form.get("sure").is_empty()/>
                <span>"运单号核对过了，就照这样记"</span>
            </label>
        }
    });
    view! {
        {field("carrier", "承运人", carrier, Some("carriers"))}
        {field("tracking", "运单号", tracking, None)}
        {sure}
    }
}

/// How many copies of each line, as it is called; empty fields are all that there is.
#[component]
pub fn CopiesFields(prefix: &'static str, lines: Vec<(i64, String, u32)>) -> impl IntoView {
    let form = use_form();
    let fields: Vec<_> = lines
        .into_iter()
        .map(|(line, title, most)| {
            let name = format!("{prefix}{line}");
            let error = form.error(&name).is_some();
            view! {
                <div class="field">
                    <label for=name.clone()>{format!("{title}，共 {most} 本")}</label>
                    <input
                        id=name.clone() name=name.clone() inputmode="numeric" maxlength="6" class="num" value=form.or(&name, "")
                        placeholder=most.to_string()
                        aria-invalid=error.then_some("true") aria-describedby=error.then(|| format!("{name}-error"))
                    />
                    <FieldError name/>
                </div>
            }
        })
        .collect();
    view! { {fields} }
}

/// The parcels that an order has by now.
#[component]
pub fn Parcels(sent: Sent, prints: bool) -> impl IntoView {
    let Sent { order, sending, titles, .. } = sent;
    if sending.parcels.is_empty() {
        return None;
    }
    let form = use_form();
    let going = !sending.rest(order.state).is_empty();
    let many = sending.parcels.len() > 1 || going;
    let kept = sending.kept();
    let refunded_after: Vec<i64> = sending
        .parcels
        .iter()
        .filter(|parcel| sending.is_refunded_after(parcel))
        .map(|parcel| parcel.number)
        .collect();
    let rows: Vec<_> = sending
        .parcels
        .into_iter()
        .map(|parcel| {
            let Parcel { number, waybill, contents, sent_at, is_kept } = parcel;
            let is_sent = form.get("parcel") == number.to_string();
            let acts = prints.then(|| {
                let action = format!("{}/parcel/{number}", address(&order.id));
                let (carrier, tracking) = (waybill.carrier.clone(), waybill.tracking.clone());
                let withdraw = (going && is_kept && !refunded_after.contains(&number)).then(|| {
                    view! {
                        <form method="post" action=action.clone()>
                            <input type="hidden" name="step" value="withdraw"/>
                            <input type="hidden" name="seen" value=tracking.clone()/>
                            <button class="button small danger">"没有寄出，撤回这个包裹"</button>
                        </form>
                    }
                });
                view! {
                    <Papers order=order.id.to_string() number=Some(number)/>
                    <details class="fold" open=is_sent>
                        <summary>"更正"</summary>
                        <form class="fields" method="post" action=action>
                            <input type="hidden" name="step" value="correct"/>
                            <input type="hidden" name="seen" value=tracking.clone()/>
                            <WaybillFields mark=format!("-{number}") carrier tracking is_sent/>
                            <button class="button wide">"更正运单，通知会员"</button>
                        </form>
                        {withdraw}
                    </details>
                }
            });
            let is_part = many || contents != kept;
            let what = is_part.then(|| view! { <p class="quiet">{in_words(&titles, &contents)}</p> });
            view! {
                <li>
                    <p>
                        {many.then(|| view! { <strong>{format!("第 {number} 个包裹")}</strong>" " })}
                        {waybill.carrier}" "<span class="num">{waybill.tracking}</span>" "
                        {sent_at.map(|at| view! { <Moment at/> })}
                    </p>
                    {what}
                    {acts}
                </li>
            }
        })
        .collect();
    Some(view! {
        <section class="sheet"><h2>"包裹"</h2><ul class="parcels">{rows}</ul></section>
    })
}

/// The next parcel.
#[component]
pub fn Ship(action: String, sent: Sent) -> impl IntoView {
    let form = use_form();
    let lines = sent.copies();
    let is_sent = form.get("step") == "ship";
    let copies: u32 = lines.iter().map(|(_, _, copies)| copies).sum();
    let is_part = lines.iter().any(|(line, ..)| !form.get(&format!("{SENT}{line}")).is_empty());
    let part = (copies > 1).then(|| {
        view! {
            <details class="fold" open=is_part>
                <summary>"只寄一部分"</summary>
                <div class="fields">
                    <p class="hint">"写这个包裹里有几本；都空着就是把剩下的全部寄出。"</p>
                    <CopiesFields prefix=SENT lines/>
                </div>
            </details>
        }
    });
    // what is to be made again is begun first
    let class = if sent.order.state == OrderState::Reprint { "button wide" } else { "button primary wide" };
    view! {
        <form class="fields" method="post" action=action>
            <input type="hidden" name="step" value="ship"/>
            <WaybillFields carrier=String::new() tracking=String::new() is_sent/>
            {part}
            <button class=class>"已发货，通知会员"</button>
        </form>
        <Papers order=sent.order.id.to_string() number=None/>
    }
}

/// What is printed once more.
#[component]
pub fn PrintAgain(action: String, sent: Sent) -> impl IntoView {
    let form = use_form();
    let opened = form.get("step") == "reprint";
    let chosen = form.or("kind", "");
    let reasons: Vec<_> = Reason::ALL
        .into_iter()
        .map(|reason| {
            view! { <option value=reason.code() selected=reason.code() == chosen>{reason.name()}</option> }
        })
        .collect();
    let error = form.error("kind").is_some();
    let kept = sent.sending.kept();
    let of = |title: &Title| Some((title.position, quoted(title), *kept.get(&title.position)?));
    let lines: Vec<_> = sent.titles.iter().filter_map(of).collect();
    view! {
        <details class="fold" open=opened>
            <summary>"重印"</summary>
            <form class="fields" method="post" action=action>
                <input type="hidden" name="step" value="reprint"/>
                <div class="field">
                    <label for="kind">"原因"</label>
                    <select id="kind" name="kind" aria-invalid=error.then_some("true") aria-describedby=error.then_some("kind-error")>
                        {reasons}
                    </select>
                    <FieldError name="kind".to_owned()/>
                </div>
                <Field name="why" label="说明（会员会看到）" most=200 required=true/>
                <CopiesFields prefix=AGAIN lines/>
                <Field name="cost" label="成本（元），空着按售价算" inputmode="decimal" most=12/>
                <p class="hint">"本数都空着就是全部重印。费用由书坊承担；之后照常开印、发货，只印这里写的本数。"</p>
                <button class="button wide">"安排重印"</button>
            </form>
        </details>
    }
}

/// What was printed once more.
#[component]
pub fn Reprints(sent: Sent) -> impl IntoView {
    let Sent { sending, titles, .. } = sent;
    if sending.reprints.is_empty() {
        return None;
    }
    let rows: Vec<_> = sending
        .reprints
        .into_iter()
        .map(|reprint| {
            let Reprint { copies, reason, note, cost, .. } = reprint;
            view! {
                <li>
                    <p><strong>{reason.name()}</strong>" "{note}</p>
                    <p class="quiet">{in_words(&titles, &copies)}"，成本 "<Money amount=cost/></p>
                </li>
            }
        })
        .collect();
    Some(view! { <section class="sheet"><h2>"重印"</h2><ul class="parcels">{rows}</ul></section> })
}
