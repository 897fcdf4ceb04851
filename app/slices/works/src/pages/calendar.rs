//! The making desk of calendars, and the form for their months and anniversaries.

use base::db::now_ms;
use base::error::Error;
use domain::calendar::{
    YearMonth, is_calendar, is_outdated, is_published, plan_of, published_years, write_anniversaries,
};
use domain::document::Emoji;
use domain::ids::WorkId;
use leptos::prelude::*;
use web::render::{here, loaded, parameter, use_form, use_query};
use web::ui::parts::{ErrorSummary, Field, FieldError, Limit, area_text};
use web::ui::shell::Shell;

use super::weak::WeakPart;
use crate::calendar::{ANNIVERSARIES_LENGTH, DESK, MONTHS, WEEK_STARTS, usual_start, weak};
use crate::editor::EditorPage;
use crate::formats::CALENDARS;
use crate::pages::make::{EmojiChoice, Themes};
use crate::store;
use photos::{Choice, PhotoInput, PhotoPicker, UploadSlot};

/// The months that may be chosen to begin with, before and after the present one.
const EARLIER: i32 = 11;
const LATER: i32 = 24;

/// GET /manager/opus-doc-calendar; with `?id=` the editor.
#[component]
pub fn CalendarDeskPage() -> impl IntoView {
    if use_query("id").is_some() {
        return view! { <EditorPage/> }.into_any();
    }
    view! { <Desk/> }.into_any()
}

#[component]
fn Desk() -> impl IntoView {
    let here = here();
    let form = use_form();
    loaded(
        async move {
            let here = here?;
            let kept = photos::kept(&here.app, &here.member.id).await?;
            let choice = Choice::of(&here.app, &here.member.id, &form, &[], kept).await?;
            let now =
                YearMonth::of(now_ms()).ok_or_else(|| Error::internal("the clock shows no known year"))?;
            let weak = weak(&here.app, &here.member.id, &form).await?;
            Ok((here.member, choice, kept, now, weak))
        },
        |(member, choice, kept, now, weak)| {
            let form = use_form();
            let start = usual_start(now);
            let formats = CALENDARS.iter().map(|format| (format.key, format.name, format.hint));
            let theme = form.or("theme", press::themes().first().map_or("", |theme| theme.name));
            let months = MONTHS.map(|months| (months, months.to_string()));
            let months = months.iter().map(|(number, key)| {
                let hint = if *number == 12 { "正好一年" } else { "到下一年的同一个月" };
                (key.as_str(), if *number == 12 { "12 个月" } else { "13 个月" }, hint)
            });
            let pages = [
                ("together", "同一页", "照片和月历在一页上"),
                ("facing", "各占一面", "一面照片，一面月历，格子更大"),
            ];
            let formats = choices(&form, "format", formats, true);
            let months = choices(&form, "months", months, false);
            let pages = choices(&form, "pages", pages.into_iter(), false);
            view! {
                <Shell
                    member=member.clone()
                    title="做台历".to_owned()
                    assets=&["works.css", "photos.css", "making.css", "islands.js"]
                >
                    <header class="head">
                        <div>
                            <h1>"做台历"</h1>
                            <p class="quiet">"先放照片；农历、节气、节日都排好，家里的纪念日也印上去。"</p>
                        </div>
                    </header>
                    <ErrorSummary title="还差一点，请改好再生成"/>
                    <form class="desk" method="post" action=DESK enctype="multipart/form-data">
                        <input type="hidden" name="asks" value="1"/>
                        // the button that Enter presses, before those that take photos back
                        <button class="sr" tabindex="-1" aria-hidden="true">"生成台历"</button>
                        <section class="part">
                            <h2>"照片"</h2>
                            <div class="stack">
                                <p class="hint">
                                    "封面一张，每月一张，不够会轮着用。春天拍的照片会尽量放在春天的月份。"
                                </p>
                                <UploadSlot label="上传新照片" member kept in_form=true>
                                    <PhotoInput label="上传新照片"/>
                                </UploadSlot>
                                <PhotoPicker choice/>
                            </div>
                        </section>
                        <div id="ahead"><WeakPart weak/></div>
                        <fieldset class="chips cards part calendars" id="format">
                            <legend>"开本"</legend>
                            <div>{formats}</div>
                            <FieldError name="format".to_owned()/>
                        </fieldset>
                        <Themes chosen=theme sides=&["month"]/>
                        <EmojiChoice first=Emoji::Colour/>
                        <section class="part">
                            <Field name="title" label="标题" most=60 required=true/>
                        </section>
                        <section class="part">
                            <h2>"月份"</h2>
                            <div class="stack">
                                <Starts start now/>
                                <fieldset class="chips" id="months">
                                    <legend>"做几个月"</legend>
                                    <div>{months}</div>
                                    <FieldError name="months".to_owned()/>
                                </fieldset>
                                <fieldset class="chips" id="pages">
                                    <legend>"照片与月历"</legend>
                                    <div>{pages}</div>
                                </fieldset>
                                <Weeks chosen="monday".to_owned()/>
                                <HolidayNote now/>
                            </div>
                        </section>
                        <Anniversaries known=String::new()/>
                        <div class="actionbar">
                            <p class="hint">"生成以后，月份、纪念日和图说都能再改"</p>
                            <button class="button primary">"生成台历"</button>
                        </div>
                    </form>
                </Shell>
            }
        },
    )
}

