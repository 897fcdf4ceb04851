//! One, two and three instances behind HAProxy and PgBouncer, each kept to a share of a core: what another one brings, and what a
//! request costs where.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::Failure;
use crate::balancer::{self, Balancer};
use crate::load::{Load, drive_to};
use crate::orders::{empty_database, form};
use crate::process::{Process, ticks_of};
use crate::program::{Program, SHELF, WORKS};
use crate::report::{Section, shown};
use crate::room::Room;

const TIME: Duration = Duration::from_secs(10);
const WARM_UP: Duration = Duration::from_secs(3);
const CONNECTIONS: usize = 16;
/// What one instance may have of a core, in hundredths: three of them leave enough of two to all others.
const SHARE: u32 = 20;

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let database = room.runtime.block_on(empty_database("instances"))?;
    let pooler = std::env::var("BINDERY_TEST_POOLER").map_err(|_| "PgBouncer is not installed")?;
    let pooled = pooler.replace("/postgres?", "/instances?");
    let program = room.runtime.block_on(async {
        let program = Program::start_on(room, Some(&database)).await?;
        program.fill_shelf(WORKS).await?;
        Ok::<_, Failure>(program)
    })?;
    program.process.settle()?;
    let addresses = [balancer::address(), balancer::address(), balancer::address()];
    let balancer = Balancer::before(&addresses).ok_or("HAProxy is not installed")?;
    let site = balancer.base.trim_start_matches("http://").to_owned();
    let look: Arc<str> = format!(
        "GET {SHELF} HTTP/1.1\r\nhost: {site}\r\naccept: text/html\r\naccept-encoding: br\r\ncookie: {}\r\n\r\n",
        program.cookie
    )
    .into();
    let save: Arc<str> = form(&site, "/manager/userInfo", &program.cookie, "name=%E6%9E%97").into();
    let (mut instances, mut rows) = (Vec::new(), Vec::new());
    for address in &addresses {
        let process = program.another(&pooled, address)?;
        let share = Share::of(&process, instances.len())?;
        // the process first: a group that holds one cannot go
        instances.push((process, share));
        let asked = async || {
            while balancer.asked().await.len() < instances.len() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        room.runtime.block_on(asked());
        for (what, request, status) in [("works list", &look, 200), ("saving a name", &save, 303)] {
            let drive = |time| room.runtime.block_on(drive_to(&site, request, status, CONNECTIONS, time));
            drive(WARM_UP)?;
            let before = Costs::now()?;
            let load: Load = drive(TIME)?;
            let requests = load.per_second * TIME.as_secs_f64();
            let count = instances.len();
            let s = if count == 1 { "" } else { "s" };
            let mut row =
                vec![format!("{count} instance{s}, {what}"), shown(load.per_second), shown(load.p99_ms)];
            row.extend(Costs::now()?.since(&before).map(|seconds| shown(seconds * 1e3 / requests)));
            rows.push(row);
        }
    }
    let about = format!(
        "`GET {SHELF}` of a member with {WORKS} works, and a name that is saved, over {CONNECTIONS} connections to HAProxy with \
         `packaging/haproxy.cfg`, which asks the instances in turn; they reach PostgreSQL (`fsync=on`) through PgBouncer with \
         `pool_mode = transaction` and five connections. Each instance may have {SHARE} hundredths of a core, so that what else \
         there is, the load too, has the rest of {} cores. {} s each. The last three columns are the processor's time for one \
         request, in ms: a core divided by it is how many there can be a second.",
        room.cores,
        TIME.as_secs(),
    );
    let head = [
        "",
        "requests a second",
        "99th percentile in ms",
        "instances",
        "PostgreSQL and PgBouncer",
        "HAProxy",
    ];
    Ok(Section { title: "Several instances", about, head: head.map(str::to_owned).to_vec(), rows })
}

/// Seconds of the processor that programs have had so far.
struct Costs([f64; 3]);

impl Costs {
    fn now() -> Result<Self, Failure> {
        let of = |names: &[&str]| ticks_of(names).map(|ticks| ticks as f64 / 100.0);
        Ok(Self([of(&["bindery"])?, of(&["postgres", "pgbouncer"])?, of(&["haproxy"])?]))
    }

    fn since(&self, before: &Self) -> [f64; 3] {
        [0, 1, 2].map(|one| self.0[one] - before.0[one])
    }
}

/// What a process is kept to, by a control group of the first or the second kind; it goes after its process.
struct Share(PathBuf);

impl Share {
    fn of(process: &Process, number: usize) -> Result<Self, Failure> {
        let root = Path::new("/sys/fs/cgroup");
        let (parent, file, words) = if root.join("cpu").is_dir() {
            (root.join("cpu"), "cpu.cfs_quota_us", (SHARE * 1_000).to_string())
        } else {
            (root.to_owned(), "cpu.max", format!("{} 100000", SHARE * 1_000))
        };
        let group = Self(parent.join(format!("bindery-{}-{number}", std::process::id())));
        fs::create_dir(&group.0)?;
        fs::write(group.0.join(file), words)?;
        fs::write(group.0.join("cgroup.procs"), process.id().to_string())?;
        Ok(group)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}
