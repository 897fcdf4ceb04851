//! The demo's photos, which the program paints itself.

use base::error::Error;
use domain::ids::{MemberId, PhotoId};
use domain::layout::PhotoInput;
use web::app::App;
use web::demo::Demo;

use super::keep_jpeg;

/// Photos that are painted.
const PHOTOS: u32 = 48;
/// How many of them the buyer has, too.
const OF_BUYER: usize = 12;

/// Paints the photos, a few at a time, and takes them in like an upload.
pub async fn fill(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let painting: Vec<_> = (0..PHOTOS)
        .map(|number| {
            let app = app.clone();
            tokio::spawn(async move { app.compute(move || press::specimen::paint(number)).await })
        })
        .collect();
    for (number, task) in painting.into_iter().enumerate() {
        let painted = task.await.map_err(Error::internal)??;
        let (width, height, taken_at) = (painted.width, painted.height, painted.taken_at);
        let name = format!("风景 {:02}.jpg", number + 1);
        let keep = async |member: &MemberId, jpeg: Vec<u8>| {
            let id: PhotoId = keep_jpeg(app, member, &name, jpeg, width, height, taken_at).await?;
            Ok::<_, Error>(PhotoInput { taken_at: Some(taken_at), ..PhotoInput::new(id, width, height) })
        };
        if number < OF_BUYER {
            demo.of_buyer.push(keep(&demo.buyer, painted.jpeg.clone()).await?);
        }
        demo.library.push(keep(&demo.member, painted.jpeg).await?);
    }
    Ok(())
}
