//! What differs: as a table on pages, and as a file.

use async_trait::async_trait;
use base::error::Error;
use base::lists;
use domain::money::Fen;
use domain::staff::Capability;
use domain::statement::Part;
use leptos::prelude::*;
use web::app::App;
use web::exports::{Cell, Export, Rows};
use web::render::{Form, use_form};
use web::ui::parts::{ErrorSummary, FieldError, Moment, Money};
use web::ui::records::{Record, Records};

use super::{address, kind_of, list, our_state, part_of, their_state};
use crate::statements::LONGEST_NOTE;
use crate::statements::store::{self, Differing, Wanted};

/// Rows at once.
const AT_ONCE: usize = 500;

/// A row for each difference.
#[derive(Debug)]
pub struct Differences;

#[async_trait]
impl Export for Differences {
    fn kind(&self) -> &'static str {
        "differences"
    }

    fn name(&self) -> &'static str {
        "对账差异"
    }

    fn needs(&self) -> Capability {
        Capability::Payments
    }

    fn view_name(&self, view: &str) -> String {
        list::view_name(view)
    }

    fn columns(&self) -> &'static [&'static str] {
        &[
            "账单",
            "行",
            "时间",
            "款项",
            "差异",
            "付款编号",
            "退款编号",
            "本店金额",
            "账单金额",
            "本店状态",
            "账单状态",
            "本店记的单号",
            "账单单号",
            "处理人",
            "处理时间",
            "处理说明",
        ]
    }

    fn check(&self, query: &Form) -> Result<(), Error> {
        wanted(query).map(drop)
    }

    async fn rows(&self, app: &App, query: &Form, after: Option<&str>) -> Result<Rows, Error> {
        let wanted = wanted(query)?;
        let mut found =
            store::differing(&app.db, &wanted, after.unwrap_or_default(), AT_ONCE as i64 + 1).await?;
        let more = found.len() > AT_ONCE;
        found.truncate(AT_ONCE);
        let next = found.last().filter(|_| more).map(|differing| differing.id.clone());
        let money = |amount: Option<i64>| amount.map_or(Cell::Empty, |amount| Cell::Money(Fen(amount)));
        let rows = found.into_iter().map(|differing| {
            vec![
                Cell::text(format_of(&differing)),
                differing.line.map_or(Cell::Empty, Cell::Count),
                Cell::Moment(differing.at),
                Cell::text(part_of(&differing).name()),
                Cell::text(kind_of(&differing)),
                Cell::text(differing.payment_id.clone().unwrap_or_default()),
                Cell::text(differing.refund_id.clone().unwrap_or_default()),
                money(differing.our_amount),
                money(differing.their_amount),
                Cell::text(our_state(&differing)),
                Cell::text(their_state(&differing)),
                Cell::text(differing.our_number.clone().unwrap_or_default()),
                Cell::text(differing.their_number.clone().unwrap_or_default()),
                Cell::text(differing.settled_by.clone().unwrap_or_default()),
                Cell::at(differing.settled_at),
                Cell::text(differing.note.unwrap_or_default()),
            ]
        });
        Ok((rows.collect(), next))
    }
}

/// What a list's filters ask for: `view` is empty, a view's word, or `of:` and a statement.
fn wanted(query: &Form) -> Result<Wanted, Error> {
    let search = lists::search_text(query.get("q"));
    match query.get("view") {
        "" | super::ALL => Ok(Wanted { search, ..Wanted::default() }),
        super::OPEN => Ok(Wanted { search, is_open: true, ..Wanted::default() }),
        view => {
            let statement = view.strip_prefix("of:").ok_or(Error::NotFound)?.to_owned();
            Ok(Wanted { search, statement, is_open: false })
        }
    }
}

fn format_of(differing: &Differing) -> &'static str {
    domain::statement::Format::of(&differing.format).map_or("", domain::statement::Format::name)
}

/// A table of differences, each with a form that settles it; `is_of_one` where all are of the statement of this page.
#[component]
pub fn Table(rows: Vec<Differing>, is_of_one: bool) -> impl IntoView {
    let rows: Vec<_> = rows.into_iter().map(|differing| row(differing, is_of_one)).collect();
    view! {
        <ErrorSummary title="没有记下处理"/>
        <Records rows class="differences"/>
    }
}

fn row(differing: Differing, is_of_one: bool) -> Record {
    let (ours, theirs) = (our_state(&differing), their_state(&differing));
    let part = part_of(&differing).name();
    let payment = differing.payment_id.clone().map(|id| {
        let href = format!("/staff/payments/{id}");
        view! { <span class="detail"><a class="link num" href=href>{id}</a></span> }
    });
    let refund = differing.refund_id.clone().filter(|_| part_of(&differing) == Part::Refund);
    let refund = refund.map(|id| view! { <span class="num detail">"退款 "{id}</span> });
    let side = |amount: Option<i64>, state: &'static str, number: Option<String>| {
        let number = number.map(|number| view! { <span class="num detail">{number}</span> });
        match amount {
            Some(amount) => view! { <Money amount=Fen(amount)/>" "{state}{number} }.into_any(),
            None => view! { <span class="quiet">"没有"</span> }.into_any(),
        }
    };
    let ours = side(differing.our_amount, ours, differing.our_number.clone());
    let theirs = side(differing.their_amount, theirs, differing.their_number.clone());
    let line = differing.line.map(|line| view! { <span class="detail num">{format!("第 {line} 行")}</span> });
    let statement = (!is_of_one).then(|| {
        let href = address(&differing.statement_id);
        view! { <span class="detail"><a class="link" href=href>{format_of(&differing)}</a></span> }
    });
    Record::new()
        .cell("时间", view! { <div><Moment at=differing.at/>{statement}{line}</div> })
        .cell("差异", view! { <div><span class="badge warn">{kind_of(&differing)}</span>" "{part}</div> })
        .cell("本店", view! { <div>{ours}{payment}{refund}</div> })
        .cell("账单", view! { <div>{theirs}</div> })
        .cell("处理", view! { <Settling differing/> })
}

/// How it was settled, or the form that does so.
#[component]
fn Settling(differing: Differing) -> impl IntoView {
    if let (Some(by), Some(at)) = (differing.settled_by, differing.settled_at) {
        let by = if by.is_empty() { "主机".to_owned() } else { by };
        let note = differing.note.unwrap_or_default();
        return view! { <div><span class="words">{note}</span><span class="detail">{by}" "<Moment at/></span></div> }
            .into_any();
    }
    let form = use_form();
    // what was typed for one comes back there alone
    let is_this = form.get("difference") == differing.id;
    let (note, refused) =
        if is_this { (form.or("note", ""), form.error("note").is_some()) } else { (String::new(), false) };
    let field = if is_this { "note".to_owned() } else { format!("note-{}", differing.id) };
    let action = format!("{}/settle", address(&differing.statement_id));
    view! {
        <details class="ask" open=refused>
            <summary>"记为已处理"</summary>
            <form class="fields" method="post" action=action>
                <input type="hidden" name="difference" value=differing.id/>
                <div class="field">
                    <label for=field.clone()>"怎么处理的"</label>
                    <textarea
                        id=field
                        name="note"
                        rows="2"
                        maxlength=LONGEST_NOTE.to_string()
                        required=true
                        aria-invalid=refused.then_some("true")
                        aria-describedby=refused.then_some("note-error")
                    >
                        {note}
                    </textarea>
                    {is_this.then(|| view! { <FieldError name="note".to_owned()/> })}
                </div>
                <button class="button small">"记下"</button>
            </form>
        </details>
    }
    .into_any()
}
