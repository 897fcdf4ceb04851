//! Red invoices 红字发票: what takes an issued invoice back once money was given back, with its own number and PDF.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::audit;
use base::db::now_ms;
use base::delivery::{self, Attachment, Message, NOTICE_LIFE_MS};
use base::error::Error;
use base::storage::original_key;
use base::time::date;
use domain::contact::Contact;
use domain::ids::InvoiceId;
use domain::invoice::{InvoiceState, NotMoved, Red};
use domain::money::Fen;
use domain::order_state::Actor;
use domain::typed;
use leptos::prelude::*;
use serde_json::json;
use web::app::App;
use web::multipart::Multipart;
use web::render::{self, Form, use_form};
use web::router::Parameter;
use web::session::Member;
use web::ui::files::pdf_file;
use web::ui::parts::{Field, FieldError, Money};

use super::fields::{self, MOST_NUMBER};
use super::operate::{self, Done, Refused};
use super::staff::forms::{amount_in, answer, pdf_in, read};
use super::store::red::{self as rows, RedInvoice};
use super::store::{self, Invoice};

/// A red invoice as it is recorded.
pub struct Recorded {
    pub pdf: Vec<u8>,
    /// 发票号码.
    pub number: String,
    /// 发票代码; may be empty.
    pub code: String,
    /// The day on it, as 2026-11-27.
    pub issued_on: String,
    pub amount: Fen,
}

/// Records a red invoice: it takes back what was given back, or all of the invoice, which is voided then. The same one again
/// is the same.
pub async fn record(app: &App, id: &InvoiceId, recorded: Recorded) -> Result<Done, Refused> {
    let Recorded { pdf, number, code, issued_on, amount } = recorded;
    let file = operate::keep(app, pdf).await?;
    let now = now_ms();
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    let mut invoice = operate::hold(&mut tx, id).await?;
    let new = RedInvoice::new(number, code, issued_on, amount, file, now);
    if let Some(known) = rows::of_held(&mut tx, id).await?.into_iter().find(|red| red.number == new.number) {
        return if known.is(&new) { Ok(Done::Already) } else { Err(Refused::RedOtherwise) };
    }
    if invoice.state != InvoiceState::Issued {
        return Err(NotMoved::NoSuchTransition { from: invoice.state, to: InvoiceState::Voided }.into());
    }
    let issued = invoice.issued();
    let red = issued.red(amount).ok_or(Refused::RedAmount {
        part: issued.to_take_back(),
        whole: issued.stands_for(),
        said: amount,
    })?;
    invoice.corrected = invoice.corrected.plus(amount).map_err(Error::internal)?;
    invoice.corrected_at = Some(now);
    if red == Red::Whole {
        invoice.state = invoice.state.advance(InvoiceState::Voided, Actor::Staff)?;
        invoice.reason = Some(format!("红字发票 {} 全额冲销", new.number));
        invoice.ended_at = Some(now);
    }
    rows::insert(&mut tx, id, &new, &audit::clerk().unwrap_or_default()).await?;
    let detail = json!({
        "number": new.number, "code": new.code, "issued_on": new.issued_on, "amount": amount, "file": new.file,
        "stands_for": invoice.issued().stands_for(),
    });
    operate::write(&mut tx, &invoice, "invoice red", &detail).await?;
    let then = match red {
        Red::Part => format!("原发票还有效的金额是 ¥{}", invoice.issued().stands_for().grouped()),
        Red::Whole if invoice.rest > Fen::ZERO => {
            format!("原发票作废，余下的 ¥{} 可以重新申请", invoice.rest.grouped())
        }
        Red::Whole => "原发票作废".to_owned(),
    };
    let text = format!(
        "【书坊】{} 的发票已开红字发票 {}，冲销 ¥{}；{then}。登录后在“发票”里下载 PDF。",
        invoice.of,
        new.number,
        amount.grouped()
    );
    accounts::tell_member(app, &mut tx, &invoice.member, "书坊红字发票已开好", text.clone()).await?;
    if let Some(to) = invoice.email.as_deref().and_then(Contact::read) {
        let message = Message {
            to: &to,
            subject: "书坊红字发票",
            text,
            expires_at: now + NOTICE_LIFE_MS,
            on_behalf_of: None,
        };
        let attached = Attachment { sha256: &new.file, name: &file_name(&new) };
        delivery::queue_with_file(app, &mut tx, message, attached).await?;
    }
    operate::commit(app, tx).await
}

fn file_name(red: &RedInvoice) -> String {
    format!("红字发票-{}.pdf", red.number)
}

/// POST /staff/invoices/{id}/red: `red_file`, and what is printed on it: `red_number`, `red_code`, `red_date`, `red_amount`.
pub async fn post(
    State(app): State<App>,
    parts: Parts,
    Parameter(id): Parameter<InvoiceId>,
    multipart: Multipart,
) -> Result<Response, Error> {
    let (mut form, file) = read(multipart, "red_file").await?;
    store::staff::find(&app.db, &id).await?;
    let pdf = pdf_in(&mut form, "red_file", file);
    let number = fields::number(form.get("red_number"));
    if number.is_none() {
        form.refuse("red_number", format!("发票号码是 1 到 {MOST_NUMBER} 位数字"));
    }
    let code = form.get("red_code").trim().to_owned();
    let code = if code.is_empty() { Some(code) } else { fields::number(&code) };
    if code.is_none() {
        form.refuse("red_code", "发票代码是数字，没有就不填");
    }
    let day = typed::date(form.get("red_date").trim()).filter(|day| *day <= date(now_ms()));
    if day.is_none() {
        form.refuse("red_date", "请写开票日期，不能晚于今天");
    }
    let amount = amount_in(&mut form, "red_amount");
    let (Some(pdf), Some(number), Some(code), Some(day), Some(amount)) = (pdf, number, code, day, amount)
    else {
        return render::again(&app, parts, &super::staff::address(&id), form).await;
    };
    let recorded = Recorded { pdf, number, code, issued_on: day.to_string(), amount };
    let outcome = record(&app, &id, recorded).await;
    answer(&app, parts, &id, form, outcome).await
}

