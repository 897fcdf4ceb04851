//! Invoices in the back office 后台: requests to issue, and issued ones that money was given back of.

pub mod forms;
mod invoice;
mod list;

use base::error::Error;
use domain::ids::InvoiceId;
use domain::staff::Capability;
use leptos::prelude::*;
use web::app::App;
use web::slice::{Queue, Queues};

use super::bill::Billed;
use super::store;

pub use forms::{MOST_REQUEST, file, issue, reject, void};
pub use invoice::StaffInvoicePage;
pub use list::StaffInvoicesPage;

/// Where invoices are listed.
const LIST: &str = "/staff/invoices";
/// The view of the list that has what is to be corrected 需红冲.
const CORRECTION: &str = "correction";
/// How long anything here may wait before it is late, in ms.
const LATE_MS: i64 = 48 * 60 * 60_000;

/// The page of an invoice.
pub fn address(id: &InvoiceId) -> String {
    format!("{LIST}/{id}")
}

/// What waits here.
#[derive(Debug)]
pub struct AtQueues;

#[async_trait::async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        let queue = |name, href, (count, oldest)| Queue {
            name,
            href,
            count,
            oldest,
            needs: Capability::Invoices,
            late_after_ms: LATE_MS,
        };
        let requested = store::staff::count_requested(&app.db).await?;
        let to_correct = store::staff::count_to_correct(&app.db).await?;
        Ok(vec![
            queue("待开的发票", LIST.to_owned(), requested),
            queue("需红冲的发票", format!("{LIST}?view={CORRECTION}"), to_correct),
        ])
    }
}

/// What an invoice is of, with the way to its page.
#[component]
fn Of(of: Billed) -> impl IntoView {
    let number = of.id().to_owned();
    let number = match of.staff_page() {
        Some(page) => view! { <a class="link num" href=page>{number}</a> }.into_any(),
        None => view! { <span class="num">{number}</span> }.into_any(),
    };
    view! { <span>{of.noun()}" "{number}</span> }
}
