//! Guests' photos in pieces (tus, see [`photos::uploads`]), with small copies ahead: the same requests as members', below the address
//! that a guest was given. An upload is a browser's at a collection. It has a place from its beginning on, and its owner's room.

use async_trait::async_trait;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use base::storage::preview_key;
use domain::guests::{MOST_COMING, MOST_COMING_EACH, MOST_OPEN, MOST_OPEN_EACH, NotTaken, may_add};
use domain::ids::{CollectionId, MemberId, UploadId};
use photos::uploads::{self, Ahead, Known, Receiver, Sender, Upload, refusal};
use photos::{Arriving, MAX_FILE_BYTES};
use serde_json::json;
use web::app::App;
use web::calls::Refusal;

use super::arriving::{self, Place, Refused, locked};
use super::browser;
use super::coming;
use super::guest_page::{self, UNKNOWN};
use super::jobs::TakeSent;
use super::store::photos::{self as pieces, NewPiece, coming as copies};
use super::store::{self, Collection};

/// Below the collection's address.
pub const BELOW: &str = "uploads";

const NO_COOKIE: &str = "您的浏览器不记得这个页面（Cookie 关着），不能分段发。请打开它，再刷新这个页面。";

/// A browser at a collection.
#[derive(Debug, Clone)]
pub struct AtCollection {
    collection: Collection,
    browser: Option<String>,
    /// Its name is empty until it has sent something.
    sender: Sender,
}

/// Who a guest of a collection is among those who send.
pub fn sender(collection: &Collection, guest: &str) -> Sender {
    sender_of(&collection.member, &collection.id, guest)
}

/// The same by what a photo says of itself.
pub fn sender_of(member: &MemberId, collection: &CollectionId, guest: &str) -> Sender {
    Sender { member: member.clone(), to: collection.to_string(), name: guest.to_owned() }
}

impl From<NotTaken> for RefusedUpload {
    fn from(reason: NotTaken) -> Self {
        let ends = json!({ "ends": reason.others().code() });
        Self(refusal(reason.status(), reason.to_string()).with(ends))
    }
}

/// A refusal as a program is told it, with what it means for the guest's other photos.
pub struct RefusedUpload(pub Refusal);

impl From<Refused> for RefusedUpload {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::All(reason) => reason.into(),
            Refused::This(reason) => Self(refusal(422, reason)),
            Refused::Failed(error) => Self(error.into()),
        }
    }
}

fn told(refused: impl Into<RefusedUpload>) -> Refusal {
    refused.into().0
}

impl FromRequestParts<App> for AtCollection {
    type Rejection = Refusal;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let named = RawPathParams::from_request_parts(parts, app).await.map_err(|_| Error::NotFound)?;
        let code = named.iter().find_map(|(name, value)| (name == "code").then_some(value)).unwrap_or("");
        let Some(collection) = guest_page::by_code(app, code).await? else {
            return Err(refusal(404, UNKNOWN).with(json!({ "ends": "all" })));
        };
        let browser = browser::known(app, parts);
        let guest = match &browser {
            Some(browser) => store::guest_of(&app.db, &collection.id, browser).await?,
            None => None,
        };
        let sender = sender(&collection, guest.as_ref().map_or("", |guest| guest.id.as_str()));
        Ok(Self { collection, browser, sender })
    }
}

#[async_trait]
impl Receiver for AtCollection {
    fn sender(&self) -> &Sender {
        &self.sender
    }

    fn address(&self) -> String {
        format!("{}/{BELOW}", guest_page::address(&self.collection.code))
    }

    async fn enter(&mut self, app: &App, parts: &Parts) -> Result<(), Refusal> {
        accounts::take_guest_request(app, parts, &self.collection.id).await?;
        let browser = self.browser.as_deref().ok_or_else(|| refusal(403, NO_COOKIE))?;
        if let Some(refusal) = self.refusal(app).await? {
            return Err(refusal);
        }
        let guest = arriving::guest(app, parts, &self.collection.id, browser).await.map_err(told)?;
        self.sender.name = guest.id;
        Ok(())
    }

    async fn refusal(&self, _: &App) -> Result<Option<Refusal>, Error> {
        Ok(self.collection.state(now_ms()).refusal().map(told))
    }

