//! The list of slices, and what is made of all of them: the site, the routes, the access table.

use axum::http::StatusCode;
use leptos::prelude::*;
use leptos_axum::generate_route_list;
use leptos_router::components::{FlatRoutes, Route, Router};
use leptos_router::path;

use crate::access::Policy;
use crate::accounts::{
    AddressPage, AddressesPage, ContactPage as MemberContactPage, NewAddressPage, PasswordPage, ProfilePage,
    ScanPage, SecondFactorPage, SignInPage, SignInsPage,
};
use crate::cart::{AddPage, CartPage, OptionsPage, ProofPage};
use crate::invoices::{InvoicePage, InvoicesPage, NewInvoicePage, NewTitlePage, TitlePage, TitlesPage};
use crate::orders::{OrderPage, OrdersPage, PlacePage, ReorderPage};
use crate::payments::{PayPage, PaymentPage, RechargePage, SuccessPage};
use crate::photos::{PhotoPage, PhotosPage};
use crate::router::Routes;
use crate::site::ErrorPage;
use crate::site::about::{
    AboutPage, ContactPage, FaqPage, PhotosGuidePage, PricesPage, PrivacyPage, ProductsPage,
};
use crate::slice::House;
use crate::ui::shell::{Document, ErrorBody};
use crate::works::{
    CalendarDeskPage, CalendarPage, ComparisonPage, DesignPage, DocumentPage, FormatPage, ImportPage,
    MakePage, PagePhotosPage, PagesPage, RevisionPage, RevisionsPage, SettingPage, WorkPage, WorksPage,
};
use crate::{accounts, cart, catalog, invoices, orders, payments, photos, render, router, site, works};

/// All slices, each after those whose rows its own refer to.
pub static HOUSE: House = House {
    slices: &[
        router::OWN,
        accounts::SLICE,
        photos::SLICE,
        works::SLICE,
        catalog::SLICE,
        cart::SLICE,
        orders::SLICE,
        invoices::SLICE,
        payments::SLICE,
        site::SLICE,
    ],
    identity: &accounts::Accounts,
    site: || view! { <Site/> }.into_any(),
};

/// Every route's policy, by the router's own pattern.
pub fn policies() -> impl Iterator<Item = &'static (&'static str, Policy)> {
    HOUSE.each(|slice| slice.policies)
}

/// Every route of the program, without its layers.
pub fn routes() -> Routes {
    let routes = HOUSE.slices.iter().fold(Routes::default(), |routes, slice| routes.merge((slice.routes)()));
    let pages = generate_route_list(|| view! { <Site/> });
    let (public, others) = pages.into_iter().partition(|page| site::is_public(page.path()));
    routes.pages(public, site::public_page).pages(others, render::page)
}

