//! A month's figures as a file: a row for each line of its tables.

use async_trait::async_trait;
use base::error::Error;
use domain::close::{Kind, Month, tax_in};
use domain::money::Fen;
use domain::staff::Capability;
use web::app::App;
use web::exports::{Cell, Export, Rows};
use web::render::Form;

use super::page::account_name;
use super::{rates, reckon, store, this_month};

/// A month's figures: the kept ones where it is closed.
#[derive(Debug)]
pub struct MonthExport;

/// The month that is asked for; the last one that is over where none is.
fn month_in(query: &Form) -> Result<Month, Error> {
    match query.get("view") {
        "" => Ok(this_month().previous()),
        text => text.parse().map_err(|_| Error::NotFound),
    }
}

#[async_trait]
impl Export for MonthExport {
    fn kind(&self) -> &'static str {
        "month"
    }

    fn name(&self) -> &'static str {
        "月结"
    }

    fn needs(&self) -> Capability {
        Capability::Payments
    }

    fn columns(&self) -> &'static [&'static str] {
        &["月份", "表", "项目", "笔数", "收入", "退回", "含税", "期初", "增加", "减少", "期末"]
    }

    fn check(&self, query: &Form) -> Result<(), Error> {
        month_in(query).map(drop)
    }

    async fn rows(&self, app: &App, query: &Form, _after: Option<&str>) -> Result<Rows, Error> {
        let month = month_in(query)?;
        let closed = store::find(&app.db, &month.to_string()).await?.filter(|row| row.closed_at.is_some());
        let figures = match closed {
            Some(closed) => serde_json::from_str(&closed.figures).map_err(Error::internal)?,
            None => reckon(app, month).await?,
        };
        let rates = rates(app)?;
        let row = |table: &str, name: String, count: Option<i64>, money: [Option<Fen>; 7]| {
            let mut cells = vec![Cell::text(month.to_string()), Cell::text(table), Cell::text(name)];
            cells.push(count.map_or(Cell::Empty, Cell::Count));
            cells.extend(money.map(|amount| amount.map_or(Cell::Empty, Cell::Money)));
            cells
        };
        let mut rows = Vec::new();
        for kind in Kind::ALL {
            let (came, back) = figures.of(kind);
            let tax = rates.of(kind).map(|rate| tax_in(Fen(came.0 - back.0), rate));
            let money = [Some(came), Some(back), tax, None, None, None, None];
            rows.push(row("按种类", kind.name().to_owned(), None, money));
        }
        for income in &figures.income {
            let money = [Some(income.came), Some(income.back), None, None, None, None, None];
            let name = format!("{}：{}", income.kind.name(), income.name);
            rows.push(row("按商品", name, Some(income.count), money));
        }
        for way in &figures.ways {
            let money = [Some(way.came), Some(way.back), None, None, None, None, None];
            rows.push(row("按付款方式", way.name.clone(), Some(way.count), money));
        }
        let balance = [Some(figures.from_balance()), None, None, None, None, None, None];
        rows.push(row("按付款方式", "余额".to_owned(), None, balance));
        for moved in &figures.accounts {
            let (opening, added, taken, closing) = (moved.opening, moved.added, moved.taken, moved.closing);
            let money = [None, None, None, Some(opening), Some(added), Some(taken), Some(closing)];
            rows.push(row("账户", account_name(&moved.account).to_owned(), None, money));
        }
        Ok((rows, None))
    }
}
