//! /manager/epaper_licence/{id}: one licence: its code, who sits, and seats that are taken back.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::csv as table;
use domain::ids::{LicenceId, MemberId};
use domain::licence::LicenceState;
use leptos::prelude::*;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Here, here, loaded, parameter, use_form, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::files::csv_file;
use web::ui::forms::read_form;
use web::ui::parts::{Ask, ErrorSummary, Moment};
use web::ui::qr;
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::LICENCES;
use super::licence_form::{Fields, mark};
use super::licences::{self, address, kept};
use super::store::licences::{self as store, Licence, Seat};

/// Changes a held licence of a seller's own.
async fn alter(
    app: &App,
    seller: &Member,
    id: &LicenceId,
    how: impl FnOnce(&mut Licence),
) -> Result<Licence, Error> {
    let mut tx = app.db.begin().await?;
    let mut licence = store::lock_own(&mut tx, id, &seller.id).await?;
    how(&mut licence);
    store::update(&mut tx, &licence).await?;
    tx.commit().await?;
    Ok(licence)
}

fn to(id: &LicenceId, done: &str) -> Response {
    Redirect::to(&format!("{LICENCES}/{id}?done={done}")).into_response()
}

/// POST /manager/epaper_licence/{id}/code: another code; the one before opens nothing, and who sits stays. `turn` is what the page
/// showed, so that pressing twice changes it once.
pub async fn new_code(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<LicenceId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let shown: Option<i64> = read_form(&body)?.get("turn").parse().ok();
    alter(&app, &member, &id, |licence| {
        if licence.digest.is_some() && shown.is_none_or(|shown| shown == licence.turn) {
            licence.turn += 1;
            licence.digest = Some(kept(&app.key, &licence.id, licence.turn));
        }
    })
    .await?;
    Ok(to(&id, "code"))
}

/// POST /manager/epaper_licence/{id}/end: nobody reads on its seats from now on.
pub async fn end(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<LicenceId>,
) -> Result<Response, Error> {
    alter(&app, &member, &id, |licence| {
        licence.ended_at = licence.ended_at.or(Some(now_ms()));
        licence.digest = None;
    })
    .await?;
    Ok(to(&id, "ended"))
}

/// POST /manager/epaper_licence/{id}/seat: takes the seat of `member` back with `act=back`, or gives it again with `act=again`.
pub async fn seat(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<LicenceId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let reader: MemberId = form.get("member").parse().map_err(|_| Error::NotFound)?;
    let is_again = match form.get("act") {
        "back" => false,
        "again" => true,
        _ => return Err(Error::BadRequest("请选择收回席位，还是恢复席位".into())),
    };
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let licence = store::lock_own(&mut tx, &id, &member.id).await?;
    let was_back = store::seat(&mut tx, &id, &reader).await?.ok_or(Error::NotFound)?;
    if is_again && was_back && licence.taken >= licence.seats {
        drop(tx);
        form.refuse("", "席位已经坐满了，不能恢复；先收回一个，或者加席位");
        return render::again(&app, parts, &format!("{LICENCES}/{id}"), form).await;
    }
    if was_back == is_again {
        store::set_back(&mut tx, &id, &reader, (!is_again).then_some(now)).await?;
        tx.commit().await?;
    }
    Ok(to(&id, if is_again { "again" } else { "back" }))
}

/// GET /manager/epaper_licence/{id}/seats.csv: everybody who sits or sat.
pub async fn csv(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<LicenceId>,
) -> Result<Response, Error> {
    let licence = store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut text = table::BOM.to_owned();
    text.push_str(&table::row(["读者", "凭什么", "入座", "收回"]));
    for seat in store::seats(&app.db, &licence.id).await? {
        let back = seat.back_at.map(time::stamp).unwrap_or_default();
        text.push_str(&table::row([seat.name, seat.way.name().to_owned(), time::stamp(seat.taken_at), back]));
    }
    Ok(csv_file(&format!("seats-{id}.csv"), text))
}

/// What opens a licence: its code as people type it, the link, and a picture of that.
struct Opens {
    code: String,
    link: String,
    picture: String,
}

