//! Who is connected. Places are few, and whoever holds many of them and sends nothing gives way to others.
//!
//! A connection is worth what comes of it: bytes of a request, bytes of an answer that are taken. One that waits for its
//! client, and has waited for longest in proportion to what came, is closed when its address, or the whole server, has no
//! place left.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

/// Connections at once.
pub const MOST: usize = 2_000;
/// Of which one address may have so many: a school behind one address needs some, nobody needs all.
pub const MOST_OF_ADDRESS: usize = 500;
/// A connection is left alone for so long, in ms.
const GRACE_MS: u64 = 2_000;
/// How often the pace of a connection is looked at.
const LOOK: Duration = Duration::from_secs(5);

/// All connections of one server.
#[derive(Debug)]
pub struct Connections {
    open: Mutex<HashMap<IpAddr, Vec<Arc<Connection>>>>,
    began: Instant,
    most_of_address: usize,
}

/// How slowly a client may send a request's body, and take an answer, in bytes a second; the poorest line of a phone is
/// faster.
const LEAST_RATE: u64 = 500;
/// How long it may pause beside that, in ms, all its pauses together.
const PAUSES_MS: u64 = 30_000;

/// One connection, as those see it that look for a place, and those that watch its pace.
#[derive(Debug)]
pub struct Connection {
    address: IpAddr,
    /// Closes it.
    pub closed: CancellationToken,
    /// Whether a request of it is being worked on.
    is_working: AtomicBool,
    /// Since when it is in that state, in ms since the server's start.
    since: AtomicU64,
    /// Bytes that came and went since.
    moved: AtomicU64,
    /// Waiting for more of a request's body.
    pub sending: Pace,
    /// Waiting for room for more of an answer.
    pub taking: Pace,
    began: Instant,
}

/// How long a client was waited for, and how many bytes came of it.
#[derive(Debug, Default)]
pub struct Pace {
    /// Ms waited before now.
    waited: AtomicU64,
    /// Since when it is waited for, in ms since the server's start; 0 when it is not.
    since: AtomicU64,
    bytes: AtomicU64,
}

impl Pace {
    /// Begins a wait, unless one is under way.
    pub fn wait(&self, connection: &Connection) {
        let now = millis(connection.began).max(1);
        let _ = self.since.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Ends a wait: so many bytes have moved.
    pub fn moved(&self, connection: &Connection, bytes: usize) {
        let since = self.since.swap(0, Ordering::Relaxed);
        if since > 0 {
            self.waited.fetch_add(millis(connection.began).saturating_sub(since), Ordering::Relaxed);
        }
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    fn is_waiting(&self) -> bool {
        self.since.load(Ordering::Relaxed) > 0
    }

    /// Whether nothing has moved for longer than all pauses together may be.
    fn is_stuck(&self, now: u64) -> bool {
        let since = self.since.load(Ordering::Relaxed);
        since > 0 && now.saturating_sub(since) > PAUSES_MS
    }

    fn is_too_slow(&self, now: u64) -> bool {
        let since = self.since.load(Ordering::Relaxed);
        let waiting = if since > 0 { now.saturating_sub(since) } else { 0 };
        let waited = self.waited.load(Ordering::Relaxed) + waiting;
        waited > PAUSES_MS + self.bytes.load(Ordering::Relaxed) * 1_000 / LEAST_RATE
    }
}

impl Connection {
    /// A request has come, or its answer is on the way.
    pub fn set_working(&self, is_working: bool) {
        self.is_working.store(is_working, Ordering::Relaxed);
        self.since.store(millis(self.began), Ordering::Relaxed);
        self.moved.store(0, Ordering::Relaxed);
    }

    /// Notes bytes that came or went.
    pub fn moved(&self, bytes: usize) {
        self.moved.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Ends when the client has been waited for longer than its bytes are worth.
    pub async fn too_slow(&self) {
        loop {
            tokio::time::sleep(LOOK).await;
            let now = millis(self.began);
            // what waits in the machine's own buffer for a client that takes nothing is no answer that it had
            if self.sending.is_too_slow(now) || self.taking.is_too_slow(now) || self.taking.is_stuck(now) {
                return;
            }
        }
    }

    /// How little it does: ms waited for each thousand bytes. `None` for one that is left alone.
    fn idleness(&self, now: u64) -> Option<u64> {
        let is_ours = self.is_working.load(Ordering::Relaxed) && !self.sending.is_waiting();
        if self.closed.is_cancelled() || is_ours {
            return None;
        }
        let waited = now.saturating_sub(self.since.load(Ordering::Relaxed));
        (waited >= GRACE_MS).then(|| waited * 1_000 / (1 + self.moved.load(Ordering::Relaxed)))
    }
}

/// A connection's place; given back when dropped.
#[derive(Debug)]
pub struct Place {
    connections: Arc<Connections>,
    pub connection: Arc<Connection>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_address) = open.get_mut(&self.connection.address) {
            of_address.retain(|known| !Arc::ptr_eq(known, &self.connection));
            if of_address.is_empty() {
                open.remove(&self.connection.address);
            }
        }
    }
}

impl Connections {
    /// None yet. `most_of_address` is [`MOST_OF_ADDRESS`], or [`MOST`] where all come by way of a proxy.
    pub fn new(most_of_address: usize) -> Self {
        Self { open: Mutex::default(), began: Instant::now(), most_of_address }
    }

