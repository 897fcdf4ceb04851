//! Confirming an order: where it goes and what it costs.

use std::future::Future;

use base::error::Error;
use domain::calendar::is_calendar;
use domain::ids::{MemberId, OrderId};
use domain::regions;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, here, loaded, parameter, use_form, use_query};
use web::ui::parts::{BuyingSteps, ErrorSummary, FieldError, Money};
use web::ui::shell::Shell;

use super::preview::Preview;
use super::{LineItem, PrintingSum, Proofed, before_coupon, if_paid_today};
use crate::forms::{ASKED_WHERE, COUPON, DECIDED, USE_COUPON, decision_field};
use crate::place::{Proposal, Source, propose, unpayable};
use crate::shown::{findings, undecided};
use accounts::{self, Address, AddressFields};
use press::{Finding, PageRef};
use reviews::SaidLines;
use works::{FindingItem, RunOf, Undecided, count_above_notes, listed_findings};

/// Findings of a line that are shown at once, and of a line among many.
const FINDINGS: usize = 5;
const FINDINGS_OF_MANY: usize = 2;
/// Lines of which the books lie open to be leafed through; of an order of more, each is a tap away.
const OPEN: usize = 3;

/// GET /manager/shopping/order/{ids}.
#[component]
pub fn PlacePage() -> impl IntoView {
    let source = parameter::<String>("ids").map(Source::Cart);
    confirmation(async move { source })
}

/// GET /manager/order/{id}/reorder: the same from an order's frozen lines, at today's prices.
#[component]
pub fn ReorderPage() -> impl IntoView {
    let source = parameter::<OrderId>("id").map(Source::Again);
    confirmation(async move { source })
}

/// The page that confirms an order from somewhere.
pub fn confirmation(source: impl Future<Output = Result<Source, Error>> + Send + 'static) -> impl IntoView {
    let here = here();
    let form = use_form();
    let asked = use_query("address");
    let province = use_query("province");
    let coupon = use_query(COUPON);
    loaded(
        async move {
            let (here, source) = (here?, source.await?);
            let proposed = propose(&here.app, &here.member, &source).await;
            let mut proposal = proposed.map_err(|error| match error {
                Error::TooLarge(sentence) => Error::Conflict(sentence),
                error => error,
            })?;
            let typed = if form.is_sent() { form.get(COUPON).to_owned() } else { coupon.unwrap_or_default() };
            let refused = proposal.take_off(&here.app, &here.member.id, &typed).await?;
            let coupon = (typed, refused.map(|refused| refused.to_string()));
            let addresses = accounts::addresses(&here.app, &here.member.id).await?;
            let wanted = Some(form.get("address").to_owned()).filter(|id| !id.is_empty()).or(asked);
            let typed = Some(form.get("province").to_owned()).filter(|_| form.is_sent()).or(province);
            let province = typed.filter(|province| regions::cities(province).next().is_some());
            let closed = unpayable(&here.app, &here.member, proposal.goods_total).await?;
            let told: Vec<_> =
                proposal.lines.iter().enumerate().map(|(index, line)| line.told(index)).collect();
            let made = if_paid_today(&here.app.db, &told).await?;
            let found = found(&here.app, &here.member.id, &proposal).await?;
            Ok((here.member, source, proposal, (addresses, wanted, province, closed), coupon, made, found))
        },
        |(member, source, proposal, (addresses, wanted, province, closed), coupon, made, found)| {
            let new = addresses.is_empty() || wanted.as_deref() == Some("new");
            let unfinished = if new { "地址还没有保存" } else { "订单还没有提交" };
            let chosen = addresses
                .iter()
                .find(|address| Some(address.id.as_str()) == wanted.as_deref())
                .or(addresses.first())
                .filter(|_| !new)
                .cloned();
            let province = match &chosen {
                Some(address) => Some(address.province.clone()),
                None => province,
            };
            // the form carries the order's key: pressed twice, it orders once
            let key: OrderId = render::once();
            let key = use_form().or("request_key", key.as_str());
            let is_own = !matches!(source, Source::Shared(_));
            let steps = is_own.then(|| view! { <BuyingSteps at=1/> });
            let is_long = proposal.lines.len() > OPEN;
            let lines: Vec<_> = proposal
                .lines
                .iter()
                .zip(found)
                .enumerate()
                .map(|(index, (line, Found { findings, undecided }))| {
                    let (proofed_at, proof) = (line.proofed_at, line.proof());
                    let said = line.reviewed.said.clone();
                    let names = line.document.copy_names();
                    let work = line.revision.is_some().then(|| line.work_id.clone());
                    let book = view! { <Preview line=line.clone()/> };
                    let book = match is_long {
                        true => view! { <details class="fold"><summary>"翻看成品"</summary>{book}</details> }
                            .into_any(),
                        false => book.into_any(),
                    };
                    let below = view! {
                        {book}
                        <Said findings work most=if is_long { FINDINGS_OF_MANY } else { FINDINGS }/>
                        {undecided.map(|undecided| view! { <Decision index undecided/> })}
                    };
                    view! {
                        <LineItem
                            src=line.pictures.thumbnail()
                            title=line.document.title.clone()
                            trim=line.document.trim
                            hung=is_calendar(&line.document)
                            goods=line.goods.name.clone()
                            pages=line.quote.pages
                            copies=line.quote.count.get()
                            choices=line.choices()
                            remark=line.remark.clone()
                            total=before_coupon(&line.quote)
                            below=below.into_any()
                        >
                            <RunOf names/>
                            {is_own.then(|| view! { <Proofed at=proofed_at see=proof.clone()/> })}
                            <SaidLines said/>
                        </LineItem>
                    }
                })
                .collect();
            let again = matches!(source, Source::Again(_)).then(|| {
                view! { <p class="quiet">"内容与上次相同，价格按今天的计算。"</p> }
            });
            view! {
                <Shell member title="确认订单".to_owned() assets=&["orders.css", "cart.css", "addresses.js", "sums.js", "turning.js"]>
                    {steps}
                    <header class="head"><h1>"确认订单"</h1>{again}</header>
                    <ErrorSummary title=unfinished/>
                    <form class="parts" method="post" action=source.page() data-sums="Y">
                        <input type="hidden" name="request_key" value=key/>
                        <div class="stack">
                            <section class="sheet" id="address">
                                <h2>"收货地址"</h2>
                                <FieldError name="address".to_owned()/>
                                <AddressChoice addresses chosen=chosen.clone() new/>
                            </section>
                            <section class="sheet">
                                <h2>"印刷内容"</h2>
                                <ul class="lines">{lines}</ul>
                                {made.map(|said| view! { <p class="hint">{said}</p> })}
                            </section>
                        </div>
                        <Sums proposal province coupon closed/>
                    </form>
                </Shell>
            }
        },
    )
}

