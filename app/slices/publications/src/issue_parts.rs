//! Parts of an issue's desk: where it stands, what was read of its pages, and what its maker says of it.

use base::db::now_ms;
use base::time;
use domain::issue_state::IssueState;
use domain::money::Fen;
use domain::publication::{Day, Kind};
use leptos::prelude::*;
use web::render::use_form;
use web::slice::Readers;
use web::ui::parts::{Field, FieldError, Moment, height_of};

use super::address;
use super::new_issue::ReadingNote;
use super::store::articles::Article;
use super::store::issues::{Issue, IssuePage};
use super::store::publications::Publication;

/// Who bought an issue alone.
#[derive(Debug, Clone, Copy)]
pub struct Sold {
    /// Who has it, and gifts of it that nobody has taken.
    pub readers: Readers,
    /// How many paid for it and have not got that back, and how much.
    pub singles: (usize, Fen),
}

impl Sold {
    /// How many have it or may get it.
    fn count(self) -> usize {
        self.readers.entitled + self.readers.gifts
    }
}

/// Whether everybody who bought it alone shall have the money back, and not read it any more.
#[component]
fn Refunding(singles: (usize, Fen), action: String, label: &'static str) -> impl IntoView {
    let (count, paid) = singles;
    let confirm = format!("{}全部退款", label.trim_end_matches("退款"));
    view! {
        <details class="ask">
            <summary>{label}</summary>
            <form method="post" action=action>
                <p>
                    {format!(
                        "单独买过它的 {count} 位读者，共付 ¥{}，全部退到他们的账户余额，从您的收入里出；退款以后他们不能再读。订阅和套餐不退。",
                        paid.grouped(),
                    )}
                </p>
                <input type="hidden" name="refund" value="all"/>
                <button class="button small danger" name="act" value="withdraw">{confirm}</button>
            </form>
        </details>
    }
}

