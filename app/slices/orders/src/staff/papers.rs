//! What goes with parcels: labels and packing slips, of many orders or of one parcel, as one PDF. An order without a parcel yet
//! has the papers of all that it is to be sent with.

use axum::extract::{RawQuery, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::db::now_ms;
use base::detach::blocking;
use base::error::Error;
use base::time;
use domain::ids::OrderId;
use domain::parcel::Copies;
use press::{Label, LabelSize, Slip};
use shipping::Sender;
use web::app::App;
use web::ui::files;
use web::ui::forms::read_form;

use super::downloads::{again, named, or_said};
use crate::job_ticket;
use crate::print_files;
use crate::store::parcels::{Parcel, sending};
use crate::store::{Order, OrderLine, Waybill};

/// Titles on a label, and characters of each.
const TITLES: usize = 3;
const TITLE: usize = 14;

/// An order with the parcels that papers are asked for.
struct Packed {
    order: Order,
    lines: Vec<OrderLine>,
    parcels: Vec<Parcel>,
    /// The numbers of those that go out together: since it was printed the last time.
    round: Vec<i64>,
    /// Whether one more follows.
    more: bool,
    is_reprint: bool,
}

/// The parcels of an order: the one that is named, else those that it has, else one of all that is left.
async fn packed(app: &App, id: &OrderId, number: Option<i64>) -> Result<Packed, Error> {
    let (order, lines) = print_files::printable(app, id).await?;
    let mut tx = app.db.begin_snapshot().await?;
    let sending = sending(&mut tx, &order).await?;
    let left = sending.rest(order.state);
    let is_reprint = sending.again(order.state).is_some();
    let mut round: Vec<i64> = sending.round().iter().map(|parcel| parcel.number).collect();
    let is_next = number.is_none() && !left.is_empty();
    if is_next {
        round.push(sending.next_number());
    }
    let more = !left.is_empty() && !is_next;
    let next = Parcel {
        number: sending.next_number(),
        waybill: Waybill { carrier: String::new(), tracking: String::new() },
        contents: left.clone(),
        sent_at: None,
        is_kept: false,
    };
    let parcels = match number {
        Some(number) => sending.parcels.into_iter().filter(|parcel| parcel.number == number).collect(),
        None if left.is_empty() => sending.parcels,
        None => vec![next],
    };
    if parcels.is_empty() {
        return Err(Error::Conflict(format!("订单 {id} 没有这个包裹")));
    }
    Ok(Packed { order, lines, parcels, round, more, is_reprint })
}

impl Packed {
    fn titles(&self, contents: &Copies) -> Vec<(String, String, u32)> {
        let of = |(line, copies): (&i64, &u32)| {
            let line = self.lines.iter().find(|known| known.position == *line)?;
            Some((line.title.clone(), line.goods.name.clone(), *copies))
        };
        contents.iter().filter_map(of).collect()
    }

    /// Whether it goes out with others.
    fn is_one_of_many(&self, parcel: &Parcel) -> bool {
        self.round.contains(&parcel.number) && (self.round.len() > 1 || self.more)
    }

    /// Which of the parcels it is that go out together; nothing where it goes alone.
    fn place(&self, parcel: &Parcel) -> String {
        let again = if self.is_reprint && self.round.contains(&parcel.number) { "重印 " } else { "" };
        let at = self.round.iter().position(|number| *number == parcel.number).unwrap_or(0) + 1;
        match (self.is_one_of_many(parcel), self.more) {
            (false, _) => again.trim().to_owned(),
            (true, false) => format!("{again}{at} / {}", self.round.len()),
            (true, true) => format!("{again}第 {at} 个包裹"),
        }
    }

    fn labels(&self, site: Option<&str>, sender: &Sender) -> Vec<Label> {
        let address = &self.order.address;
        let mut sent_by = vec![format!("寄件：{} {}", sender.name, sender.phone), sender.address.clone()];
        sent_by.retain(|words| !words.trim_start_matches("寄件：").trim().is_empty());
        let region = if address.province == address.city {
            address.city.clone()
        } else {
            format!("{} {}", address.province, address.city)
        };
        let label = |parcel: &Parcel| Label {
            order: self.order.id.to_string(),
            code: job_ticket::code(&self.order.id, None, site),
            receiver: address.receiver.clone(),
            phone: address.phone.clone(),
            region: region.clone(),
            address: format!("{} {}", address.district, address.street),
            sender: sent_by.clone(),
            parcel: self.place(parcel),
            carrier: parcel.waybill.carrier.clone(),
            tracking: parcel.waybill.tracking.clone(),
            contents: in_short(self.titles(&parcel.contents)),
        };
        self.parcels.iter().map(label).collect()
    }

    fn slips(&self, site: Option<&str>) -> Vec<Slip> {
        let address = &self.order.address;
        let slip = |parcel: &Parcel| {
            let Waybill { carrier, tracking } = &parcel.waybill;
            let mut head = vec![
                ("订单", self.order.id.to_string()),
                ("下单", time::stamp(self.order.created_at)),
                ("包裹", self.place(parcel)),
                ("运单", format!("{carrier} {tracking}")),
                ("收件", format!("{} {}", address.receiver, address.phone)),
                ("地址", address.spaced()),
            ];
            head.retain(|(_, value)| !value.trim().is_empty());
            let mut notes = Vec::new();
            if self.is_one_of_many(parcel) {
                notes.push("这个订单分几个包裹寄出，其余的在另外的包裹里。".to_owned());
            }
            notes.push("请当面点收。有印装问题，请带着订单号与我们联系。".to_owned());
            Slip {
                title: "装箱单".to_owned(),
                // whoever opens it is no clerk
                code: match site {
                    Some(site) => format!("{}/manager/order/{}", site.trim_end_matches('/'), self.order.id),
                    None => self.order.id.to_string(),
                },
                head: head.into_iter().map(|(label, value)| (label.to_owned(), value)).collect(),
                rows: self
                    .titles(&parcel.contents)
                    .into_iter()
                    .map(|(title, goods, copies)| (format!("《{title}》"), goods, format!("{copies} 本")))
                    .collect(),
                notes,
            }
        };
        self.parcels.iter().map(slip).collect()
    }
}

/// The first of what is in a parcel: a label has room for no more, the slip says the rest.
fn in_short(titles: Vec<(String, String, u32)>) -> Vec<String> {
    let (kinds, copies) = (titles.len(), titles.iter().map(|(_, _, copies)| copies).sum::<u32>());
    let words = |(title, _, copies): (String, String, u32)| {
        let short: String = title.chars().take(TITLE).collect();
        let cut = if short == title { "" } else { "…" };
        format!("《{short}{cut}》{copies} 本")
    };
    let mut said: Vec<String> = titles.into_iter().take(TITLES).map(words).collect();
    if kinds > TITLES {
        said.push(format!("共 {kinds} 种 {copies} 本，见装箱单"));
    }
    said
}

/// What a question asks for: its orders, each packed. The answer to who asked wrongly otherwise.
async fn asked(app: &App, parts: Parts, query: Option<String>) -> Result<Result<Asked, Response>, Error> {
    let mut form = read_form(query.unwrap_or_default().as_bytes())?;
    let orders = named(&mut form);
    let number = Some(form.get("parcel").to_owned()).filter(|number| !number.is_empty());
    let number = number.map(|number| number.parse().map_err(|_| Error::NotFound)).transpose()?;
    let size = form.get("size");
    let size = LabelSize::ALL.into_iter().find(|known| known.code() == size).unwrap_or(LabelSize::Roll);
    let mut found = Vec::new();
    for order in orders.iter().filter(|_| !form.is_refused()).cloned().collect::<Vec<_>>() {
        let packed = packed(app, &order, number).await;
        found.extend(or_said(&mut form, &order, packed)?);
    }
    if form.is_refused() {
        return Ok(Err(again(app, parts, form).await?));
    }
    Ok(Ok(Asked { found, size }))
}

struct Asked {
    found: Vec<Packed>,
    size: LabelSize,
}

/// GET /staff/orders/labels?order=…&order=…&size=…&parcel=…: `size` is `100x150` or `a6`.
pub async fn labels(
    State(app): State<App>,
    parts: Parts,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let Asked { found, size } = match asked(&app, parts, query).await? {
        Ok(asked) => asked,
        Err(answer) => return Ok(answer),
    };
    let (sender, site) = (shipping::sender(&app.db).await?, app.config.public_url.as_deref());
    let labels: Vec<Label> = found.iter().flat_map(|packed| packed.labels(site, &sender)).collect();
    let press = app.press;
    let pdf = blocking(move || press.labels_pdf(&labels, size).map_err(Error::internal)).await?;
    let name = format!("labels-{}-{}.pdf", size.code(), time::day(now_ms()));
    Ok(files::pdf_file(&name, &name, pdf))
}

/// GET /staff/orders/slips?order=…&order=…&parcel=….
pub async fn slips(
    State(app): State<App>,
    parts: Parts,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let found = match asked(&app, parts, query).await? {
        Ok(asked) => asked.found,
        Err(answer) => return Ok(answer),
    };
    let site = app.config.public_url.as_deref();
    let slips: Vec<Slip> = found.iter().flat_map(|packed| packed.slips(site)).collect();
    let press = app.press;
    let pdf = blocking(move || press.slips_pdf(&slips).map_err(Error::internal)).await?;
    let name = format!("slips-{}.pdf", time::day(now_ms()));
    Ok(files::pdf_file(&name, &name, pdf))
}
