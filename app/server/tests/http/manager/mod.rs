mod login;
mod login_weixin;
mod opus;
mod order;
mod photos;
mod shopping;
