//! Handing over to a prepress workflow 印前流程: a hot folder 热文件夹, or a folder of a bucket, in which each job that may be printed
//! appears whole and once, and what comes back below `printed` moves its lines on.
//!
//! Not here: what is in print files (orders), the stages (production), what a job is called and when it goes back (domain).

mod bucket;
mod folder;
mod pages;
mod place;
mod placing;
mod store;
mod sweep;

use axum::routing::post;
use base::error::Error;
use domain::staff::Capability;
use leptos::prelude::*;
use web::access::Policy;
use web::app::App;
use web::route::Route;
use web::slice::{Queue, Queues, Slice, StaffEntry};

/// Where its jobs are listed, and what hangs.
const PAGE: &str = "/staff/hot-folder";

/// Its routes.
const ROUTES: &[Route] = &[Route::new("/staff/hot-folder", Policy::Staff(Capability::Print))
    .page(|| pages::HotFolderPage().into_any())
    .handled(|| post(pages::act))];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    staff_navigation: &[StaffEntry { href: PAGE, name: "热文件夹", rank: 13, needs: Capability::Print }],
    audited: &[
        ("hot folder begin", "重新启用热文件夹"),
        ("job place", "放入热文件夹"),
        ("job printed", "热文件夹印好"),
        ("job withdraw", "从热文件夹撤回"),
        ("job again", "再放一次"),
        ("job close", "处理了热文件夹的任务"),
    ],
    queues: Some(&AtQueues),
    background: &[sweep::WATCHING],
    tables: &["hot_folder", "hot_folder_jobs"],
    passing: &["hot_folder_troubles"],
    ..Slice::new("handover")
};

/// What waits here.
#[derive(Debug)]
struct AtQueues;

#[async_trait::async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        let (count, oldest) = store::count_troubles(&app.db).await?;
        Ok(vec![Queue {
            name: "热文件夹里卡住的",
            href: PAGE.to_owned(),
            count,
            oldest,
            needs: Capability::Print,
            late_after_ms: 60 * 60_000,
        }])
    }
}
