//! 通行密钥: passkeys (W3C Web Authentication, Level 3), with which a member signs in without a password, or answers for the
//! code of the second step.
//!
//! - The device asks for a fingerprint, a face or a PIN (user verification is required), so a passkey is two factors by itself.
//! - Origin and relying party are those of the configured public address; without one passkeys are not offered, and the
//!   page says why. A request's own host would let whoever chooses it choose them, too.
//! - A challenge is kept in the session, good once and for five minutes.
//! - A counter that went back is refused and told in the log of sign-ins: there may be a copy.
//! - They need script. Without it the page says so, and codes by time go on.

mod relying_party;
mod settings;
mod sign_in;

use base::error::Error;
use base::signing::keyed;
use domain::ids::MemberId;
use hmac::Mac;
use web::app::App;

use super::store::passkeys as store;

use relying_party::HANDLE;
pub use relying_party::{Key, NotOffered, Refused, RelyingParty, Shown};
pub use settings::{PATH, PasskeysPage, answer as change};
pub use sign_in::{ASKING, PasskeyForm, WAY, answer, begin};

/// Passkeys that a member may have.
const MOST: i64 = 10;
/// Where a session keeps what was begun.
const BEGUN: &str = "passkey";

/// How many passkeys a member has.
pub async fn count(app: &App, member: &MemberId) -> Result<i64, Error> {
    store::count(&app.db, member).await
}

/// Whether this site offers passkeys.
pub fn are_offered(app: &App) -> bool {
    RelyingParty::of(&app.config).is_ok()
}

/// What somebody is called on its devices: says nothing, and is the same for all of its passkeys. `what` tells members from
/// others who have passkeys here.
pub fn handle_of(app: &App, what: &str, id: &str) -> [u8; HANDLE] {
    keyed(app.key.as_bytes(), what).chain_update(id).finalize().into_bytes().into()
}

fn handle(app: &App, member: &MemberId) -> [u8; HANDLE] {
    handle_of(app, "passkey handle", member.as_str())
}
