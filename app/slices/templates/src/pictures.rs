//! Pictures of templates' pages, drawn when somebody first looks, and kept with the other page pictures.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::response::Response;
use base::error::Error;
use base::keyed::KeyedLock;
use base::storage::page_picture_key;
use domain::ids::PhotoId;
use press::{PageRef, Proxies, specimen};
use sha2::{Digest, Sha256};
use web::app::App;

use super::list::{self, Template, number_of};
use photos::{Picture, webp};

/// The widths that pages are drawn in, in pixels.
const WIDTHS: [u32; 2] = [320, 720];
/// Changed whenever templates are drawn differently.
const DRAWING: &str = "1";

/// The address of a page, 0 for the cover.
pub fn address(template: &Template, page: usize, width: u32) -> String {
    format!("/manager/Aitus/{}/{page}/{width}", template.path)
}

/// One drawing of a page at a time; the others wait and find it drawn.
static UNDER_WAY: std::sync::LazyLock<KeyedLock<String>> = std::sync::LazyLock::new(KeyedLock::default);

/// GET /manager/Aitus/{path}/{page}/{width}.
pub async fn serve(
    State(app): State<App>,
    Path((path, page, width)): Path<(String, usize, u32)>,
) -> Result<Response, Error> {
    let template = list::find(&path).filter(|_| WIDTHS.contains(&width)).ok_or(Error::NotFound)?;
    let turn = UNDER_WAY.of(format!("{path}/{page}"));
    let _turn = turn.lock().await;
    let digest = hex::encode(Sha256::digest(format!("template {DRAWING} {template:?} {page}")));
    let key = page_picture_key(&digest, width);
    if let Some(bytes) = app.storage.picture(&key).await? {
        return Ok(webp(Picture { bytes, lasts: true }));
    }
    let document = template.document()?;
    if page > document.pages.len() {
        return Err(Error::NotFound);
    }
    let press = app.press;
    let drawn = app
        .compute(move || {
            let painted = Painted::default();
            let page = page.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner);
            WIDTHS.map(|width| (width, press.page_picture(&document, page, &painted, width)))
        })
        .await?;
    let mut asked = None;
    for (drawn_width, bytes) in drawn {
        let bytes = bytes.map_err(Error::internal)?;
        app.storage.keep_picture(&page_picture_key(&digest, drawn_width), bytes.clone()).await?;
        if drawn_width == width {
            asked = Some(bytes);
        }
    }
    Ok(webp(Picture { bytes: asked.ok_or(Error::NotFound)?, lasts: true }))
}

/// Photos that the program paints, each once.
#[derive(Default)]
struct Painted(Mutex<HashMap<u32, Vec<u8>>>);

impl Proxies for Painted {
    fn proxy(&self, photo: &PhotoId, _: u32) -> Option<Vec<u8>> {
        let number = number_of(photo)?;
        let mut painted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(painted.entry(number).or_insert_with(|| specimen::paint(number).jpeg).clone())
    }
}
