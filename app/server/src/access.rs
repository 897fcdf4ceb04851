//! Who may open what (specification section 2, "Access"): one table, every route in it.

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use domain::return_path;

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
}

use Policy::{Member, Public};

/// Every route's policy, by the router's own pattern.
pub const POLICIES: &[(&str, Policy)] = &[
    ("/", Member),
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
    ("/error", Public),
    ("/favicon.ico", Public),
    ("/healthz", Public),
    ("/manager", Member),
    ("/manager/add_shopping/{id}", Member),
    ("/manager/login", Public),
    ("/manager/login/{*path}", Public),
    ("/manager/login_state", Public),
    ("/manager/login_weixin", Public),
    ("/manager/logout", Public),
    ("/manager/make_ebook", Member),
    ("/manager/opus/{id}", Member),
    ("/manager/opus/{id}/page/{page}/{width}", Member),
    ("/manager/opus/{id}/texts", Member),
    ("/manager/opus_list", Member),
    ("/manager/opus_list/{type}", Member),
    ("/manager/order", Member),
    ("/manager/order/{id}", Member),
    ("/manager/order/{id}/cancellation", Member),
    ("/manager/order/{id}/line/{line}/cover", Member),
    ("/manager/photo/{id}/{size}", Member),
    ("/manager/photos", Member),
    ("/manager/scan/{ask}", Member),
    ("/manager/shopping/cart", Member),
    ("/manager/shopping/cart/{line}/options", Member),
    ("/manager/shopping/cart/{line}/quantity", Member),
    ("/manager/shopping/cart/{line}/removal", Member),
    ("/manager/shopping/cart/{line}/restoration", Member),
    ("/manager/shopping/checkout", Member),
    ("/manager/shopping/order/{ids}", Member),
    ("/manager/shopping/pay", Member),
    ("/manager/shopping/success", Member),
    ("/manager/userInfo/weixin/binding", Member),
    ("/manager/userInfo/weixin/unbinding", Member),
    ("/readyz", Public),
    ("/robots.txt", Public),
    ("/shopping/getTotal", Member),
    ("/shopping/updateCart", Member),
    ("/shopping/updateDefaultAddr", Member),
    ("/sitemap.xml", Public),
    ("/user-center/getMemberInfo", Member),
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
    let signed_in = request.extensions().get::<Visitor>().is_some_and(|visitor| visitor.0.is_some());
    let policy = match request.extensions().get::<MatchedPath>() {
        Some(pattern) => match policy(pattern.as_str()) {
            Some(policy) => policy,
            None => return Error::internal(format!("no policy for {}", pattern.as_str())).into_response(),
        },
        // an address that leads nowhere: only a member is told so, except where everything is public
        None if ["/assets/", "/about/"].iter().any(|place| request.uri().path().starts_with(place)) => Public,
        None => Member,
    };
    if signed_in || policy == Public {
        return next.run(request).await;
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
                crate::accounts::sign_in_first(&app, request, &return_path::login_address(&page)).await
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
