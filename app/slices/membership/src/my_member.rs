//! /manager/myMember 我的会员: who works for the house, who is invited, and how many there may be.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::contact::Contact;
use domain::ids::InvitationId;
use domain::money::Fen;
use domain::sub_member::{LONGEST_NAME, Role, may_work};
use domain::tier::Tier;
use leptos::prelude::*;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Form, Here, here, loaded, use_form, use_query};
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{ErrorSummary, Field, FieldError, Moment};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::store::invitations::{self, Invitation};
use super::store::sub_members::{self as rows, SubMember};
use super::sub_members::{self, NotTaken, Wanted};
use super::{MEMBERS, UPGRADE, allowance};

/// POST /manager/myMember: an invitation, by link or to an account.
pub async fn invite(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    if let Some(wanted) = read(&mut form) {
        let path = sub_members::path(&app, &wanted.id);
        let link = Origin::configured(&app.config).map(|base| base.join(&path));
        match sub_members::invite(&app, &member, wanted, link.as_deref(), now_ms()).await {
            Ok(id) => return Ok(Redirect::to(&invitation_address(&id)).into_response()),
            Err(NotTaken::Failed(error)) => return Err(error),
            Err(reason @ (NotTaken::Own | NotTaken::Already)) => form.refuse("contact", reason.to_string()),
            Err(reason) => form.refuse("", reason.to_string()),
        }
    }
    render::again(&app, parts, MEMBERS, form).await
}

fn invitation_address(id: &InvitationId) -> String {
    format!("{MEMBERS}/invitation/{id}")
}

fn read(form: &mut Form) -> Option<Wanted> {
    let id: Option<InvitationId> = form.own("invitation");
    let role = read_name_and_role(form);
    let typed = form.get("contact").to_owned();
    let contact = Contact::read(&typed);
    if !typed.is_empty() && contact.is_none() {
        form.refuse("contact", "请输入对方的手机号或邮箱，或者不填");
    }
    let name = form.get("name").to_owned();
    if form.is_refused() {
        return None;
    }
    Some(Wanted { id: id?, name, role: role?, contact })
}

/// The name and the role of a form.
pub fn read_name_and_role(form: &mut Form) -> Option<Role> {
    check_length(form, "name", "称呼", 1, LONGEST_NAME);
    let role = form.get("role").parse::<Role>();
    role.map_err(|reason| form.refuse("role", reason.to_string())).ok()
}

/// A sub-member with what its row says beside itself.
struct Listed {
    place: SubMember,
    account: String,
    left: Fen,
    /// Whether it may work now.
    works: bool,
}

struct Loaded {
    member: Member,
    listed: Vec<Listed>,
    open: Vec<Invitation>,
}

async fn load(here: Result<Here, Error>) -> Result<Loaded, Error> {
    let Here { app, member } = here?;
    let open = invitations::open_of_house(&app.db, &member.id, now_ms()).await?;
    let mut listed = Vec::new();
    let mut tx = app.db.begin_snapshot().await?;
    let places = rows::of_house(&mut tx, &member.id).await?;
    for (longer, place) in places.into_iter().enumerate() {
        let account = accounts::account_of(&mut tx, &place.member).await?;
        let left = allowance::left(&mut tx, &place.id).await?;
        listed.push(Listed { account, left, works: may_work(member.tier, longer as i64), place });
    }
    Ok(Loaded { member, listed, open })
}

/// GET /manager/myMember.
#[component]
pub fn MembersPage() -> impl IntoView {
    let here = here();
    loaded(load(here), |Loaded { member, listed, open }| {
        let done = match use_query("done").as_deref().filter(|_| !use_form().is_sent()) {
            Some("removed") => Some("成员已移除，剩下的额度回到了您的余额。"),
            Some("withdrawn") => Some("邀请已撤回，链接不能再用。"),
            _ => None,
        };
        let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
        let places = member.tier.sub_members();
        let taken = listed.len() + open.len();
        let is_full = taken >= places as usize;
        let none = (listed.is_empty() && open.is_empty()).then(|| {
            view! {
                <section class="trim empty">
                    <h2>"还没有成员"</h2>
                    <p class="quiet">"成员用自己的账号登录，替您做书：编辑可以制作和修改作品，只看的人只能查看。钱、订单、地址和账号都还是您一个人的。"</p>
                </section>
            }
        });
        view! {
            <Shell member=member.clone() title="我的会员".to_owned() assets=&["membership.css"]>
                <header class="head">
                    <div>
                        <h1>"我的会员"</h1>
                        <p class="quiet">
                            {member.tier.name()}"有 "<span class="num">{places}</span>" 个名额，用了 "
                            <span class="num">{taken}</span>" 个"
                        </p>
                    </div>
                </header>
                {done}
                <ErrorSummary title="还没有邀请"/>
                {none}
                <People listed/>
                <Open open/>
                {if is_full { view! { <Full tier=member.tier/> }.into_any() } else { view! { <InviteForm/> }.into_any() }}
            </Shell>
        }
    })
}

