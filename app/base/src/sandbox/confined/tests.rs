use std::io::Write;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::Command;

use super::*;

const FOLDER: &str = "CONFINED_TO";
const PORT: &str = "CONFINED_FROM_PORT";
const LIMITS: Limits = Limits { memory: 8 << 30, seconds: 20, file: 1 << 20 };

/// What whoever broke in would try, in a process of its own: this very program once more.
#[test]
fn inside() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let port: u16 = std::env::var(PORT).unwrap().parse().unwrap();
    let [mut own, other, out, made] = ["own", "other", "out", "made"].map(|name| folder.join(name));
    let mut missing = folder.join("missing");
    let place = own.clone();
    let read = hold([&mut own, &mut missing]).unwrap();
    // somebody else keeps the same bytes while this process begins
    std::fs::write(folder.join("again"), "words").unwrap();
    std::fs::rename(folder.join("again"), &place).unwrap();
    confine(LIMITS, Reach { read, write: vec![out.clone(), made.clone()] }).unwrap();
    let tell = |what: &str, done: io::Result<()>| {
        let said = done.map_or_else(|error| error.kind().to_string(), |()| "done".to_owned());
        println!("\n{what}: {said}");
    };
    tell("read own", std::fs::read(&own).map(drop));
    tell("read what is in its place", std::fs::read(&place).map(drop));
    tell("write out", std::fs::write(&out, "words"));
    let part = made.join("1.part");
    tell(
        "write in folder",
        std::fs::write(&part, "words").and_then(|()| std::fs::rename(&part, made.join("1"))),
    );
    let thread = std::thread::Builder::new().spawn(|| std::fs::read("/etc/passwd").map(drop));
    tell("start thread", thread.as_ref().map(drop).map_err(|error| error.kind().into()));
    tell("read passwd in thread", thread.unwrap().join().unwrap());
    tell("read other", std::fs::read(&other).map(drop));
    tell("list folder", std::fs::read_dir(&folder).map(drop));
    tell("write other", std::fs::write(&other, "words"));
    tell(
        "append to own",
        File::options().append(true).open(&own).and_then(|mut file| file.write_all(b"more")),
    );
    tell("make beside", std::fs::write(folder.join("new"), "words"));
    tell("move out of folder", std::fs::rename(made.join("1"), folder.join("moved")));
    tell("link", std::os::unix::fs::symlink(&other, made.join("link")));
    tell("connect", TcpStream::connect(("127.0.0.1", port)).map(drop));
    tell("listen", TcpListener::bind(("127.0.0.1", 0)).map(drop));
    tell("send", UdpSocket::bind(("127.0.0.1", 0)).map(drop));
    tell("connect here", UnixStream::connect(folder.join("socket")).map(drop));
    tell("run", Command::new("/bin/true").status().map(drop));
    let parent = std::os::unix::process::parent_id();
    tell("look at parent", std::fs::read(format!("/proc/{parent}/environ")).map(drop));
}

#[test]
fn a_process_has_its_files_and_nothing_else() {
    if let Some(reason) = lacking() {
        eprintln!("skipped: {reason}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["own", "other"] {
        std::fs::write(at(name), "words").unwrap();
    }
    std::fs::create_dir(at("made")).unwrap();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let _here = UnixListener::bind(at("socket")).unwrap();
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sandbox::confined::tests::inside", "--nocapture"])
        .env(FOLDER, folder.path())
        .env(PORT, listener.local_addr().unwrap().port().to_string())
        .output()
        .unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    let of = |what: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(&format!("{what}: ")));
        line.unwrap_or_else(|| panic!("{what} is missing: {said} {}", String::from_utf8_lossy(&done.stderr)))
            .to_owned()
    };
    for what in ["read own", "write out", "write in folder", "start thread"] {
        assert_eq!(of(what), "done", "{what}");
    }
    for what in [
        "read what is in its place",
        "read passwd in thread",
        "read other",
        "list folder",
        "write other",
        "append to own",
        "make beside",
        "link",
        "connect",
        "listen",
        "send",
        "connect here",
        "run",
        "look at parent",
    ] {
        assert_eq!(of(what), "permission denied", "{what}");
    }
    assert_ne!(of("move out of folder"), "done");
    assert_eq!(std::fs::read_to_string(at("other")).unwrap(), "words");
    assert_eq!(std::fs::read_to_string(at("own")).unwrap(), "words");
    assert_eq!(std::fs::read_to_string(at("made").join("1")).unwrap(), "words");
}