/// The whole site: one document, one component for each address.
#[component]
pub fn Site() -> impl IntoView {
    view! {
        <Document>
            <Router>
                <FlatRoutes fallback=|| view! { <ErrorBody status=StatusCode::NOT_FOUND message=String::new()/> }>
                    <Route path=path!("/manager/login") view=SignInPage/>
                    <Route path=path!("/manager/login/*path") view=SignInPage/>
                    <Route path=path!("/manager/scan/:ask") view=ScanPage/>
                    <Route path=path!("/manager/userInfo/password") view=PasswordPage/>
                    <Route path=path!("/manager/userInfo/contact") view=MemberContactPage/>
                    <Route path=path!("/error") view=ErrorPage/>
                    <Route path=path!("/about") view=AboutPage/>
                    <Route path=path!("/about/products") view=ProductsPage/>
                    <Route path=path!("/about/prices") view=PricesPage/>
                    <Route path=path!("/about/photos") view=PhotosGuidePage/>
                    <Route path=path!("/about/faq") view=FaqPage/>
                    <Route path=path!("/about/privacy") view=PrivacyPage/>
                    <Route path=path!("/about/contact") view=ContactPage/>
                    <Route path=path!("/manager/make_ebook") view=MakePage/>
                    <Route path=path!("/manager/opus-doc-calendar") view=CalendarDeskPage/>
                    <Route path=path!("/manager/photos") view=PhotosPage/>
                    <Route path=path!("/manager/photo/:id") view=PhotoPage/>
                    <Route path=path!("/manager/opus_list/:type") view=WorksPage/>
                    <Route path=path!("/manager/opus/:id") view=WorkPage/>
                    <Route path=path!("/manager/opus/:id/revisions") view=RevisionsPage/>
                    <Route path=path!("/manager/opus/:id/revisions/:revision") view=RevisionPage/>
                    <Route path=path!("/manager/opus/:id/comparison") view=ComparisonPage/>
                    <Route path=path!("/manager/opus/:id/format") view=FormatPage/>
                    <Route path=path!("/manager/opus/:id/page/:page") view=DesignPage/>
                    <Route path=path!("/manager/opus/:id/page/:page/photos") view=PagePhotosPage/>
                    <Route path=path!("/manager/opus/:id/pages") view=PagesPage/>
                    <Route path=path!("/manager/opus-document") view=DocumentPage/>
                    <Route path=path!("/manager/opus/:id/calendar") view=CalendarPage/>
                    <Route path=path!("/manager/opus_import") view=ImportPage/>
                    <Route path=path!("/manager/opus_setting/:id") view=SettingPage/>
                    <Route path=path!("/manager/add_shopping/:id") view=AddPage/>
                    <Route path=path!("/manager/shopping/cart") view=CartPage/>
                    <Route path=path!("/manager/shopping/cart/:line/options") view=OptionsPage/>
                    <Route path=path!("/manager/shopping/cart/:line/proof") view=ProofPage/>
                    <Route path=path!("/manager/shopping/order/:ids") view=PlacePage/>
                    <Route path=path!("/manager/shopping/pay") view=PayPage/>
                    <Route path=path!("/manager/shopping/success") view=SuccessPage/>
                    <Route path=path!("/manager/recharge") view=RechargePage/>
                    <Route path=path!("/manager/payment/:id") view=PaymentPage/>
                    <Route path=path!("/manager/order") view=OrdersPage/>
                    <Route path=path!("/manager/order/:id") view=OrderPage/>
                    <Route path=path!("/manager/order/:id/reorder") view=ReorderPage/>
                    <Route path=path!("/manager/invoice") view=InvoicesPage/>
                    <Route path=path!("/manager/invoice/new") view=NewInvoicePage/>
                    <Route path=path!("/manager/invoice/titles") view=TitlesPage/>
                    <Route path=path!("/manager/invoice/titles/new") view=NewTitlePage/>
                    <Route path=path!("/manager/invoice/titles/:id") view=TitlePage/>
                    <Route path=path!("/manager/invoice/:id") view=InvoicePage/>
                    <Route path=path!("/manager/userInfo") view=ProfilePage/>
                    <Route path=path!("/manager/userInfo/second_factor") view=SecondFactorPage/>
                    <Route path=path!("/manager/userInfo/signins") view=SignInsPage/>
                    <Route path=path!("/manager/userInfo/addresses") view=AddressesPage/>
                    <Route path=path!("/manager/userInfo/addresses/new") view=NewAddressPage/>
                    <Route path=path!("/manager/userInfo/addresses/:id") view=AddressPage/>
                </FlatRoutes>
            </Router>
        </Document>
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::extract::{Request, State};
    use axum::http::Method;
    use axum::middleware::{Next, from_fn_with_state};
    use axum::routing::any;
    use axum::{Extension, Router};
    use domain::money::Fen;
    use domain::tier::{Feature, Tier, allows};
    use platform::access::enforce;
    use platform::security;
    use platform::session::{self, Visitor};
    use tower::ServiceExt;

    use super::*;
    use crate::app::App;
    use crate::db::new_id;
    use crate::testing::{self, Engine};

    #[tokio::test]
    async fn every_route_has_a_policy_and_every_policy_a_route() {
        let routes = routes();
        for pattern in routes.patterns() {
            assert!(policies().any(|(known, _)| known == pattern), "{pattern} has no policy");
        }
        for (pattern, _) in policies() {
            assert!(routes.patterns().iter().any(|known| known == pattern), "{pattern} has no route");
            assert_eq!(
                policies().filter(|(known, _)| known == pattern).count(),
                1,
                "{pattern} has two policies"
            );
        }
    }

    /// Asks an address that needs the feature, as a member of a tier.
    async fn ask(
        app: &App,
        feature: Feature,
        tier: Option<Tier>,
        method: Method,
        path: &str,
    ) -> (u16, String) {
        let member = tier.map(|tier| session::Member {
            id: new_id(),
            account: "13800138000".into(),
            name: "林知夏".into(),
            phone: Some("13800138000".into()),
            email: None,
            tier,
            tier_until: None,
            member_code: "00000000".into(),
            invite_code: "AAAAAAAA".into(),
            avatar: None,
            login: new_id(),
            seen_at: 0,
            balance: Fen(0),
            cart_lines: 0,
        });
        let enforcing = move |State(app): State<App>, request: Request, next: Next| async move {
            enforce(&app, Policy::Needs(feature), request, next).await
        };
        let router: Router<()> = Router::new()
            .route(path, any(|| async { "open" }))
            .layer(from_fn_with_state(app.clone(), enforcing))
            .layer(from_fn_with_state(app.clone(), security::error_pages))
            .layer(Extension(Visitor(member)))
            .with_state(app.clone());
        let request = Request::builder().method(method).uri(path).body(Body::empty()).expect("a request");
        let answer = router.oneshot(request).await.expect("an answer");
        let status = answer.status().as_u16();
        let body = to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
        (status, String::from_utf8(body.into()).expect("UTF-8"))
    }

    #[tokio::test]
    async fn what_a_tier_does_not_open_is_refused_and_says_which_one_does() {
        // collecting the routes makes the executor that rendering needs
        drop(routes());
        let (app, _folder) = testing::app(Engine::Sqlite).await.expect("SQLite is always there");
        for feature in Feature::all() {
            for tier in Tier::ALL {
                let open = allows(tier, feature);
                for (method, path) in
                    [(Method::GET, "/manager/x"), (Method::POST, "/manager/x"), (Method::GET, "/cart/x")]
                {
                    let (status, body) = ask(&app, feature, Some(tier), method, path).await;
                    if open {
                        assert_eq!((status, body.as_str()), (200, "open"), "{feature:?} {tier}");
                        continue;
                    }
                    assert_eq!(status, StatusCode::FORBIDDEN, "{feature:?} {tier}");
                    for tier in feature.opened_by() {
                        assert!(body.contains(tier.name()), "{body}");
                    }
                    if path.starts_with("/cart/") {
                        assert!(body.starts_with("{\"code\":403,\"msg\":\""), "{body}");
                    } else {
                        assert!(
                            body.starts_with("<!DOCTYPE html>") && body.matches("<h1").count() == 1,
                            "{body}"
                        );
                        // a way on that is there
                        let upgrade = app.policy("/manager/upgrade").is_some();
                        assert_eq!(body.contains("href=\"/manager/upgrade\""), upgrade);
                    }
                }
            }
            let (status, _) = ask(&app, feature, None, Method::GET, "/manager/x").await;
            assert_eq!(status, StatusCode::SEE_OTHER, "signed out");
        }
    }
}
