//! /staff/invoices/{id}: all that is needed to issue an invoice, and what can be done with it now.

use domain::ids::{InvoiceId, MemberId};
use domain::invoice::InvoiceState;
use domain::money::Fen;
use domain::staff::Capability;
use leptos::prelude::*;
use web::render::{loaded, parameter, use_form};
use web::staff::here;
use web::ui::parts::{ErrorSummary, Field, FieldError, Moment, Money};
use web::ui::staff::StaffShell;

use super::{LIST, Of, address};
use crate::fields::{MOST_NUMBER, MOST_REASON};
use crate::pages::StateBadge;
use crate::red::{RecordRed, RedInvoices, is_of_red};
use crate::store::Invoice;
use crate::store::red::of_invoice;
use crate::store::staff::{self as rows, Listed};

/// GET /staff/invoices/{id}.
#[component]
pub fn StaffInvoicePage() -> impl IntoView {
    let here = here();
    let id = parameter::<InvoiceId>("id");
    loaded(
        async move {
            let here = here?;
            let listed = rows::find(&here.app.db, &id?).await?;
            let reds = of_invoice(&here.app.db, &listed.invoice.id).await?;
            Ok((here.staff.may(Capability::SeeMembers), listed, reds))
        },
        |(sees_members, listed, reds)| {
            let Listed { invoice, account, since } = listed;
            let title = format!("{}的发票", invoice.title.name());
            let correction = invoice.needs_correction().then(|| {
                let rest = (invoice.rest > Fen::ZERO).then(
                    || view! { "全额冲销的，余下的 "<Money amount=invoice.rest/>" 会员可以重新申请。" },
                );
                let part = invoice.issued().to_take_back();
                view! {
                    <div class="notice warn">
                        {format!("开票以后{}有退款（", invoice.of.noun())}<Moment at=since/>
                        "）。请开红字发票冲销 "<Money amount=part/>"，或者全额冲销，再在这里登记。"{rest}
                    </div>
                }
            });
            let member = sees_members.then(|| invoice.member.clone());
            let (state, requested_at) = (invoice.state, invoice.requested_at);
            view! {
                <StaffShell title=title.clone() assets=&["invoices.css", "staff.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=LIST>"发票"</a></p>
                            <h1>{title}</h1>
                            <p>
                                <StateBadge state/>" "
                                <span class="quiet">"申请于 "<Moment at=requested_at/></span>
                            </p>
                        </div>
                    </header>
                    <ErrorSummary title="没有办成"/>
                    {correction}
                    <div class="parts">
                        <div class="stack">
                            <Facts invoice=invoice.clone()/>
                            <Around invoice=invoice.clone() account member/>
                            <RedInvoices reds place=address(&invoice.id)/>
                        </div>
                        <aside class="stack" aria-label="办理"><Actions invoice/></aside>
                    </div>
                </StaffShell>
            }
        },
    )
}

/// What stands on the invoice.
#[component]
fn Facts(invoice: Invoice) -> impl IntoView {
    let code = invoice.title.code().map(|code| {
        view! { <dt>"统一社会信用代码"</dt><dd class="num">{code.to_string()}</dd> }
    });
    let stands = (invoice.corrected > Fen::ZERO).then(|| {
        view! { <dt>"红冲后"</dt><dd><Money amount=invoice.issued().stands_for()/></dd> }
    });
    let number = invoice.number.map(|number| view! { <dt>"发票号码"</dt><dd class="num long">{number}</dd> });
    view! {
        <section class="sheet">
            <h2>"开票内容"</h2>
            <dl class="facts">
                <dt>"抬头"</dt>
                <dd>{invoice.title.name().to_owned()}" "<span class="badge">{invoice.title.kind()}</span></dd>
                {code}
                <dt>"金额"</dt><dd><Money amount=invoice.amount class="price"/></dd>
                {stands}
                <dt>"内容"</dt><dd>{invoice.content}</dd>
                {number}
            </dl>
        </section>
    }
}

/// What it is of, for whom, and what became of it.
#[component]
fn Around(invoice: Invoice, account: String, member: Option<MemberId>) -> impl IntoView {
    let member = member.map(|member| {
        view! { " "<a class="link" href=format!("/staff/members/{member}")>"看这位会员"</a> }
    });
    let moment =
        |name: &'static str, at: Option<i64>| at.map(|at| view! { <dt>{name}</dt><dd><Moment at/></dd> });
    let text =
        |name: &'static str, text: Option<String>| text.map(|text| view! { <dt>{name}</dt><dd>{text}</dd> });
    let file = invoice.file.is_some().then(|| {
        let address = format!("{}/file", address(&invoice.id));
        view! { <p><a class="button" href=address>"下载 PDF"</a></p> }
    });
    view! {
        <section class="sheet stack">
            <h2>"申请"</h2>
            <dl class="facts">
                <dt>"开什么"</dt><dd><Of of=invoice.of/></dd>
                <dt>"会员"</dt><dd>{account}{member}</dd>
                {text("接收邮箱", invoice.email)}
                {moment(InvoiceState::Issued.name(), invoice.issued_at)}
                {moment(invoice.state.name(), invoice.ended_at)}
                {text("原因", invoice.reason)}
                <dt>"编号"</dt><dd class="num long">{invoice.id.to_string()}</dd>
            </dl>
            {file}
        </section>
    }
}

/// What can be done with it now.
#[component]
fn Actions(invoice: Invoice) -> impl IntoView {
    let own = address(&invoice.id);
    match invoice.state {
        InvoiceState::Requested => view! {
            <section class="sheet stack"><h2>"开票"</h2><Issue invoice/></section>
            <End
                title="不予开票"
                hint="会员会看到原因，可以改好再申请。"
                confirm="不予开票，通知会员"
                action=format!("{own}/rejection")
            />
        }
        .into_any(),
        InvoiceState::Issued => {
            let form = use_form();
            let is_other = |field: &str| ["", "reason"].contains(&field);
            let replaces = !is_of_red(&form) && form.errors().iter().any(|error| !is_other(&error.field));
            view! {
                <RecordRed invoice=invoice.clone()/>
                <End
                    title="作废"
                    hint="红字发票不在这里登记、只记下作废时用它。会员会收到通知，可以重新申请。"
                    confirm="记为作废，通知会员"
                    action=format!("{own}/voiding")
                />
                <details class="sheet fold" open=replaces><summary>"替换 PDF"</summary><Issue invoice/></details>
            }
            .into_any()
        }
        InvoiceState::Cancelled | InvoiceState::Rejected | InvoiceState::Voided => {
            view! { <p class="quiet">"已经办完了。会员需要时会重新申请。"</p> }.into_any()
        }
    }
}

/// The file and what is printed on it.
#[component]
fn Issue(invoice: Invoice) -> impl IntoView {
    let form = use_form();
    let described = form.error("file").is_some();
    let was_issued = invoice.state == InvoiceState::Issued;
    let replace = was_issued.then(|| {
        let checked = !form.get("replace").is_empty();
        view! {
            <div class="field">
                <label class="check">
                    <input id="replace" type="checkbox" name="replace" value="Y" checked=checked/>
                    "用这个文件替换已经开出的"
                </label>
                <FieldError name="replace".to_owned()/>
            </div>
        }
    });
    let confirm = if was_issued { "替换，重新发给会员" } else { "开票，发给会员" };
    view! {
        <form
            class="fields"
            method="post"
            action=format!("{}/issue", address(&invoice.id))
            enctype="multipart/form-data"
        >
            <div class="field">
                <label for="file">"发票 PDF"</label>
                <input
                    id="file"
                    class="input"
                    name="file"
                    type="file"
                    accept="application/pdf,.pdf"
                    required=true
                    aria-invalid=described.then_some("true")
                    aria-describedby=if described { "file-error" } else { "file-hint" }
                />
                <p class="hint" id="file-hint">"最大 10 MB。没有通过时，文件要重新选择。"</p>
                <FieldError name="file".to_owned()/>
            </div>
            <Field
                name="number"
                label="发票号码"
                value=invoice.number.unwrap_or_default()
                most=MOST_NUMBER as u32
                inputmode="numeric"
                autocomplete="off"
                required=true
            />
            <Field
                name="amount"
                label="发票上印的金额（元），用来核对"
                most=20
                inputmode="decimal"
                autocomplete="off"
                required=true
            />
            {replace}
            <button class="button primary wide">{confirm}</button>
        </form>
    }
}

/// A request, or an invoice, that ends with a reason.
#[component]
fn End(title: &'static str, hint: &'static str, confirm: &'static str, action: String) -> impl IntoView {
    let refused = use_form().error("reason").is_some();
    view! {
        <details class="sheet fold" open=refused>
            <summary>{title}</summary>
            <form class="fields" method="post" action=action>
                <Field name="reason" label="原因（会员会看到）" most=MOST_REASON as u32 required=true/>
                <p class="hint">{hint}</p>
                <button class="button danger wide">{confirm}</button>
            </form>
        </details>
    }
}
