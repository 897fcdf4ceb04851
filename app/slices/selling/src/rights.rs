//! What a reader got and until when, thing by thing: the study shows it.

use domain::ids::{MemberId, PackageId};
use domain::package::Span;

use super::store::Subject;
use super::store::entitlements::{self, Entitlement};
use super::store::packages::{self, Content};
use platform::app::App;
use platform::error::Error;

/// One thing that a reader got, all its terms together.
#[derive(Debug, Clone)]
pub struct Got {
    pub title: String,
    pub package: Option<PackageId>,
    pub spans: Vec<Span>,
    /// Each with where it is opened, as whoever offers it for sale says.
    pub contents: Vec<(Content, Option<String>)>,
    /// It can be bought once more.
    pub is_on_sale: bool,
}

impl Got {
    /// Whether any term of it runs or is to come.
    pub fn is_current(&self, now: i64) -> bool {
        self.spans.iter().any(|span| span.until.is_none_or(|until| until > now))
    }
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

/// What a reader got, and the codes it redeemed, the newest first.
pub async fn got(app: &App, member: &MemberId, now: i64) -> Result<(Vec<Got>, Vec<RedeemedCode>), Error> {
    let rights = entitlements::of_member(&app.db, member).await?;
    let mut seen: Vec<(Subject, Got)> = Vec::new();
    for right in &rights {
        if let Some((_, got)) = seen.iter_mut().find(|(subject, _)| *subject == right.subject) {
            got.spans.push(right.span);
            continue;
        }
        // what the oldest right that runs brought is still there, whatever was taken out since
        let running = |other: &&Entitlement| {
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
        let contents = contents
            .into_iter()
            .map(|content| (content.clone(), super::content_address(app, &content)))
            .collect();
        let got = Got { title: right.title.clone(), package, spans: vec![right.span], contents, is_on_sale };
        seen.push((right.subject.clone(), got));
    }
    let got = seen.into_iter().map(|(_, got)| got).collect();
    let codes = rights.into_iter().filter(|right| right.source == "code").map(|right| RedeemedCode {
        title: right.title,
        hint: right.hint.unwrap_or_default(),
        at: right.created_at,
        until: right.span.until,
    });
    Ok((got, codes.collect()))
}
