//! /manager/myMember/{id}: one sub-member: what it is called, what it may do, its allowance and what it spent.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::SubMemberId;
use domain::ledger::Account;
use domain::money::Fen;
use domain::payment::read_amount;
use domain::sub_member::{LONGEST_NAME, may_work};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{Ask, ErrorSummary, Field, Moment, Money};
use web::ui::shell::Shell;

use super::MEMBERS;
use super::allowance::{self, NotMoved, Way};
use super::my_member::{Roles, read_name_and_role};
use super::store::sub_members::{self as rows, SubMember};
use super::sub_members;
use ledger::{self, Statement, StatementTable};

/// The longest key of a form, in bytes; ours have 26.
const LONGEST_KEY: usize = 40;

fn address(id: &SubMemberId) -> String {
    format!("{MEMBERS}/{id}")
}

/// POST /manager/myMember/{id}: another name, another role.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SubMemberId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    rows::find_for_house(&app.db, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    if let Some(role) = read_name_and_role(&mut form)
        && !form.is_refused()
    {
        if !rows::change(&app.db, &id, &member.id, form.get("name"), role).await? {
            return Err(Error::NotFound);
        }
        return Ok(Redirect::to(&format!("{}?done=changed", address(&id))).into_response());
    }
    render::again(&app, parts, &address(&id), form).await
}

/// POST /manager/myMember/{id}/removal.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SubMemberId>,
) -> Result<Redirect, Error> {
    sub_members::dismiss(&app, &member, &id, now_ms()).await?;
    Ok(Redirect::to(&format!("{MEMBERS}?done=removed")))
}

/// POST /manager/myMember/{id}/allowance: `amount` is given, or taken back where `way` is `take`.
pub async fn transfer(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SubMemberId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    rows::find_for_house(&app.db, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    let page = address(&id);
    let key = key(&mut form);
    let way = if form.get("way") == "take" { Way::Take } else { Way::Give };
    let amount = read_amount(form.get("amount"));
    let amount = amount.map_err(|reason| form.refuse("amount", reason.to_string())).ok();
    let (Some(key), Some(amount)) = (key, amount) else {
        return render::again(&app, parts, &page, form).await;
    };
    if accounts::asks_again(&app, &member).await?
        && let Err(refusal) = accounts::knows_password(&app, &parts, &page, &mut form, &member).await?
    {
        return Ok(refusal);
    }
    match allowance::transfer(&app, &member.id, &id, way, amount, &key, now_ms()).await {
        Ok(()) => return Ok(Redirect::to(&format!("{page}?done=moved")).into_response()),
        Err(NotMoved::Failed(error)) => return Err(error),
        Err(reason @ NotMoved::FormUsed) => {
            form.forget("request_key");
            form.refuse("", reason.to_string());
        }
        Err(reason) => form.refuse("amount", reason.to_string()),
    }
    render::again(&app, parts, &page, form).await
}

fn key(form: &mut Form) -> Option<String> {
    form.own_key("request_key", |key| {
        (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

struct Loaded {
    member: Member,
    place: SubMember,
    account: String,
    works: bool,
    left: Fen,
    statement: Statement,
    asks_again: bool,
}

async fn load(
    here: Result<Here, Error>,
    id: Result<SubMemberId, Error>,
    before: Option<String>,
) -> Result<Loaded, Error> {
    let (Here { app, member }, id) = (here?, id?);
    let place = rows::find_for_house(&app.db, &id, &member.id).await?;
    let mut tx = app.db.begin_snapshot().await?;
    let longer = rows::longer(&mut tx, &place).await?;
    let account = accounts::account_of(&mut tx, &place.member).await?;
    let left = allowance::left(&mut tx, &id).await?;
    drop(tx);
    let statement = Statement::read(&app.db, &Account::Allowance(id), before).await?;
    let asks_again = accounts::asks_again(&app, &member).await?;
    Ok(Loaded { works: may_work(member.tier, longer), member, place, account, left, statement, asks_again })
}

/// GET /manager/myMember/{id}.
#[component]
pub fn SubMemberPage() -> impl IntoView {
    let here = here();
    let id = parameter::<SubMemberId>("id");
    let shown = load(here, id, use_query("before"));
    loaded(shown, |Loaded { member, place, account, works, left, statement, asks_again }| {
        let done = match use_query("done").as_deref().filter(|_| !use_form().is_sent()) {
            Some("changed") => Some("已保存。"),
            Some("moved") => Some("额度已更新。"),
            _ => None,
        };
        let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
        let frozen = (!works).then(|| {
            view! { <div class="notice warn">"这位成员超出了您会员等级的名额，暂时不能替您工作；作品都在。"</div> }
        });
        let base = address(&place.id);
        let spending = (!statement.is_empty()).then(|| {
            view! {
                <section class="history" id="spending">
                    <h2>"额度的往来"</h2>
                    <StatementTable statement path=base.clone() section="spending"/>
                </section>
            }
        });
        let balance = member.balance;
        view! {
            <Shell member title=place.name.clone() assets=&["membership.css"]>
                <header class="head">
                    <div>
                        <p><a class="link" href=MEMBERS>"我的会员"</a></p>
                        <h1>{place.name.clone()}</h1>
                        <p class="quiet"><span class="num">{account}</span>"，"<Moment at=place.joined_at/>" 加入"</p>
                    </div>
                </header>
                {done}
                {frozen}
                <ErrorSummary title="还没有保存"/>
                <div class="member-parts">
                    <form class="sheet stack" method="post" action=base.clone()>
                        <h2>"称呼和角色"</h2>
                        <Field name="name" label="称呼" value=place.name.clone() most=LONGEST_NAME as u32 required=true/>
                        <Roles chosen=place.role/>
                        <div class="row"><button class="button primary">"保存"</button></div>
                    </form>
                    <section class="stack">
                        <Allowance base=base.clone() left balance asks_again/>
                        <Ask
                            label="移除成员"
                            question=format!(
                                "移除{}？对方马上不能再替您工作，额度里剩下的 ¥{} 回到您的余额；做好的作品都在。",
                                place.name,
                                left.grouped()
                            )
                            confirm="移除这位成员"
                            action=format!("{base}/removal")
                        />
                    </section>
                </div>
                {spending}
            </Shell>
        }
    })
}

/// What is set aside, and the form that gives and takes.
#[component]
fn Allowance(base: String, left: Fen, balance: Fen, asks_again: bool) -> impl IntoView {
    let form = use_form();
    let key: String = render::once();
    let again = asks_again.then(|| {
        view! {
            <p class="hint">"您是扫码登录的，动用余额前请输入密码。"</p>
            <Field
                name="current"
                label="登录密码"
                kind="password"
                most=128
                autocomplete="current-password"
                required=true
            />
        }
    });
    view! {
        <form class="sheet stack" method="post" action=format!("{base}/allowance")>
            <h2>"额度"</h2>
            <dl class="facts sums">
                <dt>"现在有"</dt><dd class="price"><Money amount=left/></dd>
                <dt>"您的余额"</dt><dd><Money amount=balance/></dd>
            </dl>
            <p class="hint">"成员可以用额度支付自己的订单，不能转走或提现；移除成员时剩下的自动回到您的余额。"</p>
            <input type="hidden" name="request_key" value=form.or("request_key", &key)/>
            <Field name="amount" label="金额（元）" inputmode="decimal" most=16 required=true/>
            {again}
            <div class="row">
                <button class="button" name="way" value="give">"转给成员"</button>
                <button class="button" name="way" value="take">"收回"</button>
            </div>
        </form>
    }
}