/// Where the issue stands, and where it may go.
#[component]
pub fn Stand(publication: Publication, issue: Issue, all: Vec<Article>, sold: Sold) -> impl IntoView {
    let form = use_form();
    let kind = publication.kind;
    let action = format!("{}/state", address::issue_desk(kind, &issue));
    let proposed = all.iter().filter(|article| article.is_proposed).count();
    let warning = (proposed > 0 && issue.state.may(IssueState::Published)).then(|| {
        view! { <p class="notice warn">{format!("还有 {proposed} 篇建议的稿件没有确认，发布以后读者看不到它们。")}</p> }
    });
    let says = match issue.state {
        IssueState::Draft => view! { "现在是草稿，只有您看得到。" }.into_any(),
        IssueState::Scheduled => {
            view! { "定在 "<Moment at=issue.scheduled_at.unwrap_or_default()/>" 自动发布。" }.into_any()
        }
        IssueState::Published => {
            view! { <Moment at=issue.published_at.unwrap_or_default()/>" 发布，读者看得到。" }.into_any()
        }
        IssueState::Withdrawn => {
            let words = match (&issue.withdrawn_reason, sold.count()) {
                (Some(reason), _) => {
                    format!("已被下架（{reason}），谁都不能再看。要重新发布请先联系我们。")
                }
                (None, 0) => "已经撤回，读者打开时会看到“已撤回”。".to_owned(),
                (None, count) => format!(
                    "已经撤回，读者打开时会看到“已撤回”；买过这一期的 {count} 位读者仍然可以读，也会看到您现在的修改。"
                ),
            };
            view! { {words} }.into_any()
        }
    };
    let public = address::issue(&publication, &issue);
    let replace = view! { <a class="button" href=format!("{}/replacement", address::issue_desk(kind, &issue))>{format!("换{}面", kind.page_word())}</a> };
    let look = view! { <a class="button" href=public>{match issue.state {
        IssueState::Published => "看读者看到的",
        _ => "预览",
    }}</a> };
    let button = |to: IssueState, act: &'static str, label: &'static str, class: &'static str| {
        issue.state.may(to).then(|| {
            view! {
                <form method="post" action=action.clone()>
                    <button class=class name="act" value=act>{label}</button>
                </form>
            }
        })
    };
    let again = issue.state == IssueState::Withdrawn;
    let is_barred = issue.withdrawn_reason.is_some();
    let publish = button(
        IssueState::Published,
        "publish",
        if again { "重新发布" } else { "现在发布" },
        "button primary",
    )
    .filter(|_| !is_barred);
    let cancel = button(IssueState::Draft, "cancel", "取消定时", "button");
    // what could not be given back at once is given back when there is income again
    let label = match issue.state {
        IssueState::Withdrawn => Some("退款"),
        IssueState::Published => Some("撤回并退款"),
        IssueState::Draft | IssueState::Scheduled => None,
    };
    let refunding = label.filter(|_| sold.singles.0 > 0).map(|label| {
        view! { <Refunding singles=sold.singles action=action.clone() label/> }
    });
    let question = match sold.count() {
        0 => format!("撤回 {}？读者马上打不开它，地址会回答“已撤回”。以后可以重新发布。", issue.day),
        count => format!(
            "撤回 {}？有 {count} 位读者买过这一期，撤回以后他们仍然可以读，别人不能，地址会回答“已撤回”。以后可以重新发布。",
            issue.day
        ),
    };
    let withdraw = issue.state.may(IssueState::Withdrawn).then(|| {
        view! {
            <details class="ask">
                <summary>"撤回"</summary>
                <form method="post" action=action.clone()>
                    <p>{question}</p>
                    <button class="button small danger" name="act" value="withdraw">"撤回这一期"</button>
                </form>
            </details>
        }
    });
    let (day, clock) = match issue.scheduled_at {
        Some(at) => time::stamp(at).split_once(' ').map(|(day, clock)| (day.to_owned(), clock.to_owned())),
        None => None,
    }
    .unwrap_or_else(|| (issue.day.max(Day::of(now_ms())).to_string(), "06:00".to_owned()));
    let is_open = ["on", "at"].iter().any(|field| form.error(field).is_some());
    let schedule = issue.state.may(IssueState::Scheduled).then(|| {
        view! {
            <details class="ask calm" open=is_open>
                <summary>{if issue.state == IssueState::Scheduled { "改时间" } else { "定时发布" }}</summary>
                <form method="post" action=action.clone()>
                    <div class="fields two">
                        <Field name="on" label="哪一天" kind="date" value=day required=true/>
                        <Field name="at" label="几点几分（北京时间）" kind="time" value=clock required=true/>
                    </div>
                    <button class="button small" name="act" value="schedule">"定时发布"</button>
                </form>
            </details>
        }
    });
    view! {
        <section class="sheet stack stand" aria-labelledby="stand">
            <h2 id="stand" class="sr">"发布"</h2>
            <p>{says}</p>
            {warning}
            <div class="row">{publish}{cancel}{look}{replace}{schedule}{withdraw}{refunding}</div>
        </section>
    }
}

