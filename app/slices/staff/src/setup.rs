//! `bindery setup`: what a new installation has to know before its first day, and a link for the first one in the back office.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use base::config::{Config, own, site};
use base::db::id_from;
use base::delivery::Delivery;
use base::error::Failure;
use base::variables::Variable;
use clap::Args;
use domain::clerk::new_sign_in_name;
use domain::ids::StaffId;
use domain::staff::{LONGEST_NAME, Role};
use web::app::App;
use web::slice::StaffAccounts;

use crate::Accounts;
use crate::clerks::acts::{self, By, Change, Entry, Outcome, What};

/// What is set up. What is not given is asked for, where somebody sits before the program.
#[derive(Debug, Args)]
pub struct Asked {
    /// Where the world finds the site, such as https://books.example.
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Who runs the shop.
    #[arg(long, value_name = "NAME")]
    company: Option<String>,
    /// What the first one in the back office, its 站长, signs in with: 1 to 30 letters, digits, - _ .
    #[arg(long, value_name = "NAME")]
    clerk: Option<String>,
    /// The mail server for codes and notices, such as smtps://user:password@mail.example.com:465.
    #[arg(long, value_name = "URL")]
    smtp_url: Option<String>,
    /// Its sender, such as 书坊 <books@example.com>.
    #[arg(long, value_name = "SENDER")]
    mail_from: Option<String>,
    /// The file that the program's environment is read from; what else stands in it stays.
    #[arg(long, value_name = "FILE", default_value = "bindery.env")]
    file: PathBuf,
}

/// Settings and what they are set to.
type Lines<'a> = Vec<(&'a Variable, String)>;

/// Asks, writes the settings, and lets the first one in. Done twice, also at once, it is one.
pub async fn run(app: &App, asked: Asked) -> Result<(), Failure> {
    let Asked { public_url, company, clerk, smtp_url, mail_from, file } = asked;
    let needed = |answer: Option<String>, flag: &str| {
        answer.ok_or_else(|| format!("nobody can be asked here, so {flag} has to say it"))
    };
    let public_url = public_url.or(own::PUBLIC_URL.get());
    let public_url = needed(
        public_url.or_else(|| ask("Address of the site, such as https://books.example")),
        "--public-url",
    )?;
    let public_url = site(&public_url)?;
    let company = company.or(own::COMPANY.get()).or_else(|| ask("Company (may stay empty)"));
    let smtp_url = smtp_url.or(own::SMTP_URL.get()).or_else(|| ask("Mail server (may stay empty)"));
    let mail_from = mail_from.or(own::MAIL_FROM.get());
    let mail_from = mail_from.or_else(|| smtp_url.as_ref().and_then(|_| ask("Sender of mails")));
    let clerk = needed(clerk.or_else(|| ask("Name of the first clerk")), "--clerk")?;
    let clerk = new_sign_in_name(&clerk)
        .ok_or_else(|| format!("a clerk's name has 1 to {LONGEST_NAME} letters, digits, - _ ."))?;
    let lines: Lines<'_> = [
        (&own::PUBLIC_URL, Some(public_url.clone())),
        (&own::COMPANY, company),
        (&own::SMTP_URL, smtp_url),
        (&own::MAIL_FROM, mail_from),
    ]
    .into_iter()
    .filter_map(|(variable, value)| Some((variable, value?)))
    .collect();
    for (variable, value) in &lines {
        variable.check(value)?;
    }
    let said = |name: &str| Some(lines.iter().find(|(one, _)| one.name == name)?.1.clone());
    Delivery::from_variables(said)?;

    // everybody who begins makes the same account
    let id: StaffId = id_from("setup", "the first clerk");
    let all = Accounts.all(app).await?;
    if let Some(other) = all.iter().find(|colleague| colleague.id != id.as_str()) {
        return Err(format!(
            "{} works in the back office already; bindery staff add lets more in",
            other.name
        )
        .into());
    }
    write(&file, &lines)?;
    println!("Wrote {} settings to {}.", lines.len(), file.display());
    let entry = Some(Entry::by_link(app, id.as_str(), None).await?);
    let (name, full_name, roles) = (clerk.clone(), String::new(), vec![Role::Owner]);
    let change =
        Change { id: id.as_str().to_owned(), what: What::Add { name, full_name, roles }, seen: None, entry };
    match acts::carry_out(app, &change, By::Host).await.map_err(|reason| reason.to_string())? {
        Outcome::Done { token: Some(token), .. } => {
            println!(
                "{clerk} sets a password here, once and within 48 hours: {public_url}{}",
                acts::invitation(&token)
            );
        }
        _ => println!("The first clerk was let in before; bindery staff reset NAME makes another way in."),
    }
    Ok(())
}