/// GET /manager/opus/{id}/calendar: other months, weeks and anniversaries for a calendar that is made already.
#[component]
pub fn CalendarPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?.on_shelf()?;
            let plan = plan_of(&work.document).ok_or(Error::NotFound)?;
            let now = YearMonth::of(now_ms()).unwrap_or(plan.start);
            Ok((here.member, work, plan, now))
        },
        |(member, work, plan, now)| {
            let form = use_form();
            let base = format!("/manager/opus/{}", work.id);
            view! {
                <Shell member title="改月份与纪念日".to_owned() assets=&["works.css"]>
                    <header class="head">
                        <div>
                            <h1>"改月份与纪念日"</h1>
                            <p class="quiet"><a class="link" href=base.clone()>{format!("《{}》", work.document.title)}</a></p>
                        </div>
                    </header>
                    <ErrorSummary title="还没有保存"/>
                    <form class="desk" method="post" action=format!("{base}/calendar")>
                        <input type="hidden" name="revision" value=form.or("revision", &work.revision.to_string())/>
                        <section class="part">
                            <div class="stack">
                                <Starts start=plan.start now/>
                                <Weeks chosen=plan.week_start.code().to_owned()/>
                                <HolidayNote now/>
                            </div>
                        </section>
                        <Anniversaries known=write_anniversaries(&plan.anniversaries)/>
                        <div class="actionbar">
                            <p class="hint">"照片、图说和版面都留在原处，只换月历"</p>
                            <button class="button primary">"保存月历"</button>
                        </div>
                    </form>
                </Shell>
            }
        },
    )
}

/// On a calendar whose days off were published or corrected since: that they can be put in.
#[component]
pub fn CalendarNews(work: store::Work) -> impl IntoView {
    let has_news = work.trashed_at.is_none() && is_calendar(&work.document) && is_outdated(&work.document);
    has_news.then(|| {
        view! {
            <div class="notice" role="status">
                "放假安排有更新，还没有印到这本台历上。"
                <a href=format!("/manager/opus/{}/calendar", work.id)>"打开月历，保存一次就会标上"</a>
            </div>
        }
    })
}

/// Radio buttons that look like cards or chips; each has a value, a name and a hint.
fn choices<'a>(
    form: &web::render::Form,
    field: &'static str,
    offered: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
    has_icon: bool,
) -> Vec<AnyView> {
    let offered: Vec<_> = offered.collect();
    let chosen = form.or(field, offered.first().map_or("", |(value, ..)| value));
    offered
        .into_iter()
        .map(|(value, name, hint)| {
            let icon = has_icon.then(|| view! { <i class=format!("format {value}") aria-hidden="true"></i> });
            view! {
                <label>
                    <input type="radio" name=field value=value.to_owned() checked=value == chosen/>
                    <span>{icon}{name.to_owned()}<small>{hint.to_owned()}</small></span>
                </label>
            }
            .into_any()
        })
        .collect()
}