    /// A place for a connection that has come. Where its address has as many as it may, or nobody can have another, the
    /// idlest one has to go: of the address, or of the address that has most. `None` where all are busy.
    pub fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let address = network(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let now = millis(self.began);
        let own = open.get(&address).map_or(0, Vec::len);
        let all: usize = open.values().map(Vec::len).sum();
        if own >= self.most_of_address {
            close_idlest(open.get(&address)?, now)?;
        } else if all >= MOST {
            let fullest = open.values().max_by_key(|of_address| of_address.len())?;
            // who has more than the others does not push them out
            if fullest.len() <= own {
                return None;
            }
            close_idlest(fullest, now)?;
        }
        let connection = Arc::new(Connection {
            address,
            closed: CancellationToken::new(),
            is_working: AtomicBool::new(false),
            since: AtomicU64::new(now),
            moved: AtomicU64::new(0),
            sending: Pace::default(),
            taking: Pace::default(),
            began: self.began,
        });
        let of_address = open.entry(address).or_default();
        // it ends by itself in a moment; its place is free now
        of_address.retain(|known| !known.closed.is_cancelled());
        of_address.push(connection.clone());
        Some(Place { connections: self.clone(), connection })
    }
}

fn close_idlest(of_address: &[Arc<Connection>], now: u64) -> Option<()> {
    let idle = |known: &&Arc<Connection>| known.idleness(now).map(|idleness| (idleness, Arc::clone(known)));
    let (_, idlest) =
        of_address.iter().filter_map(|known| idle(&known)).max_by_key(|(idleness, _)| *idleness)?;
    idlest.closed.cancel();
    Some(())
}

/// What counts as one address: of IPv6 the network that a house is given.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & (u128::MAX << 64)).into()),
        four @ IpAddr::V4(_) => four,
    }
}

fn millis(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([203, 0, 113, last])
    }

    /// As if it had come so long ago.
    fn aged(place: &Place, ms: u64) {
        place.connection.since.fetch_sub(ms, Ordering::Relaxed);
    }

    fn connections(most_of_address: usize) -> Arc<Connections> {
        let began = Instant::now().checked_sub(std::time::Duration::from_secs(3_600)).unwrap();
        Arc::new(Connections { open: Mutex::default(), began, most_of_address })
    }

    #[test]
    fn the_idlest_of_a_full_address_gives_way() {
        let all = connections(3);
        let places: Vec<Place> = (0..3).map(|_| all.enter(address(1)).unwrap()).collect();
        assert!(all.enter(address(1)).is_none(), "all have just come");
        places.iter().for_each(|place| aged(place, 10_000));
        places[0].connection.moved(50_000);
        places[1].connection.set_working(true);
        let new = all.enter(address(1)).unwrap();
        let closed: Vec<bool> = places.iter().map(|place| place.connection.closed.is_cancelled()).collect();
        assert_eq!(closed, [false, false, true], "one sends, one is worked for, one drips");
        drop((places, new));
        assert!(all.open.lock().unwrap().is_empty());
    }

    #[test]
    fn whoever_has_most_gives_way_to_whoever_has_few() {
        let all = connections(MOST);
        let many: Vec<Place> = (0..MOST).map(|_| all.enter(address(1)).unwrap()).collect();
        assert!(all.enter(address(2)).is_none(), "they have just come");
        many.iter().for_each(|place| aged(place, 5_000));
        let few: Vec<Place> = (0..10).map(|_| all.enter(address(2)).unwrap()).collect();
        few.iter().for_each(|place| aged(place, 50_000));
        let _other = all.enter(address(3)).unwrap();
        assert!(few.iter().all(|place| !place.connection.closed.is_cancelled()));
        assert_eq!(many.iter().filter(|place| place.connection.closed.is_cancelled()).count(), 11);
    }

    #[test]
    fn a_slow_line_is_no_drip() {
        let all = connections(3);
        let place = all.enter(address(1)).unwrap();
        let connection = &place.connection;
        let after = |seconds: u64| millis(connection.began) + seconds * 1_000;
        connection.sending.wait(connection);
        assert!(!connection.sending.is_too_slow(after(29)));
        assert!(connection.sending.is_too_slow(after(31)), "it sends nothing");
        connection.sending.moved(connection, 100_000);
        connection.sending.wait(connection);
        assert!(!connection.sending.is_too_slow(after(200)), "100 KB may take 200 s and the pauses");
        assert!(connection.sending.is_too_slow(after(231)));
    }

    #[test]
    fn whoever_takes_nothing_is_stuck_however_much_it_took() {
        let all = connections(3);
        let place = all.enter(address(1)).unwrap();
        let connection = &place.connection;
        let after = |seconds: u64| millis(connection.began) + seconds * 1_000;
        connection.taking.moved(connection, 3_000_000);
        connection.taking.wait(connection);
        assert!(!connection.taking.is_stuck(after(29)) && !connection.taking.is_too_slow(after(29)));
        assert!(connection.taking.is_stuck(after(31)) && !connection.taking.is_too_slow(after(31)));
        connection.taking.moved(connection, 1);
        assert!(!connection.taking.is_stuck(after(31)), "it goes on");
    }

    #[test]
    fn a_house_has_one_network() {
        let one: IpAddr = "2001:db8:1:2::1".parse().unwrap();
        let other: IpAddr = "2001:db8:1:2:ffff::9".parse().unwrap();
        assert_eq!(network(one), network(other));
        assert_eq!(network("::ffff:203.0.113.1".parse().unwrap()), address(1));
    }
}