/// What is not set up yet, as sentences for the back office.
pub fn missing(config: &Config) -> Vec<&'static str> {
    if config.is_demo {
        return Vec::new();
    }
    [
        (
            config.public_url.is_none(),
            "没有网址（BINDERY_PUBLIC_URL）：邮件里没有链接，也不能用微信支付和支付宝",
        ),
        (config.contact.company.is_none(), "没有公司名称（BINDERY_COMPANY）：联系页上看不到是谁在经营"),
        (
            !config.delivery.mails(),
            "没有邮件服务器（BINDERY_SMTP_URL）：验证码和通知都留在待发箱里，会员收不到",
        ),
    ]
    .into_iter()
    .filter_map(|(is_missing, words)| is_missing.then_some(words))
    .collect()
}

/// Asks whoever sits before the program; nothing where nobody does, or says nothing.
fn ask(question: &str) -> Option<String> {
    let mut stdin = std::io::stdin().lock();
    if !std::io::stdin().is_terminal() {
        return None;
    }
    print!("{question}: ");
    std::io::stdout().flush().ok()?;
    let mut answer = String::new();
    stdin.read_line(&mut answer).ok()?;
    Some(answer.trim().to_owned()).filter(|answer| !answer.is_empty())
}

/// Puts settings into a file of an environment, each in its line; all of them or none.
fn write(file: &Path, lines: &Lines<'_>) -> Result<(), String> {
    let said = |error: std::io::Error| format!("{}: {error}", file.display());
    let before = match std::fs::read_to_string(file) {
        Ok(before) => before,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(said(error)),
    };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // its owner's alone: there are passwords in it
    let mut new = tempfile::NamedTempFile::new_in(folder).map_err(said)?;
    new.write_all(with_lines(&before, lines).as_bytes()).map_err(said)?;
    new.as_file().sync_all().map_err(said)?;
    new.persist(file).map(drop).map_err(|error| said(error.error))
}

/// A file's text with settings in it: in the place of a line that set the same, behind it otherwise.
fn with_lines(before: &str, lines: &Lines<'_>) -> String {
    let mut rows: Vec<String> = before.lines().map(str::to_owned).collect();
    for (Variable { name, .. }, value) in lines {
        let row = format!("{name}={value}");
        let sets = |row: &String| row.trim_start_matches(['#', ' ']).split('=').next() == Some(name);
        match rows.iter().position(sets) {
            Some(place) => rows[place] = row,
            None => rows.push(row),
        }
    }
    rows.into_iter().map(|row| row + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_take_the_place_of_those_that_were_there() {
        let lines: Lines<'_> =
            vec![(&own::PUBLIC_URL, "https://a.example".into()), (&own::COMPANY, "书坊 印刷".into())];
        assert_eq!(
            with_lines("", &lines),
            "BINDERY_PUBLIC_URL=https://a.example\nBINDERY_COMPANY=书坊 印刷\n"
        );
        let before = "# the shop\nBINDERY_HEIF=0\n#BINDERY_COMPANY=\nBINDERY_PUBLIC_URL=https://b.example\nBINDERY_COMPANY_X=1";
        let after = "# the shop\nBINDERY_HEIF=0\nBINDERY_COMPANY=书坊 印刷\nBINDERY_PUBLIC_URL=https://a.example\nBINDERY_COMPANY_X=1\n";
        assert_eq!(with_lines(before, &lines), after);
        assert_eq!(with_lines(after, &lines), after);
    }
}