/// What preflight says of a line.
struct Found {
    findings: Vec<Finding>,
    /// What of it the member is to decide.
    undecided: Option<Undecided>,
}

/// The same of all lines, for whoever can mend them.
async fn found(app: &App, member: &MemberId, proposal: &Proposal) -> Result<Vec<Found>, Error> {
    let mut found = Vec::with_capacity(proposal.lines.len());
    for line in &proposal.lines {
        let findings = match proposal.maker(member) == member {
            true => findings(app, member, line).await?,
            false => Vec::new(),
        };
        let undecided = undecided(app, line, &findings).await?;
        found.push(Found { findings: listed_findings(findings), undecided });
    }
    Ok(found)
}

/// What preflight says of a line, with links to where its `work` is mended; notes are folded away.
#[component]
fn Said(findings: Vec<Finding>, work: Option<String>, most: usize) -> impl IntoView {
    if findings.is_empty() {
        return None;
    }
    let shown = count_above_notes(&findings);
    let mut items: Vec<_> = findings
        .into_iter()
        .map(|finding| {
            let place = work.as_ref().map(|work| match finding.page {
                Some(PageRef::Inner(index)) => format!("/manager/opus/{work}/page/{}", index + 1),
                Some(PageRef::Cover) => format!("/manager/opus/{work}/page/cover"),
                None => format!("/manager/opus/{work}"),
            });
            view! { <FindingItem finding place/> }
        })
        .collect();
    let rest = items.split_off(shown.min(most));
    let more = (!rest.is_empty()).then(|| {
        let label = if shown == 0 { "印前检查的提示 " } else { "还有 " };
        view! {
            <details class="fold">
                <summary>{label}<span class="num">{rest.len()}</span>" 处"</summary>
                <ul class="findings">{rest}</ul>
            </details>
        }
    });
    let shown = (shown > 0).then(|| view! { <ul class="findings">{items}</ul> });
    Some(view! { <div>{shown}{more}</div> })
}

/// The box with which the member says that it prints what was found as it is.
#[component]
fn Decision(index: usize, undecided: Undecided) -> impl IntoView {
    let form = use_form();
    let name = decision_field(index);
    let refused = form.error(&name).is_some();
    let Undecided { findings, mark, .. } = undecided;
    let ticked = form.all(DECIDED).any(|sent| sent == mark);
    view! {
        <div class="field">
            <label class="check">
                <input
                    id=name.clone()
                    type="checkbox"
                    name=DECIDED
                    value=mark
                    autocomplete="off"
                    checked=ticked
                    aria-invalid=refused.then_some("true")
                    aria-describedby=refused.then(|| format!("{name}-error"))
                />
                <span>{format!("“请处理”的 {} 处我看过了，就这样印", findings.len())}</span>
            </label>
            <FieldError name/>
        </div>
    }
}

