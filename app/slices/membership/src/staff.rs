//! /staff/members 会员: members as the back office looks at them, and their pages as they see them. Nothing here changes
//! anything of theirs.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::contact::Contact;
use domain::ids::MemberId;
use domain::ledger::Account;
use domain::membership::Standing;
use domain::money::Fen;
use domain::tier::Tier;
use leptos::prelude::*;
use tower_sessions::Session;

use accounts::{self, Look, LookedAt, MemberFacts, SignedIn, ToldSignIn};
use base::db::now_ms;
use base::error::Error;
use base::lists;
use base::time;
use ledger::{self, Statement, StatementTable};
use orders::{self, Order, StateBadge};
use web::app::App;
use web::render::{self, loaded, parameter, use_query};
use web::router::Parameter;
use web::staff::{self, Here, Looking, Staff, here};
use web::ui::forms::{check_length, read_form};
use web::ui::lists::{Pager, Search};
use web::ui::parts::{Field, Moment, Money};
use web::ui::records::{Record, Records};
use web::ui::staff::{ExportButtons, StaffShell};

const PATH: &str = "/staff/members";
/// Members on one page of the list.
const PAGE: usize = 30;
/// Sign-ins and tries, and orders, on a member's page.
const SIGN_INS: usize = 30;
const ORDERS: i64 = 10;

/// The most characters of a reason to look at a member's pages.
const LONGEST_REASON: u32 = 200;

fn address(id: &MemberId) -> String {
    format!("{PATH}/{id}")
}

/// POST /staff/members/{id}/look: `reason`. From here on the member's pages are open, for half an hour.
pub async fn begin_look(
    State(app): State<App>,
    staff: Staff,
    session: Session,
    Parameter(id): Parameter<MemberId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    check_length(&mut form, "reason", "查看的原因", 2, LONGEST_REASON as usize);
    if form.is_refused() {
        return render::again(&app, parts, &address(&id), form).await;
    }
    let look = accounts::begin_look(&app, &staff.name, &id, form.get("reason")).await?;
    staff::begin_look(&session, &Looking { id: look, member: id }).await?;
    Ok(Redirect::to("/manager/userInfo").into_response())
}

/// POST /staff/members/{id}/look/end: back where it began.
pub async fn end_look(
    State(app): State<App>,
    session: Session,
    Parameter(id): Parameter<MemberId>,
) -> Result<Redirect, Error> {
    match staff::looking(&session).await? {
        Some(looking) => {
            accounts::end_look(&app, &looking.id, &looking.member).await?;
            Ok(Redirect::to(&staff::end_look(&session, &looking).await?))
        }
        // it was ended in another window
        None => {
            base::audit::unchanged();
            Ok(Redirect::to(&address(&id)))
        }
    }
}

/// A contact with its middle hidden: `138****8000`, `r****@example.com`.
pub fn masked(contact: &str) -> String {
    match Contact::read(contact) {
        Some(Contact::Email(address)) => {
            let (name, host) = address.split_once('@').unwrap_or((address.as_str(), ""));
            let first: String = name.chars().take(1).collect();
            format!("{first}****@{host}")
        }
        Some(phone) => phone.name(),
        None => "****".to_owned(),
    }
}

/// How a member is reached, for a list that others may see over somebody's shoulder.
fn masked_contacts(member: &MemberFacts) -> String {
    let contacts: Vec<String> =
        [&member.phone, &member.email].into_iter().flatten().map(|contact| masked(contact)).collect();
    if contacts.is_empty() { "—".to_owned() } else { contacts.join("，") }
}

/// What of its tiers counts now, until when, and what comes after.
fn tier_text(standing: Standing, now: i64) -> String {
    match standing.at(now) {
        (tier, Some(until)) if standing.after == Tier::default() => {
            format!("{}，到 {}", tier.name(), time::day(until))
        }
        (tier, Some(until)) => {
            format!("{}，到 {}，之后是{}", tier.name(), time::day(until), standing.after.name())
        }
        (tier, None) => tier.name().to_owned(),
    }
}

