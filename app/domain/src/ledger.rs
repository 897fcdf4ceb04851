//! Double-entry bookkeeping: accounts, balanced postings, sums (product page, section 3, "Money").
//!
//! Postings are only ever added. An account's balance is the sum of its entries, and the sum of all
//! accounts is zero: what a member has more, another account has less. Storing them is the server's.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::{MemberId, SubMemberId};
use crate::money::{Fen, MoneyError};
use crate::sale::Step;

/// Where money is. As text `member:ID`, `frozen:ID`, `allowance:ID`, `unearned:ID`, `royalty:ID`, `income:ID` or the
/// bare name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Account {
    /// What a member can spend.
    Member(MemberId),
    /// A member's money that is set aside for something not decided yet.
    Frozen(MemberId),
    /// What a member has set aside for a sub-member to spend.
    Allowance(SubMemberId),
    /// What goods and services earned.
    Revenue,
    /// What members paid for delivery.
    Shipping,
    /// Money outside: negative by what came in through WeChat, Alipay and bank transfers.
    Clearing,
    /// What was given back: negative by it, beside [`Account::Revenue`] that keeps what was earned.
    Refunds,
    /// Balances granted by the operator: negative by them.
    Opening,
    /// What readers paid a seller for and has not been earned yet: it is owed to them.
    Unearned(MemberId),
    /// What buyers of printed copies paid a maker beside the printing, until the copies are received.
    Royalty(MemberId),
    /// What a seller has earned and was not paid out.
    Income(MemberId),
    /// What the house keeps of what sellers earn.
    Fees,
    /// What members paid for their tiers.
    Memberships,
    /// What is left on gift cards: it is owed to whoever has them.
    GiftCards,
}

/// One signed amount on one account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub account: Account,
    /// Above zero the account has more afterwards.
    pub amount: Fen,
}

/// A movement: entries that sum to zero, under a key that makes it happen once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    key: PostingKey,
    entries: Vec<Entry>,
}

/// What makes a movement happen only once, such as `order-payment:ID`: 1 to 100 printable ASCII characters
/// without spaces.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PostingKey(String);

/// Why a movement can't be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// The entries don't sum to zero.
    #[error("the entries sum to {0}, not to zero")]
    Unbalanced(Fen),
    /// No entries, or one of zero.
    #[error("a posting without amounts")]
    Empty,
    /// A constructor was given an amount of zero or less.
    #[error("金额须大于 0")]
    NotPositive,
    /// The member's money, free or frozen, would go below zero.
    #[error("余额不足")]
    InsufficientBalance,
    #[error("not a posting key: {0}")]
    Key(String),
    #[error("not an account: {0}")]
    Account(String),
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// What pays for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The member's balance.
    Balance,
    /// WeChat, Alipay or a bank transfer.
    Outside,
}

impl Account {
    /// What is a member's, or owed to somebody, must stay at zero or above: the others mirror what happens outside.
    pub fn may_be_negative(&self) -> bool {
        !matches!(
            self,
            Self::Member(_)
                | Self::Frozen(_)
                | Self::Allowance(_)
                | Self::Unearned(_)
                | Self::Royalty(_)
                | Self::Income(_)
                | Self::GiftCards
        )
    }
}

impl Posting {
    /// A movement of any entries. Every amount is other than zero, and together they are zero.
    pub fn new(key: PostingKey, entries: Vec<Entry>) -> Result<Self, LedgerError> {
        if entries.is_empty() || entries.iter().any(|entry| entry.amount == Fen::ZERO) {
            return Err(LedgerError::Empty);
        }
        let sum = Fen::sum(entries.iter().map(|entry| entry.amount))?;
        if sum != Fen::ZERO {
            return Err(LedgerError::Unbalanced(sum));
        }
        Ok(Self { key, entries })
    }

    /// `amount` from one account to another.
    pub fn transfer(key: PostingKey, from: Account, to: Account, amount: Fen) -> Result<Self, LedgerError> {
        let amount = positive(amount)?;
        Self::new(
            key,
            vec![Entry { account: from, amount: amount.negated()? }, Entry { account: to, amount }],
        )
    }