/// With which month it begins.
#[component]
fn Starts(start: YearMonth, now: YearMonth) -> impl IntoView {
    let form = use_form();
    let chosen = form.or("start", &start.to_string());
    let mut offered: Vec<YearMonth> = (-EARLIER..=LATER).map(|later| now.plus(later)).collect();
    // one that was chosen long ago stays
    offered.extend((!offered.contains(&start)).then_some(start));
    offered.sort();
    let options: Vec<_> = offered
        .into_iter()
        .map(|month| {
            let value = month.to_string();
            let is_chosen = value == chosen;
            let name = format!("{} 年 {} 月", month.year(), month.month());
            view! { <option value=value selected=is_chosen>{name}</option> }
        })
        .collect();
    view! {
        <div class="field short">
            <label for="start">"从哪个月开始"</label>
            <select id="start" name="start">{options}</select>
            <FieldError name="start".to_owned()/>
        </div>
    }
}

/// With which day a week begins.
#[component]
fn Weeks(chosen: String) -> impl IntoView {
    let form = use_form();
    let chosen = form.or("week_start", &chosen);
    let options: Vec<_> = WEEK_STARTS
        .iter()
        .map(|(start, name)| {
            let value = start.code();
            view! {
                <label>
                    <input type="radio" name="week_start" value=value checked=value == chosen/>
                    <span>{*name}</span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="chips" id="week_start">
            <legend>"一周从哪天开始"</legend>
            <div>{options}</div>
            <FieldError name="week_start".to_owned()/>
        </fieldset>
    }
}

/// Which years' days off are known.
#[component]
fn HolidayNote(now: YearMonth) -> impl IntoView {
    let years: Vec<String> = published_years(now.year()).iter().map(ToString::to_string).collect();
    let missing = (now.year()..).find(|year| !is_published(*year)).unwrap_or_default();
    let known = if years.is_empty() {
        String::new()
    } else {
        format!("休、班按国务院办公厅公布的放假安排标注，已有 {} 年；", years.join("、"))
    };
    view! {
        <p class="hint">
            {known}{format!("{missing} 年的安排还没有收录，先只印节日，收录以后打开作品保存一次就会补上。")}
        </p>
    }
}

/// The member's own days, one a line.
#[component]
fn Anniversaries(known: String) -> impl IntoView {
    let form = use_form();
    let typed = form.or("anniversaries", &known);
    let errors: Vec<_> = form
        .errors()
        .iter()
        .filter(|error| error.field == "anniversaries")
        .map(|error| view! { <li>{error.message.clone()}</li> })
        .collect();
    let is_wrong = !errors.is_empty();
    let described = if is_wrong {
        "anniversaries-hint anniversaries-limit anniversaries-error"
    } else {
        "anniversaries-hint anniversaries-limit"
    };
    view! {
        <section class="part">
            <div class="field">
                <label for="anniversaries">"纪念日"</label>
                <Limit name="anniversaries" most=ANNIVERSARIES_LENGTH.to_string()/>
                <p class="hint" id="anniversaries-hint">
                    "一行一个，每年重复。公历写“3-15 妈妈生日”，农历写“农历八月初八 外婆生日”。"
                </p>
                <textarea
                    id="anniversaries"
                    name="anniversaries"
                    rows="6"
                    maxlength=ANNIVERSARIES_LENGTH.to_string()
                    aria-invalid=is_wrong.then_some("true")
                    aria-describedby=described
                >
                    {area_text(&typed)}
                </textarea>
                {is_wrong.then(|| view! { <ul class="error" id="anniversaries-error">{errors}</ul> })}
            </div>
        </section>
    }
}
