//! Wakes workers when something was queued: this instance's at once, those of others by PostgreSQL (LISTEN and NOTIFY). Where that
//! can't be, as behind a pooler, they find it when they look.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio_util::sync::CancellationToken;

use crate::db::{Db, PgConnections, Pooling};

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
    here: Notify,
    /// Rung once, however often it was rung since others were told.
    elsewhere: Notify,
}

const CHANNEL: &str = "bindery_jobs";
/// Others are told this often at most.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a connection that broke stays away.
const RECOVERY: Duration = Duration::from_secs(5);

impl Bell {
    /// Called after the transaction that queued a job is committed.
    pub fn ring(&self) {
        self.0.here.notify_waiters();
        self.0.elsewhere.notify_one();
    }

    /// Waits for it.
    pub fn rung(&self) -> Notified<'_> {
        self.0.here.notified()
    }
}

/// Tells other instances and hears from them, until told to stop.
pub async fn between_instances(db: Db, bell: Bell, stop: CancellationToken) {
    let Db::Postgres(connections, _) = &db else { return };
    if connections.pooling() == Pooling::Transaction {
        return;
    }
    let listening = async {
        loop {
            if let Err(error) = listen(connections, &bell).await {
                tracing::warn!(%error, "Other instances can't be heard; their jobs are found when somebody looks");
            }
            tokio::time::sleep(RECOVERY).await;
        }
    };
    let telling = async {
        loop {
            bell.0.elsewhere.notified().await;
            let told = sqlx::query("select pg_notify($1, '')").bind(CHANNEL).execute(connections).await;
            if let Err(error) = told {
                tracing::warn!(%error, "Other instances could not be told of a job; they find it when they look");
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::select! {
        () = stop.cancelled() => {}
        () = listening => {}
        () = telling => {}
    }
}

async fn listen(connections: &PgConnections, bell: &Bell) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(connections.pool()).await?;
    listener.listen(CHANNEL).await?;
    loop {
        // the connection is made anew by itself; what was told meanwhile is lost
        listener.try_recv().await?;
        bell.0.here.notify_waiters();
    }
}