    /// Money a member paid in from outside.
    pub fn top_up(key: PostingKey, member: &MemberId, amount: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Clearing, Account::Member(member.clone()), amount)
    }

    /// A balance the operator grants.
    pub fn opening_grant(key: PostingKey, member: &MemberId, amount: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Opening, Account::Member(member.clone()), amount)
    }

    /// The payment of an order: goods and shipping apart. Either may be zero, not both.
    pub fn order_payment(
        key: PostingKey,
        member: &MemberId,
        source: Source,
        goods: Fen,
        shipping: Fen,
    ) -> Result<Self, LedgerError> {
        let total = payable(goods, shipping)?;
        let entries = [
            Entry { account: source.account(member), amount: total.negated()? },
            Entry { account: Account::Revenue, amount: goods },
            Entry { account: Account::Shipping, amount: shipping },
        ];
        Self::new(key, entries.into_iter().filter(|entry| entry.amount != Fen::ZERO).collect())
    }

    /// The same payment of an order, of whose goods a part is their maker's.
    pub fn with_markup(self, maker: &MemberId, markup: Fen) -> Result<Self, LedgerError> {
        let markup = positive(markup)?;
        let mut entries = vec![Entry { account: Account::Royalty(maker.clone()), amount: markup }];
        for Entry { account, amount } in self.entries {
            let amount = if account == Account::Revenue { amount.minus(markup)? } else { amount };
            entries.push(Entry { account, amount });
        }
        Self::new(self.key, entries.into_iter().filter(|entry| entry.amount != Fen::ZERO).collect())
    }

    /// Copies of a maker's work are received: what their buyer paid for that is the maker's.
    pub fn markup_earning(key: PostingKey, maker: &MemberId, amount: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Royalty(maker.clone()), Account::Income(maker.clone()), amount)
    }

    /// Copies of a maker's work were given back: the maker gets nothing, and its part of the refund is not the house's.
    pub fn markup_return(key: PostingKey, maker: &MemberId, amount: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Royalty(maker.clone()), Account::Refunds, amount)
    }

    /// Money given back to a member's balance, or to where it came from.
    pub fn refund(key: PostingKey, member: &MemberId, to: Source, amount: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Refunds, to.account(member), amount)
    }

    /// Sets part of a member's balance aside.
    pub fn freeze(key: PostingKey, member: &MemberId, amount: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Member(member.clone()), Account::Frozen(member.clone()), amount)
    }

    /// Gives back what was set aside.
    pub fn unfreeze(key: PostingKey, member: &MemberId, amount: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Frozen(member.clone()), Account::Member(member.clone()), amount)
    }

    /// What a reader pays for something of a seller's, from its balance; it stays the reader's until it is earned.
    pub fn sale(
        key: PostingKey,
        buyer: &MemberId,
        seller: &MemberId,
        amount: Fen,
    ) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Member(buyer.clone()), Account::Unearned(seller.clone()), amount)
    }

    /// Part of a sale is earned. Fee or income may be zero, not both.
    pub fn sale_earning(key: PostingKey, seller: &MemberId, step: Step) -> Result<Self, LedgerError> {
        let entries = [
            Entry { account: Account::Unearned(seller.clone()), amount: positive(step.sum()?)?.negated()? },
            Entry { account: Account::Income(seller.clone()), amount: step.income },
            Entry { account: Account::Fees, amount: step.fee },
        ];
        Self::new(key, entries.into_iter().filter(|entry| entry.amount != Fen::ZERO).collect())
    }

    /// What was earned of a sale is owed to the reader again.
    pub fn sale_unearning(key: PostingKey, seller: &MemberId, step: Step) -> Result<Self, LedgerError> {
        Self::sale_earning(key.clone(), seller, step)?.reversal(key)
    }

    /// What is left of a sale goes back to the reader's balance.
    pub fn sale_refund(
        key: PostingKey,
        buyer: &MemberId,
        seller: &MemberId,
        rest: Fen,
    ) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Unearned(seller.clone()), Account::Member(buyer.clone()), rest)
    }

    /// A seller's income leaves for its bank.
    pub fn payout(key: PostingKey, seller: &MemberId, amount: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Income(seller.clone()), Account::Clearing, amount)
    }

    /// What a member pays for a tier, from its balance.
    pub fn membership(key: PostingKey, member: &MemberId, amount: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Member(member.clone()), Account::Memberships, amount)
    }

    /// What was paid for the days of a tier that have not begun goes back to the balance.
    pub fn membership_refund(key: PostingKey, member: &MemberId, rest: Fen) -> Result<Self, LedgerError> {
        Self::transfer(key, Account::Memberships, Account::Member(member.clone()), rest)
    }

    /// The movement that undoes this one.
    pub fn reversal(&self, key: PostingKey) -> Result<Self, LedgerError> {
        let entries = self
            .entries
            .iter()
            .map(|entry| Ok(Entry { account: entry.account.clone(), amount: entry.amount.negated()? }));
        Self::new(key, entries.collect::<Result<_, MoneyError>>()?)
    }

    /// What makes it happen once.
    pub fn key(&self) -> &PostingKey {
        &self.key
    }

    /// The entries; they sum to zero.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// An account's balance after this movement, or a refusal where a member's would fall below zero. A
    /// movement that only adds to a member's account is never refused.
    pub fn balance_after(&self, account: &Account, before: Fen) -> Result<Fen, LedgerError> {
        let own = self.entries.iter().filter(|entry| entry.account == *account);
        let change = Fen::sum(own.map(|entry| entry.amount))?;
        let after = before.plus(change)?;
        if after.is_negative() && change.is_negative() && !account.may_be_negative() {
            return Err(LedgerError::InsufficientBalance);
        }
        Ok(after)
    }
}