/// Bytes for people.
fn size(bytes: u64) -> String {
    if bytes >= 1 << 30 {
        format!("{:.1} GB", bytes as f64 / f64::from(1 << 30))
    } else {
        format!("{:.1} MB", bytes as f64 / f64::from(1 << 20))
    }
}

/// GET /staff/members?q=…&after=….
#[component]
pub fn StaffMembersPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let (search, after) = (query("q"), query("after"));
    loaded(
        async move {
            let app = here?.app;
            let search = lists::search_text(&search);
            let after: Option<MemberId> =
                if after.is_empty() { None } else { Some(after.parse().map_err(|_| Error::NotFound)?) };
            // one more than is shown says whether there is another page
            let mut found = accounts::find_members(&app, &search, after.as_ref(), PAGE as i64 + 1).await?;
            let more = found.len() > PAGE;
            found.truncate(PAGE);
            let next = found.last().filter(|_| more).map(|member| member.id.to_string());
            let mut rows = Vec::new();
            let mut tx = app.db.begin_snapshot().await?;
            for member in found {
                let balance = ledger::balance(&mut tx, &member.id).await?;
                rows.push((member, balance));
            }
            Ok::<_, Error>((search, rows, after.is_some(), next))
        },
        |(search, rows, is_later, next)| {
            let page = |after: &str| lists::address(PATH, &[("q", search.as_str()), ("after", after)]);
            let first = is_later.then(|| page(""));
            let next = next.map(|next| page(&next));
            let exported = view! { <ExportButtons kind="members" kept=vec![("q", search.clone())]/> };
            let body = if rows.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"没有符合的会员"</h2>
                        <p class="quiet">"手机号、邮箱和会员号要写完整，名字可以只写一部分。"</p>
                        <a class="button" href=PATH>"看最新的会员"</a>
                    </section>
                }
                .into_any()
            } else {
                view! { <Found rows/> }.into_any()
            };
            view! {
                <StaffShell title="会员".to_owned() assets=&["staff.css"]>
                    <header class="head">
                        <h1>"会员"</h1>
                        <Search
                            action=PATH.to_owned()
                            label="手机号、邮箱、会员号或名字"
                            search
                            kept=Vec::new()
                        />
                    </header>
                    {body}
                    <Pager first next back="回到最新" further="更早的会员"/>
                    {exported}
                </StaffShell>
            }
        },
    )
}

#[component]
fn Found(rows: Vec<(MemberFacts, Fen)>) -> impl IntoView {
    let now = now_ms();
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(member, balance)| {
            let (own, contacts) = (address(&member.id), masked_contacts(&member));
            let (tier, until) = member.standing.at(now);
            let until = until.map(|until| {
                view! { " "<span class="quiet">"到 "<span class="num">{time::day(until)}</span></span> }
            });
            let name = view! { <span><a class="link" href=own>{member.name}</a><Closed at=member.closed_at/></span> };
            Record::new()
                .cell("名字", name)
                .cell("账号", contacts)
                .num("会员号", member.member_code)
                .cell("等级", view! { <span>{tier.name()}{until}</span> })
                .money("余额", balance)
                .moment("注册", member.created_at)
        })
        .collect();
    view! { <Records rows/> }
}

/// That an account was closed, where it was.
#[component]
fn Closed(at: Option<i64>) -> impl IntoView {
    at.map(|at| view! { " "<span class="badge bad">"已注销 "<Moment at/></span> })
}

/// All that a member's page shows.
struct Looked {
    member: LookedAt,
    balance: Fen,
    /// What is set aside for something not decided yet.
    frozen: Fen,
    statement: Statement,
    orders: Vec<(Order, String)>,
    looks: Vec<Look>,
}

