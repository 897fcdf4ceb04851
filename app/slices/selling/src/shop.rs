//! /manager/package/{id}: a package as readers see it, and the button that buys it.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::ids::PackageId;
use domain::money::Fen;
use domain::package::Until;
use leptos::prelude::*;
use web::app::App;
use web::client;
use web::render::{self, Form, Here, here, loaded, parameter, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{Cloth, ErrorSummary, Money};
use web::ui::shell::Shell;

use super::packages::standing;
use super::sales::{self, NotSold, Wanted};
use super::store::Subject;
use super::store::licences::Licence;
use super::store::packages::{self as store, Content, Package};
use super::switching::{self, Change};
use super::{PACKAGES, STUDY, content_address, entitled, licences, purchase, trials};

/// A thing of the package for this reader: where it is opened, and until when the reader may read it already.
struct Shown {
    content: Content,
    address: Option<String>,
    until: Option<Until>,
}

/// How this reader may have it beside buying it.
struct Ways {
    may_try: bool,
    /// In the place of what runs.
    change: Option<Change>,
    /// Longer ones that it may have in the place of what runs.
    others: Vec<(Package, Change)>,
    /// A licence of an organisation to which it belongs, where it does not sit yet.
    licence: Option<Licence>,
}

/// GET /manager/package/{id}.
#[component]
pub fn PackagePage() -> impl IntoView {
    let here = here();
    let parts = use_context::<Parts>();
    let id = parameter::<PackageId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let address = client::ip(&app, &parts);
            let package = store::find(&app.db, &id?).await?;
            let now = now_ms();
            let all = store::of_seller(&app.db, &package.seller).await?;
            let licence = licences::offered(&app, &member, &package, address, now).await?;
            let mut tx = app.db.begin_snapshot().await?;
            let ways = Ways {
                may_try: trials::obstacle(&app, &mut tx, &member, &package, now).await?.is_none(),
                change: switching::offered(&mut tx, &member.id, &package, now).await?,
                others: switching::changes(&mut tx, &member.id, &package, all, now).await?,
                licence,
            };
            drop(tx);
            let mut shown = Vec::new();
            for content in store::contents(&app.db, &package.id).await? {
                let until = entitled(&app.db, &member.id, &content.kind, &content.id, now_ms()).await?;
                shown.push(Shown { address: content_address(&app, &content), content, until });
            }
            Ok((member, package, shown, ways))
        },
        |(member, package, shown, ways)| {
            let is_own = package.seller == member.id;
            let now = now_ms();
            let forever = !shown.is_empty() && shown.iter().all(|shown| shown.until == Some(Until::Forever));
            let has_some = shown.iter().any(|shown| shown.until.is_some());
            let action = if is_own {
                view! {
                    <div class="notice">"这是您自己的套餐。把这一页的地址发给读者，他们登录后就能购买。"</div>
                    <a class="button" href=format!("{PACKAGES}/{}", package.id)>"修改套餐"</a>
                }
                .into_any()
            } else if !package.is_on_sale(now) {
                view! { <div class="notice warn" role="status">{format!("这个套餐{}。", standing(&package, now).1)}</div> }
                    .into_any()
            } else if forever {
                view! {
                    <div class="notice good">"里面的内容您都可以长期阅读。"</div>
                    <a class="button primary wide" href=STUDY>"去书房"</a>
                }
                .into_any()
            } else {
                let label = if has_some { "续期" } else { "购买" };
                let hint = has_some
                    .then(|| view! { <p class="hint">"期限从现在的到期日接着算，不会白白重叠。"</p> });
                let own = format!("/manager/package/{}", package.id);
                let buy =
                    if ways.may_try || ways.change.is_some() { "button wide" } else { "button primary wide" };
                view! {
                    {ways.may_try.then(|| view! { <Trial own=own.clone() days=package.trial_days/> })}
                    {ways.change.map(|change| view! { <Changing own=own.clone() change/> })}
                    <form method="post" action=own.clone()>
                        <button class=buy>{label}" "<Money amount=package.price/></button>
                    </form>
                    {hint}
                }
                .into_any()
            };
            let give = (!is_own && package.is_on_sale(now)).then(|| {
                view! { <p><a class="link" href=format!("/manager/package/{}/gift", package.id)>"送给别人"</a></p> }
            });
            let seat = ways.licence.map(|licence| {
                view! { <Seat own=format!("/manager/package/{}", package.id) licence/> }
            });
            let others: Vec<_> = ways
                .others
                .into_iter()
                .map(|(package, change)| {
                    view! {
                        <li>
                            <a class="link" href=format!("/manager/package/{}", package.id)>
                                {format!("《{}》，{}", package.title, package.term)}
                            </a>
                            <span class="quiet">"补 "<Money amount=change.quote.due/></span>
                        </li>
                    }
                })
                .collect();
            let others = (!others.is_empty()).then(|| {
                view! {
                    <section class="sheet stack">
                        <h2>"可以换成更长的"</h2>
                        <ul class="changes">{others}</ul>
                    </section>
                }
            });
            let tried = (use_query("done").as_deref() == Some("trial")).then(|| {
                let until = shown.iter().filter_map(|shown| shown.until?.moment()).min();
                let until = until.map(|at| format!("可以读到 {}，", time::stamp(at))).unwrap_or_default();
                view! { <div class="notice good" role="status">{format!("免费试读开始了：{until}到期自己结束，不会自动扣款。")}</div> }
            });
            let trial = (package.trial_pages > 0)
                .then(|| view! { <dt>"试读"</dt><dd>{format!("每件前 {} 页", package.trial_pages)}</dd> });
            let description = (!package.description.is_empty())
                .then(|| view! { <p class="description">{package.description.clone()}</p> });
            let items: Vec<_> = shown.into_iter().map(|shown| view! { <Held shown/> }).collect();
            view! {
                <Shell member title=package.title.clone() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p class="quiet">"套餐 · "{package.seller_name.clone()}</p>
                            <h1>{package.title.clone()}</h1>
                        </div>
                    </header>
                    {tried}
                    <ErrorSummary title="没有买成"/>
                    <div class="parts">
                        <section>{description}<h2>"套餐里有"</h2><ul class="bookshelf">{items}</ul></section>
                        <aside class="stack" aria-label="价格">
                            {seat}
                            <section class="sheet stack">
                                <dl class="facts">
                                    <dt>"价格"</dt><dd><Money amount=package.price class="price"/></dd>
                                    <dt>"期限"</dt><dd>{package.term.to_string()}</dd>
                                    {trial}
                                </dl>
                                {action}
                                {give}
                            </section>
                            {others}
                        </aside>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn Trial(own: String, days: i64) -> impl IntoView {
    view! {
        <form method="post" action=format!("{own}/trial")>
            <button class="button primary wide">{format!("免费试读 {days} 天")}</button>
        </form>
        <p class="hint">"到期自己结束，不会自动扣款。每人一次。"</p>
    }
}

/// A place that an organisation has for its own people.
#[component]
fn Seat(own: String, licence: Licence) -> impl IntoView {
    let body = if licence.taken < licence.seats {
        view! {
            <p class="quiet">{format!("单位已经付过，免费读到 {}。", time::day(licence.until - 1))}</p>
            <form method="post" action=format!("{own}/seat")>
                <button class="button primary wide">"入座"</button>
            </form>
        }
        .into_any()
    } else {
        view! { <p class="quiet">"席位都坐满了，空出来再来。"</p> }.into_any()
    };
    view! {
        <section class="sheet stack">
            <h2>{format!("{}的席位", licence.name)}</h2>
            {body}
        </section>
    }
}

/// What a change costs, and the button that confirms it.
#[component]
fn Changing(own: String, change: Change) -> impl IntoView {
    let shown = change.shown();
    let Change { quote, old_end, span, .. } = change;
    let day = |at: Option<i64>| at.map_or_else(|| "长期".to_owned(), time::day);
    let begins = if span.from > now_ms() {
        format!("新的期限在您其他的期限之后，从 {} 起算", time::day(span.from))
    } else {
        "新的期限从付款起算".to_owned()
    };
    let back = (quote.back > Fen::ZERO).then(|| {
        view! { <dt>"退到账户余额"</dt><dd><Money amount=quote.back/></dd> }
    });
    view! {
        <form class="stack" method="post" action=format!("{own}/switch")>
            <input type="hidden" name="shown" value=shown/>
            <dl class="facts sums">
                <dt>"原来读到"</dt><dd class="num">{day(old_end)}</dd>
                <dt>"换订以后读到"</dt><dd class="num">{day(span.until)}</dd>
                <dt>"您原来没有用完的"</dt><dd><Money amount=quote.credit/></dd>
                {back}
                <dt class="sum">"换订应补"</dt><dd class="sum"><Money amount=quote.due/></dd>
            </dl>
            <button class="button primary wide">"换订，补 "<Money amount=quote.due/></button>
        </form>
        <p class="hint">{format!("原来的期限到此为止，没有用的按天折抵；{begins}。")}</p>
    }
}

#[component]
fn Held(shown: Shown) -> impl IntoView {
    let note = shown.until.map(|until| {
        let text = match until {
            Until::Forever => "可以长期阅读".to_owned(),
            Until::At(at) => format!("可以读到 {}", time::day(at)),
        };
        view! { <small class="badge good">{text}</small> }
    });
    view! { <li><Cover title=shown.content.title address=shown.address/>{note}</li> }
}

/// A work as a cover with its title, which leads to it where readers can open it.
#[component]
fn Cover(title: String, address: Option<String>) -> impl IntoView {
    let cover = view! { <Cloth title/> };
    match address {
        Some(address) => view! { <a href=address>{cover}</a> }.into_any(),
        None => cover.into_any(),
    }
}

/// POST /manager/package/{id}: begins to buy it, at the price that it has now.
pub async fn order(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PackageId>,
    parts: Parts,
) -> Result<Response, Error> {
    let package: Package = store::find(&app.db, &id).await?;
    let now = now_ms();
    let mut form = Form::default();
    if package.is_on_sale(now) {
        let wanted = Wanted {
            subject: Subject::Package(id.clone()),
            title: format!("《{}》", package.title),
            seller: package.seller,
            term: package.term,
            amount: package.price,
        };
        match sales::order(&app, &member, wanted, now).await {
            Ok(sale) => return Ok(Redirect::to(&purchase::address(&sale)).into_response()),
            Err(NotSold::Failed(error)) => return Err(error),
            Err(reason) => form.refuse("", reason.to_string()),
        }
    } else {
        form.refuse("", format!("这个套餐{}", standing(&package, now).1));
    }
    render::again(&app, parts, &format!("/manager/package/{id}"), form).await
}

/// POST /manager/package/{id}/switch: begins to change to it from what runs, at what the page showed.
pub async fn switch(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PackageId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let package: Package = store::find(&app.db, &id).await?;
    let now = now_ms();
    let mut form = read_form(&body)?;
    let page = format!("/manager/package/{id}");
    let Some(shown) = form.own_key("shown", |shown| !shown.is_empty()) else {
        return render::again(&app, parts, &page, form).await;
    };
    if !package.is_on_sale(now) {
        form.refuse("", format!("这个套餐{}", standing(&package, now).1));
        return render::again(&app, parts, &page, form).await;
    }
    match switching::order(&app, &member, package, &shown, now).await {
        Ok(sale) => Ok(Redirect::to(&purchase::address(&sale)).into_response()),
        Err(NotSold::Failed(error)) => Err(error),
        Err(NotSold::Changed) => {
            form.refuse("", "价格或折抵有变化，请核对新的金额后再确认");
            render::again(&app, parts, &page, form).await
        }
        Err(reason) => {
            form.refuse("", reason.to_string());
            render::again(&app, parts, &page, form).await
        }
    }
}
