//! /staff/clerks: everybody who works here or did, what waits for a second person, and the form for one more.

use base::error::Error;
use domain::clerk::{LONGEST_FULL_NAME, manages};
use domain::ids::StaffId;
use domain::staff::LONGEST_NAME;
use leptos::prelude::*;
use web::app::App;
use web::approvals::{self, Request};
use web::render::{loaded, once, use_form};
use web::staff::here;
use web::ui::parts::{ErrorSummary, Field, Moment};
use web::ui::records::{Record, Records};
use web::ui::staff::StaffShell;

use super::acts::{named, thing};
use super::{Code, Email, LIST, LinkOnce, Roles, State, address, called, second, store};
use crate::store::{self as accounts_store, Listed};

/// What nobody has decided on.
async fn waiting(app: &App) -> Result<Vec<Request>, Error> {
    let mut waiting = Vec::new();
    for row in store::open(&app.db).await? {
        let asked = approvals::of(&app.db, thing(&row.staff_id)).await?;
        waiting.extend(asked.into_iter().find(|asked| asked.id == row.id && asked.decided_at.is_none()));
    }
    Ok(waiting)
}

/// GET /staff/clerks.
#[component]
pub fn ClerksPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let mut tx = here.app.db.begin_snapshot().await?;
            let all = accounts_store::all(&mut tx).await?;
            drop(tx);
            let mut managers = 0;
            for listed in all.iter().filter(|listed| listed.can_sign_in()) {
                managers += usize::from(manages(&listed.account.roles()?));
            }
            let mut rows = Vec::new();
            for listed in all {
                rows.push((named(&listed.account.roles()?), listed));
            }
            Ok((rows, waiting(&here.app).await?, here.staff.name, managers))
        },
        |(rows, waiting, own, managers)| {
            let alone = (managers < 2).then(|| {
                view! {
                    <p class="notice">
                        "只有您一位站长能管理账号。经手款项的角色要另一位站长同意，第二位站长先在机器上用命令行开通："
                        <code>"bindery staff add 登录名 --role 站长"</code>
                    </p>
                }
            });
            let waiting: Vec<_> =
                waiting.into_iter().map(|request| view! { <Waiting request own=own.clone()/> }).collect();
            let rows: Vec<_> = rows.into_iter().map(|(roles, listed)| row(roles, listed)).collect();
            view! {
                <StaffShell title="同事".to_owned() assets=&["staff.css"]>
                    <header class="head"><h1>"同事"</h1></header>
                    <LinkOnce/>
                    <ErrorSummary title="没有办成"/>
                    {alone}
                    {waiting}
                    <Records rows/>
                    <New/>
                </StaffShell>
            }
        },
    )
}

fn row(roles: String, listed: Listed) -> Record {
    let account = listed.account.clone();
    let seen = match account.signed_in_at {
        Some(at) => view! { <Moment at/> }.into_any(),
        None => view! { <span class="quiet">"没有记录"</span> }.into_any(),
    };
    let (own, name) = (address(&account.id), called(&account.full_name, &account.name));
    Record::new()
        .cell("姓名", view! { <a class="link" href=own>{name}</a> })
        .cell("登录名", account.name)
        .cell("角色", roles)
        .cell("上次登录", seen)
        .cell("第二步", second(&listed))
        .num("登录着", format!("{} 处", listed.logins))
        .cell("状态", view! { <State listed/> })
}

/// What waits until another one than whoever asked has decided.
#[component]
fn Waiting(request: Request, own: String) -> impl IntoView {
    let action = format!("{LIST}/requests/{}", request.id);
    let id = request.id.clone();
    let is_sent = use_form().get("request") == id;
    let form = |word: &'static str, class: &'static str, name: &'static str, asks: bool| {
        view! {
            <form class="fields" method="post" action=action.clone()>
                <input type="hidden" name="decision" value=word/>
                {asks.then(|| view! { <Code place=id.clone() is_sent=is_sent/> })}
                <button class=class>{name}</button>
            </form>
        }
    };
    let decision = if own == request.asked_by {
        view! {
            <p class="hint">"等另一位站长复核；也可以自己撤回。"</p>
            {form("decline", "button", "撤回", false)}
        }
        .into_any()
    } else {
        view! {
            {form("grant", "button danger", "同意", true)}
            {form("decline", "button", "不同意", false)}
        }
        .into_any()
    };
    view! {
        <section class="sheet warned stack">
            <h2>"待复核"</h2>
            <p>{request.reason}</p>
            <p class="quiet">{request.asked_by}" 提出于 "<Moment at=request.asked_at/></p>
            {decision}
        </section>
    }
}

/// The form for one more.
#[component]
fn New() -> impl IntoView {
    let form = use_form();
    let is_other = !form.get("request").is_empty();
    let key = form.or("key", once::<StaffId>().as_str());
    view! {
        <form class="sheet fields narrow" method="post" action=LIST>
            <h2>"请新同事进来"</h2>
            <input type="hidden" name="key" value=key/>
            <Field name="full_name" label="姓名" most=LONGEST_FULL_NAME as u32 autocomplete="off"/>
            <Field name="name" label="登录名" most=LONGEST_NAME as u32 autocomplete="off" required=true/>
            <p class="hint">"操作日志里写的是登录名，以后不能改，也不会再给别人用。"</p>
            <Roles known=Vec::new() is_sent=!is_other/>
            <Email/>
            <Code place="new".to_owned() is_sent=!is_other/>
            <p class="hint">"做好以后给您一个邀请链接。经手款项的角色，要等另一位站长同意才有链接。"</p>
            <button class="button primary">"开通账号"</button>
        </form>
    }
}
