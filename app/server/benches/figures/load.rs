//! A load generator that costs little: it shares the cores with the server that it measures.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::Failure;

/// What a server did under load.
pub struct Load {
    pub per_second: f64,
    pub p99_ms: f64,
}

/// Asks the same thing over and over on some connections that stay open.
pub async fn drive(
    address: &str,
    request: &Arc<str>,
    connections: usize,
    time: Duration,
) -> Result<Load, Failure> {
    drive_to(address, request, 200, connections, time).await
}

/// The same of what is answered with another status.
pub async fn drive_to(
    address: &str,
    request: &Arc<str>,
    status: u16,
    connections: usize,
    time: Duration,
) -> Result<Load, Failure> {
    let start = Instant::now();
    let callers: Vec<_> = (0..connections)
        .map(|_| {
            let (address, request) = (address.to_owned(), request.clone());
            tokio::spawn(async move {
                let mut connection = Connection::open(&address).await?;
                let mut waits = Vec::new();
                while start.elapsed() < time {
                    let asked = Instant::now();
                    connection.ask(&request, status).await?;
                    waits.push(asked.elapsed());
                }
                io::Result::Ok(waits)
            })
        })
        .collect();
    summed(callers, start).await
}

/// What some callers, who began together, did: each answers how long it waited for every one.
pub async fn summed(
    callers: Vec<JoinHandle<io::Result<Vec<Duration>>>>,
    start: Instant,
) -> Result<Load, Failure> {
    let mut waits: Vec<Duration> = Vec::new();
    for caller in callers {
        waits.extend(caller.await??);
    }
    let seconds = start.elapsed().as_secs_f64();
    waits.sort();
    let p99 = waits[waits.len() * 99 / 100];
    Ok(Load { per_second: waits.len() as f64 / seconds, p99_ms: p99.as_secs_f64() * 1e3 })
}

/// An HTTP/1.1 connection that stays open.
pub struct Connection {
    stream: TcpStream,
    answer: Vec<u8>,
}

impl Connection {
    pub async fn open(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, answer: Vec::new() })
    }

    /// Sends a request and reads its whole answer, which must have the status.
    pub async fn ask(&mut self, request: &str, status: u16) -> io::Result<()> {
        self.stream.write_all(request.as_bytes()).await?;
        self.answer.clear();
        while !is_whole(&self.answer, status)? {
            if self.stream.read_buf(&mut self.answer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    }

    /// The last answer, with its head.
    pub fn answer(&self) -> &[u8] {
        &self.answer
    }
}

/// Whether an answer is there to its end (RFC 9112, sections 6 and 7).
fn is_whole(answer: &[u8], status: u16) -> io::Result<bool> {
    let Some((head, body)) = cut(answer, b"\r\n\r\n") else { return Ok(false) };
    let unexpected = || io::Error::other(String::from_utf8_lossy(head).into_owned());
    let text = std::str::from_utf8(head).map_err(io::Error::other)?.to_ascii_lowercase();
    if !text.starts_with(&format!("http/1.1 {status}")) {
        return Err(unexpected());
    }
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    match (field("content-length"), field("transfer-encoding")) {
        (Some(length), _) => Ok(body.len() >= length.parse().map_err(|_| unexpected())?),
        (None, Some("chunked")) => Ok(has_last_chunk(body)),
        // it has no body
        (None, None) if status == 204 => Ok(true),
        _ => Err(unexpected()),
    }
}

fn has_last_chunk(mut body: &[u8]) -> bool {
    while let Some((size, rest)) = cut(body, b"\r\n") {
        let size = std::str::from_utf8(size).ok().and_then(|size| usize::from_str_radix(size, 16).ok());
        let Some((chunk, rest)) = size.and_then(|size| rest.split_at_checked(size + 2)) else { return false };
        if chunk == b"\r\n" {
            return true;
        }
        body = rest;
    }
    false
}

/// What stands before a mark, and what after it.
fn cut<'a>(bytes: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let place = bytes.windows(mark.len()).position(|window| window == mark)?;
    Some((&bytes[..place], &bytes[place + mark.len()..]))
}