async fn look(
    here: Result<Here, Error>,
    id: Result<MemberId, Error>,
    before: Option<String>,
) -> Result<Looked, Error> {
    let (app, id) = (here?.app, id?);
    let member = accounts::look_at(&app, &id, SIGN_INS).await?;
    let account = Account::Member(id.clone());
    let statement = Statement::read(&app.db, &account, before).await?;
    let mut tx = app.db.begin_snapshot().await?;
    let balance = ledger::balance_of(&mut tx, &account).await?;
    let frozen = ledger::balance_of(&mut tx, &Account::Frozen(id.clone())).await?;
    drop(tx);
    let orders = orders::newest_of_member(&app, &id, ORDERS).await?;
    let looks = accounts::looks_at(&app, &id).await?;
    Ok(Looked { member, balance, frozen, statement, orders, looks })
}

/// GET /staff/members/{id}?before=….
#[component]
pub fn StaffMemberPage() -> impl IntoView {
    let here = here();
    let (id, before) = (parameter::<MemberId>("id"), use_query("before"));
    loaded(look(here, id, before), |looked| {
        let Looked { member, balance, frozen, statement, orders, looks } = looked;
        let LookedAt { facts, has_second_factor, passkeys, invited, logins, sign_ins, room } = member;
        let own = address(&facts.id);
        let (name, closed_at) = (facts.name.clone(), facts.closed_at);
        let look = closed_at.is_none().then(|| view! { <BeginLook own=own.clone()/> });
        let security = match (has_second_factor, passkeys) {
            (true, 0) => "已开启".to_owned(),
            (false, 0) => "未开启".to_owned(),
            (true, count) => format!("已开启，另有 {count} 个通行密钥"),
            (false, count) => format!("未开启，有 {count} 个通行密钥"),
        };
        view! {
            <StaffShell title=format!("会员 {name}") assets=&["staff.css"]>
                <header class="head">
                    <div>
                        <p><a class="link" href=PATH>"会员"</a></p>
                        <h1>{name.clone()}</h1>
                        <p class="quiet">"只能看，不能改动"<Closed at=closed_at/></p>
                    </div>
                </header>
                <div class="stack">
                    <About facts security invited room/>
                    <section class="sheet">
                        <h2>"以会员的样子查看"</h2>
                        {look}
                        <Looks looks/>
                    </section>
                    <section class="sheet" id="ledger">
                        <h2>"余额"</h2>
                        <Balance balance frozen/>
                        <StatementTable statement path=own section="ledger" is_staffs=true/>
                    </section>
                    <Orders orders/>
                    <Logins logins/>
                    <SignIns sign_ins/>
                </div>
            </StaffShell>
        }
    })
}

/// The member's pages as the member sees them.
#[component]
fn BeginLook(own: String) -> impl IntoView {
    view! {
        <p class="hint">"打开会员的页面，只能看，最长 30 分钟。会员在登录记录里看得到时间和原因，看不到您是谁。"</p>
        <form class="stack narrow" method="post" action=format!("{own}/look")>
            <Field name="reason" label="查看的原因（会员会看到）" most=LONGEST_REASON/>
            <div><button class="button small">"查看会员的页面"</button></div>
        </form>
    }
}

#[component]
fn Looks(looks: Vec<Look>) -> impl IntoView {
    if looks.is_empty() {
        return view! { <p class="quiet">"最近 90 天没有人查看过。"</p> }.into_any();
    }
    let rows: Vec<_> = looks
        .into_iter()
        .map(|look| {
            Record::new()
                .moment("开始", look.began_at)
                .moment("结束", look.ended_at.unwrap_or(look.ends_at))
                .cell("谁", look.staff)
                .cell("原因", look.reason)
        })
        .collect();
    view! { <Records rows/> }.into_any()
}

