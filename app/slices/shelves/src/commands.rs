//! What the operator does with shelves.

use base::audit;
use base::db::now_ms;
use base::error::Failure;
use clap::Subcommand;
use domain::shelf::ShelfName;
use serde_json::json;
use web::app::App;

use super::{address, store};

/// Commands about shelves.
#[derive(Subcommand)]
pub enum Command {
    /// Print all shelves, the newest first.
    List {
        /// As JSON: name, title, state (public, private, withdrawn), path.
        #[arg(long)]
        json: bool,
    },
    /// Take a shelf away from readers; its maker reads why.
    Withdraw {
        name: ShelfName,
        #[arg(long)]
        reason: String,
    },
    /// Let readers look at a withdrawn shelf again.
    Allow { name: ShelfName },
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { json } => {
            let state = |shelf: &store::Shelf| match (&shelf.withdrawn_reason, shelf.is_public) {
                (Some(_), _) => "withdrawn",
                (None, true) => "public",
                (None, false) => "private",
            };
            let shelves = store::list(&app.db, None).await?;
            if json {
                let rows: Vec<_> = shelves
                    .iter()
                    .map(|shelf| {
                        json!({ "name": shelf.name.as_str(), "title": shelf.title, "state": state(shelf),
                                "path": address(&shelf.name) })
                    })
                    .collect();
                println!("{}", serde_json::Value::from(rows));
                return Ok(());
            }
            if shelves.is_empty() {
                println!("There are no shelves.");
            }
            for shelf in shelves {
                println!("/shelf/{} {} {}", shelf.name, state(&shelf), shelf.title);
            }
        }
        Command::Withdraw { name, reason } => {
            let reason = reason.trim().trim_end_matches(['。', '.']).to_owned();
            if reason.is_empty() || reason.chars().count() > 200 {
                return Err("a reason has 1 to 200 characters".into());
            }
            set(app, &name, Some(&reason), "shelf.withdraw", &json!({ "reason": reason })).await?;
            println!("Nobody but its maker sees the shelf {name} any more.");
        }
        Command::Allow { name } => {
            set(app, &name, None, "shelf.allow", &json!({})).await?;
            println!("Readers see the shelf {name} again, where its maker wants it.");
        }
    }
    Ok(())
}

async fn set(
    app: &App,
    name: &ShelfName,
    reason: Option<&str>,
    action: &str,
    detail: &serde_json::Value,
) -> Result<(), Failure> {
    let shelf = store::find_by_name(&app.db, name).await?.ok_or(format!("there is no shelf {name}"))?;
    let mut tx = app.db.begin().await?;
    let changed = match reason {
        Some(reason) => store::withdraw(&mut tx, &shelf.id, reason, now_ms()).await?,
        None => store::allow(&mut tx, &shelf.id).await?,
    };
    if !changed {
        return Err(format!("{name} is so already").into());
    }
    audit::note(&mut tx, action, shelf.id.as_str(), detail).await?;
    tx.commit().await?;
    Ok(())
}
