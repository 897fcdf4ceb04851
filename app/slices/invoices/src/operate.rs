//! What the operator does with invoices. Each action can be repeated; the audit log and the member learn of it once.

use base::audit;
use base::db::{Tx, now_ms};
use base::delivery::{self, Attachment, Message, NOTICE_LIFE_MS};
use base::error::Error;
use base::storage::original_key;
use domain::contact::Contact;
use domain::ids::InvoiceId;
use domain::invoice::{InvoiceState, NotMoved};
use domain::money::Fen;
use domain::order_state::Actor;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use web::app::App;

use super::forms::file_name;
use super::store::{self, Invoice};

/// Bytes that an invoice's file may have.
pub const MOST_BYTES: usize = 10 * 1024 * 1024;

/// Why an operator's command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("there is no invoice {0}")]
    Missing(InvoiceId),
    #[error("the file has {0} MB; 10 MB are allowed")]
    TooLarge(usize),
    #[error("the file is no PDF that can be read")]
    NoPdf,
    #[error("the invoice is of ¥{is}, not ¥{said}: part of it may have been given back")]
    Amount { is: Fen, said: Fen },
    #[error("a red invoice is of ¥{part} that was given back, or of the whole ¥{whole}; not of ¥{said}")]
    RedAmount { part: Fen, whole: Fen, said: Fen },
    #[error("a red invoice of this number was recorded with another file or amount")]
    RedOtherwise,
    #[error("the invoice was issued with another file or number; --replace puts these in their place")]
    IssuedOtherwise,
    #[error("{0}")]
    NotMoved(#[from] NotMoved),
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Whether something was changed, or was so already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    Changed,
    Already,
}

/// An invoice's file and what is printed on it.
pub struct Issue {
    pub pdf: Vec<u8>,
    /// 发票号码.
    pub number: Option<String>,
    /// What the file is made out over, to be compared.
    pub amount: Option<Fen>,
    /// Puts the file in the place of an earlier one.
    pub replace: bool,
}

/// Reads an invoice and holds its row.
pub async fn hold(tx: &mut Tx, id: &InvoiceId) -> Result<Invoice, Refused> {
    store::lock(tx, id).await.map_err(|error| match error {
        Error::NotFound => Refused::Missing(id.clone()),
        other => Refused::Failed(other),
    })
}

/// Attaches the file and moves the invoice to 已开票.
pub async fn issue(app: &App, id: &InvoiceId, issue: Issue) -> Result<Done, Refused> {
    let sha256 = keep(app, issue.pdf).await?;
    let now = now_ms();
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    let mut invoice = hold(&mut tx, id).await?;
    if let Some(said) = issue.amount
        && said != invoice.amount
    {
        return Err(Refused::Amount { is: invoice.amount, said });
    }
    let action = match invoice.state.advance(InvoiceState::Issued, Actor::Staff) {
        Ok(state) => {
            invoice.state = state;
            invoice.issued_at = Some(now);
            "invoice issue"
        }
        Err(NotMoved::AlreadyThere(_)) => {
            let same_number = issue.number.is_none() || issue.number == invoice.number;
            if invoice.file.as_deref() == Some(&sha256) && same_number {
                return Ok(Done::Already);
            }
            if !issue.replace {
                return Err(Refused::IssuedOtherwise);
            }
            "invoice replace"
        }
        Err(refused) => return Err(refused.into()),
    };
    let before = invoice.file.replace(sha256.clone());
    invoice.number = issue.number.or(invoice.number);
    let detail =
        json!({ "file": sha256, "number": invoice.number, "amount": invoice.amount, "before": before });
    write(&mut tx, &invoice, action, &detail).await?;
    let text = format!(
        "【书坊】您的发票已开好：抬头 {}，金额 ¥{}，{}。登录后在“发票”里下载 PDF。",
        invoice.title.name(),
        invoice.amount.grouped(),
        invoice.of
    );
    accounts::tell_member(app, &mut tx, &invoice.member, "书坊发票已开好", text).await?;
    if let Some(to) = invoice.email.as_deref().and_then(Contact::read) {
        let text = format!(
            "【书坊】附件是您要的发票：抬头 {}，金额 ¥{}，{}。",
            invoice.title.name(),
            invoice.amount.grouped(),
            invoice.of
        );
        let message = Message {
            to: &to,
            subject: "书坊发票",
            text,
            expires_at: now + NOTICE_LIFE_MS,
            on_behalf_of: None,
        };
        let file = Attachment { sha256: &sha256, name: &file_name(&invoice) };
        delivery::queue_with_file(app, &mut tx, message, file).await?;
    }
    commit(app, tx).await
}

