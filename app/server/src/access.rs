//! Who may open what (specification section 2, "Access"): one table, every route in it.

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use domain::return_path;
use domain::tier::{Feature, allows};

use crate::app::App;
use crate::calls;
use crate::error::Error;
use crate::session::Visitor;

/// What a caller must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Open to everyone.
    Public,
    /// A signed-in member; which of its own things it may touch is part of each query.
    Member,
    /// A signed-in member whose tier opens the feature (specification section 6).
    Needs(Feature),
}

use Policy::{Member, Needs, Public};

/// Every route's policy, by the router's own pattern.
pub const POLICIES: &[(&str, Policy)] = &[
    ("/", Member),
    ("/.well-known/change-password", Public),
    ("/.well-known/security.txt", Public),
    ("/about", Public),
    ("/about/", Public),
    ("/about/contact", Public),
    ("/about/faq", Public),
    ("/about/photos", Public),
    ("/about/prices", Public),
    ("/about/privacy", Public),
    ("/about/products", Public),
    ("/assets/{file}", Public),
    ("/cart/cartInfo", Member),
    ("/cart/cartList", Member),
    ("/cart/priceLines", Member),
    ("/csp_report", Public),
    ("/error", Public),
    ("/favicon.ico", Public),
    ("/healthz", Public),
    ("/manager", Member),
    ("/manager/add_shopping/{id}", Member),
    ("/manager/avatar/{sha256}", Member),
    ("/manager/invoice", Member),
    ("/manager/invoice/new", Member),
    ("/manager/invoice/titles", Member),
    ("/manager/invoice/titles/new", Member),
    ("/manager/invoice/titles/{id}", Member),
    ("/manager/invoice/titles/{id}/removal", Member),
    ("/manager/invoice/{id}", Member),
    ("/manager/invoice/{id}/cancellation", Member),
    ("/manager/invoice/{id}/file", Member),
    ("/manager/login", Public),
    ("/manager/login/{*path}", Public),
    ("/manager/login_state", Public),
    ("/manager/login_weixin", Public),
    ("/manager/logout", Public),
    ("/manager/make_ebook", Needs(Feature::OnlineEditor)),
    ("/manager/opus-document", Needs(Feature::OnlineEditor)),
    ("/manager/opus-doc-calendar", Needs(Feature::OnlineEditor)),
    ("/manager/opus/{id}", Member),
    ("/manager/opus/{id}/calendar", Needs(Feature::OnlineEditor)),
    ("/manager/opus/{id}/comparison", Member),
    ("/manager/opus/{id}/copy", Member),
    ("/manager/opus/{id}/deletion", Member),
    ("/manager/opus/{id}/export", Member),
    ("/manager/opus/{id}/format", Member),
    ("/manager/opus/{id}/page/{page}", Member),
    ("/manager/opus/{id}/page/{page}/photos", Member),
    ("/manager/opus/{id}/page/{page}/{width}", Member),
    ("/manager/opus/{id}/pages", Member),
    ("/manager/opus/{id}/proof.pdf", Member),
    ("/manager/opus/{id}/restoration", Member),
    ("/manager/opus/{id}/revisions", Member),
    ("/manager/opus/{id}/revisions/{revision}", Member),
    ("/manager/opus/{id}/revisions/{revision}/removal", Member),
    ("/manager/opus/{id}/revisions/{revision}/restoration", Member),
    ("/manager/opus/{id}/texts", Needs(Feature::OnlineEditor)),
    ("/manager/opus/{id}/trash", Member),
    ("/manager/opus_import", Member),
    ("/manager/opus_list", Member),
    ("/manager/opus_list/{type}", Member),
    ("/manager/opus_setting/{id}", Member),
    ("/manager/order", Member),
    ("/manager/order/{id}", Member),
    ("/manager/order/{id}/cancellation", Member),
    ("/manager/order/{id}/cancellation_request", Member),
    ("/manager/order/{id}/line/{line}/page/{page}/{width}", Member),
    ("/manager/order/{id}/receipt", Member),
    ("/manager/order/{id}/reorder", Member),
    ("/manager/payment/{id}", Member),
    ("/manager/payment/{id}/question", Member),
    ("/manager/payment/{id}/state", Member),
    ("/manager/photo/{id}", Member),
    ("/manager/photo/{id}/{size}", Member),
    ("/manager/photos", Member),
    ("/manager/photos/removal", Member),
    ("/manager/recharge", Member),
    ("/manager/scan/{ask}", Member),
    ("/manager/shopping/cart", Member),
    ("/manager/shopping/cart/{line}/options", Member),
    ("/manager/shopping/cart/{line}/proof", Member),
    ("/manager/shopping/cart/{line}/quantity", Member),
    ("/manager/shopping/cart/{line}/removal", Member),
    ("/manager/shopping/cart/{line}/restoration", Member),
    ("/manager/shopping/checkout", Member),
    ("/manager/shopping/order/{ids}", Member),
    ("/manager/shopping/pay", Member),
    ("/manager/shopping/success", Member),
    ("/manager/uploads", Member),
    ("/manager/uploads/known", Member),
    ("/manager/uploads/preview", Member),
    ("/manager/uploads/{id}", Member),
    ("/manager/userInfo", Member),
    ("/manager/userInfo/addresses", Member),
    ("/manager/userInfo/addresses/new", Member),
    ("/manager/userInfo/addresses/{id}", Member),
    ("/manager/userInfo/addresses/{id}/default", Member),
    ("/manager/userInfo/addresses/{id}/removal", Member),
    ("/manager/userInfo/avatar/removal", Member),
    ("/manager/userInfo/contact", Member),
    ("/manager/userInfo/logins/others/removal", Member),
    ("/manager/userInfo/logins/{id}/removal", Member),
    ("/manager/userInfo/password", Member),
    ("/manager/userInfo/second_factor", Member),
    ("/manager/userInfo/signins", Member),
    ("/manager/userInfo/weixin/binding", Member),
    ("/manager/userInfo/weixin/unbinding", Member),
    ("/notify/alipay", Public),
    ("/notify/wechatpay", Public),
    ("/readyz", Public),
    ("/robots.txt", Public),
    ("/shopping/getTotal", Member),
    ("/shopping/updateCart", Member),
    ("/shopping/updateDefaultAddr", Member),
    ("/sitemap.xml", Public),
    ("/user-center/getMemberInfo", Member),
    ("/user-center/getRegions", Member),
    ("/user-center/getThirdLoginInfo", Public),
    ("/user-center/getUserAddressList", Member),
    ("/user-center/login", Public),
    ("/user-center/unBindThirdLogin", Member),
    ("/user-center/userIsLogin3", Public),
    ("/uwp/web/doLoginout.jsp", Member),
];

