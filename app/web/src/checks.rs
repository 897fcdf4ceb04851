//! `bindery check`: whether everything that the settings name is there and does what it should, a line for each. Without being
//! told to, nothing is asked or sent outside but the database.

mod database;

use std::path::Path;
use std::time::Duration;

use base::config::{Config, own};
use base::presses::Presses;
use base::sandbox;
use base::storage::{LITTLE_ROOM, Space, Storage, free_at};
use clap::Args;
use domain::contact::Contact;

use crate::slice::House;

/// What is asked outside.
#[derive(Debug, Args)]
pub struct Asked {
    /// Send a mail to this address.
    #[arg(long, value_name = "ADDRESS", value_parser = contact)]
    pub mail: Option<Contact>,
    /// Send a short message to this mobile number.
    #[arg(long, value_name = "NUMBER", value_parser = contact)]
    pub sms: Option<Contact>,
    /// Write, read and delete a file in the bucket.
    #[arg(long)]
    pub storage: bool,
    /// Ask each provider of payments of one that there is none of.
    #[arg(long)]
    pub pay: bool,
    /// Ask the provider of company accounts for its description and keys, and whether it knows this site.
    #[arg(long)]
    pub oidc: bool,
}

fn contact(text: &str) -> Result<Contact, String> {
    Contact::read(text).ok_or_else(|| "it is neither an e-mail address nor a mobile number".to_owned())
}

/// What was looked at, and how it is: as it should be, or what to do.
pub type Found = (String, Result<String, String>);

/// How long whoever is outside has for its answer.
const PATIENCE: Duration = Duration::from_secs(40);
/// How far two clocks may be apart: codes by time count for half a minute, and a bucket refuses what is a quarter of an hour off.
const APART: Duration = Duration::from_secs(120);

/// Looks at everything and prints it; whether all of it is good.
pub async fn run(house: &'static House, asked: &Asked) -> bool {
    let mut all_good = true;
    let mut tell = |(what, how): Found| {
        let (word, text) = match how {
            Ok(text) => ("好", text),
            Err(text) => ("坏", text),
        };
        all_good &= word == "好";
        println!("{word} {what}: {text}");
    };
    let mut faults: Vec<String> = Vec::new();
    faults.extend(house.read_settings().iter().map(ToString::to_string));
    let config = match Config::from_env() {
        Ok(config) => Some(config),
        Err(error) => {
            // a variable's own fault is told already
            let error = error.to_string();
            let names = error.split(' ').next().unwrap_or_default();
            if !faults.iter().any(|fault| fault.split(' ').next() == Some(names)) {
                faults.push(error);
            }
            None
        }
    };
    let good = faults.is_empty();
    faults.into_iter().for_each(|fault| tell(("settings".into(), Err(fault))));
    let Some(config) = config else { return false };
    if good {
        tell(("settings".into(), Ok("every variable is known, and what belongs together is there".into())));
    }
    for found in database::look(&config).await {
        tell(found);
    }
    tell(("disk".into(), room(&config)));
    tell(("sandbox".into(), Ok(sandboxed())));
    for found in files(&config, asked.storage).await {
        tell(found);
    }
    tell(("colours".into(), colours(&config)));
    tell(("mail".into(), mail(&config, asked.mail.as_ref()).await));
    tell(("short messages".into(), short_messages(&config, asked.sms.as_ref()).await));
    for probe in house.slices.iter().filter_map(|slice| slice.probe) {
        for found in probe(asked).await {
            tell(found);
        }
    }
    all_good
}

/// Says of two clocks whether they are near enough; `ahead` is how far this machine's is before the other one's, in ms.
fn clocks(other: &str, ahead: i64) -> Result<String, String> {
    let (apart, side) = (ahead.unsigned_abs(), if ahead > 0 { "ahead of" } else { "behind" });
    if u128::from(apart) > APART.as_millis() {
        let seconds = apart / 1000;
        return Err(format!(
            "this machine's is {seconds} s {side} the {other}'s; set it by a time server (timedatectl set-ntp true)"
        ));
    }
    Ok(format!("as the {other}'s"))
}

/// What what opens members' files is kept from.
fn sandboxed() -> String {
    match sandbox::lacking() {
        None => "what opens members' files has no other files and no network".to_owned(),
        Some(reason) => format!("what opens members' files has limits on memory and time, but {reason}"),
    }
}

