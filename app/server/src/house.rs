//! The list of slices.

use web::router;
use web::slice::House;

/// All slices, each after those whose rows its own refer to.
pub static HOUSE: House = House {
    slices: &[
        &router::OWN,
        &accounts::SLICE,
        &photos::SLICE,
        &guests::SLICE,
        &works::SLICE,
        &templates::SLICE,
        &reviews::SLICE,
        &catalog::SLICE,
        &yearbooks::SLICE,
        &cart::SLICE,
        &ledger::SLICE,
        &shipping::SLICE,
        &production::SLICE,
        &coupons::SLICE,
        &orders::SLICE,
        &handover::SLICE,
        &payments::SLICE,
        &giftcards::SLICE,
        &selling::SLICE,
        &membership::SLICE,
        &invoices::SLICE,
        &study::SLICE,
        &reader::SLICE,
        &publications::SLICE,
        &newsletter::SLICE,
        &shelves::SLICE,
        &statistics::SLICE,
        &card::SLICE,
        &site::SLICE,
        &notices::SLICE,
        &backups::SLICE,
        &staff::SLICE,
    ],
    identity: &accounts::Accounts,
};

#[cfg(test)]
mod tests {
    use std::path::Path;

    use axum::body::{Body, to_bytes};
    use axum::extract::{Request, State};
    use axum::http::{Method, StatusCode};
    use axum::middleware::{Next, from_fn_with_state};
    use axum::routing::any;
    use axum::{Extension, Router};
    use domain::tier::{Feature, Tier, allows};
    use tower::ServiceExt;
    use web::access::{Policy, enforce};
    use web::audit_words;
    use web::route::{self, RouteTable};
    use web::security;
    use web::session::{self, Visitor};

    use super::*;
    use crate::testing::{self, Engine};
    use base::config::database_pool;
    use base::db::{Db, Schema, new_id, with_db};
    use web::app::App;

    #[test]
    fn every_route_stands_once_and_is_answered() {
        let mut known = std::collections::HashSet::new();
        for route in HOUSE.routes() {
            assert!(known.insert(route.pattern), "{} stands twice", route.pattern);
            assert!(route.is_answered(), "nothing answers {}", route.pattern);
        }
        // patterns that can't be told apart are refused by both
        drop(route::router(&HOUSE));
        assert!(RouteTable::of(&HOUSE).is_ok());
    }

    #[tokio::test]
    async fn no_table_is_forgotten_by_a_backup() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("x.db").display());
        let db = Db::connect(&url, database_pool().unwrap(), Schema::BroughtUp).await.unwrap();
        let mut tables: Vec<String> = with_db!(&db, |pool| sqlx::query_scalar(
            "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
             and name not like '_sqlx%' and name not like 'tower_sessions%'"
        )
        .fetch_all(pool)
        .await)
        .unwrap();
        tables.sort();
        let both = HOUSE.each(|slice| slice.tables).chain(HOUSE.each(|slice| slice.passing));
        let mut known: Vec<&str> = both.copied().collect();
        // each engine's own, which is made when the program opens
        known.retain(|table| *table != "search_grams");
        known.sort_unstable();
        assert_eq!(tables, known);
    }

    /// The HTTP tests read what the program allows from a file; `BINDERY_WRITE_TYPES=1` brings it up to date.
    #[test]
    fn the_policies_that_the_http_tests_read_are_current() {
        let mut lines: Vec<String> = HOUSE
            .routes()
            .map(|route| {
                let place = route.at_desk.map_or_else(|| "-".to_owned(), |place| format!("{place:?}"));
                format!("{:<60} {:<30} {place}\n", route.pattern, format!("{:?}", route.policy))
            })
            .collect();
        lines.sort();
        let text = "# Each route's policy, and what it is at a house's desk; written from the slices' lists by a test.\n"
            .to_owned()
            + &lines.concat();
        let path = Path::new(env!("BINDERY_CHECKOUT")).join("app/tests/tests/alone/policies.txt");
        if std::env::var_os("BINDERY_WRITE_TYPES").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "run with BINDERY_WRITE_TYPES=1");
    }

    #[test]
    fn what_is_open_at_a_desk_is_a_members() {
        for route in HOUSE.routes().filter(|route| route.at_desk.is_some()) {
            assert!(
                matches!(route.policy, Policy::Member | Policy::Needs(_)),
                "{}: {:?}",
                route.pattern,
                route.policy
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
        let member = tier.map(|tier| session::Member::bare(new_id(), "13800138000", "林知夏", tier));
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

    /// Those that come by a variable are held to that where they are noted.
    #[test]
    fn every_action_that_is_noted_has_one_name() {
        let mut known = std::collections::HashSet::new();
        for (action, name) in HOUSE.each(|slice| slice.audited) {
            assert!(known.insert(action), "{action} stands twice");
            assert!(!name.is_empty() && !action.contains(','), "{action}");
        }
        let app = Path::new(env!("BINDERY_CHECKOUT")).join("app");
        let mut noted = 0;
        for (file, text) in
            ["base/src", "web/src", "slices"].into_iter().flat_map(|part| testing::sources(&app.join(part)))
        {
            for call in text.split("audit::note(").skip(1) {
                let action = call.split_once(',').and_then(|(_, rest)| rest.trim_start().strip_prefix('"'));
                let Some((action, _)) = action.and_then(|rest| rest.split_once('"')) else { continue };
                noted += 1;
                let name = audit_words::name(&HOUSE, action);
                assert!(name.is_some(), "{}: no slice says what people call {action}", file.display());
            }
        }
        assert!(noted > 50, "only {noted} were looked at");
    }

    /// The modules that a slice opens to the models of the whole house are no other slice's.
    #[test]
    fn what_is_open_to_the_models_is_called_by_no_slice() {
        let slices = Path::new(env!("BINDERY_CHECKOUT")).join("app/slices");
        let said = |name| {
            let texts = testing::sources(&slices.join(name)).into_iter().map(|(_, text)| text);
            texts.collect::<String>()
        };
        let names = HOUSE.slices.iter().skip(1).map(|slice| slice.name);
        let texts: Vec<(&str, String)> = names.map(|name| (name, said(name))).collect();
        let mut opened = 0;
        for (slice, _) in &texts {
            let head = std::fs::read_to_string(slices.join(slice).join("src/lib.rs")).unwrap();
            for rest in head.split("#[doc(hidden)]\npub mod ").skip(1) {
                let module = rest.split(';').next().unwrap();
                opened += 1;
                for (other, text) in texts.iter().filter(|(other, _)| other != slice) {
                    let path = format!("{slice}::{module}");
                    let called = text.split(&path).skip(1).any(|rest| {
                        !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
                    });
                    assert!(!called, "{other} calls {path}");
                }
            }
        }
        assert!(opened > 0, "no module was looked at");
    }
}
