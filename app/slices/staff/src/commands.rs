//! Who works in the back office, on the command line: nobody gets in there who was not let in here.

use clap::Subcommand;
use domain::ids::StaffId;
use domain::staff::{LONGEST_NAME, Role};
use rand::RngCore;
use serde_json::json;

use super::account_name;
use super::store::{self, Account};
use platform::app::App;
use platform::audit;
use platform::db::{Tx, new_id, now_ms};
use platform::error::{Error, Failure};
use platform::ui::time;

/// Commands about the back office's accounts.
#[derive(Subcommand)]
pub enum Command {
    /// Let somebody in, and print a password for the first time. The device for its codes is tied at that sign-in.
    Add {
        /// What it signs in with: 1 to 30 letters, digits, - _ .
        name: String,
        /// 客服, 印务, 财务, 编辑 or 站长; may be given more than once.
        #[arg(long, required = true)]
        role: Vec<Role>,
        /// A password instead of a new one.
        #[arg(long)]
        password: Option<String>,
    },
    /// Print who works here.
    List,
    /// Give somebody other roles.
    Roles {
        name: String,
        #[arg(long, required = true)]
        role: Vec<Role>,
    },
    /// For one who has lost the password or the device: a new password, and another device at the next sign-in.
    Reset { name: String },
    /// Let somebody go; the log keeps its name.
    Remove { name: String },
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add { name, role, password } => {
            let name = read_name(&name)?;
            let password = password.unwrap_or_else(new_password);
            let account = new_account(app, &name, &role, &password).await?;
            let mut tx = app.db.begin().await?;
            if !store::insert(&mut tx, &account).await? {
                return Err(format!("the name {name} is taken").into());
            }
            noted(tx, "staff add", &account.id, json!({ "name": name, "roles": store::codes(&role) }))
                .await?;
            println!("{name} ({}) signs in at /staff with the password {password}", named(&role));
        }
        Command::List => {
            let all = store::all(&app.db).await?;
            if all.is_empty() {
                println!("Nobody works in the back office yet: bindery staff add NAME --role 站长");
            }
            for account in all {
                let state = match (account.ended_at, account.on_since) {
                    (Some(at), _) => format!("let go {}", time::day(at)),
                    (None, None) => "has not signed in yet".to_owned(),
                    (None, Some(at)) => format!("since {}", time::day(at)),
                };
                println!("{} ({}) {state}", account.name, named(&account.roles()?));
            }
        }
        Command::Roles { name, role } => {
            let account = working(app, &name).await?;
            let mut tx = app.db.begin().await?;
            store::set_roles(&mut tx, &account.name, &role).await?;
            noted(
                tx,
                "staff roles",
                &account.id,
                json!({ "name": account.name, "roles": store::codes(&role) }),
            )
            .await?;
            println!("{} is {} now.", account.name, named(&role));
        }
        Command::Reset { name } => {
            let account = working(app, &name).await?;
            let password = new_password();
            let fresh = new_account(app, &account.name, &[], &password).await?;
            let sealed = accounts::seal_secret(app.key.as_bytes(), &account.id, accounts::new_secret())?;
            let mut tx = app.db.begin().await?;
            store::set_password(&mut tx, &account.id, &fresh.password_hash, None).await?;
            store::set_secret(&mut tx, &account.id, &sealed).await?;
            noted(tx, "staff reset", &account.id, json!({ "name": account.name })).await?;
            println!("{} signs in at /staff with the password {password} and another device.", account.name);
        }
        Command::Remove { name } => {
            let account = working(app, &name).await?;
            let mut tx = app.db.begin().await?;
            store::end(&mut tx, &account.id, now_ms()).await?;
            noted(tx, "staff remove", &account.id, json!({ "name": account.name })).await?;
            println!("{} works here no more.", account.name);
        }
    }
    Ok(())
}

/// An account to come.
pub async fn new_account(app: &App, name: &str, roles: &[Role], password: &str) -> Result<Account, Failure> {
    let password = domain::password::check(password, &[name]).map_err(|reason| reason.to_string())?;
    let id: StaffId = new_id();
    Ok(Account {
        id: id.to_string(),
        name: name.to_owned(),
        roles: store::codes(roles),
        password_hash: accounts::hash_password(app, password).await?,
        sealed: accounts::seal_secret(app.key.as_bytes(), id.as_str(), accounts::new_secret())?,
        on_since: None,
        created_at: now_ms(),
        ended_at: None,
    })
}

async fn working(app: &App, name: &str) -> Result<Account, Failure> {
    let account = store::by_name(&app.db, name).await?;
    account
        .filter(|account| account.ended_at.is_none())
        .ok_or_else(|| format!("nobody in the back office is called {name}").into())
}

async fn noted(mut tx: Tx, action: &str, id: &str, detail: serde_json::Value) -> Result<(), Error> {
    audit::note(&mut tx, action, id, &detail).await?;
    Ok(tx.commit().await?)
}

fn named(roles: &[Role]) -> String {
    roles.iter().map(|role| role.name()).collect::<Vec<_>>().join("、")
}

fn read_name(name: &str) -> Result<String, Failure> {
    let name = account_name(name);
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count())
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if fits { Ok(name) } else { Err(format!("a name has 1 to {LONGEST_NAME} letters, digits, - _ .").into()) }
}

/// Ninety random bits, in groups.
fn new_password() -> String {
    // no 0/O and 1/I/L: it is read aloud
    const LETTERS: &[u8] = b"23456789abcdefghjkmnpqrstuvwxyz";
    let mut bytes = [0u8; 18];
    rand::rng().fill_bytes(&mut bytes);
    let letters: Vec<char> =
        bytes.iter().map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()])).collect();
    letters.chunks(6).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}
