//! Records: a table on a desk, cards on a phone (`style/components/table.css`).
//!
//! A row says what stands under which heading, so that each heading is written once; it is the column's, and on a phone, where
//! columns are not, each cell's own.

use domain::money::Fen;
use leptos::prelude::*;

use super::parts::{Moment, Money};

/// A row. All of a table have the same columns.
#[derive(Debug, Default)]
pub struct Record {
    id: Option<String>,
    heads: Vec<Head>,
    cells: Vec<AnyView>,
}

/// What stands over a column.
#[derive(Debug, Clone, Copy)]
enum Head {
    Seen(&'static str),
    /// Of a column that is set at its end.
    AtEnd(&'static str),
    /// For those who hear it alone.
    Heard(&'static str),
}

impl Record {
    pub fn new() -> Self {
        Self::default()
    }

    /// What its row is found by in the page.
    #[must_use]
    pub fn id(self, id: String) -> Self {
        Self { id: Some(id), ..self }
    }

    #[must_use]
    pub fn cell(self, heading: &'static str, shown: impl IntoView) -> Self {
        self.with(Head::Seen(heading), view! { <td data-label=heading>{shown}</td> }.into_any())
    }

    /// A number, a code or a day, which stays in one piece.
    #[must_use]
    pub fn num(self, heading: &'static str, shown: impl IntoView) -> Self {
        self.styled("num", heading, shown)
    }

    /// What stands at the end of its column, as what is added up does.
    #[must_use]
    pub fn end(self, heading: &'static str, shown: impl IntoView) -> Self {
        self.styled("end", heading, shown)
    }

    /// How many there are.
    #[must_use]
    pub fn count(self, heading: &'static str, shown: impl IntoView) -> Self {
        self.styled("end num", heading, shown)
    }

    /// An amount, where there is one.
    #[must_use]
    pub fn money(self, heading: &'static str, amount: impl Into<Option<Fen>>) -> Self {
        let amount: Option<Fen> = amount.into();
        self.end(heading, amount.map(|amount| view! { <Money amount/> }))
    }

    /// When something was, where it was.
    #[must_use]
    pub fn moment(self, heading: &'static str, at: impl Into<Option<i64>>) -> Self {
        let at: Option<i64> = at.into();
        self.cell(heading, at.map(|at| view! { <Moment at/> }))
    }

    /// What can be done with it.
    #[must_use]
    pub fn acts(self, shown: impl IntoView) -> Self {
        self.unseen("end", "操作", shown)
    }

    /// What its row is called by.
    #[must_use]
    pub fn name(self, heading: &'static str, shown: impl IntoView) -> Self {
        self.with(Head::Seen(heading), view! { <th scope="row">{shown}</th> }.into_any())
    }

    /// One that on a phone says by itself what it is, such as a title.
    #[must_use]
    pub fn plain(self, heading: &'static str, shown: impl IntoView) -> Self {
        self.with(Head::Seen(heading), view! { <td>{shown}</td> }.into_any())
    }

    /// One whose heading is only heard.
    #[must_use]
    pub fn unseen(self, class: &'static str, heading: &'static str, shown: impl IntoView) -> Self {
        self.with(Head::Heard(heading), view! { <td class=class>{shown}</td> }.into_any())
    }

    /// A cell of a class of its own.
    #[must_use]
    pub fn styled(self, class: &'static str, heading: &'static str, shown: impl IntoView) -> Self {
        let head = if class.starts_with("end") { Head::AtEnd(heading) } else { Head::Seen(heading) };
        self.with(head, view! { <td class=class data-label=heading>{shown}</td> }.into_any())
    }

    /// Columns that only some tables have.
    #[must_use]
    pub fn when(self, is_there: bool, add: impl FnOnce(Self) -> Self) -> Self {
        if is_there { add(self) } else { self }
    }

    fn with(mut self, head: Head, cell: AnyView) -> Self {
        self.heads.push(head);
        self.cells.push(cell);
        self
    }
}

impl Head {
    fn shown(&self) -> AnyView {
        match *self {
            Self::Seen(heading) => view! { <th scope="col">{heading}</th> }.into_any(),
            Self::AtEnd(heading) => view! { <th scope="col" class="end">{heading}</th> }.into_any(),
            Self::Heard(heading) => {
                view! { <th scope="col"><span class="sr">{heading}</span></th> }.into_any()
            }
        }
    }
}

/// The table of some rows; nothing where there are none.
#[component]
pub fn Records(
    rows: Vec<Record>,
    #[prop(optional)] class: &'static str,
    #[prop(optional)] caption: Option<&'static str>,
) -> impl IntoView {
    let heads: Vec<_> = rows.first()?.heads.iter().map(Head::shown).collect();
    let rows: Vec<_> = rows.into_iter().map(|row| view! { <tr id=row.id>{row.cells}</tr> }).collect();
    let class = if class.is_empty() { "records".to_owned() } else { format!("records {class}") };
    Some(view! {
        <table class=class>
            {caption.map(|caption| view! { <caption class="sr">{caption}</caption> })}
            <thead><tr>{heads}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::fragment;

    #[test]
    fn a_heading_is_its_columns_and_each_cells() {
        let row = |number: &str, sent: Option<i64>| {
            Record::new()
                .id(format!("order-{number}"))
                .name("原因", "破损")
                .plain("作品", "封面")
                .cell("订单号", number.to_owned())
                .when(sent.is_some(), |record| record.num("寄出", sent))
                .count("本数", 2)
                .money("金额", None::<Fen>)
                .acts("查看")
        };
        let rows = vec![row("7", Some(1)), row("8", Some(2))];
        let html = fragment(|| view! { <Records rows class="dense" caption="订单"/> }.into_any());
        let body = |number: &str, sent: i64| {
            format!(
                "<tr id=\"order-{number}\"><th scope=\"row\">破损</th><td>封面</td><td data-label=\"订单号\">{number}</td>\
                 <td data-label=\"寄出\" class=\"num\">{sent}</td><td data-label=\"本数\" class=\"end num\">2</td>\
                 <td data-label=\"金额\" class=\"end\"></td><td class=\"end\">查看</td></tr>"
            )
        };
        let head = "<tr><th scope=\"col\">原因</th><th scope=\"col\">作品</th><th scope=\"col\">订单号</th>\
                    <th scope=\"col\">寄出</th><th scope=\"col\" class=\"end\">本数</th><th scope=\"col\" class=\"end\">金额</th>\
                    <th scope=\"col\"><span class=\"sr\">操作</span></th></tr>";
        let (first, second) = (body("7", 1), body("8", 2));
        assert_eq!(
            html,
            format!(
                "<table class=\"records dense\"><caption class=\"sr\">订单</caption><thead>{head}</thead>\
                 <tbody>{first}{second}</tbody></table>"
            )
        );
    }

    #[test]
    fn nothing_has_no_headings() {
        assert_eq!(fragment(|| view! { <Records rows=Vec::new()/> }.into_any()), "");
    }
}
