//! Coupons held against their uses.

use base::db::{Sql, sql};

/// Each finds what breaks one rule.
pub const BOOKS: &[(&str, Sql)] = &[
    (
        "it is used as often as its uses say, and no more than it may be",
        sql!(
            "select c.id from coupons c where c.most is not null and c.used > c.most or c.used <>
             (select count(*) from coupon_uses u where u.coupon_id = c.id and u.returned_at is null)"
        ),
    ),
    (
        "each of its codes that an order has is of a use",
        sql!(
            "select k.coupon_id from coupon_codes k where k.order_id is not null and not exists
             (select 1 from coupon_uses u where u.order_id = k.order_id and u.coupon_id = k.coupon_id
              and u.returned_at is null)"
        ),
    ),
];