/// Whether there is room on the data folder's disk.
fn room(config: &Config) -> Result<String, String> {
    let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
    // before the first start the folder is not there
    let there = config.data.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    let free = free_at(there).map_err(|error| format!("{}: {error}", there.display()))?;
    if free < config.disk_reserve.max(LITTLE_ROOM) {
        return Err(format!(
            "{} are free at {}; make room, or put {} elsewhere",
            gigabytes(free),
            there.display(),
            own::DATA.name
        ));
    }
    Ok(format!("{} are free at {}", gigabytes(free), there.display()))
}

/// Whether files can be written, read and deleted.
async fn files(config: &Config, asks_outside: bool) -> Vec<Found> {
    let what = "storage".to_owned();
    if let Some(bucket) = &config.bucket
        && !asks_outside
    {
        return vec![(what, Ok(format!("{bucket:?}, not tried; --storage does")))];
    }
    if config.bucket.is_none() && !config.storage.exists() {
        let place = config.storage.display();
        return vec![(what, Ok(format!("{place} is not there yet; the first start makes it")))];
    }
    let space = Space { reserve: 0, pictures: config.picture_space };
    let storage = match Storage::open(&config.storage, config.bucket.as_ref(), space) {
        Ok(storage) => storage,
        Err(error) => {
            return vec![(what, Err(format!("{error}; may this user write there?")))];
        }
    };
    let tried = tokio::time::timeout(PATIENCE, storage.try_file()).await;
    let tried = tried.unwrap_or_else(|_| Err("it did not answer in time".to_owned()));
    let Some(bucket) = &config.bucket else {
        return vec![(
            what,
            tried.map(|()| format!("a file was written, read and deleted in {}", config.storage.display())),
        )];
    };
    let advice = |error| format!("{error}; look at {} and the AWS_ variables", own::STORAGE_URL.name);
    let tried = tried.map(|()| format!("a file was written, read and deleted in {bucket:?}"));
    let mut found = vec![(what, tried.map_err(advice))];
    found.extend(bucket.ahead_ms().map(|ahead| ("clock".to_owned(), clocks("bucket", ahead))));
    found
}

/// Whether print files can be made for the press.
fn colours(config: &Config) -> Result<String, String> {
    let presses = Presses::new(config.print_standard, &config.printed_on, config.suppliers.clone());
    let presses = presses.map_err(|error| error.to_string())?;
    presses.house().map_err(|error| error.to_string())?;
    Ok(match own::OUTPUT_PROFILE.get() {
        Some(profile) => format!("print files are made for {profile}"),
        None => {
            format!("print files are made for coated paper; {} names another press", own::OUTPUT_PROFILE.name)
        }
    })
}

async fn mail(config: &Config, to: Option<&Contact>) -> Result<String, String> {
    match (config.delivery.mails(), to) {
        (false, None) => Ok(format!("kept for `bindery outbox`; {} names a server", own::SMTP_URL.name)),
        (false, Some(_)) => {
            Err(format!("there is no server; set {} and {}", own::SMTP_URL.name, own::MAIL_FROM.name))
        }
        (true, None) => Ok("not tried; --mail ADDRESS sends one".to_owned()),
        (true, Some(Contact::Phone(_))) => Err("that is a mobile number; --sms tries it".to_owned()),
        (true, Some(to)) => {
            let sent = config.delivery.try_out(to).await;
            sent.map(|()| format!("the server took one to {}", to.as_str()))
                .map_err(|error| format!("{error}; look at {}", own::SMTP_URL.name))
        }
    }
}

async fn short_messages(config: &Config, to: Option<&Contact>) -> Result<String, String> {
    match (config.delivery.texts(), to) {
        (false, None) => Ok(format!("kept for `bindery outbox`; {} names a gateway", own::SMS_URL.name)),
        (false, Some(_)) => {
            Err(format!("there is no gateway; set {} and {}", own::SMS_URL.name, own::SMS_KEY.name))
        }
        (true, None) => Ok("not tried; --sms NUMBER sends one".to_owned()),
        (true, Some(Contact::Email(_))) => Err("that is an e-mail address; --mail tries it".to_owned()),
        (true, Some(to)) => {
            let sent = config.delivery.try_out(to).await;
            sent.map(|()| format!("the gateway took one to {}", to.as_str()))
                .map_err(|error| format!("{error}; look at {} and {}", own::SMS_URL.name, own::SMS_KEY.name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::clocks;

    #[test]
    fn clocks_two_minutes_apart_are_told() {
        for near in [0, 1_000, -120_000, 120_000] {
            assert_eq!(clocks("database", near).as_deref(), Ok("as the database's"), "{near}");
        }
        assert!(clocks("bucket", 121_000).unwrap_err().contains("121 s ahead of the bucket's"));
        assert!(clocks("bucket", -3_600_000).unwrap_err().contains("3600 s behind the bucket's"));
    }
}