/// The policy of a route; a route that is not in the table is closed to everybody.
pub fn policy(pattern: &str) -> Option<Policy> {
    POLICIES.iter().find(|(known, _)| *known == pattern).map(|(_, policy)| *policy)
}

/// Enforces the table before any handler runs.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let policy = match request.extensions().get::<MatchedPath>() {
        Some(pattern) => match policy(pattern.as_str()) {
            Some(policy) => policy,
            None => return Error::internal(format!("no policy for {}", pattern.as_str())).into_response(),
        },
        // an address that leads nowhere: only a member is told so, except where everything is public
        None if ["/assets/", "/about/"].iter().any(|place| request.uri().path().starts_with(place)) => Public,
        None => Member,
    };
    enforce(&app, policy, request, next).await
}

async fn enforce(app: &App, policy: Policy, request: Request, next: Next) -> Response {
    let member = request.extensions().get::<Visitor>().and_then(|visitor| visitor.0.as_ref());
    match (policy, member) {
        (Public, _) | (Member, Some(_)) => return next.run(request).await,
        (Needs(feature), Some(member)) => {
            return if allows(member.tier, feature) {
                next.run(request).await
            } else {
                Error::Closed(feature).into_response()
            };
        }
        (_, None) => {}
    }
    if calls::is_call(request.uri().path()) {
        return Error::SignedOut.into_response();
    }
    let original = request.uri().path_and_query().map_or("/", |path| path.as_str());
    if request.method() == Method::GET || request.method() == Method::HEAD {
        Redirect::to(&return_path::login_address(original)).into_response()
    } else {
        // nothing was done: the member signs in and comes back to the page that the form stood on
        match same_site_referer(&request) {
            Some(page) => {
                crate::accounts::sign_in_first(app, request, &return_path::login_address(&page)).await
            }
            None => Redirect::to(&return_path::login_address(return_path::DEFAULT)).into_response(),
        }
    }
}

/// The path of the page that a form was sent from, when it is one of ours.
fn same_site_referer(request: &Request) -> Option<String> {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let referer: axum::http::Uri = header("referer")?.parse().ok()?;
    let ours = referer.authority().map(|authority| authority.as_str()) == header("host");
    ours.then(|| referer.path_and_query().map(|path| path.as_str().to_owned())).flatten()
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::StatusCode;
    use axum::middleware::from_fn_with_state;
    use axum::routing::any;
    use axum::{Extension, Router};
    use domain::money::Fen;
    use domain::tier::Tier;
    use tower::ServiceExt;

    use super::*;
    use crate::app::testing::{self, Engine};
    use crate::db::new_id;
    use crate::{security, session};

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
            enforce(&app, Needs(feature), request, next).await
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
        drop(crate::router::routes());
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
                        let upgrade = policy("/manager/upgrade").is_some();
                        assert_eq!(body.contains("href=\"/manager/upgrade\""), upgrade);
                    }
                }
            }
            let (status, _) = ask(&app, feature, None, Method::GET, "/manager/x").await;
            assert_eq!(status, StatusCode::SEE_OTHER, "signed out");
        }
    }
}
