//! /manager/myMember/invitation/{id}: an invitation's link and QR code for the house that made it; and /manager/invitation/…, where
//! whoever has the link accepts it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::InvitationId;
use domain::sub_member::InvitationState;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Form, Here, here, loaded, parameter};
use web::router::Parameter;
use web::session::Member;
use web::ui::parts::{ErrorSummary, Moment};
use web::ui::qr;
use web::ui::shell::Shell;

use super::store::invitations::{self, Invitation};
use super::sub_members::{self, NotTaken};
use super::{DESKS, MEMBERS};

/// POST /manager/myMember/invitation/{id}/withdrawal.
pub async fn withdraw(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<InvitationId>,
) -> Result<Redirect, Error> {
    invitations::find_for_house(&app.db, &id, &member.id).await?;
    invitations::withdraw(&app.db, &id, &member.id, now_ms()).await?;
    Ok(Redirect::to(&format!("{MEMBERS}?done=withdrawn")))
}

/// GET /manager/myMember/invitation/{id}.
#[component]
pub fn InvitationPage() -> impl IntoView {
    let here = here();
    let id = parameter::<InvitationId>("id");
    let parts = expect_context::<Parts>();
    loaded(
        async move {
            let Here { app, member } = here?;
            let invitation = invitations::find_for_house(&app.db, &id?, &member.id).await?;
            let path = sub_members::path(&app, &invitation.id);
            let link = Origin::of(&app.config, &parts.headers).join(&path);
            let code = qr::picture(&link, "邀请链接的二维码")?;
            Ok((member, invitation, link, code))
        },
        |(member, invitation, link, code)| {
            let body = match invitation.state(now_ms()) {
                InvitationState::Open => view! { <Link invitation=invitation.clone() link code/> }.into_any(),
                InvitationState::Used => view! { <p>"对方已经接受，现在是您的成员。"</p> }.into_any(),
                InvitationState::Withdrawn => view! { <p>"这个邀请已经撤回，链接不能再用。"</p> }.into_any(),
                InvitationState::Expired => view! { <p>"这个邀请已经过期，链接不能再用。"</p> }.into_any(),
            };
            view! {
                <Shell member title="成员邀请".to_owned() assets=&["payments.css", "membership.css"]>
                    <div class="till quote">
                        <header>
                            <p><a class="link" href=MEMBERS>"我的会员"</a></p>
                            <h1>{format!("给{}的邀请", invitation.name)}</h1>
                        </header>
                        <div class="trim stack">{body}</div>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn Link(invitation: Invitation, link: String, code: String) -> impl IntoView {
    let told = match &invitation.contact {
        Some(to) => format!("已经给 {to} 发了消息，只有这个账号能接受。也可以把链接或二维码直接给对方。"),
        None => "把链接或二维码交给对方，对方登录后就能接受。谁拿到谁能用，请只给要邀请的人。".to_owned(),
    };
    view! {
        <p>{told}</p>
        <div class="code" inner_html=code></div>
        <p class="invite-link num">{link}</p>
        <dl class="facts">
            <dt>"角色"</dt><dd>{invitation.role.name()}"，"{invitation.role.description()}</dd>
            <dt>"有效到"</dt><dd><Moment at=invitation.expires_at/></dd>
        </dl>
        <form method="post" action=format!("{MEMBERS}/invitation/{}/withdrawal", invitation.id)>
            <button class="button wide">"撤回邀请"</button>
        </form>
    }
}

/// POST /manager/invitation/{token}: takes the member in.
pub async fn accept(
    State(app): State<App>,
    member: Member,
    Parameter(token): Parameter<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let id = sub_members::read_token(&app, &token)?;
    match sub_members::accept(&app, &id, &member, now_ms()).await {
        // pressed twice it is the same answer
        Ok(()) | Err(NotTaken::AlreadyIn) => {
            Ok(Redirect::to(&format!("{DESKS}?done=joined")).into_response())
        }
        Err(NotTaken::Failed(error)) => Err(error),
        // the page says why
        Err(_) => render::again(&app, parts, &format!("/manager/invitation/{token}"), Form::default()).await,
    }
}

/// GET /manager/invitation/{token}.
#[component]
pub fn AcceptPage() -> impl IntoView {
    let here = here();
    let token = parameter::<String>("token");
    let answer = use_context::<ResponseOptions>();
    loaded(
        async move {
            let (Here { app, member }, token) = (here?, token?);
            let id = sub_members::read_token(&app, &token)?;
            let invitation = invitations::find(&app.db, &id).await?;
            let mut tx = app.db.begin_snapshot().await?;
            let obstacle = sub_members::obstacle(&mut tx, &invitation, &member, now_ms()).await?;
            let house = match accounts::house(&mut tx, &invitation.house).await {
                Ok((name, _)) => name,
                Err(Error::NotFound) => String::new(),
                Err(error) => return Err(error),
            };
            Ok((member, token, invitation, obstacle, house))
        },
        move |(member, token, invitation, obstacle, house)| {
            let body = match obstacle {
                None => view! {
                    <p>{format!("{house}邀请您一起做书。接受以后，您在“工作台”里可以打开它的作品和素材。")}</p>
                    <dl class="facts">
                        <dt>"您的角色"</dt><dd>{invitation.role.name()}"，"{invitation.role.description()}</dd>
                        <dt>"您的账号"</dt><dd class="num">{member.account.clone()}</dd>
                        <dt>"有效到"</dt><dd><Moment at=invitation.expires_at/></dd>
                    </dl>
                    <p class="hint">"您自己的作品、素材和钱对方看不到。您随时可以退出。"</p>
                    <form method="post" action=format!("/manager/invitation/{token}")>
                        <button class="button primary wide">"接受邀请"</button>
                    </form>
                    <a class="button wide" href="/manager/make_ebook">"不接受"</a>
                }
                .into_any(),
                Some(NotTaken::AlreadyIn) => view! {
                    <div class="notice good" role="status">{NotTaken::AlreadyIn.to_string()}"。"</div>
                    <a class="button primary wide" href=DESKS>"去工作台"</a>
                }
                .into_any(),
                Some(reason) => {
                    if let Some(answer) = answer {
                        answer.set_status(StatusCode::UNPROCESSABLE_ENTITY);
                    }
                    let (href, way) = match reason {
                        NotTaken::OwnInvitation => (MEMBERS, "查看我的会员"),
                        _ => ("/manager/make_ebook", "去做书"),
                    };
                    view! {
                        <div class="notice warn" role="alert">{format!("{reason}。")}</div>
                        <a class="button primary wide" href=href>{way}</a>
                    }
                    .into_any()
                }
            };
            view! {
                <Shell member title="成员邀请".to_owned() assets=&["payments.css", "membership.css"]>
                    <div class="till quote">
                        <header><h1>"成员邀请"</h1></header>
                        <ErrorSummary title="没有接受"/>
                        <div class="trim stack">{body}</div>
                    </div>
                </Shell>
            }
        },
    )
}
