//! What the program tells whoever supervises it, as sd_notify(3) has it (systemd's `Type=notify` and `WatchdogSec=`). Where nobody
//! does, nothing is told.

use sd_notify::NotifyState;

/// The program listens, and lives from now on: it says so twice within the time after which it would be taken for stuck. A task
/// of the runtime says it, so it is not said where the runtime answers nobody.
pub fn ready() {
    tell(NotifyState::Ready);
    let Some(patience) = sd_notify::watchdog_enabled() else { return };
    tokio::spawn(async move {
        let mut pause = tokio::time::interval(patience / 2);
        loop {
            pause.tick().await;
            tell(NotifyState::Watchdog);
        }
    });
}

/// The program was told to stop, and ends what is under way.
pub fn stopping() {
    tell(NotifyState::Stopping);
}

fn tell(what: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(std::slice::from_ref(&what)) {
        tracing::warn!(%error, "The supervisor could not be told: {what}");
    }
}
