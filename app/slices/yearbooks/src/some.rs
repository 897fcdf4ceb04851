//! /manager/yearbook/{id}/some: ordering some of the copies alone, for who came late or whose copy was damaged.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::document::CopyName;
use domain::ids::{CartLineId, GoodsId, YearBookId};
use leptos::prelude::*;
use std::collections::BTreeSet;

use base::error::Error;
use web::app::App;
use web::render::{self, Here, here, loaded, parameter, use_form, use_path};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{ErrorSummary, FieldError};
use web::ui::shell::Shell;

use super::address;
use super::book_page::Stale;
use super::copies::work_of;
use super::store::{self, Person};
use works::Work;

/// POST /manager/yearbook/{id}/some: puts the chosen copies in the cart, once for each form that was shown.
pub async fn order(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<YearBookId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let book = store::find_for_owner(&app.db, &id, &member.id).await?;
    let work = work_of(&app, &book).await?.ok_or(Error::NotFound)?;
    let mut form = read_form(&body)?;
    let line: Option<CartLineId> = form.own("line");
    let sizes = catalog::of_size(&app, work.document.trim).await?;
    let goods =
        form.get("goods").parse::<GoodsId>().ok().and_then(|id| sizes.iter().find(|goods| goods.id == id));
    let wanted: BTreeSet<String> = form.all("copy").map(str::to_owned).collect();
    let known = work.document.copy_names();
    let chosen: Vec<CopyName> = known.into_iter().filter(|name| wanted.contains(&name.key)).collect();
    if wanted.is_empty() {
        form.refuse("copy", "请至少选一本");
    } else if chosen.len() < wanted.len() {
        form.refuse("copy", "选好的有几本已经不在这一版里了，请看看下面再选");
    }
    if goods.is_none() {
        form.refuse("goods", "请选择印刷商品");
    }
    let (Some(line), Some(goods), false) = (line, goods, form.is_refused()) else {
        return render::again(&app, parts, &format!("{}/some", address(&id)), form).await;
    };
    let options = format!("/manager/shopping/cart/{line}/options");
    cart::add_copies(&app, line, &member.id, &work, goods, chosen).await?;
    Ok(Redirect::to(&options).into_response())
}

/// GET /manager/yearbook/{id}/some.
#[component]
pub fn SomePage() -> impl IntoView {
    let (here, id) = (here(), parameter::<YearBookId>("id"));
    loaded(
        async move {
            let Here { app, member } = here?;
            let book = store::find_for_owner(&app.db, &id?, &member.id).await?;
            let work = work_of(&app, &book).await?.ok_or(Error::NotFound)?;
            let people = store::people(&app.db, &book.id).await?;
            let goods = catalog::of_size(&app, work.document.trim).await?;
            Ok((member, book, work, people, goods))
        },
        |(member, book, work, people, goods)| {
            let form = use_form();
            let line: CartLineId = render::once();
            let line = form.or("line", line.as_str());
            let only = goods.len() == 1;
            let chosen = form.get("goods").to_owned();
            let goods: Vec<_> = goods
                .into_iter()
                .map(|goods| {
                    let id = goods.id.to_string();
                    let is_chosen = only || chosen == id;
                    view! {
                        <label>
                            <input type="radio" name="goods" value=id checked=is_chosen/>
                            <span>{goods.name.clone()}</span>
                        </label>
                    }
                })
                .collect();
            let back = format!("{}/book", address(&book.id));
            view! {
                <Shell member title="只订其中几本".to_owned() assets=&["works.css", "making.css", "yearbooks.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=back>{book.title.clone()}</a></p>
                            <h1>"只订其中几本"</h1>
                            <p class="quiet">"后来的人、破损要补印的：只印选中的几本，每人一本，内容和整套的一样。"</p>
                        </div>
                    </header>
                    <ErrorSummary title="还没有放进购物车"/>
                    <Stale book work=work.clone() people=people.clone()/>
                    <form class="making stack" method="post" action=use_path()>
                        <input type="hidden" name="line" value=line/>
                        <Choices work people/>
                        <fieldset class="chips part" id="goods">
                            <legend>"印成哪一种"</legend>
                            <div>{goods}</div>
                            <FieldError name="goods".to_owned()/>
                        </fieldset>
                        <p><button class="button primary">"放进购物车，选印刷选项"</button></p>
                    </form>
                </Shell>
            }
        },
    )
}

/// The copies with boxes; whose has no portrait is said.
#[component]
fn Choices(work: Work, people: Vec<Person>) -> impl IntoView {
    let form = use_form();
    let chosen: BTreeSet<String> = form.all("copy").map(str::to_owned).collect();
    let is_bare = |copy: &domain::document::Variant| {
        let person = people.iter().find(|person| copy.person.as_ref() == Some(&person.id));
        let has_portrait = person.is_none_or(|person| person.portrait.is_some());
        !copy.name.is_empty()
            && (!has_portrait || copy.pages.iter().all(|page| page.photos().next().is_none()))
    };
    let copies: Vec<_> = work
        .document
        .copies()
        .iter()
        .zip(work.document.copy_names())
        .map(|(copy, name)| {
            let bare = is_bare(copy).then(|| view! { " "<span class="badge warn">"没有人像"</span> });
            let checked = chosen.contains(&name.key);
            let called = if copy.name.is_empty() { name.name } else { copy.name.clone() };
            view! {
                <li>
                    <label class="check">
                        <input type="checkbox" name="copy" value=name.key checked=checked/>
                        <span>{called}" "<small class="quiet">{copy.group.clone()}</small>{bare}</span>
                    </label>
                </li>
            }
        })
        .collect();
    let bare = work.document.copies().iter().filter(|copy| is_bare(copy)).count();
    let told = (bare > 0).then(|| {
        view! { <p class="hint">{format!("{bare} 位没有人像：照片的位置印姓名的第一个字。要补，请先让他们交，再重新做一次。")}</p> }
    });
    view! {
        <fieldset class="part" id="copy">
            <legend>"订哪几本"</legend>
            <FieldError name="copy".to_owned()/>
            {told}
            <ul class="choose-copies">{copies}</ul>
        </fieldset>
    }
}
