//! /staff/goods/{id}: what goods are and cost, how they became so, and the draft of what they are to be.

use base::error::Error;
use base::time;
use domain::goods::{Cnum, Goods, Step};
use domain::ids::GoodsId;
use domain::price::Basis;
use leptos::prelude::*;
use web::render::{Form, loaded, parameter, use_form, use_query};
use web::staff::{Here, here};
use web::ui::parts::{Ask, ErrorSummary, Field, FieldError, Moment, Money, area_text};
use web::ui::records::{Record, Records};
use web::ui::staff::{CodeField, StaffShell};

use super::forms::{MOST_NOTE, MOVED};
use super::preview::{Consequences, Preview};
use super::{LIST, address};
use catalog::{self, Detail, Filed, Version, Waiting};

/// What the page's address asks for.
struct Query {
    /// The text of a version stands in the draft.
    version: Option<String>,
    /// What a version changed is told.
    diff: Option<String>,
    /// The text of the change that waits stands in the draft.
    waiting: bool,
}

/// All that the page shows.
struct Shown {
    detail: Detail,
    draft: Draft,
    preview: Option<Preview>,
    /// A version with what it changed; nothing of the first one.
    told: Option<(i64, Option<Vec<String>>)>,
}

/// What stands in the form.
struct Draft {
    toml: String,
    note: String,
    base: i64,
}

fn number(text: &str) -> Result<i64, Error> {
    text.parse().map_err(|_| Error::NotFound)
}

async fn load(
    here: Result<Here, Error>,
    id: Result<GoodsId, Error>,
    query: Query,
    form: Form,
) -> Result<Shown, Error> {
    let (app, id) = (here?.app, id?);
    let detail = catalog::detail(&app, &id).await?;
    let current = &detail.current;
    let mut draft = Draft { toml: current.filed.to_edit()?, note: String::new(), base: current.number };
    if let Some(version) = &query.version {
        let version = number(version)?;
        draft.toml = catalog::version(&app, &id, version).await?.to_edit()?;
        draft.note = format!("回到第 {version} 版");
    } else if query.waiting
        && let Some(waiting) = &detail.waiting
        && let Some(filed) = &waiting.filed
    {
        draft.toml = filed.to_edit()?;
        draft.note = waiting.note.clone();
    }
    let mut preview = None;
    if form.all("toml").next().is_some() {
        draft.toml = form.or("toml", "").replace("\r\n", "\n");
        draft.base = form.get("base").parse().unwrap_or(draft.base);
        let read = Filed::read(&draft.toml).ok();
        let fits = |filed: &Filed| filed.goods.id == id && filed.goods.trim == current.filed.goods.trim;
        if let Some(filed) = read.filter(fits) {
            preview = Some(Preview::of(&app, &current.filed, &filed).await?);
        }
    }
    let told = match &query.diff {
        Some(version) => {
            let version = number(version)?;
            Some((version, catalog::changed_in(&app, &id, version).await?))
        }
        None => None,
    };
    Ok(Shown { detail, draft, preview, told })
}

/// GET /staff/goods/{id}?version=…&diff=…&waiting=….
#[component]
pub fn GoodsPage() -> impl IntoView {
    let here = here();
    let id = parameter::<GoodsId>("id");
    let query = Query {
        version: use_query("version"),
        diff: use_query("diff"),
        waiting: use_query("waiting").is_some(),
    };
    loaded(load(here, id, query, use_form()), |Shown { detail, draft, preview, told }| {
        let Detail { current, versions, waiting } = detail;
        let (goods, is_active) = (current.filed.goods, current.filed.active);
        let (mark, state) = if is_active { ("badge good", "出售中") } else { ("badge", "已停售") };
        let id = goods.id.clone();
        let title = goods.name.clone();
        let moved = use_form().get(MOVED).to_owned();
        // a refusal says it itself
        let moved = (!moved.is_empty() && !use_form().is_refused()).then(|| {
            let words = format!("商品刚刚有人改过，现在是第 {moved} 版。下面是您写的和它的差别。");
            view! { <p class="notice warn" role="alert">{words}</p> }
        });
        let waiting =
            waiting.map(|waiting| view! { <WaitingChange id=id.clone() waiting number=current.number/> });
        let told = told.map(|(number, lines)| view! { <ChangedIn number lines/> });
        let is_previewed = preview.is_some();
        let preview = preview.map(|preview| view! { <Consequences preview/> });
        view! {
            <StaffShell title=title.clone() assets=&["staff.css"]>
                <header class="head">
                    <div>
                        <p><a class="link" href=LIST>"商品与价格"</a></p>
                        <h1>{title}</h1>
                        <p>
                            <span class=mark>{state}</span>" "
                            <span class="quiet num">{format!("第 {} 版", current.number)}</span>
                        </p>
                    </div>
                </header>
                <ErrorSummary title="没有办成"/>
                {moved}
                {waiting}
                {preview}
                <DraftForm id=id.clone() draft is_previewed/>
                {told}
                <Versions id versions/>
                <Facts goods=goods.clone()/>
                <Steps goods/>
            </StaffShell>
        }
    })
}

