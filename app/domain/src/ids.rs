//! Identifiers, one type for each kind of thing, so that a work's id can't be passed for an order's.
//!
//! An id is 1 to 40 characters of `0-9 a-z A-Z _ -`: safe in a URL path, in a file name and between commas.
//! The application makes them; this crate only checks their shape.

use serde::{Deserialize, Serialize};

/// A text that is no id: empty, over 40 characters, or with a character outside `0-9 a-z A-Z _ -`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an id")]
pub struct NotAnId;

fn check(text: &str) -> Result<(), NotAnId> {
    let fits = (1..=40).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if fits { Ok(()) } else { Err(NotAnId) }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = NotAnId;
            fn try_from(text: String) -> Result<Self, NotAnId> {
                check(&text)?;
                Ok(Self(text))
            }
        }

        impl std::str::FromStr for $name {
            type Err = NotAnId;
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                Self::try_from(text.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

ids! {
    /// A member (specification section 3: `user_id`).
    MemberId,
    /// A browser or program in which a member is signed in.
    LoginId,
    /// A sign-in, or a try at one, in a member's log.
    SignInId,
    /// A look that somebody of the back office has at a member's pages.
    LookId,
    /// A passkey of a member.
    PasskeyId,
    /// Somebody in the back office 后台.
    StaffId,
    /// A browser in which somebody of the back office is signed in.
    StaffLoginId,
    /// An address of another program of the shop's that is told what happens.
    WebhookId,
    /// A photo in a member's library.
    PhotoId,
    /// What guests send photos to 来宾照片.
    CollectionId,
    /// A browser from which photos are sent to a collection.
    GuestId,
    /// A photo that a guest sent.
    GuestPhotoId,
    /// A year book 毕业册.
    YearBookId,
    /// Somebody on a year book's roster.
    YearBookPersonId,
    /// A file on its way into a member's library.
    UploadId,
    /// A work 作品.
    WorkId,
    /// A page of a work's document.
    PageId,
    /// Something on a page.
    ElementId,
    /// A change that an editor made; its client makes the id.
    OperationId,
    /// A hot area 热区 on a page.
    HotAreaId,
    /// Sound or a film in a hot area.
    MediaId,
    /// A printable product 商品 (`goods.ID`).
    GoodsId,
    /// One line of a member's cart (`cartID`).
    CartLineId,
    /// An order.
    OrderId,
    /// An invoice 发票.
    InvoiceId,
    /// Who invoices are made out to 发票抬头, as a member keeps it.
    TitleId,
    /// A shipping address (`addrID`).
    AddressId,
    /// An attempt to pay from outside; also its number at the provider.
    PaymentId,
    /// Money on its way back to where it came from; also its number at the provider.
    PaymentRefundId,
    /// What is sold for a term 套餐.
    PackageId,
    /// Redeem codes 兑换码 that were made together.
    BatchId,
    /// A licence 团体订阅 of a package for an organisation.
    LicenceId,
    /// A gift card 礼品卡.
    GiftCardId,
    /// A coupon 优惠券.
    CouponId,
    /// A sale of a package or a single work.
    SaleId,
    /// A reader's right to read something for a time.
    EntitlementId,
    /// A shelf 书架 of what a member publishes.
    ShelfId,
    /// A reader's own note on a page.
    NoteId,
    /// A term of a membership that somebody buys.
    TermId,
    /// A member's place among the sub-members of another one.
    SubMemberId,
    /// An invitation to become a sub-member.
    InvitationId,
    /// A newspaper 报纸 or a magazine 期刊.
    PublicationId,
    /// One issue of it.
    IssueId,
    /// A reader without an account who has a title's issues sent to an address.
    FollowerId,
    /// An article in an issue.
    ArticleId,
    /// A link by which others look at a work 请人看样.
    ReviewLinkId,
    /// Somebody who looks at it.
    ReviewerId,
    /// What is said at a place of it.
    ReviewCommentId,
}

/// The name of a kept file: the SHA-256 of its bytes, 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileDigest(String);

impl FileDigest {
    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for FileDigest {
    type Error = NotAnId;
    fn try_from(text: String) -> Result<Self, NotAnId> {
        let is_digest = text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if is_digest { Ok(Self(text)) } else { Err(NotAnId) }
    }
}

impl std::str::FromStr for FileDigest {
    type Err = NotAnId;
    fn from_str(text: &str) -> Result<Self, NotAnId> {
        Self::try_from(text.to_owned())
    }
}

impl From<FileDigest> for String {
    fn from(digest: FileDigest) -> String {
        digest.0
    }
}

impl std::fmt::Display for FileDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
