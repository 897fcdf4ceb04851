//! A PostgreSQL of the test's own that is reached over TLS alone.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A cluster that ends with this value.
pub struct TlsPostgres {
    folder: tempfile::TempDir,
    binaries: PathBuf,
    port: u16,
}

impl TlsPostgres {
    /// Starts one with a certificate and its key (PEM); `None` where PostgreSQL is not installed.
    pub fn start(certificate: &str, key: &str) -> Option<Self> {
        let binaries = binaries()?;
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let started = Self { folder, binaries, port };
        let data = started.data();
        std::fs::create_dir(&data).unwrap();
        started.give_away();
        started.run("initdb", &["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]);
        // who does not encrypt is not let in
        std::fs::write(data.join("pg_hba.conf"), "hostssl all all 127.0.0.1/32 trust\n").unwrap();
        std::fs::write(data.join("server.crt"), certificate).unwrap();
        std::fs::write(data.join("server.key"), key).unwrap();
        std::fs::set_permissions(data.join("server.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
        started.give_away();
        let options = format!(
            "-p {port} -k {} -c listen_addresses=127.0.0.1 -c ssl=on -c fsync=off",
            started.folder.path().display()
        );
        let log = started.folder.path().join("log");
        started.run("pg_ctl", &["-w", "-s", "-l", log.to_str().unwrap(), "-o", &options, "start"]);
        Some(started)
    }

    /// Its address, by a name of this machine and with what is said of TLS.
    pub fn url(&self, host: &str, query: &str) -> String {
        format!("postgres://postgres@{host}:{}/postgres?{query}", self.port)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// PostgreSQL refuses to run as root, and to read what is another's.
    fn give_away(&self) {
        if is_root() {
            let folder = self.folder.path().to_str().unwrap();
            assert!(Command::new("chown").args(["-R", "postgres", folder]).status().unwrap().success());
        }
    }

    fn run(&self, name: &str, arguments: &[&str]) {
        let program = self.binaries.join(name);
        let mut command = match is_root() {
            true => Command::new("runuser"),
            false => Command::new(&program),
        };
        if is_root() {
            command.args(["-u", "postgres", "--"]).arg(&program);
        }
        // its output would be held open by the server that it leaves behind
        let status = command
            .arg("-D")
            .arg(self.data())
            .args(arguments)
            .current_dir(self.folder.path())
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "{name} failed");
    }
}

impl Drop for TlsPostgres {
    fn drop(&mut self) {
        self.run("pg_ctl", &["-m", "immediate", "-s", "stop"]);
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

/// Where the newest PostgreSQL of this machine is.
fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(Result::ok);
    let mut found: Vec<(u32, PathBuf)> = versions
        .filter_map(|version| Some((version.file_name().to_str()?.parse().ok()?, version.path().join("bin"))))
        .filter(|(_, folder): &(u32, PathBuf)| Path::new(folder).join("initdb").exists())
        .collect();
    found.sort();
    found.pop().map(|(_, folder)| folder)
}
