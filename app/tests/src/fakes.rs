//! Providers and devices that the tests play.

pub mod alipay;
pub mod authenticator;
pub mod collector;
pub mod keys;
pub mod oidc;
pub mod s3;
pub mod wechatpay;
pub mod weixin;
