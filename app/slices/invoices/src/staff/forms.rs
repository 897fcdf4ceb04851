//! What is done to invoices in the back office. Every form may be sent again: it does nothing that was done before.

use axum::body::Bytes;
use axum::extract::multipart::MultipartError;
use axum::extract::{RawForm, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::error::Error;
use domain::ids::InvoiceId;
use domain::invoice::NotMoved;
use domain::money::Fen;
use domain::payment::read_any_amount;
use web::app::App;
use web::multipart::{Budget, Multipart, bounded};
use web::render::{self, Form};
use web::router::Parameter;
use web::ui::forms::{has_control, read_form, unreadable};
use web::ui::staff::said;

use super::address;
use crate::fields::{self, MOST_NUMBER, MOST_REASON};
use crate::forms::saved;
use crate::operate::{self, Done, Issue, MOST_BYTES, Refused};
use crate::store::staff as rows;

/// Bytes that a request with a file may have: so much of one that is too large is read, so that its sender hears why.
pub const MOST_REQUEST: usize = 64 * 1024 * 1024;
/// Bytes that its words may have.
const MOST_WORDS: usize = 16 * 1024;

/// GET /staff/invoices/{id}/file: the PDF of one that was issued.
pub async fn file(State(app): State<App>, Parameter(id): Parameter<InvoiceId>) -> Result<Response, Error> {
    saved(&app, &rows::find(&app.db, &id).await?.invoice).await
}

/// POST /staff/invoices/{id}/issue: `file`, the `number` and the `amount` that are printed on it; `replace` puts it in the place
/// of an earlier one.
pub async fn issue(
    State(app): State<App>,
    parts: Parts,
    Parameter(id): Parameter<InvoiceId>,
    multipart: Multipart,
) -> Result<Response, Error> {
    let (mut form, file) = read(multipart, "file").await?;
    let pdf = pdf_in(&mut form, "file", file);
    let number = fields::number(form.get("number"));
    if number.is_none() {
        form.refuse("number", format!("发票号码是 1 到 {MOST_NUMBER} 位数字"));
    }
    let amount = amount_in(&mut form, "amount");
    let replace = !form.get("replace").is_empty();
    let (Some(pdf), Some(number), Some(amount)) = (pdf, number, amount) else {
        return render::again(&app, parts, &address(&id), form).await;
    };
    let issue = Issue { pdf, number: Some(number), amount: Some(amount), replace };
    let outcome = operate::issue(&app, &id, issue).await;
    answer(&app, parts, &id, form, outcome).await
}

/// POST /staff/invoices/{id}/rejection: a request is refused, with a `reason`.
pub async fn reject(
    State(app): State<App>,
    parts: Parts,
    Parameter(id): Parameter<InvoiceId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let (form, reason) = reason_in(&body)?;
    let Some(reason) = reason else {
        return render::again(&app, parts, &address(&id), form).await;
    };
    let outcome = operate::reject(&app, &id, &reason).await;
    answer(&app, parts, &id, form, outcome).await
}

/// POST /staff/invoices/{id}/voiding: a red invoice took it back, with a `reason`.
pub async fn void(
    State(app): State<App>,
    parts: Parts,
    Parameter(id): Parameter<InvoiceId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let (form, reason) = reason_in(&body)?;
    let Some(reason) = reason else {
        return render::again(&app, parts, &address(&id), form).await;
    };
    let outcome = operate::void(&app, &id, &reason).await;
    answer(&app, parts, &id, form, outcome).await
}

/// The file of a form, or what is wrong with it, said in its field.
pub fn pdf_in(form: &mut Form, field: &str, file: Option<Result<Vec<u8>, usize>>) -> Option<Vec<u8>> {
    match file {
        Some(Ok(bytes)) if !bytes.is_empty() => Some(bytes),
        Some(Err(length)) => {
            form.refuse(field, too_large(length.div_ceil(1024 * 1024)));
            None
        }
        // browsers send an empty one where none was chosen
        Some(Ok(_)) | None => {
            form.refuse(field, "请选择发票的 PDF 文件");
            None
        }
    }
}

/// The fields, and the bytes of the file in the one of that name; of one that is too large, how many it has.
pub async fn read(
    mut multipart: Multipart,
    of_file: &str,
) -> Result<(Form, Option<Result<Vec<u8>, usize>>), Error> {
    let (mut pairs, mut file) = (Vec::new(), None);
    let mut budget = Budget::of(MOST_WORDS);
    while let Some(field) = multipart.next_field().await.map_err(|error| broken(&error))? {
        let name = field.name().unwrap_or("").to_owned();
        if name == of_file {
            file = Some(bounded(field, MOST_BYTES).await.map_err(|error| broken(&error))?);
            continue;
        }
        let value = bounded(field, MOST_WORDS).await.map_err(|error| broken(&error))?;
        let value = value.ok().and_then(|value| String::from_utf8(value).ok()).ok_or_else(unreadable)?;
        if has_control(&value) || !budget.pay(name.len() + value.len()) {
            return Err(unreadable());
        }
        pairs.push((name, value));
    }
    Ok((Form::sent(pairs), file))
}

/// A body that ends early, is far too large, or is no form.
fn broken(error: &MultipartError) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge("文件太大，发票 PDF 不能超过 10 MB".into())
    } else {
        Error::BadRequest("上传没有完成，请再试一次".into())
    }
}