    async fn admit(&self, app: &App, tx: &mut Tx, upload: &Upload) -> Result<bool, Refusal> {
        let Some(sha256) = upload.sha256.as_deref() else {
            return Err(refusal(400, "缺少照片的摘要（sha256）"));
        };
        let (to, guest) = (&self.collection.id, &self.sender.name);
        let collection = locked(app, tx, &self.collection).await.map_err(told)?;
        // what a browser forgot that it had begun gives its place to what it begins now
        uploads::end_of_file(tx, &self.sender, sha256, now_ms()).await?;
        let open = uploads::open_to(tx, &self.sender.to, guest).await?;
        if open.own >= MOST_OPEN_EACH || open.everybodys >= MOST_OPEN {
            return Err(told(NotTaken::TooManyOpen));
        }
        let stands = copies::of_file(tx, guest, sha256).await?.is_some();
        if !stands {
            let counts = arriving::counts(tx, to, guest).await?;
            may_add(counts, collection.most, collection.most_each).map_err(told)?;
        }
        let tier = accounts::standing(tx, &collection.member).await?.at(now_ms()).0;
        if !photos::fits(app, tx, &collection.member, tier, upload.length).await? {
            return Err(told(NotTaken::RoomFull));
        }
        Ok(!stands)
    }

    async fn known(&self, app: &App, asked: &[String]) -> Result<Known, Refusal> {
        if let Some(refusal) = self.refusal(app).await? {
            return Err(refusal);
        }
        let mut answer = Known { left: left(app, &self.collection).await?, ..Known::default() };
        for (sha256, photo, is_coming) in copies::known(&app.db, &self.sender.name, asked).await? {
            let of = if is_coming { &mut answer.coming } else { &mut answer.known };
            of.insert(sha256, photo);
        }
        answer.open = uploads::open(&app.db, &self.sender, asked, now_ms()).await?;
        Ok(answer)
    }

    async fn standing(&self, app: &App, sha256: &str, bytes: u64) -> Result<Option<String>, Refusal> {
        let own = [sha256.to_owned()];
        if let Some((_, photo, _)) = copies::known(&app.db, &self.sender.name, &own).await?.pop() {
            return Ok(Some(photo));
        }
        if !uploads::open(&app.db, &self.sender, &own, now_ms()).await?.is_empty() {
            // its place and its room are set apart
            return Ok(None);
        }
        let left = arriving::place(app, &self.collection, &self.sender.name).await.map_err(told)?;
        if bytes > left { Err(told(NotTaken::RoomFull)) } else { Ok(None) }
    }

    async fn stand_in(&self, app: &App, ahead: Ahead) -> Result<String, Refusal> {
        let (to, guest) = (&self.collection.id, &self.sender.name);
        let mut tx = app.db.begin().await.map_err(Error::from)?;
        let collection = locked(app, &mut tx, &self.collection).await.map_err(told)?;
        if let Some(there) = copies::of_file(&mut tx, guest, &ahead.sha256).await? {
            return Ok(there.id.to_string());
        }
        let coming = copies::count(&mut tx, to, guest).await?;
        if coming.own >= MOST_COMING_EACH || coming.all >= MOST_COMING {
            return Err(told(NotTaken::TooManyOpen));
        }
        // an upload that began before it hands its place over
        uploads::set_counted_elsewhere(&mut tx, &self.sender, &ahead.sha256).await?;
        let counts = arriving::counts(&mut tx, to, guest).await?;
        may_add(counts, collection.most, collection.most_each).map_err(told)?;
        let preview = ahead.preview();
        let Ahead { sha256, file_name, bytes, facts, copy, .. } = ahead;
        let new = NewPiece { sha256, file_name, bytes, facts, preview: Some(preview.clone()) };
        let id = pieces::insert(&mut tx, &collection, guest, &new, now_ms()).await?;
        app.storage.put(&preview_key(&preview), copy).await?;
        tx.commit().await.map_err(Error::from)?;
        Ok(id.to_string())
    }

    async fn take(app: &App, upload: &Upload, arrived: Arriving) -> Result<Result<String, Refusal>, Error> {
        let place = Place::SetApart(upload);
        let collection = upload.sender.to.parse().map_err(Error::internal)?;
        match arriving::keep_arrived(app, &collection, &upload.file_name, arrived, place).await {
            Ok((photo, _)) => Ok(Ok(photo.to_string())),
            Err(Refused::Failed(error)) => Err(error),
            Err(refused) => {
                if matches!(refused, Refused::This(_)) {
                    coming::give_up(app, upload).await?;
                }
                Ok(Err(told(refused)))
            }
        }
    }

    async fn take_later(tx: &mut Tx, upload: UploadId, member: &MemberId, at: i64) -> Result<(), Error> {
        jobs::enqueue_for(tx, &TakeSent { upload }, member, at).await
    }

    async fn given_up(&self, app: &App, upload: &Upload) -> Result<(), Error> {
        coming::give_up(app, upload).await
    }
}

/// Bytes that a guest is told there is room for: how much its owner really has is not its business.
pub async fn left(app: &App, collection: &Collection) -> Result<u64, Error> {
    let share = u64::try_from(collection.most_each).unwrap_or(0).saturating_mul(MAX_FILE_BYTES);
    Ok(arriving::room(app, collection).await?.min(share))
}
