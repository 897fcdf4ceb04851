//! A small slice, made by the checklist of ARCHITECTURE.md: what stands in its `SLICE` is all that the program has to know.

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use axum::routing::get;
use base::error::Failure;
use clap::Subcommand;
use tower::ServiceExt;
use web::access::Policy;
use web::app::{App, testing};
use web::route::Route;
use web::slice::{Entry, Group, House, Slice};
use web::{router, session};

use crate::cli::{Asked, reader};
use crate::house::HOUSE;
use crate::testing::Engine;

#[derive(Subcommand)]
enum Command {
    /// Looks for a word.
    Find { word: String },
}

/// Fails with what it found, so that a test hears of it.
async fn run(app: &App, command: Command) -> Result<(), Failure> {
    let Command::Find { word } = command;
    Err(format!("{word} is not in {}", app.house.slices.len()).into())
}

static SLICE: Slice = Slice {
    routes: &[&[
        Route::new("/small", Policy::Public).handled(|| get(|| async { "小小的一页" })),
        Route::new("/manager/small", Policy::Member).handled(|| get(|| async { "a member's" })),
    ]],
    navigation: &[Entry::new(Group::Make, "/manager/small", "小页", 99)],
    commands: &[web::command!("small", "Look at what is small.", Command, run)],
    ..Slice::new("small")
};

/// The house with one slice more.
fn larger() -> &'static House {
    let slices: Vec<&'static Slice> = HOUSE.slices.iter().copied().chain([&SLICE]).collect();
    Box::leak(Box::new(House { slices: Box::leak(slices.into_boxed_slice()), identity: HOUSE.identity }))
}

async fn ask(app: &App, method: Method, path: &str) -> (StatusCode, String) {
    let sessions = session::Store::open(&app.db).await.unwrap();
    let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
    let request = request.body(Body::empty()).unwrap();
    let answer = router::application(app.clone(), sessions).oneshot(request).await.unwrap();
    let status = answer.status();
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8_lossy(&body).into_owned())
}

#[tokio::test]
async fn a_slice_is_its_row_in_the_list() {
    let house = larger();
    let (app, _folder) = testing::app(Engine::Sqlite, house).await.unwrap().unwrap();
    let (status, page) = ask(&app, Method::GET, "/small").await;
    assert_eq!(status, StatusCode::OK, "{page}");
    assert!(page.contains("小小的一页"), "{page}");
    assert_eq!(ask(&app, Method::PUT, "/small").await.0, StatusCode::METHOD_NOT_ALLOWED);
    // the access table knows it: whoever is signed out is sent to the door
    assert_eq!(ask(&app, Method::GET, "/manager/small").await.0, StatusCode::SEE_OTHER);
    assert!(house.each(|slice| slice.navigation).any(|entry| entry.href == "/manager/small"));

    let typed = reader(house).try_get_matches_from(["bindery", "small", "find", "nothing"]).unwrap();
    let Asked::OfSlice(command, behind) = Asked::read(house, typed).unwrap() else {
        panic!("the program took the slice's word for its own")
    };
    let said = (command.run)(&app, &behind).await.unwrap_err().to_string();
    assert_eq!(said, format!("nothing is not in {}", house.slices.len()));
    // without it the same word is nobody's
    assert!(reader(&HOUSE).try_get_matches_from(["bindery", "small", "find", "nothing"]).is_err());
}