#[component]
fn People(listed: Vec<Listed>) -> impl IntoView {
    if listed.is_empty() {
        return None;
    }
    let rows: Vec<_> = listed
        .into_iter()
        .map(|Listed { place, account, left, works }| {
            let frozen = (!works).then(|| view! { " "<span class="badge warn">"超出名额，暂停"</span> });
            let own = format!("{MEMBERS}/{}", place.id);
            Record::new()
                .cell("成员", view! { <a class="link" href=own>{place.name}</a>{frozen} })
                .num("账号", account)
                .cell("角色", view! { <span class="badge">{place.role.name()}</span> })
                .moment("加入", place.joined_at)
                .money("额度", left)
        })
        .collect();
    Some(view! { <Records rows/> })
}

/// The invitations that nobody has accepted yet.
#[component]
fn Open(open: Vec<Invitation>) -> impl IntoView {
    if open.is_empty() {
        return None;
    }
    let items: Vec<_> = open
        .into_iter()
        .map(|invitation| {
            let to = invitation.contact.clone().map_or_else(|| "凭链接".to_owned(), |to| format!("发给 {to}"));
            view! {
                <li>
                    <span>
                        <a class="link" href=invitation_address(&invitation.id)>{invitation.name.clone()}</a>" "
                        <span class="badge">{invitation.role.name()}</span>
                    </span>
                    <span class="quiet num">{to}"，"<Moment at=invitation.expires_at/>" 过期"</span>
                    <form method="post" action=format!("{MEMBERS}/invitation/{}/withdrawal", invitation.id)>
                        <button class="link">"撤回"<span class="sr">{format!("给{}的邀请", invitation.name)}</span></button>
                    </form>
                </li>
            }
        })
        .collect();
    Some(view! { <section class="invited"><h2>"等待接受的邀请"</h2><ul class="sheet">{items}</ul></section> })
}

/// No place is free: how to get one.
#[component]
fn Full(tier: Tier) -> impl IntoView {
    let more = Tier::ALL.into_iter().find(|higher| higher.sub_members() > tier.sub_members());
    let way = more.map(|higher| {
        view! {
            <p>{format!("{higher}有 {} 个名额。", higher.sub_members())}" "<a class="link" href=UPGRADE>"会员升级"</a></p>
        }
    });
    view! { <div class="notice">"名额用完了。移除成员或撤回邀请以后，可以再邀请别人。"{way}</div> }
}

#[component]
fn InviteForm() -> impl IntoView {
    let form = use_form();
    let id: InvitationId = render::once();
    view! {
        <form class="sheet stack invite" method="post" action=MEMBERS>
            <h2>"邀请成员"</h2>
            <input type="hidden" name="invitation" value=form.or("invitation", id.as_str())/>
            <Field name="name" label="称呼" most=LONGEST_NAME as u32 required=true/>
            <Roles chosen=Role::Editor/>
            <Field name="contact" label="对方的手机号或邮箱（可不填：不填就生成链接和二维码，谁拿到谁能接受）" most=254 inputmode="email" autocomplete="off"/>
            <div class="row"><button class="button primary">"生成邀请"</button></div>
        </form>
    }
}

/// The choice of a role.
#[component]
pub fn Roles(chosen: Role) -> impl IntoView {
    let chosen = use_form().or("role", chosen.code());
    let radios: Vec<_> = Role::ALL
        .into_iter()
        .map(|role| {
            view! {
                <label>
                    <input type="radio" name="role" value=role.code() checked=role.code() == chosen/>
                    <span><strong>{role.name()}</strong><small class="quiet">{role.description()}</small></span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="picks" id="role">
            <legend>"角色"</legend>
            <FieldError name="role".to_owned()/>
            {radios}
        </fieldset>
    }
}