/// GET /manager/epaper_licence/{id}.
#[component]
pub fn LicencePage() -> impl IntoView {
    let here = here();
    let parts = use_context::<Parts>();
    let id = parameter::<LicenceId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let licence = store::find_for_owner(&app.db, &id?, &member.id).await?;
            let seats = store::seats(&app.db, &licence.id).await?;
            let code = licences::code(&app.key, &licence);
            let opens = match code.filter(|_| licence.state(now_ms()) == LicenceState::Running) {
                Some(code) => {
                    let link = Origin::of(&app.config, &parts.headers).join(&address(&code));
                    let picture = qr::picture(&link, "入座的二维码")?;
                    Some(Opens { code: code.to_string(), link, picture })
                }
                None => None,
            };
            Ok((member, licence, seats, opens))
        },
        |(member, licence, seats, opens)| {
            let state = licence.state(now_ms());
            let own = format!("{LICENCES}/{}", licence.id);
            let done = match use_query("done").as_deref() {
                Some("made") => Some("建好了。把链接或席位码发给单位里的人。"),
                Some("changed") => Some("已保存。"),
                Some("code") => Some("换了新的席位码；旧的不能再用，已经入座的不受影响。"),
                Some("back") => Some("席位收回了，这位读者不能再读。"),
                Some("again") => Some("席位恢复了。"),
                Some("ended") => Some("已停止，席位上的人不能再读。"),
                _ => None,
            };
            let done = done.filter(|_| !use_form().is_sent());
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let form = (licence.ended_at.is_none()).then(|| {
                view! {
                    <form class="sheet stack" method="post" action=own.clone()>
                        <h2>"设置"</h2>
                        <Fields known=Some(licence.clone())/>
                        <div><button class="button primary">"保存"</button></div>
                    </form>
                }
            });
            let end = (licence.ended_at.is_none()).then(|| {
                view! {
                    <Ask
                        label="停止这份团体订阅"
                        question=format!("停止“{}”？{} 位已经入座的读者马上不能再读，不能恢复。", licence.name, licence.taken)
                        confirm="停止它"
                        action=format!("{own}/end")
                    />
                }
            });
            let turn = licence.turn;
            let without_code = (!licence.domains.is_empty() || !licence.ranges.is_empty()).then(|| {
                view! {
                    <p class="hint">
                        "邮箱或网络在里面的读者，登录后打开"
                        <a class="link" href=format!("/manager/package/{}", licence.package)>"套餐的页面"</a>
                        "就能入座，不用席位码。"
                    </p>
                }
            });
            let opens = opens.map(|opens| {
                let Opens { code, link, picture } = opens;
                view! {
                    <section class="sheet stack">
                        <h2>"席位码"</h2>
                        <p class="gift-code num">{code}</p>
                        <p><a class="link long" href=link.clone()>{link.clone()}</a></p>
                        <div class="gift-qr" inner_html=picture></div>
                        <form method="post" action=format!("{own}/code")>
                            <input type="hidden" name="turn" value=turn.to_string()/>
                            <button class="button wide">"换一个码"</button>
                        </form>
                    </section>
                }
            });
            view! {
                <Shell member title=licence.name.clone() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=LICENCES>"团体订阅"</a></p>
                            <h1>{licence.name.clone()}</h1>
                            <p>
                                <span class=mark(state)>{state.name()}</span>" "
                                <span class="quiet">{format!("《{}》，读到 {}", licence.title, time::day(licence.until - 1))}</span>
                            </p>
                        </div>
                    </header>
                    {done}
                    <ErrorSummary title="没有办成"/>
                    <div class="parts">
                        <div class="stack">
                            <Sitting own=own.clone() licence=licence.clone() seats/>
                            {form}
                        </div>
                        <aside class="stack" aria-label="入座和停止">{opens}{without_code}{end}</aside>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn Sitting(own: String, licence: Licence, seats: Vec<Seat>) -> impl IntoView {
    let head = view! {
        <header class="seats-head">
            <h2>{format!("席位 {} / {}", licence.taken, licence.seats)}</h2>
            {(!seats.is_empty()).then(|| view! { <a class="link" href=format!("{own}/seats.csv")>"下载 CSV"</a> })}
        </header>
    };
    if seats.is_empty() {
        return view! { <section class="sheet stack">{head}<p class="quiet">"还没有人入座。"</p></section> }
            .into_any();
    }
    let rows: Vec<_> = seats
        .into_iter()
        .map(|seat| {
            let (act, label) = if seat.back_at.is_some() { ("again", "恢复") } else { ("back", "收回") };
            let state = seat.back_at.map(|at| view! { <span class="badge">"已收回"</span>" "<Moment at/> });
            let state = state.map_or_else(|| view! { <span class="badge good">"在座"</span> }.into_any(), IntoAny::into_any);
            let change = view! {
                <form method="post" action=format!("{own}/seat")>
                    <input type="hidden" name="member" value=seat.member.to_string()/>
                    <button class="link" name="act" value=act>{label}<span class="sr">{format!("：{}", seat.name)}</span></button>
                </form>
            };
            Record::new()
                .cell("读者", seat.name.clone())
                .cell("凭什么", seat.way.name())
                .moment("入座", seat.taken_at)
                .cell("状态", state)
                .acts(change)
        })
        .collect();
    view! {
        <section>
            {head}
            <Records rows/>
        </section>
    }
    .into_any()
}
