//! What a reader got and until when, thing by thing: the study shows it.

use std::collections::HashMap;

use base::db::now_ms;
use base::error::Error;
use domain::ids::{MemberId, PackageId};
use domain::package::{Span, Until, in_turn, runs_until};
use web::app::App;
use web::slice::{Readers, Rights};

use super::store::Subject;
use super::store::entitlements::{self, Entitlement, Opening};
use super::store::gifts;
use super::store::licences;
use super::store::packages::{self, Content};
use async_trait::async_trait;

/// See [`Rights`].
#[derive(Debug)]
pub struct AtRights;

#[async_trait]
impl Rights for AtRights {
    async fn readers(&self, app: &App, kind: &str, id: &str) -> Result<Readers, Error> {
        Ok(Readers {
            entitled: entitlements::count_lasting(&app.db, kind, id, now_ms()).await?
                + licences::readers_of_item(&app.db, kind, id, now_ms()).await?.len(),
            gifts: gifts::count_open(&app.db, kind, id).await?,
        })
    }
}

/// One thing that a reader got, all its terms together.
#[derive(Debug, Clone)]
pub struct Got {
    pub title: String,
    pub package: Option<PackageId>,
    /// The reader's right to what of it ends first.
    pub spans: Vec<Span>,
    pub contents: Vec<Held>,
    /// It can be bought once more.
    pub is_on_sale: bool,
    /// It is only tried.
    pub is_trial: bool,
    /// It is read on a seat of whoever this is.
    pub seat_of: Option<String>,
}

impl Got {
    /// Whether any term of it runs or is to come.
    pub fn is_current(&self, now: i64) -> bool {
        self.spans.iter().any(|span| span.until.is_none_or(|until| until > now))
    }
}

/// A thing that was got, perhaps in more than one way.
#[derive(Debug, Clone)]
pub struct Held {
    pub content: Content,
    /// Where it is opened, as whoever offers it for sale says.
    pub address: Option<String>,
    /// Until when it can be read, where it can be now.
    pub until: Option<Until>,
}

/// A code that a reader redeemed.
#[derive(Debug, Clone)]
pub struct RedeemedCode {
    pub title: String,
    /// Its last characters.
    pub hint: String,
    pub at: i64,
    /// None for ever.
    pub until: Option<i64>,
}

/// What a reader got, and the codes it redeemed, the newest first; what it reads on seats behind what is its own.
pub async fn got(app: &App, member: &MemberId, now: i64) -> Result<(Vec<Got>, Vec<RedeemedCode>), Error> {
    let openings = entitlements::openings(&mut app.db.begin_snapshot().await?, member).await?;
    let mut rights_to: HashMap<(&str, &str), Vec<Span>> = HashMap::new();
    for Opening { right, items } in &openings {
        for (kind, id) in items {
            rights_to.entry((kind, id)).or_default().push(right.span);
        }
    }
    let rights_to = |kind: &str, id: &str| in_turn(rights_to.get(&(kind, id)).map_or(&[], Vec::as_slice));
    // the newest first
    let mut rights: Vec<&Entitlement> = openings.iter().map(|opening| &opening.right).collect();
    rights.sort_by(|one, other| other.id.as_str().cmp(one.id.as_str()));
    let mut seen: Vec<(&Subject, Got)> = Vec::new();
    for right in rights.iter().copied() {
        if seen.iter().any(|(subject, _)| **subject == right.subject) {
            continue;
        }
        // what the oldest right that runs brought is still there, whatever was taken out since
        let running = |other: &&&Entitlement| {
            other.subject == right.subject && other.span.until.is_none_or(|until| until > now)
        };
        let oldest = rights.iter().filter(running).map(|other| other.created_at).min();
        let since = oldest.unwrap_or(right.created_at);
        let (package, contents, is_on_sale) = match &right.subject {
            Subject::Package(id) => {
                let contents = packages::contents_since(&app.db, id, since).await?;
                (Some(id.clone()), contents, packages::find(&app.db, id).await?.is_on_sale(now))
            }
            Subject::Item { kind, id } => {
                let title = right.title.trim_matches(['《', '》']).to_owned();
                (None, vec![Content { kind: kind.clone(), id: id.clone(), title }], false)
            }
        };
        let mut of_each: Vec<Vec<Span>> =
            contents.iter().map(|content| rights_to(&content.kind, &content.id)).collect();
        let contents = contents.into_iter().zip(&of_each).map(|(content, spans)| Held {
            address: super::content_address(app, &content),
            until: runs_until(spans, now),
            content,
        });
        let contents = contents.collect();
        of_each.extend(package.as_ref().map(|id| rights_to("package", id.as_str())));
        of_each.retain(|spans| !spans.is_empty());
        // what can be read now and ends first, else what is read last
        let last = |spans: &Vec<Span>| spans.last().map(|span| Until::from(span.until));
        let current = of_each.iter().filter(|spans| runs_until(spans, now).is_some());
        let least = current.min_by_key(|spans| runs_until(spans, now));
        let spans = least.or_else(|| of_each.iter().max_by_key(|spans| last(spans)));
        let spans = spans.cloned().unwrap_or_else(|| vec![right.span]);
        let of_it = rights.iter().filter(|other| other.subject == right.subject);
        let is_trial = of_it.clone().all(|other| other.source == entitlements::TRIAL);
        let title = right.title.clone();
        let got = Got { title, package, spans, contents, is_on_sale, is_trial, seat_of: None };
        seen.push((&right.subject, got));
    }
    let mut got: Vec<Got> = seen.into_iter().map(|(_, got)| got).collect();
    for seat in licences::of_reader(&app.db, member, now).await? {
        let id: PackageId = seat.package_id.try_into().map_err(Error::internal)?;
        let held =
            packages::contents_since(&app.db, &id, seat.created_at).await?.into_iter().map(|content| {
                let own = runs_until(&rights_to(&content.kind, &content.id), now);
                let until = own.max(Some(Until::At(seat.ends_at)));
                Held { address: super::content_address(app, &content), until, content }
            });
        got.push(Got {
            title: format!("《{}》", seat.title),
            package: Some(id.clone()),
            spans: vec![Span { from: seat.taken_at, until: Some(seat.ends_at) }],
            contents: held.collect(),
            is_on_sale: packages::find(&app.db, &id).await?.is_on_sale(now),
            is_trial: false,
            seat_of: Some(seat.name),
        });
    }
    let codes = rights.iter().filter(|right| right.hint.is_some()).map(|right| RedeemedCode {
        title: right.title.clone(),
        hint: right.hint.clone().unwrap_or_default(),
        at: right.granted_at,
        until: right.span.until,
    });
    let codes = codes.collect();
    Ok((got, codes))
}
