mod login;
mod opus;
mod order;
mod photos;
mod shopping;