impl Source {
    fn account(self, member: &MemberId) -> Account {
        match self {
            Self::Balance => Account::Member(member.clone()),
            Self::Outside => Account::Clearing,
        }
    }
}

fn positive(amount: Fen) -> Result<Fen, LedgerError> {
    if amount > Fen::ZERO { Ok(amount) } else { Err(LedgerError::NotPositive) }
}

fn payable(goods: Fen, shipping: Fen) -> Result<Fen, LedgerError> {
    if goods.is_negative() || shipping.is_negative() {
        return Err(LedgerError::NotPositive);
    }
    positive(goods.plus(shipping)?)
}

/// Every account's balance: the sum of its entries.
pub fn balances<'a>(
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Result<BTreeMap<Account, Fen>, LedgerError> {
    let mut balances: BTreeMap<Account, Fen> = BTreeMap::new();
    for entry in entries {
        let balance = balances.entry(entry.account.clone()).or_default();
        *balance = balance.plus(entry.amount)?;
    }
    Ok(balances)
}

/// Whether books hold: all accounts together are zero, and no member's is below it.
pub fn check_books(balances: &BTreeMap<Account, Fen>) -> Result<(), LedgerError> {
    let sum = Fen::sum(balances.values().copied())?;
    if sum != Fen::ZERO {
        return Err(LedgerError::Unbalanced(sum));
    }
    let overdrawn =
        |(account, balance): (&Account, &Fen)| balance.is_negative() && !account.may_be_negative();
    if balances.iter().any(overdrawn) {
        return Err(LedgerError::InsufficientBalance);
    }
    Ok(())
}

impl PostingKey {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for PostingKey {
    type Error = LedgerError;
    fn try_from(text: String) -> Result<Self, LedgerError> {
        if (1..=100).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic()) {
            Ok(Self(text))
        } else {
            Err(LedgerError::Key(text))
        }
    }
}

impl FromStr for PostingKey {
    type Err = LedgerError;
    fn from_str(text: &str) -> Result<Self, LedgerError> {
        Self::try_from(text.to_owned())
    }
}

impl From<PostingKey> for String {
    fn from(key: PostingKey) -> String {
        key.0
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(member) => write!(f, "member:{member}"),
            Self::Frozen(member) => write!(f, "frozen:{member}"),
            Self::Allowance(place) => write!(f, "allowance:{place}"),
            Self::Revenue => f.write_str("revenue"),
            Self::Shipping => f.write_str("shipping"),
            Self::Clearing => f.write_str("clearing"),
            Self::Refunds => f.write_str("refunds"),
            Self::Opening => f.write_str("opening"),
            Self::Unearned(member) => write!(f, "unearned:{member}"),
            Self::Royalty(member) => write!(f, "royalty:{member}"),
            Self::Income(member) => write!(f, "income:{member}"),
            Self::Fees => f.write_str("fees"),
            Self::Memberships => f.write_str("memberships"),
            Self::GiftCards => f.write_str("gift-cards"),
        }
    }
}

impl FromStr for Account {
    type Err = LedgerError;
    fn from_str(text: &str) -> Result<Self, LedgerError> {
        let unknown = || LedgerError::Account(text.to_owned());
        if let Some((kind, id)) = text.split_once(':') {
            if kind == "allowance" {
                return id.parse().map(Self::Allowance).map_err(|_| unknown());
            }
            let member: MemberId = id.parse().map_err(|_| unknown())?;
            return match kind {
                "member" => Ok(Self::Member(member)),
                "frozen" => Ok(Self::Frozen(member)),
                "unearned" => Ok(Self::Unearned(member)),
                "royalty" => Ok(Self::Royalty(member)),
                "income" => Ok(Self::Income(member)),
                _ => Err(unknown()),
            };
        }
        match text {
            "revenue" => Ok(Self::Revenue),
            "shipping" => Ok(Self::Shipping),
            "clearing" => Ok(Self::Clearing),
            "refunds" => Ok(Self::Refunds),
            "opening" => Ok(Self::Opening),
            "fees" => Ok(Self::Fees),
            "memberships" => Ok(Self::Memberships),
            "gift-cards" => Ok(Self::GiftCards),
            _ => Err(unknown()),
        }
    }
}

impl TryFrom<String> for Account {
    type Error = LedgerError;
    fn try_from(text: String) -> Result<Self, LedgerError> {
        text.parse()
    }
}

impl From<Account> for String {
    fn from(account: Account) -> String {
        account.to_string()
    }
}
