//! What whoever supervises the program hears of it, as sd_notify(3) has it.

use std::os::unix::net::UnixDatagram;
use std::sync::mpsc;
use std::time::Duration;

use support::Server;

#[tokio::test]
async fn a_supervisor_hears_that_it_listens_lives_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("notify").display().to_string();
    let socket = UnixDatagram::bind(&address).unwrap();
    let (tell, told) = mpsc::channel();
    // as a supervisor does, it reads at once: few messages fit into the socket
    std::thread::spawn(move || {
        let mut said = [0; 100];
        while let Ok(length) = socket.recv(&mut said) {
            if tell.send(String::from_utf8_lossy(&said[..length]).trim().to_owned()).is_err() {
                return;
            }
        }
    });
    let hear = || told.recv_timeout(Duration::from_secs(30)).expect("it says nothing for half a minute");
    let mut server = Server::start_in(folder, &[("NOTIFY_SOCKET", &address), ("WATCHDOG_USEC", "400000")]);
    assert_eq!(hear(), "READY=1");
    assert_eq!(server.visitor().page("/healthz").await, "ok");
    for _ in 0..3 {
        assert_eq!(hear(), "WATCHDOG=1");
    }
    server.stop();
    let other = std::iter::repeat_with(hear).find(|said| said != "WATCHDOG=1");
    assert_eq!(other.as_deref(), Some("STOPPING=1"));
}