async fn saved(app: &App, id: &InvoiceId, number: &str) -> Result<Response, Error> {
    let red = rows::of_invoice(&app.db, id).await?.into_iter().find(|red| red.number == number);
    let red = red.ok_or(Error::NotFound)?;
    let key = original_key(&red.file);
    let bytes = app.storage.get(&key).await?.ok_or_else(|| Error::internal(format!("{key} is gone")))?;
    // RFC 6266: a plain name for whoever can't read the other one
    Ok(pdf_file(&format!("red-invoice-{}.pdf", red.number), &file_name(&red), bytes))
}

/// GET /manager/invoice/{id}/red/{number}: the PDF of one of a member's own.
pub async fn file(
    State(app): State<App>,
    member: Member,
    Path((id, number)): Path<(String, String)>,
) -> Result<Response, Error> {
    let id: InvoiceId = id.parse().map_err(|_| Error::NotFound)?;
    store::find_for_owner(&app.db, &id, &member.id).await?;
    saved(&app, &id, &number).await
}

/// GET /staff/invoices/{id}/red/{number}.
pub async fn staff_file(
    State(app): State<App>,
    Path((id, number)): Path<(String, String)>,
) -> Result<Response, Error> {
    let id: InvoiceId = id.parse().map_err(|_| Error::NotFound)?;
    saved(&app, &id, &number).await
}

/// The red invoices of an invoice, each with its file below `place`.
#[component]
pub fn RedInvoices(reds: Vec<RedInvoice>, place: String) -> impl IntoView {
    if reds.is_empty() {
        return None;
    }
    let rows: Vec<_> = reds
        .into_iter()
        .map(|red| {
            let code = (!red.code.is_empty()).then(|| format!("代码 {}，", red.code));
            view! {
                <li class="stack">
                    <p>
                        "冲销 "<Money amount=red.amount()/>"，"{code}"号码 "
                        <span class="num long">{red.number.clone()}</span>"，"
                        <span class="num">{red.issued_on.clone()}</span>
                    </p>
                    <p><a class="button" href=format!("{place}/red/{}", red.number)>"下载红字发票"</a></p>
                </li>
            }
        })
        .collect();
    Some(view! { <section class="sheet"><h2>"红字发票"</h2><ul class="stack">{rows}</ul></section> })
}

/// Where a red invoice of an issued one is recorded.
#[component]
pub fn RecordRed(invoice: Invoice) -> impl IntoView {
    let form = use_form();
    let issued = invoice.issued();
    let (part, whole) = (issued.to_take_back(), issued.stands_for());
    let is_sent = is_of_red(&form);
    let opened = part > Fen::ZERO || is_sent;
    let over = if part > Fen::ZERO && part < whole {
        format!(
            "退掉的 ¥{} 开一张红字发票，原发票就只算余下的 ¥{}；也可以按全额 ¥{} 冲销，原发票作废，会员再为余下的金额重新申请。",
            part.grouped(),
            invoice.rest.grouped(),
            whole.grouped()
        )
    } else {
        format!("按全额 ¥{} 冲销，原发票作废。", whole.grouped())
    };
    let error = form.error("red_file").is_some();
    view! {
        <details class="sheet fold" open=opened>
            <summary>"登记红字发票"</summary>
            <form
                class="fields"
                method="post"
                action=format!("{}/red", super::staff::address(&invoice.id))
                enctype="multipart/form-data"
            >
                <p class="hint">{over}</p>
                <div class="field">
                    <label for="red_file">"红字发票 PDF"</label>
                    <input
                        id="red_file"
                        class="input"
                        name="red_file"
                        type="file"
                        accept="application/pdf,.pdf"
                        required=true
                        aria-invalid=error.then_some("true")
                        aria-describedby=error.then_some("red_file-error")
                    />
                    <FieldError name="red_file".to_owned()/>
                </div>
                <Field
                    name="red_number" label="红字发票号码" most=MOST_NUMBER as u32 inputmode="numeric"
                    autocomplete="off" required=true
                />
                <Field
                    name="red_code" label="发票代码（数电票没有，不填）" most=MOST_NUMBER as u32 inputmode="numeric"
                    autocomplete="off"
                />
                <Field name="red_date" label="开票日期" kind="date" required=true/>
                <Field
                    name="red_amount" label="红字发票上印的金额（元），不写负号，用来核对" most=20 inputmode="decimal"
                    autocomplete="off" required=true
                />
                <button class="button primary wide">"登记，发给会员"</button>
            </form>
        </details>
    }
}

/// Whether what is wrong is about a red invoice.
pub fn is_of_red(form: &Form) -> bool {
    form.errors().iter().any(|error| error.field.starts_with("red_"))
}
