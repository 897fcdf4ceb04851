//! Company accounts 公司账号: who somebody is at the OpenID Connect provider that the host configured (`BINDERY_OIDC_ISSUER`), by the
//! code flow with PKCE, a state and a nonce.
//!
//! Not here: whose account it is and what it opens. Clerks' are the slice `staff`'s, members' are `accounts`'.

mod check;
mod config;
mod door;
mod provider;

use std::sync::Arc;

use base::error::Error;
use web::app::App;

pub use check::probe;
pub use config::{CLIENT_ID, CLIENT_SECRET, FOR_MEMBERS, ISSUER, NAME, OidcConfig, check};
pub use door::{Code, Door, OF_CLERKS, OF_MEMBERS, Onward, Trouble, lead_on, leaving};
pub use provider::{Identity, Provider};

/// The provider, where the host configured one.
pub fn of(app: &App) -> Result<Option<Arc<Provider>>, Error> {
    let provider = app.own(|_| {
        let config = config::read(base::variables::variable).map_err(Error::internal)?;
        Ok(config.map(Provider::new).transpose()?.map(Arc::new))
    })?;
    Ok((*provider).clone())
}

/// The same, where members come in by it, too.
pub fn for_members(app: &App) -> Result<Option<Arc<Provider>>, Error> {
    Ok(of(app)?.filter(|provider| provider.config.is_for_members))
}