/// What was read of the pages, and the way to take it.
#[component]
pub fn Found(kind: Kind, issue: Issue, pages: Vec<IssuePage>, all: Vec<Article>) -> impl IntoView {
    let word = kind.page_word();
    let unread = pages.iter().filter(|page| page.read_at.is_none()).count();
    let mute: Vec<String> = pages
        .iter()
        .filter(|page| page.read_at.is_some() && page.letters == 0)
        .map(|page| format!("第 {} {word}", page.page))
        .collect();
    let proposed = all.iter().filter(|article| article.is_proposed).count();
    let coming = (unread > 0).then(|| {
        view! {
            <p class="notice">
                {format!("还有 {unread} {word}的文字正在读，一般几十秒。")}
                <a href=address::issue_desk(kind, &issue)>"刷新看看"</a>
            </p>
        }
    });
    let mute = (!mute.is_empty()).then(|| {
        view! {
            <p class="notice warn">
                {format!(
                    "{}没有读出文字（可能整页是图片，字转成了曲线，或者 PDF 的作者不许复制文字）。版面照样可以发布；要让读者在手机上读到、搜到，请自己填写稿件。",
                    mute.join("、")
                )}
            </p>
        }
    });
    let doubtful: Vec<_> = all
        .iter()
        .filter(|article| article.doubt.is_some())
        .map(|article| {
            let href =
                format!("{}/{}?article={}#form", address::issue_desk(kind, &issue), article.page, article.id);
            view! { <li><a href=href>{format!("第 {} {word}：{}", article.page, article.title)}</a></li> }
        })
        .collect();
    let doubtful = (!doubtful.is_empty()).then(|| {
        view! {
            <div class="notice warn">
                <p>{format!("换过版面以后，有 {} 篇稿件要核对：", doubtful.len())}</p>
                <ul>{doubtful}</ul>
            </div>
        }
    });
    let take = (proposed > 0).then(|| {
        view! {
            <div class="notice">
                <p>{format!("从版面上读出 {proposed} 篇稿件的建议。请逐{word}核对；都对，就一次采用。")}</p>
                <form method="post" action=format!("{}/proposals", address::issue_desk(kind, &issue))>
                    <button class="button small">"全部采用"</button>
                </form>
            </div>
        }
    });
    view! { {coming}{mute}{doubtful}{take}<ReadingNote/> }
}

/// The pages with their names, and what the issue is called and counted by.
#[component]
pub fn FactsForm(
    publication: Publication,
    issue: Issue,
    pages: Vec<IssuePage>,
    all: Vec<Article>,
) -> impl IntoView {
    let form = use_form();
    let kind = publication.kind;
    let desk = address::issue_desk(kind, &issue);
    let items: Vec<_> = pages
        .into_iter()
        .map(|page| {
            let number = page.page;
            let field = format!("page-{number}");
            let here: Vec<&Article> = all.iter().filter(|article| article.page == number).collect();
            let proposed = here.iter().filter(|article| article.is_proposed).count();
            let note = match (here.len(), proposed) {
                (0, _) => "没有稿件".to_owned(),
                (count, 0) => format!("{count} 篇稿件"),
                (count, proposed) => format!("{count} 篇，{proposed} 篇待确认"),
            };
            let label = kind.page_title(number, "");
            view! {
                <li>
                    <a href=format!("{desk}/{number}") aria-label=format!("{label}的稿件")>
                        <img
                            src=address::picture(&publication, &issue, number, 360)
                            width="180"
                            height=height_of(issue.trim, 180)
                            alt=""
                            loading="lazy"
                        />
                    </a>
                    <div>
                        <label for=field.clone()>{label}</label>
                        <input
                            id=field.clone()
                            name=field.clone()
                            value=form.or(&field, &page.name)
                            maxlength="12"
                            placeholder=if kind == Kind::Epaper { "名称，比如 要闻" } else { "名称，比如 卷首" }
                        />
                        <FieldError name=field/>
                        <a class="link" href=format!("{desk}/{number}")>{note}</a>
                    </div>
                </li>
            }
        })
        .collect();
    view! {
        <form class="stack" method="post" action=desk data-draft>
            <input type="hidden" name="revision" value=form.or("revision", &issue.revision.to_string())/>
            <section class="stack" aria-labelledby="pages">
                <h2 id="pages">{match kind { Kind::Epaper => "版面", Kind::Magazine => "页面" }}</h2>
                <ol class="plates">{items}</ol>
            </section>
            <section class="sheet stack title-form" aria-labelledby="facts">
                <h2 id="facts">"日期和期号"</h2>
                <div class="fields two">
                    <Field name="day" label="出版日期" kind="date" value=issue.day.to_string() required=true/>
                    <Field name="issue_name" label="这一期的名称（可不填）" value=issue.name most=30/>
                    <Field name="number" label="本年第几期" value=issue.numbers.number.to_string() inputmode="numeric" most=6/>
                    <Field name="total" label="总第几期" value=issue.numbers.total.to_string() inputmode="numeric" most=6/>
                </div>
            </section>
            <div class="row"><button class="button primary">"保存名称和期号"</button></div>
        </form>
    }
}