/// A change that waits for its day, or missed it.
#[component]
fn WaitingChange(id: GoodsId, waiting: Waiting, number: i64) -> impl IntoView {
    let Waiting { filed, base, note, made_by, made_at, takes_effect_at, failed } = waiting;
    let day = time::day(takes_effect_at);
    let title = match &failed {
        Some(_) => format!("{day} 的改动没有生效"),
        None => format!("{day} 零点生效的改动"),
    };
    let problem = failed.or_else(|| {
        (base != number).then(|| {
            format!(
                "它是在第 {base} 版上改的，商品现在已是第 {number} 版，到时不会生效。请载入它，看过差别再应用"
            )
        })
    });
    let problem = problem.map(|problem| view! { <p class="notice warn">{problem}"。"</p> });
    let note = (!note.is_empty()).then(|| view! { <p>{note}</p> });
    let own = address(&id);
    let load = filed.is_some().then(|| {
        view! { <a class="button" href=format!("{own}?waiting=1#toml")>"载入它"</a> }
    });
    view! {
        <section class="sheet stack">
            <h2>{title}</h2>
            {problem}
            {note}
            <p class="quiet">{made_by}" 写于 "<Moment at=made_at/></p>
            <div class="row">
                {load}
                <Ask
                    label="撤销"
                    question=format!("撤销以后，{day} 价格不变。写好的内容不再保留。")
                    confirm="撤销这个改动"
                    action=format!("{own}/waiting/removal")
                />
            </div>
        </section>
    }
}

#[component]
fn DraftForm(id: GoodsId, draft: Draft, is_previewed: bool) -> impl IntoView {
    let form = use_form();
    let wrong = form.error("toml").map(|_| "true");
    let described = wrong.map(|_| "toml-error");
    let apply = is_previewed.then(|| {
        view! {
            <CodeField/>
            <button class="button danger" name="step" value="apply">"应用"</button>
        }
    });
    let look = if is_previewed { "再看一遍后果" } else { "看看后果" };
    let look_class = if is_previewed { "button" } else { "button primary" };
    view! {
        <section class="sheet stack">
            <h2>"改商品和价格"</h2>
            <p class="hint">
                "价格单位是元：copy 每本，page 每本每页，order 每单一次；折扣写减去的部分，0.05 是 95 折。"
                "active = false 停止出售。编号和成品尺寸不能改。"
            </p>
            <form class="fields" method="post" action=format!("{}/draft", address(&id))>
                <input type="hidden" name="base" value=draft.base.to_string()/>
                <div class="field">
                    <label for="toml">"内容（TOML）"</label>
                    <textarea
                        id="toml" name="toml" rows="30" spellcheck="false" class="num toml" required
                        aria-invalid=wrong aria-describedby=described
                    >
                        {area_text(&draft.toml)}
                    </textarea>
                    <FieldError name="toml".to_owned()/>
                </div>
                <Field
                    name="note" label="改动说明（可不填，同事看得到）" value=draft.note most=MOST_NOTE as u32
                    autocomplete="off"
                />
                <Field name="from" label="从哪天零点起（留空就是马上）" kind="date" class="short"/>
                <button class=look_class name="step" value="preview">{look}</button>
                {apply}
            </form>
        </section>
    }
}

/// What a version changed.
#[component]
fn ChangedIn(number: i64, lines: Option<Vec<String>>) -> impl IntoView {
    let body = match lines {
        None => view! { <p class="quiet">"这是第一次改动以前的样子。"</p> }.into_any(),
        Some(lines) if lines.is_empty() => view! { <p class="quiet">"没有差别。"</p> }.into_any(),
        Some(lines) => {
            let lines: Vec<_> = lines.into_iter().map(|line| view! { <li>{line}</li> }).collect();
            view! { <ul class="log">{lines}</ul> }.into_any()
        }
    };
    view! {
        <section class="sheet" id="diff">
            <h2>{format!("第 {number} 版改了什么")}</h2>
            {body}
        </section>
    }
}

