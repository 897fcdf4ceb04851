//! /manager/issue/{id}: a single issue, bought for ever, by its reader or as a gift.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::ids::IssueId;
use domain::issue_state::IssueState;
use domain::money::Fen;
use domain::package::Term;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Here, here, loaded, parameter};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;

use super::store::issues::{self, Issue};
use super::store::publications::{self, Publication};
use super::{ISSUE_KIND, address};
use selling::{GivePage, Single};

/// An issue that readers see, with its title.
async fn shown(app: &App, id: &IssueId) -> Result<(Publication, Issue), Error> {
    let issue = issues::find(&app.db, id).await?;
    if issue.state != IssueState::Published {
        return Err(Error::NotFound);
    }
    Ok((publications::find(&app.db, &issue.publication).await?, issue))
}

/// What one issue of a title costs, where single ones are sold.
fn price(publication: &Publication) -> Option<Fen> {
    publication.sale.and_then(|sale| sale.issue_price)
}

/// What it is called on bills.
fn called(publication: &Publication, issue: &Issue) -> String {
    format!("{} {}", publication.name, issue.title())
}

/// An issue as it is sold; none where single ones are not.
fn single<'a>(publication: &'a Publication, issue: &'a Issue, title: &'a str) -> Option<Single<'a>> {
    let (id, seller) = (issue.id.as_str(), &publication.member);
    Some(Single { kind: ISSUE_KIND, id, title, seller, price: price(publication)? })
}

/// Where an issue is given to somebody else.
pub fn gift_address(id: &IssueId) -> String {
    format!("/manager/issue/{id}/gift")
}

/// GET /manager/issue/{id}: to where it is read.
pub async fn lead(State(app): State<App>, Parameter(id): Parameter<IssueId>) -> Result<Redirect, Error> {
    let issue = issues::find(&app.db, &id).await?;
    if !issue.state.was_public() {
        return Err(Error::NotFound);
    }
    let publication = publications::find(&app.db, &issue.publication).await?;
    Ok(Redirect::to(&address::issue(&publication, &issue)))
}

/// POST /manager/issue/{id}/purchase: begins to buy one issue, for ever.
pub async fn buy(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<IssueId>,
) -> Result<Response, Error> {
    let (publication, issue) = shown(&app, &id).await?;
    let title = called(&publication, &issue);
    let single = single(&publication, &issue, &title);
    let single = single.ok_or_else(|| Error::Conflict("这一期不单卖。".into()))?;
    match selling::buy_single(&app, &member, &single).await {
        Ok(page) => Ok(Redirect::to(&page).into_response()),
        Err(selling::NotSold::Failed(error)) => Err(error),
        Err(reason) => Err(Error::Conflict(format!("没有买成：{reason}。"))),
    }
}

/// POST /manager/issue/{id}/gift: begins to give one issue to somebody, for ever.
pub async fn give(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<IssueId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let (publication, issue) = shown(&app, &id).await?;
    let page = gift_address(&id);
    let title = called(&publication, &issue);
    let Some(single) = single(&publication, &issue, &title) else {
        form.refuse("", "这一期现在不单卖。");
        return render::again(&app, parts, &page, form).await;
    };
    selling::give_single(&app, &member, parts, &page, form, &single).await
}

/// GET /manager/issue/{id}/gift.
#[component]
pub fn GiveIssuePage() -> impl IntoView {
    let (here, id) = (here(), parameter::<IssueId>("issue"));
    loaded(
        async move {
            let Here { app, member } = here?;
            let (publication, issue) = shown(&app, &id?).await?;
            Ok((member, publication, issue))
        },
        |(member, publication, issue)| {
            let title = called(&publication, &issue);
            let back = address::issue(&publication, &issue);
            let from = format!("{} {}", publication.name, issue.day);
            let price = price(&publication).filter(|_| publication.member != member.id);
            let offered = price.map(|price| (Term::Forever, price));
            view! { <GivePage member title from back offered refusal="这一期现在不能送。" leave="回到这一期"/> }
        },
    )
}
