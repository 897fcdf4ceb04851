//! /staff/summary: a day, summed up, as a page and as a mail.

use ::time::Date;
use base::db::now_ms;
use base::delivery::{self, Message, NOTICE_LIFE_MS};
use base::error::Error;
use base::jobs::{Job, Lane};
use base::time;
use domain::contact::Contact;
use domain::staff::{Capability, Role, allows};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use web::app::App;
use web::render::{loaded, use_query};
use web::slice::{Figure, Queue};
use web::staff::here;
use web::ui::staff::{StaffShell, waited};

use super::daily::written;
use super::store::{self, summaries};
use super::{MINE, SUMMARY};

/// A day, as far as somebody may see it.
struct Summary {
    day: Date,
    figures: Vec<Figure>,
    /// What waits now.
    queues: Vec<Queue>,
}

impl Summary {
    async fn read(app: &App, day: Date, roles: &[Role]) -> Result<Self, Error> {
        let from = time::start_of(day);
        let to = day.next_day().map_or(i64::MAX, time::start_of);
        let may = |needs: Capability| allows(roles, needs);
        let mut figures = Vec::new();
        for daily in app.house.slices.iter().filter_map(|slice| slice.daily) {
            figures.extend(daily.figures(app, from, to).await?);
        }
        figures.retain(|figure| may(figure.needs));
        let mut queues = app.house.queues(app, may).await?;
        queues.retain(|queue| queue.count > 0);
        Ok(Self { day, figures, queues })
    }

    /// Those of the day, or of now.
    fn figures(&self, of_the_day: bool) -> impl Iterator<Item = &Figure> {
        self.figures.iter().filter(move |figure| figure.is_of_the_day == of_the_day)
    }

    /// As a mail.
    fn text(&self, site: Option<&str>, now: i64) -> String {
        let mut text = format!("{} 的汇总\n\n", written(self.day));
        for figure in self.figures(true) {
            text += &format!("{}：{}\n", figure.name, figure.value);
        }
        text += "\n现在\n";
        for figure in self.figures(false) {
            text += &format!("{}：{}\n", figure.name, figure.value);
        }
        text += "\n等着处理\n";
        for queue in &self.queues {
            text += &format!("{}：{}{}\n", queue.name, queue.count, oldest(queue, now));
        }
        if self.queues.is_empty() {
            text += "没有\n";
        }
        if let Some(site) = site {
            text += &format!("\n{site}{SUMMARY}?day={}\n不要汇总了：{site}{MINE}\n", written(self.day));
        }
        text
    }
}

/// How long the oldest waits, in words.
fn oldest(queue: &Queue, now: i64) -> String {
    queue.oldest.map(|oldest| format!("（最早的等了 {}）", waited(oldest, now))).unwrap_or_default()
}

/// Writes a day's summary to a clerk.
#[derive(Debug, Serialize, Deserialize)]
pub struct MailSummary {
    pub day: String,
    pub clerk: String,
}

impl Job for MailSummary {
    type App = App;
    const KIND: &'static str = "notice_summary";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        let colleagues = web::staff::accounts(&app)?.all(&app).await?;
        let colleague = colleagues.into_iter().find(|colleague| colleague.id == self.clerk);
        let wish = store::of_clerk(&app.db, &self.clerk).await?.filter(|wish| wish.summary == 1);
        let to = wish.and_then(|wish| Contact::read(&wish.address));
        let day = domain::typed::date(&self.day);
        // one that is let go, or wants none any more, is written nothing
        let message = match (colleague, to, day) {
            (Some(colleague), Some(to), Some(day)) => {
                let summary = Summary::read(&app, day, &colleague.roles).await?;
                Some((to, summary.text(app.config.public_url.as_deref(), now_ms())))
            }
            _ => None,
        };
        let mut tx = app.db.begin().await?;
        if !summaries::take_mail(&mut tx, &self.day, &self.clerk).await? {
            return Ok(());
        }
        if let Some((to, text)) = message {
            let subject = format!("书坊后台：{} 的汇总", self.day);
            let expires_at = now_ms() + NOTICE_LIFE_MS;
            let message = Message { to: &to, subject: &subject, text, expires_at, on_behalf_of: None };
            delivery::queue(&app, &mut tx, message).await?;
        }
        tx.commit().await?;
        app.bell.ring();
        Ok(())
    }
}

/// GET /staff/summary?day=…: yesterday, or another day.
#[component]
pub fn SummaryPage() -> impl IntoView {
    let here = here();
    let asked = use_query("day").unwrap_or_default();
    loaded(
        async move {
            let here = here?;
            let today = time::date(now_ms());
            let day = match asked.as_str() {
                "" => today.previous_day(),
                text => domain::typed::date(text).filter(|day| *day <= today),
            };
            let day = day.ok_or(Error::NotFound)?;
            Ok((Summary::read(&here.app, day, &here.staff.roles).await?, today))
        },
        |(summary, today)| {
            let now = now_ms();
            let rows = |of_the_day: bool| -> Vec<_> {
                let figures = summary.figures(of_the_day).cloned();
                figures
                    .map(|figure| {
                        let name = match figure.href {
                            Some(href) => view! { <a class="link" href=href>{figure.name}</a> }.into_any(),
                            None => figure.name.into_any(),
                        };
                        view! { <dt>{name}</dt><dd class="num long">{figure.value}</dd> }
                    })
                    .collect()
            };
            let (of_the_day, of_now) = (rows(true), rows(false));
            let queues: Vec<_> = summary
                .queues
                .iter()
                .map(|queue| {
                    let waits = oldest(queue, now);
                    view! {
                        <dt><a class="link" href=queue.href.clone()>{queue.name}</a></dt>
                        <dd class="num long">{queue.count}<span class="quiet">{waits}</span></dd>
                    }
                })
                .collect();
            let none = queues.is_empty().then(|| view! { <p class="quiet">"现在没有等着处理的事。"</p> });
            let day = summary.day;
            let address = |day: Option<Date>| day.map(|day| format!("{SUMMARY}?day={}", written(day)));
            let before =
                address(day.previous_day()).map(|href| view! { <a class="button" href=href>"前一天"</a> });
            let after = address(day.next_day().filter(|next| *next <= today))
                .map(|href| view! { <a class="button" href=href>"后一天"</a> });
            let title = format!("{} 的汇总", written(day));
            view! {
                <StaffShell title=title.clone() assets=&["staff.css", "notices.css"]>
                    <header class="head">
                        <div><h1>{title}</h1><p class="quiet">{format!("看的时候：{}", time::stamp(now))}</p></div>
                        <nav class="row" aria-label="别的日子">{before}{after}<a class="button" href=MINE>"通知"</a></nav>
                    </header>
                    <section class="sheet"><h2>"这一天"</h2><dl class="facts">{of_the_day}</dl></section>
                    <section class="sheet"><h2>"现在"</h2><dl class="facts">{of_now}</dl></section>
                    <section class="sheet"><h2>"等着处理"</h2>{none}<dl class="facts">{queues}</dl></section>
                </StaffShell>
            }
        },
    )
}
