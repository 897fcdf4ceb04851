//! Orders, and their lines, as files: what is on the list, filtered as it is.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use base::db::now_ms;
use base::error::Error;
use base::lists;
use base::time;
use domain::money::Fen;
use domain::order_refund::Refunded;
use domain::staff::Capability;
use web::app::App;
use web::exports::{Cell, Export, Rows};
use web::render::Form;

use super::list;
use crate::store::list::Sort;
use crate::store::{self, Filter, Order, Waybill, parcels, refunded};

/// Orders at once.
const AT_ONCE: i64 = 500;

fn filter(query: &Form) -> Result<Filter, Error> {
    let search = lists::search_text(query.get("q"));
    list::filter(query.get("view"), &search, now_ms()).ok_or(Error::NotFound)
}

/// The orders that a query asks for behind a place, and the place of those behind them.
async fn orders(app: &App, query: &Form, after: Option<&str>) -> Result<(Vec<Order>, Option<String>), Error> {
    // the newest first: an order that moves on meanwhile keeps its place
    let filter = Filter { sort: Sort::Newest, ..filter(query)? };
    let after = after.map(str::parse).transpose()?;
    let mut found = store::staff_page(&app.db, &filter, after.as_ref(), AT_ONCE + 1).await?;
    let more = found.len() as i64 > AT_ONCE;
    found.truncate(AT_ONCE as usize);
    let next = found.last().filter(|_| more).map(|order| filter.sort.position(order).to_string());
    Ok((found, next))
}

/// A row for each order.
#[derive(Debug)]
pub struct Orders;

#[async_trait]
impl Export for Orders {
    fn kind(&self) -> &'static str {
        "orders"
    }

    fn name(&self) -> &'static str {
        "订单"
    }

    fn needs(&self) -> Capability {
        Capability::SeeOrders
    }

    fn columns(&self) -> &'static [&'static str] {
        &[
            "订单号",
            "状态",
            "内容",
            "本数",
            "下单",
            "付款",
            "印刷",
            "运费",
            "合计",
            "已退",
            "收货人",
            "电话",
            "地址",
            "承运人",
            "运单号",
            "会员",
            "退款本数",
            "优惠码",
            "优惠",
            "礼品卡付",
            "退回礼品卡",
        ]
    }

    fn view_name(&self, view: &str) -> String {
        list::view_name(view)
    }

    fn check(&self, query: &Form) -> Result<(), Error> {
        filter(query).map(drop)
    }

    async fn rows(&self, app: &App, query: &Form, after: Option<&str>) -> Result<Rows, Error> {
        let (found, next) = orders(app, query, after).await?;
        let mut rows = Vec::new();
        for order in found {
            let titles = store::titles(&app.db, &order.id).await?;
            let first = titles.first().map_or("", |title| title.title.as_str());
            let copies = titles.iter().map(|title| title.quantity).sum();
            let refunded = refunded::listed(&app.db, &order.id).await?;
            let mut waybills = parcels::waybills(&app.db, &order.id).await?;
            // what an older program sent stands in the order's own row
            let last = order.waybill.filter(|last| waybills.iter().all(|known| !known.is(last)));
            waybills.extend(last);
            let joined = |of: fn(&Waybill) -> &str| waybills.iter().map(of).collect::<Vec<_>>().join("，");
            let (carrier, tracking) =
                (joined(|waybill| &waybill.carrier), joined(|waybill| &waybill.tracking));
            rows.push(vec![
                Cell::text(order.id.to_string()),
                Cell::text(order.state.name()),
                Cell::text(store::content(first, titles.len() as i64)),
                Cell::Count(copies),
                Cell::Moment(order.created_at),
                Cell::at(order.paid_at),
                Cell::Money(order.goods_total),
                Cell::Money(order.shipping),
                Cell::Money(order.total),
                Cell::Money(order.refunded),
                Cell::text(order.address.receiver.clone()),
                Cell::text(order.address.phone.clone()),
                Cell::text(order.address.place()),
                Cell::text(carrier),
                Cell::text(tracking),
                Cell::text(order.member.to_string()),
                Cell::Count(refunded.iter().map(|one| i64::from(one.copies)).sum()),
                Cell::text(order.coupon.as_ref().map_or("", |taken| &taken.code)),
                Cell::Money(order.coupon.as_ref().map_or(Fen::ZERO, |taken| taken.amount)),
                Cell::Money(order.by_cards),
                Cell::Money(order.back_to_cards),
            ]);
        }
        Ok((rows, next))
    }
}

/// A row for each line of them.
#[derive(Debug)]
pub struct Lines;

