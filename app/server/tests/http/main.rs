//! The program from outside: started as a process, asked over HTTP, on SQLite and on PostgreSQL. The paths of
//! these files mirror the addresses they test.

mod access;
mod command_line;
mod durability;
mod manager;
mod support;
