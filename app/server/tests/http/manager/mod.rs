mod addresses;
mod login;
mod opus;
mod order;
mod photos;
mod shopping;
mod user_info;