/// Refuses a request; the member reads why.
pub async fn reject(app: &App, id: &InvoiceId, reason: &str) -> Result<Done, Refused> {
    let letter = |invoice: &Invoice| {
        let of = &invoice.of;
        format!("【书坊】{of} 的发票申请没有通过：{reason}。登录后在“发票”里可以重新申请。")
    };
    end(app, id, InvoiceState::Rejected, reason, "invoice reject", "书坊发票申请没有通过", letter).await
}

/// Notes that an issued invoice was taken back by a red one; another may be asked for.
pub async fn void(app: &App, id: &InvoiceId, reason: &str) -> Result<Done, Refused> {
    let letter = |invoice: &Invoice| {
        let of = &invoice.of;
        format!("【书坊】{of} 的发票已作废：{reason}。需要时登录后在“发票”里重新申请。")
    };
    end(app, id, InvoiceState::Voided, reason, "invoice void", "书坊发票已作废", letter).await
}

async fn end(
    app: &App,
    id: &InvoiceId,
    state: InvoiceState,
    reason: &str,
    action: &str,
    subject: &str,
    letter: impl FnOnce(&Invoice) -> String,
) -> Result<Done, Refused> {
    let mut tx = app.db.begin().await.map_err(Error::from)?;
    let mut invoice = hold(&mut tx, id).await?;
    match invoice.state.advance(state, Actor::Staff) {
        Err(NotMoved::AlreadyThere(_)) => return Ok(Done::Already),
        moved => invoice.state = moved?,
    }
    invoice.reason = Some(reason.to_owned());
    invoice.ended_at = Some(now_ms());
    write(&mut tx, &invoice, action, &json!({ "reason": reason, "amount": invoice.amount })).await?;
    accounts::tell_member(app, &mut tx, &invoice.member, subject, letter(&invoice)).await?;
    commit(app, tx).await
}

/// Writes what changed of a held invoice, with a line in the log.
pub async fn write(tx: &mut Tx, invoice: &Invoice, action: &str, detail: &Value) -> Result<(), Error> {
    store::update(tx, invoice).await?;
    audit::note(tx, action, invoice.id.as_str(), detail).await
}

/// Ends what was changed.
pub async fn commit(app: &App, tx: Tx) -> Result<Done, Refused> {
    tx.commit().await.map_err(Error::from)?;
    app.bell.ring();
    Ok(Done::Changed)
}

/// Puts a PDF among the originals and answers its SHA-256. It lies there before any row names it.
pub async fn keep(app: &App, pdf: Vec<u8>) -> Result<String, Refused> {
    if pdf.len() > MOST_BYTES {
        return Err(Refused::TooLarge(pdf.len().div_ceil(1024 * 1024)));
    }
    let mut file = app.storage.incoming().map_err(Error::internal)?;
    let (file, sha256) = app
        .compute(move || {
            press::pdf::pages(&pdf).ok_or(Refused::NoPdf)?;
            std::io::Write::write_all(&mut file, &pdf).map_err(Error::internal)?;
            Ok::<_, Refused>((file, hex::encode(Sha256::digest(&pdf))))
        })
        .await??;
    let staged = app.storage.stage(file, original_key(&sha256)).await?;
    app.storage.keep(staged).await?;
    Ok(sha256)
}
