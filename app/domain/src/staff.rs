//! Who works at the back office 后台, and what each may do there (publishing page, section 5).

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// How long a sign-in in the back office lasts, in ms.
pub const LOGIN_MS: i64 = 12 * 60 * 60_000;
/// The most characters of a name that one signs in with.
pub const LONGEST_NAME: usize = 30;

/// What somebody is in the back office. One may be several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// 客服: answers members.
    Service,
    /// 印务: prints and sends.
    Printing,
    /// 财务: money and invoices.
    Finance,
    /// 编辑: what is published.
    Editor,
    /// 站长: everything.
    Owner,
}

/// What an address of the back office needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Looks at orders.
    SeeOrders,
    /// Fetches print files, begins to print, sends, prints once more.
    Print,
    /// Says no to who wants to cancel, gives money of an order back.
    Refund,
    /// Payments from outside: transfers that arrived, money that goes back.
    Payments,
    /// Issues, refuses and voids invoices.
    Invoices,
    /// Changes goods and their price books.
    Goods,
    /// Makes coupons, which give money away.
    Coupons,
    /// Looks at members: tier, balance, sign-ins.
    SeeMembers,
    /// Works that readers report.
    Reports,
    /// Jobs that failed, messages that wait, the machine's health.
    Machine,
    /// Reads what everybody in the back office did.
    Audit,
    /// Says which other programs of the shop's are told what happens.
    Webhooks,
    /// Who works here: makes accounts, gives roles, ends them.
    Clerks,
}

/// A word that is no role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("角色是 客服、印务、财务、编辑 或 站长：{0}")]
pub struct NotARole(String);

impl Role {
    /// Each.
    pub const ALL: [Self; 5] = [Self::Service, Self::Printing, Self::Finance, Self::Editor, Self::Owner];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Printing => "printing",
            Self::Finance => "finance",
            Self::Editor => "editor",
            Self::Owner => "owner",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Service => "客服",
            Self::Printing => "印务",
            Self::Finance => "财务",
            Self::Editor => "编辑",
            Self::Owner => "站长",
        }
    }

    /// Whether it moves money, says what things cost, or gives such a role to others.
    pub fn handles_money(self) -> bool {
        use Capability::{Clerks, Coupons, Goods, Invoices, Payments, Refund};
        [Refund, Payments, Invoices, Goods, Coupons, Clerks]
            .iter()
            .any(|capability| capability.roles().contains(&self))
    }
}

impl Display for Role {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = NotARole;
    fn from_str(text: &str) -> Result<Self, NotARole> {
        let is = |role: &Self| role.code() == text || role.name() == text;
        Self::ALL.into_iter().find(is).ok_or_else(|| NotARole(text.to_owned()))
    }
}

impl Capability {
    /// Each.
    pub const ALL: [Self; 13] = [
        Self::SeeOrders,
        Self::Print,
        Self::Refund,
        Self::Payments,
        Self::Invoices,
        Self::Goods,
        Self::Coupons,
        Self::SeeMembers,
        Self::Reports,
        Self::Machine,
        Self::Audit,
        Self::Webhooks,
        Self::Clerks,
    ];

    /// The roles that have it; nobody else does.
    pub fn roles(self) -> &'static [Role] {
        use Role::{Editor, Finance, Owner, Printing, Service};
        match self {
            Self::SeeOrders => &[Service, Printing, Finance, Owner],
            Self::Print => &[Printing, Owner],
            Self::Refund => &[Service, Finance, Owner],
            Self::Payments | Self::Invoices | Self::Goods | Self::Coupons => &[Finance, Owner],
            Self::SeeMembers => &[Service, Finance, Owner],
            Self::Reports => &[Service, Editor, Owner],
            Self::Machine => &[Printing, Owner],
            Self::Audit | Self::Webhooks | Self::Clerks => &[Owner],
        }
    }
}

/// Whether somebody with these roles has a capability.
pub fn allows(roles: &[Role], capability: Capability) -> bool {
    roles.iter().any(|role| capability.roles().contains(role))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_read_by_code_and_by_name() {
        for role in Role::ALL {
            assert_eq!(role.code().parse(), Ok(role));
            assert_eq!(role.name().parse(), Ok(role));
        }
        assert!("boss".parse::<Role>().is_err() && "".parse::<Role>().is_err());
    }

    #[test]
    fn nothing_is_allowed_that_the_table_does_not_name() {
        for capability in Capability::ALL {
            assert!(!allows(&[], capability), "denied by default");
            assert!(allows(&[Role::Owner], capability), "the owner does everything");
        }
        // who prints sees no money, who counts money prints nothing, who reads reports sees no orders
        assert!(
            !allows(&[Role::Printing], Capability::Refund)
                && !allows(&[Role::Printing], Capability::Payments)
        );
        assert!(!allows(&[Role::Finance], Capability::Print));
        let without_prices = [Role::Service, Role::Printing, Role::Editor];
        assert!(!allows(&without_prices, Capability::Goods), "who counts money says what things cost");
        assert!(allows(&[Role::Finance], Capability::Goods));
        assert!(
            !allows(&[Role::Editor], Capability::SeeOrders)
                && !allows(&[Role::Service], Capability::Invoices)
        );
        let others = [Role::Service, Role::Printing, Role::Finance, Role::Editor];
        assert!(!allows(&others, Capability::Audit), "nobody reads over others' shoulders but the owner");
        assert!(allows(&[Role::Editor, Role::Printing], Capability::Print), "several roles add up");
    }
}
