//! Who works in the back office, on the command line: nobody gets in there who was not let in here.

use base::db::new_id;
use base::error::Failure;
use base::time;
use clap::Subcommand;
use domain::clerk::new_sign_in_name;
use domain::ids::StaffId;
use domain::staff::{LONGEST_NAME, Role};
use rand::Rng;
use web::app::App;

use super::clerks::acts::{self, By, Change, Entry, NotDone, What, named};
use super::store::{self, Account};

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
            let name = new_sign_in_name(&name)
                .ok_or_else(|| format!("a name has 1 to {LONGEST_NAME} letters, digits, - _ ."))?;
            let password = password.unwrap_or_else(new_password);
            add(app, &name, &role, password.clone()).await?;
            println!("{name} ({}) signs in at /staff with the password {password}", named(&role));
        }
        Command::List => {
            let mut tx = app.db.begin_snapshot().await?;
            let all = store::all(&mut tx).await?;
            if all.is_empty() {
                println!("Nobody works in the back office yet: bindery staff add NAME --role 站长");
            }
            for listed in all {
                let account = &listed.account;
                let state = match (account.ended_at, listed.invited_until, account.on_since) {
                    (Some(at), ..) => format!("let go {}", time::day(at)),
                    (None, Some(until), _) => format!("is invited until {}", time::stamp(until)),
                    (None, None, None) => "has not signed in yet".to_owned(),
                    (None, None, Some(at)) => format!("since {}", time::day(at)),
                };
                println!("{} ({}) {state}", account.name, named(&account.roles()?));
            }
        }
        Command::Roles { name, role } => {
            let account = working(app, &name).await?;
            carry_out(app, &account.id, What::Roles(role.clone()), None).await?;
            println!("{} is {} now.", account.name, named(&role));
        }
        Command::Reset { name } => {
            let account = working(app, &name).await?;
            let password = new_password();
            let entry = Entry::by_password(app, &account.id, password.clone()).await?;
            carry_out(app, &account.id, What::Reset, Some(entry)).await?;
            println!("{} signs in at /staff with the password {password} and another device.", account.name);
        }
        Command::Remove { name } => {
            let account = working(app, &name).await?;
            carry_out(app, &account.id, What::End, None).await?;
            println!("{} works here no more.", account.name);
        }
    }
    Ok(())
}

/// Lets somebody in by a password.
pub async fn add(app: &App, name: &str, roles: &[Role], password: String) -> Result<(), Failure> {
    let password = domain::password::check(&password, &[name]).map_err(|reason| reason.to_string())?;
    let id: StaffId = new_id();
    let entry = Entry::by_password(app, id.as_str(), password).await?;
    let (name, full_name, roles) = (name.to_owned(), String::new(), roles.to_vec());
    carry_out(app, id.as_str(), What::Add { name, full_name, roles }, Some(entry)).await
}

async fn carry_out(app: &App, id: &str, what: What, entry: Option<Entry>) -> Result<(), Failure> {
    let change = Change { id: id.to_owned(), what, seen: None, entry };
    match acts::carry_out(app, &change, By::Host).await {
        Ok(_) => Ok(()),
        Err(NotDone::NameTaken) => Err("the name is taken".into()),
        Err(NotDone::Failed(error)) => Err(error.into()),
        Err(reason) => Err(reason.to_string().into()),
    }
}

async fn working(app: &App, name: &str) -> Result<Account, Failure> {
    let account = store::by_name(&app.db, name).await?;
    account
        .filter(|account| account.ended_at.is_none())
        .ok_or_else(|| format!("nobody in the back office is called {name}").into())
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
