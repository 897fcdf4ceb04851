//! Pages that belong to no slice: the way in, what is shown when something went wrong, and the public pages with
//! what search engines ask for.

pub mod about;
mod pages;
mod public;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use base::error::Error;
use base::time;
use domain::return_path;
use leptos::prelude::*;
use web::access::Policy;
use web::app::App;
use web::origin::Origin;
use web::route::{Route, View};
use web::slice::{AtDesk, Slice};

use about::{AboutPage, ContactPage, FaqPage, PhotosGuidePage, PricesPage, PrivacyPage, ProductsPage};
use pages::ErrorPage;
use public::public_page;

/// Its routes. Redirects are those of section 2 of the specification, and search engines ask for the last three.
const ROUTES: &[Route] = &[
    Route::new("/", Policy::Member)
        .at_desk(AtDesk::Own)
        .handled(|| get(|| async { Redirect::to(return_path::DEFAULT) })),
    Route::new("/manager/", Policy::Member)
        .at_desk(AtDesk::Own)
        .handled(|| get(|| async { Redirect::to(return_path::DEFAULT) })),
    Route::new("/manager/login/", Policy::Public)
        .handled(|| get(|| async { Redirect::permanent(return_path::LOGIN) })),
    Route::new("/manager", Policy::Member)
        .at_desk(AtDesk::Own)
        .handled(|| get(|| async { Redirect::to(return_path::DEFAULT) })),
    Route::new("/manager/opus_list", Policy::Member)
        .at_desk(AtDesk::Own)
        .handled(|| get(|| async { Redirect::to("/manager/opus_list/all") })),
    Route::new("/error", Policy::Public).page(|| ErrorPage().into_any()),
    for_everybody("/about", || AboutPage().into_any()),
    Route::new("/about/", Policy::Public).handled(|| get(|| async { Redirect::permanent(about::HOME) })),
    for_everybody("/about/contact", || ContactPage().into_any()),
    for_everybody("/about/faq", || FaqPage().into_any()),
    for_everybody("/about/photos", || PhotosGuidePage().into_any()),
    for_everybody("/about/prices", || PricesPage().into_any()),
    for_everybody("/about/privacy", || PrivacyPage().into_any()),
    for_everybody("/about/products", || ProductsPage().into_any()),
    Route::new("/robots.txt", Policy::Everybody).handled(|| get(robots)),
    Route::new("/sitemap.xml", Policy::Everybody).handled(|| get(sitemap)),
    Route::new("/sitemap/{file}", Policy::Everybody).handled(|| get(sitemap_part)),
];

/// A page that is rendered seldom.
const fn for_everybody(pattern: &'static str, view: View) -> Route {
    Route::new(pattern, Policy::Everybody).page_by(view, || get(public_page))
}

/// See [`Slice`].
pub static SLICE: Slice = Slice { routes: &[ROUTES], public: &about::PLACES, ..Slice::new("site") };

/// What crawlers may read: the public pages, the door, and the files they need.
async fn robots(State(app): State<App>, headers: HeaderMap) -> impl IntoResponse {
    let base = Origin::of(&app.config, &headers);
    format!(
        "User-agent: *\nAllow: /about\nAllow: /manager/login$\nAllow: /read/\nAllow: /epaper/\nAllow: /magazine/\nAllow: /shelf/\nAllow: /card/\n\
         Disallow: /manager/\nDisallow: /cart/\nDisallow: /shopping/\n\
         Disallow: /user-center/\nDisallow: /uwp/\nDisallow: /works/\nDisallow: /error\n\nSitemap: {}\n",
        base.join("/sitemap.xml")
    )
}

/// Addresses in one sitemap; one may have 50,000 (sitemaps.org).
const MOST_IN_SITEMAP: usize = 20_000;

/// GET /sitemap.xml: every public address, or where there are many an index of sitemaps.
async fn sitemap(State(app): State<App>, headers: HeaderMap) -> Result<Response, Error> {
    let base = Origin::of(&app.config, &headers);
    let all = addresses(&app).await?;
    if all.len() <= MOST_IN_SITEMAP {
        return Ok(urls(&base, &all));
    }
    let count = all.len().div_ceil(MOST_IN_SITEMAP);
    let parts: String = (1..=count)
        .map(|number| {
            format!("<sitemap><loc>{}</loc></sitemap>\n", base.join(&format!("/sitemap/{number}.xml")))
        })
        .collect();
    Ok(xml(&format!(
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{parts}</sitemapindex>\n"
    )))
}

/// GET /sitemap/{number}.xml: one of several.
async fn sitemap_part(
    State(app): State<App>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let number: usize =
        file.strip_suffix(".xml").and_then(|number| number.parse().ok()).ok_or(Error::NotFound)?;
    let all = addresses(&app).await?;
    let part = number.checked_sub(1).and_then(|index| all.chunks(MOST_IN_SITEMAP).nth(index));
    Ok(urls(&Origin::of(&app.config, &headers), part.ok_or(Error::NotFound)?))
}

/// Everything that search engines may have, with the moment of the last change where it is known.
async fn addresses(app: &App) -> Result<Vec<(String, Option<i64>)>, Error> {
    let own = about::PLACES.iter().map(|place| (place.path.to_owned(), None));
    let read = reader::addresses(app).await?.into_iter().chain(publications::addresses(app).await?);
    let all = read.chain(shelves::addresses(app).await?).chain(card::addresses(app).await?);
    Ok(own.chain(all.map(|(path, at)| (path, Some(at)))).collect())
}

fn urls(base: &Origin, addresses: &[(String, Option<i64>)]) -> Response {
    let places: String = addresses
        .iter()
        .map(|(path, at)| {
            let changed =
                at.map(|at| format!("<lastmod>{}</lastmod>", time::rfc3339(at))).unwrap_or_default();
            format!("<url><loc>{}</loc>{changed}</url>\n", base.join(path))
        })
        .collect();
    xml(&format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{places}</urlset>\n"))
}

fn xml(body: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/xml; charset=utf-8")];
    (kind, format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{body}")).into_response()
}