/// Who it is.
#[component]
fn About(facts: MemberFacts, security: String, invited: i64, room: u64) -> impl IntoView {
    let now = now_ms();
    let tier = tier_text(facts.standing, now);
    let quota = facts.standing.at(now).0.photo_quota();
    let none = || "—".to_owned();
    // a closed account's name says nothing
    let account = if facts.closed_at.is_some() { none() } else { facts.account };
    let closed = facts.closed_at.map(|at| view! { <dt>"注销"</dt><dd><Moment at/></dd> });
    view! {
        <section class="sheet">
            <h2>"资料"</h2>
            <dl class="facts">
                <dt>"账号"</dt><dd>{account}</dd>
                <dt>"手机"</dt><dd class="num">{facts.phone.unwrap_or_else(none)}</dd>
                <dt>"邮箱"</dt><dd>{facts.email.unwrap_or_else(none)}</dd>
                <dt>"会员号"</dt><dd class="num">{facts.member_code}</dd>
                <dt>"邀请码"</dt>
                <dd><span class="num">{facts.invite_code}</span>{format!("，邀请了 {invited} 人")}</dd>
                <dt>"等级"</dt><dd>{tier}</dd>
                <dt>"注册"</dt><dd><Moment at=facts.created_at/></dd>
                {closed}
                <dt>"两步验证"</dt><dd>{security}</dd>
                <dt>"素材空间"</dt><dd class="num">{format!("{}，共 {}", size(room), size(quota))}</dd>
            </dl>
        </section>
    }
}

#[component]
fn Balance(balance: Fen, frozen: Fen) -> impl IntoView {
    let frozen = (frozen != Fen::ZERO).then(|| view! { <dt>"冻结中"</dt><dd><Money amount=frozen/></dd> });
    view! {
        <dl class="facts">
            <dt>"现在可用"</dt><dd><Money amount=balance/></dd>
            {frozen}
        </dl>
    }
}

#[component]
fn Orders(orders: Vec<(Order, String)>) -> impl IntoView {
    let body = if orders.is_empty() {
        view! { <p class="quiet">"还没有订单。"</p> }.into_any()
    } else {
        let rows: Vec<_> = orders
            .into_iter()
            .map(|(order, content)| {
                let id = order.id.to_string();
                let own = format!("/staff/orders/{id}");
                Record::new()
                    .cell("订单号", view! { <a class="link num" href=own>{id}</a> })
                    .cell("内容", content)
                    .moment("下单时间", order.created_at)
                    .cell("状态", view! { <StateBadge state=order.state/> })
                    .money("金额", order.total)
            })
            .collect();
        view! { <Records rows/> }.into_any()
    };
    view! { <section class="sheet"><h2>{format!("最近的订单（最多 {ORDERS} 个）")}</h2>{body}</section> }
}

#[component]
fn Logins(logins: Vec<SignedIn>) -> impl IntoView {
    let body = if logins.is_empty() {
        view! { <p class="quiet">"现在没有在任何地方登录。"</p> }.into_any()
    } else {
        let rows: Vec<_> = logins
            .into_iter()
            .map(|login| {
                Record::new()
                    .cell("设备", login.device)
                    .cell("方式", login.way)
                    .num("地址", login.address)
                    .moment("登录", login.since)
                    .moment("用过", login.seen_at)
                    .num("到期", time::day(login.ends_at))
            })
            .collect();
        view! { <Records rows/> }.into_any()
    };
    view! { <section class="sheet"><h2>"登录着的设备"</h2>{body}</section> }
}

#[component]
fn SignIns(sign_ins: Vec<ToldSignIn>) -> impl IntoView {
    let body = if sign_ins.is_empty() {
        view! { <p class="quiet">"还没有记录。"</p> }.into_any()
    } else {
        let rows: Vec<_> = sign_ins
            .into_iter()
            .map(|row| {
                let times = (row.times > 1).then(|| format!(" 一小时内 {} 次", row.times));
                Record::new()
                    .moment("时间", row.at)
                    .cell("方式", row.way)
                    .cell("结果", view! { <span><span class=row.mark>{row.outcome}</span>{times}</span> })
                    .cell("设备", row.device)
                    .num("地址", row.address)
            })
            .collect();
        view! { <Records rows/> }.into_any()
    };
    view! {
        <section class="sheet">
            <h2>"登录和尝试"</h2>
            <p class="hint">{format!("最近 90 天里最近的 {SIGN_INS} 条，没有成功的也在。输入过的密码从不保存。")}</p>
            {body}
        </section>
    }
}
