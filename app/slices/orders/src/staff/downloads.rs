//! What is fetched of many orders at once: their job tickets as one PDF, all their files as one archive.

use std::fs::File;
use std::io::{BufWriter, Write};

use axum::extract::{RawQuery, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::db::now_ms;
use base::detach::blocking;
use base::error::Error;
use base::lists;
use base::time;
use domain::ids::OrderId;
use web::app::App;
use web::render::{self, Form};
use web::ui::files;
use web::ui::forms::read_form;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::LIST;
use crate::print_files::{self, Files, Place};

/// Orders at once.
const MOST: usize = 50;

/// The orders that a form names, each once. What is wrong is said in the form.
pub fn named(form: &mut Form) -> Vec<OrderId> {
    let mut orders: Vec<OrderId> = Vec::new();
    for text in form.all("order").map(str::to_owned).collect::<Vec<_>>() {
        match text.parse::<OrderId>() {
            Ok(order) if !orders.contains(&order) => orders.push(order),
            Ok(_) => {}
            Err(_) => form.refuse("", format!("{text}：没有这个订单")),
        }
    }
    if orders.is_empty() || orders.len() > MOST {
        form.refuse("", format!("请勾选 1 到 {MOST} 个订单"));
    }
    orders
}

/// What an order has; one that has none is named in the form.
pub fn or_said<T>(form: &mut Form, order: &OrderId, outcome: Result<T, Error>) -> Result<Option<T>, Error> {
    match outcome {
        Ok(one) => return Ok(Some(one)),
        Err(Error::NotFound) => form.refuse("", format!("{order}：没有这个订单")),
        Err(Error::Conflict(reason)) => form.refuse("", reason),
        Err(error) => return Err(error),
    }
    Ok(None)
}

/// The list that was ticked, with what is wrong.
pub async fn again(app: &App, parts: Parts, form: Form) -> Result<Response, Error> {
    let page = lists::address(LIST, &[("view", form.get("view")), ("q", form.get("q"))]);
    render::again(app, parts, &page, form).await
}

/// GET /staff/orders/tickets?order=…&order=….
pub async fn tickets(
    State(app): State<App>,
    parts: Parts,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let mut form = read_form(query.unwrap_or_default().as_bytes())?;
    let orders = named(&mut form);
    if form.is_refused() {
        return again(&app, parts, form).await;
    }
    let mut tickets = Vec::new();
    for order in &orders {
        tickets.extend(or_said(&mut form, order, print_files::ticket(&app, order).await)?);
    }
    if form.is_refused() {
        return again(&app, parts, form).await;
    }
    let pdf = print_files::tickets_pdf(&app, tickets).await?;
    let name = format!("tickets-{}.pdf", time::day(now_ms()));
    Ok(files::pdf_file(&name, &name, pdf))
}

/// GET /staff/orders/files?order=…&order=…: a folder for each order, and all tickets as one PDF beside them.
pub async fn files(
    State(app): State<App>,
    parts: Parts,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let mut form = read_form(query.unwrap_or_default().as_bytes())?;
    let orders = named(&mut form);
    // nothing is made before all of them may be
    for order in orders.iter().filter(|_| !form.is_refused()).cloned().collect::<Vec<_>>() {
        let known = print_files::printable(&app, &order).await.map(drop);
        or_said(&mut form, &order, known)?;
    }
    if form.is_refused() {
        return again(&app, parts, form).await;
    }
    let mut folders = Vec::new();
    for order in &orders {
        folders.extend(or_said(&mut form, order, print_files::all(&app, order).await)?);
    }
    if form.is_refused() {
        return again(&app, parts, form).await;
    }
    let _place = app.transfers.acquire().await.map_err(Error::internal)?;
    let all = folders.iter().flat_map(|folder| &folder.files);
    app.room_for(all.map(|(_, place)| place.bytes()).sum())?;
    let tickets = folders.iter().map(|folder| folder.ticket.clone()).collect();
    let tickets = print_files::tickets_pdf(&app, tickets).await?;
    let storage = app.storage.clone();
    let packed =
        blocking(move || pack(storage.incoming().map_err(Error::internal)?.into_file(), &folders, &tickets));
    let name = format!("orders-{}.zip", time::day(now_ms()));
    files::archive(packed.await?, &name, &name)
}

fn pack(file: File, folders: &[Files], tickets: &[u8]) -> Result<File, Error> {
    // print files are compressed already
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    let mut zip = ZipWriter::new(BufWriter::with_capacity(1 << 20, file));
    zip.start_file("tickets.pdf", stored).map_err(Error::internal)?;
    zip.write_all(tickets).map_err(Error::internal)?;
    for Files { folder, files, .. } in folders {
        for (name, place) in files {
            zip.start_file(format!("{folder}/{name}"), stored).map_err(Error::internal)?;
            match place {
                Place::Disk(path) => {
                    let mut file = File::open(path).map_err(Error::internal)?;
                    std::io::copy(&mut file, &mut zip).map_err(Error::internal)?;
                }
                Place::Bytes(bytes) => zip.write_all(bytes).map_err(Error::internal)?,
            }
        }
    }
    let out = zip.finish().map_err(Error::internal)?;
    out.into_inner().map_err(|error| Error::internal(error.into_error()))
}