fn reason_in(body: &Bytes) -> Result<(Form, Option<String>), Error> {
    let mut form = read_form(body)?;
    let reason = fields::reason(form.get("reason"));
    if reason.is_none() {
        form.refuse("reason", format!("原因要写成一行，1 到 {MOST_REASON} 个字"));
    }
    Ok((form, reason))
}

/// An amount as an invoice has it: `¥1,234.50`.
pub fn amount_in(form: &mut Form, field: &str) -> Option<Fen> {
    read_any_amount(form.get(field)).map_err(|problem| form.refuse(field, problem.to_string())).ok()
}

fn too_large(mb: usize) -> String {
    format!("文件有 {mb} MB，发票 PDF 不能超过 10 MB")
}

/// The invoice's page again, or the answer to what was done.
pub async fn answer(
    app: &App,
    parts: Parts,
    id: &InvoiceId,
    mut form: Form,
    outcome: Result<Done, Refused>,
) -> Result<Response, Error> {
    let refused = match outcome {
        Ok(done) => {
            if done == Done::Already {
                audit::unchanged();
            }
            return Ok(Redirect::to(&said(&address(id), done == Done::Changed)).into_response());
        }
        Err(refused) => refused,
    };
    let of_file = if form.get("red_number").is_empty() { "file" } else { "red_file" };
    let (field, sentence) = match refused {
        Refused::Failed(error) => return Err(error),
        Refused::Missing(_) => return Err(Error::NotFound),
        Refused::TooLarge(mb) => (of_file, too_large(mb)),
        Refused::NoPdf => (of_file, "这个文件不是能打开的 PDF，请换一个".to_owned()),
        Refused::Amount { is, said } => {
            let (is, said) = (is.grouped(), said.grouped());
            ("amount", format!("这张发票应开 ¥{is}，不是 ¥{said}：可能已有一部分退款，请按现在的金额开票"))
        }
        Refused::RedAmount { part, whole, said } => {
            let part = (part > Fen::ZERO).then(|| format!("退掉的 ¥{}，或者", part.grouped()));
            let (part, whole) = (part.unwrap_or_default(), whole.grouped());
            ("red_amount", format!("红字发票要按{part}全额 ¥{whole} 开，不是 ¥{}", said.grouped()))
        }
        Refused::RedOtherwise => {
            ("red_number", "这个号码的红字发票已经登记过，金额或文件不一样，没有改动".to_owned())
        }
        Refused::IssuedOtherwise => {
            ("replace", "这张发票已经用另一个文件或号码开出；确定要替换，请勾选这一项".to_owned())
        }
        Refused::NotMoved(reason) => {
            // the form has gone from the page, and another may have its place
            form = Form::default();
            let sentence = match reason {
                NotMoved::AlreadyThere(state) | NotMoved::NoSuchTransition { from: state, .. } => {
                    format!("没有改动：这张发票现在是“{state}”")
                }
                NotMoved::NotAllowed => "没有改动：这一步不由后台来做".to_owned(),
            };
            ("", sentence)
        }
    };
    form.refuse(field, sentence);
    render::again(app, parts, &address(id), form).await
}