#[component]
fn AddressChoice(addresses: Vec<Address>, chosen: Option<Address>, new: bool) -> impl IntoView {
    let first = addresses.is_empty();
    let radios: Vec<_> = addresses
        .into_iter()
        .map(|address| {
            let checked = chosen.as_ref().is_some_and(|chosen| chosen.id == address.id);
            let default = address.is_default.then(|| view! { " "<span class="badge">"默认"</span> });
            view! {
                <label>
                    <input type="radio" name="address" value=address.id.to_string() checked=checked/>
                    <span>
                        <strong>{address.receiver.clone()}</strong>" "
                        <span class="num">{address.phone.clone()}</span>{default}<br/>{address.spaced()}
                    </span>
                </label>
            }
        })
        .collect();
    let choice = if first {
        view! { <input type="hidden" name="address" value="new"/> }.into_any()
    } else {
        view! {
            <div class="addresses" role="radiogroup" aria-label="收货地址">
                {radios}
                <label>
                    <input type="radio" name="address" value="new" checked=new/>
                    <span>"寄到新地址"</span>
                </label>
            </div>
        }
        .into_any()
    };
    let form = use_form();
    let asked = form.get(ASKED_WHERE).to_owned();
    let asked = (!asked.is_empty()).then(|| view! { <input type="hidden" name=ASKED_WHERE value=asked/> });
    view! {
        {choice}
        {asked}
        <div class="new-address" role="group" aria-label="新地址">
            <AddressFields/>
        </div>
    }
}

#[component]
fn Sums(
    proposal: Proposal,
    province: Option<String>,
    coupon: (String, Option<String>),
    closed: Option<String>,
) -> impl IntoView {
    let shipping = province.map(|province| proposal.shipping(&province));
    let refused = shipping.as_ref().and_then(|shipping| shipping.as_ref().err()).map(ToString::to_string);
    let shipping = shipping.and_then(Result::ok);
    let total = shipping.and_then(|shipping| proposal.goods_total.plus(shipping).ok());
    let kilos = format!("{:.1}", proposal.grams as f64 / 1000.0);
    let sums = match (shipping, total) {
        (Some(shipping), Some(total)) => view! {
            <dt>"运费"</dt><dd><Money amount=shipping/></dd>
            <dt class="sum">"应付"</dt><dd class="sum"><Money amount=total class="price total"/></dd>
        }
        .into_any(),
        _ => {
            let said = refused.clone().unwrap_or_else(|| "填好地址后计算".to_owned());
            view! { <dt>"运费"</dt><dd class="quiet">{said}</dd> }.into_any()
        }
    };
    let (shown, button) = match total {
        Some(total) => {
            (view! { <p>"应付 "<Money amount=total class="price total"/></p> }.into_any(), "提交订单")
        }
        None if refused.is_some() => {
            (view! { <p class="quiet">"请换一个收货地址"</p> }.into_any(), "换地址，再计算运费")
        }
        None => (view! { <p class="quiet">"下一步显示运费和总额"</p> }.into_any(), "保存地址，计算运费"),
    };
    let seen = total.map(|total| view! { <input type="hidden" name="total" value=total.to_string()/> });
    view! {
        <aside class="sheet" aria-label="金额">
            <h2>"金额"</h2>
            <dl class="facts sums" id="sums">
                <PrintingSum printing=proposal.printing() coupon=proposal.coupon().cloned()/>
                {sums}
            </dl>
            <CouponField coupon/>
            <p class="hint">
                "运费按省份和重量（约 "<span class="num">{kilos}</span>" 公斤）计算；换地址后，提交前会再给您看一次。"
            </p>
        </aside>
        {closed.map(|reason| view! { <p class="notice warn">{reason}</p> })}
        <div class="actionbar" id="to-pay">{seen}{shown}<button class="button primary">{button}</button></div>
    }
}

/// What is typed as a coupon, and the button that shows what it takes off; an empty field takes it away again.
#[component]
fn CouponField(coupon: (String, Option<String>)) -> impl IntoView {
    let (typed, refused) = coupon;
    let form = use_form();
    // a page that was led to has no form that was refused
    let refused = form.error(COUPON).or(refused);
    let is_wrong = refused.is_some();
    view! {
        <div class="field coupon">
            <label for=COUPON>"优惠码"</label>
            <div class="row">
                <input
                    id=COUPON name=COUPON class="input num" value=form.or(COUPON, &typed) maxlength="40"
                    autocomplete="off" autocapitalize="characters" spellcheck="false"
                    aria-invalid=is_wrong.then_some("true")
                    aria-describedby=is_wrong.then_some("coupon-error")
                />
                <button class="button" name=USE_COUPON value="Y" formnovalidate=true>"使用"</button>
            </div>
            {refused.map(|message| view! { <p class="error" id="coupon-error">{message}</p> })}
        </div>
    }
}
