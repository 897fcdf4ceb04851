//! Pages that belong to no slice: the way in, what is shown when something went wrong, and the public pages with
//! what search engines ask for.

pub mod about;
mod pages;
mod public;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use domain::return_path;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::app::App;
use platform::base::Base;
use platform::router::Routes;
use platform::slice::Slice;

use about::{AboutPage, ContactPage, FaqPage, PhotosGuidePage, PricesPage, PrivacyPage, ProductsPage};
use pages::ErrorPage;
pub use public::{is_public, public_page};

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/", Policy::Member),
        ("/about", Policy::Everybody),
        ("/about/", Policy::Public),
        ("/about/contact", Policy::Everybody),
        ("/about/faq", Policy::Everybody),
        ("/about/photos", Policy::Everybody),
        ("/about/prices", Policy::Everybody),
        ("/about/privacy", Policy::Everybody),
        ("/about/products", Policy::Everybody),
        ("/error", Policy::Public),
        ("/manager", Policy::Member),
        ("/manager/opus_list", Policy::Member),
        ("/robots.txt", Policy::Everybody),
        ("/sitemap.xml", Policy::Everybody),
    ],
    public: &about::PLACES,
    ..Slice::new("site")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/error") view=ErrorPage/>
        <Route path=path!("/about") view=AboutPage/>
        <Route path=path!("/about/products") view=ProductsPage/>
        <Route path=path!("/about/prices") view=PricesPage/>
        <Route path=path!("/about/photos") view=PhotosGuidePage/>
        <Route path=path!("/about/faq") view=FaqPage/>
        <Route path=path!("/about/privacy") view=PrivacyPage/>
        <Route path=path!("/about/contact") view=ContactPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// Redirects of section 2 of the specification, and the files for search engines.
fn router() -> Routes {
    Routes::default()
        .route("/", get(|| async { Redirect::to(return_path::DEFAULT) }))
        .route("/manager", get(|| async { Redirect::to(return_path::DEFAULT) }))
        .route("/manager/opus_list", get(|| async { Redirect::to("/manager/opus_list/all") }))
        .route("/about/", get(|| async { Redirect::permanent(about::HOME) }))
        .route("/robots.txt", get(robots))
        .route("/sitemap.xml", get(sitemap))
}

/// What crawlers may read: the public pages, the door, and the files they need.
async fn robots(State(app): State<App>, headers: HeaderMap) -> impl IntoResponse {
    let base = Base::of(&app.config, &headers);
    format!(
        "User-agent: *\nAllow: /about\nAllow: /manager/login$\nDisallow: /manager/\nDisallow: /cart/\nDisallow: /shopping/\n\
         Disallow: /user-center/\nDisallow: /uwp/\nDisallow: /error\n\nSitemap: {}\n",
        base.join("/sitemap.xml")
    )
}

async fn sitemap(State(app): State<App>, headers: HeaderMap) -> impl IntoResponse {
    let base = Base::of(&app.config, &headers);
    let places: String = about::PLACES
        .iter()
        .map(|place| format!("<url><loc>{}</loc></url>\n", base.join(place.path)))
        .collect();
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{places}</urlset>\n"
    );
    ([(header::CONTENT_TYPE, "application/xml; charset=utf-8")], xml)
}