#[async_trait]
impl Export for Lines {
    fn kind(&self) -> &'static str {
        "lines"
    }

    fn name(&self) -> &'static str {
        "订单明细"
    }

    fn needs(&self) -> Capability {
        Capability::SeeOrders
    }

    fn columns(&self) -> &'static [&'static str] {
        &[
            "订单号",
            "状态",
            "行",
            "书名",
            "商品",
            "选项",
            "本数",
            "页数",
            "金额",
            "备注",
            "下单",
            "付款",
            "退款本数",
            "退款金额",
            "优惠",
        ]
    }

    fn view_name(&self, view: &str) -> String {
        list::view_name(view)
    }

    fn check(&self, query: &Form) -> Result<(), Error> {
        filter(query).map(drop)
    }

    async fn rows(&self, app: &App, query: &Form, after: Option<&str>) -> Result<Rows, Error> {
        let (found, next) = orders(app, query, after).await?;
        let mut rows = Vec::new();
        for order in found {
            let refunded = refunded::listed(&app.db, &order.id).await?;
            for line in store::sold_lines(&app.db, &order.id).await? {
                let back = back_of(&refunded, line.position)?;
                let items: Vec<String> =
                    crate::choices(&line.goods, &line.choice).into_iter().map(|(_, item)| item).collect();
                rows.push(vec![
                    Cell::text(order.id.to_string()),
                    Cell::text(order.state.name()),
                    Cell::Count(line.position),
                    Cell::text(line.title),
                    Cell::text(line.goods.name.clone()),
                    Cell::text(items.join("，")),
                    Cell::Count(i64::from(line.quote.count.get())),
                    Cell::Count(i64::from(line.quote.pages)),
                    Cell::Money(line.quote.total),
                    Cell::text(line.remark),
                    Cell::Moment(order.created_at),
                    Cell::at(order.paid_at),
                    Cell::Count(back.0),
                    Cell::Money(back.1),
                    Cell::Money(line.quote.coupon()),
                ]);
            }
        }
        Ok((rows, next))
    }
}

/// How many copies of a line were refunded by themselves, and their money.
fn back_of(refunded: &[Refunded], line: i64) -> Result<(i64, Fen), Error> {
    let of = || refunded.iter().filter(move |one| one.line == line);
    let copies = of().map(|one| i64::from(one.copies)).sum();
    Ok((copies, Fen::sum(of().map(|one| one.amount)).map_err(Error::internal)?))
}

/// What was sold each day: a row for each day of payment and goods. Orders whose money went back whole are none, and neither
/// are copies that were refunded by themselves.
#[derive(Debug)]
pub struct Sales;

/// Orders, copies and money of a day's goods.
#[derive(Debug, Default)]
struct Sold {
    name: String,
    orders: i64,
    copies: i64,
    total: Fen,
}

#[async_trait]
impl Export for Sales {
    fn kind(&self) -> &'static str {
        "sales"
    }

    fn name(&self) -> &'static str {
        "销售"
    }

    // what the shop earns is not everybody's to know
    fn needs(&self) -> Capability {
        Capability::Payments
    }

    fn columns(&self) -> &'static [&'static str] {
        &["付款日", "商品编号", "商品", "订单", "本数", "金额"]
    }

    fn view_name(&self, view: &str) -> String {
        list::view_name(view)
    }

    fn check(&self, query: &Form) -> Result<(), Error> {
        filter(query).map(drop)
    }

    async fn rows(&self, app: &App, query: &Form, _after: Option<&str>) -> Result<Rows, Error> {
        let mut sold: BTreeMap<(String, String), Sold> = BTreeMap::new();
        let mut after: Option<String> = None;
        loop {
            let (found, next) = orders(app, query, after.as_deref()).await?;
            for order in found.iter().filter(|order| order.state.is_paid_for()) {
                let Some(paid_at) = order.paid_at else { continue };
                let mut goods_of_order = BTreeSet::new();
                let refunded = refunded::listed(&app.db, &order.id).await?;
                for line in store::sold_lines(&app.db, &order.id).await? {
                    let (back, money) = back_of(&refunded, line.position)?;
                    let copies = i64::from(line.quote.count.get()) - back;
                    if copies <= 0 {
                        continue;
                    }
                    let key = (time::day(paid_at), line.goods.id.to_string());
                    let is_new = goods_of_order.insert(key.clone());
                    let row = sold.entry(key).or_default();
                    row.name = line.goods.name;
                    row.orders += i64::from(is_new);
                    row.copies += copies;
                    let total = line.quote.total.minus(money).map_err(Error::internal)?;
                    row.total = row.total.plus(total).map_err(Error::internal)?;
                }
            }
            match next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        let rows = sold.into_iter().map(|((day, goods), sold)| {
            let Sold { name, orders, copies, total } = sold;
            let (day, goods, name) = (Cell::text(day), Cell::text(goods), Cell::text(name));
            vec![day, goods, name, Cell::Count(orders), Cell::Count(copies), Cell::Money(total)]
        });
        Ok((rows.collect(), None))
    }
}
