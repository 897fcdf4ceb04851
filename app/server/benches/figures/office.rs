//! The back office of a shop with thousands of orders at work, beside one with a few.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::header::{COOKIE, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use totp_rs::{Builder, Secret};

use crate::Failure;
use crate::load::{Load, drive};
use crate::orders::{execute, unpaid};
use crate::program::{ACCOUNT, Program};
use crate::report::{Rounds, Section, head};
use crate::room::Room;

/// Orders at work, each of one line.
const MANY: usize = 5_000;
const FEW: usize = 50;
const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(2);
const PASSWORD: &str = "quiet-harbour-lantern-42";

/// The queues and lists that a clerk opens all day.
const PAGES: [(&str, &str); 7] = [
    ("what waits", "/staff"),
    ("orders being made", "/staff/orders?view=making"),
    ("all orders", "/staff/orders?view="),
    ("the floor", "/staff/floor"),
    ("the floor, one stage", "/staff/floor?view=binding"),
    ("the floor, what is late", "/staff/floor?view=late"),
    ("what a day holds", "/staff/floor/plan"),
];

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let (many, many_clerk) = room.runtime.block_on(office(room, MANY))?;
    let (few, few_clerk) = room.runtime.block_on(office(room, FEW))?;
    let load = |program: &Program, clerk: &str, path: &str| -> Result<Load, Failure> {
        let address = &program.process.address;
        let request: Arc<str> =
            format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/html\r\ncookie: {clerk}\r\n\r\n")
                .into();
        room.runtime.block_on(drive(address, &request, 1, TIME))
    };
    let mut rows = Vec::new();
    for (name, path) in PAGES {
        load(&many, &many_clerk, path)?;
        load(&few, &few_clerk, path)?;
        let rounds = Rounds::run(ROUNDS, || load(&many, &many_clerk, path), || load(&few, &few_clerk, path))?;
        rows.push(rounds.row(format!("{name}, 99th percentile in ms"), |load| load.p99_ms));
    }
    let about = format!(
        "Pages of the back office of a shop with {MANY} orders being made, spread over all stages, beside one with {FEW}; \
         SQLite, one clerk, {ROUNDS} rounds of {} s. Printing, binding and packing have a capacity that takes two months \
         for all of them. Goal: every one at most 150 ms.",
        TIME.as_secs(),
    );
    Ok(Section { title: "The back office with 5,000 orders", about, head: head("50 orders"), rows })
}

/// A shop with so many orders at work, and its clerk's session as a request carries it.
async fn office(room: &Room, orders: usize) -> Result<(Program, String), Failure> {
    let program = Program::start(room).await?;
    unpaid(&program.database, ACCOUNT, "order", orders).await?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    execute(
        &program.database,
        &format!("update orders set state = 'in_production', paid_at = {now} - 7200000, state_since = {now}"),
    )
    .await?;
    // seven stages, promised from three days ago to seventeen days ahead
    execute(
        &program.database,
        &format!(
            "insert into production
                 (order_id, line, title, goods, copies, pages, stages, round, stage, since, holder, held, held_since, due, ended,
                  version)
             select id, 1, '海边的夏天', '方形画册', 1 + n % 9, 48,
                    'prepress printing lamination binding inspection packing shipping', 1,
                    case n % 7 when 0 then 'prepress' when 1 then 'printing' when 2 then 'lamination'
                               when 3 then 'binding' when 4 then 'inspection' when 5 then 'packing' else 'shipping' end,
                    {now} - n * 60000, null, case when n % 40 = 0 then '等纸' else null end,
                    case when n % 40 = 0 then {now} else null end,
                    ({now} + 28800000) / 86400000 * 86400000 - 28800000 + (n % 20 - 3) * 86400000, null, 1
             from (select id, row_number() over (order by id) as n from orders)"
        ),
    )
    .await?;
    let capacity = "insert into production_capacity (stage, units)
                    values ('printing', 20000), ('binding', 400), ('packing', 500)";
    execute(&program.database, capacity).await?;
    execute(&program.database, "analyze").await?;
    program.run(&["staff", "add", "lin", "--password", PASSWORD, "--role", "站长"])?;
    let clerk = sign_in(&program.process.address).await?;
    Ok((program, clerk))
}

/// Signs the clerk in with its password and the first code of its device.
async fn sign_in(address: &str) -> Result<String, Failure> {
    let client = Client::builder().redirect(Policy::none()).build()?;
    let door = format!("http://{address}/staff/login");
    let answer = client.post(&door).form(&[("name", "lin"), ("password", PASSWORD)]).send().await?;
    let half = session(&answer)?;
    let at_code = format!("{door}/code");
    let page = client.get(&at_code).header(COOKIE, &half).send().await?.text().await?;
    let secret = page.split("<span class=\"num\">").nth(1).and_then(|rest| rest.split('<').next());
    let secret = Secret::try_from_base32(secret.ok_or("no secret is shown")?)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let code = Builder::new().with_secret(secret).build()?.generate(now).to_string();
    session(&client.post(&at_code).header(COOKIE, &half).form(&[("code", &code)]).send().await?)
}

fn session(answer: &Response) -> Result<String, Failure> {
    let cookie = answer.headers().get(SET_COOKIE).ok_or("a clerk could not sign in")?.to_str()?;
    Ok(cookie.split(';').next().unwrap_or("").to_owned())
}