#[component]
fn Versions(id: GoodsId, versions: Vec<Version>) -> impl IntoView {
    if versions.is_empty() {
        return view! { <section class="sheet"><h2>"版本"</h2><p class="quiet">"还没有改过。"</p></section> }
            .into_any();
    }
    let rows: Vec<_> = versions
        .into_iter()
        .map(|Version { number, note, made_by, made_at }| {
            let own = address(&id);
            // what there was before somebody changed it is nobody's
            let (by, note) = match (made_by.is_empty(), note.is_empty()) {
                (true, _) => ("—".to_owned(), "改动以前的样子".to_owned()),
                (false, true) => (made_by, "—".to_owned()),
                (false, false) => (made_by, note),
            };
            let about = format!("：第 {number} 版");
            let acts = view! {
                <span>
                    <a class="link" href=format!("{own}?diff={number}#diff")>"看差别"<span class="sr">{about.clone()}</span></a>
                    " "
                    <a class="link" href=format!("{own}?version={number}#toml")>"载入"<span class="sr">{about}</span></a>
                </span>
            };
            Record::new()
                .num("版本", format!("第 {number} 版"))
                .moment("时间", made_at)
                .cell("谁", by)
                .cell("说明", note)
                .acts(acts)
        })
        .collect();
    view! {
        <section class="sheet">
            <h2>"版本"</h2>
            <Records rows/>
        </section>
    }
    .into_any()
}

/// What the goods are, but for their steps.
#[component]
fn Facts(goods: Goods) -> impl IntoView {
    let book = &goods.price_book;
    let or_none = |text: String| if text.is_empty() { "没有".to_owned() } else { text };
    let (volume, tiers) = (or_none(book.yhstr()), or_none(book.tier_discounts()));
    let bindings: Vec<String> = goods
        .binding_pages
        .iter()
        .map(|(binding, range)| format!("{binding} {}–{} 页", range.min, range.max))
        .collect();
    let bundles: Vec<String> = goods.bundles.iter().map(|bundle| bundle.name.clone()).collect();
    let pages = goods.pages;
    view! {
        <section class="sheet">
            <h2>"现在的样子"</h2>
            <dl class="facts">
                <dt>"编号"</dt><dd class="num long">{goods.id.to_string()}</dd>
                <dt>"说明"</dt><dd>{or_none(goods.description.clone())}</dd>
                <dt>"成品尺寸"</dt><dd class="num">{works::size_text(goods.trim)}</dd>
                <dt>"自动排版"</dt>
                <dd>{format!("{}–{} 页，每次 {} 页", pages.min, pages.max, pages.step)}</dd>
                <dt>"装订"</dt><dd>{bindings.join("，")}</dd>
                <dt>"制作"</dt><dd>{format!("{} 个工作日", goods.making_days)}</dd>
                <dt>"搭配"</dt><dd>{or_none(bundles.join("、"))}</dd>
                <dt>"基础价"</dt><dd><Money amount=book.base/>" 每本"</dd>
                <dt>"内页"</dt><dd><Money amount=book.per_page/>" 每本每页"</dd>
                <dt>"数量优惠"</dt><dd>{volume}</dd>
                <dt>"会员优惠"</dt><dd>{tiers}</dd>
                <dt>"价格表起用日"</dt><dd class="num">{book.valid_from.to_string()}</dd>
            </dl>
        </section>
    }
}

/// The steps with what can be chosen in them, and what it adds.
#[component]
fn Steps(goods: Goods) -> impl IntoView {
    let steps: Vec<_> = goods
        .steps
        .iter()
        .map(|step| {
            let items = if step.items.is_empty() {
                "会员自己写".to_owned()
            } else {
                items_of(&goods, step).join("；")
            };
            let hidden = (!step.is_show).then(|| view! { " "<span class="badge">"不显示"</span> });
            view! { <dt>{step.name.clone()}{hidden}</dt><dd>{items}</dd> }
        })
        .collect();
    view! { <section class="sheet"><h2>"工序和价格"</h2><dl class="facts">{steps}</dl></section> }
}

/// A step's items with their prices: `PUR平装 +¥10.00 每本`.
fn items_of(goods: &Goods, step: &Step) -> Vec<String> {
    step.items.iter().map(|item| format!("{}{}", item.name, price_of(goods, &item.cnum))).collect()
}

fn price_of(goods: &Goods, cnum: &Cnum) -> String {
    let Some(item) = goods.price_book.items.get(cnum) else { return String::new() };
    let basis = match item.basis {
        Basis::Copy => "每本",
        Basis::Page => "每本每页",
        Basis::Order => "每单",
    };
    format!(" +¥{} {basis}", item.price.grouped())
}
