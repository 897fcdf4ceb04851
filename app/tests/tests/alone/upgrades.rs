//! A schema that a newer program brought up to date: who runs on it, and who is told why not.

use reqwest::StatusCode;

use super::configuration::said;
use support::{Server, on_both_engines};

on_both_engines!(
    an_upgrade_is_taken_back_by_starting_the_program_of_before;
    on_sqlite:
    only_serving_and_migrating_change_a_schema,
);

/// What a newer program did, as it is written down.
const NEWER: &str =
    "insert into _sqlx_migrations (version, description, installed_on, success, checksum, execution_time)
    select 99990000, 'of a newer program', installed_on, success, checksum, execution_time
    from _sqlx_migrations where version = 360";

async fn an_upgrade_is_taken_back_by_starting_the_program_of_before(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    server.sql(NEWER).await;
    server.sql("create table of_a_newer_program (id bigint)").await;
    // beside the newer one, and started again
    assert_eq!(member.get("/manager/opus_list/all").await.status(), StatusCode::OK);
    server.restart();
    let member = server.member("another@example.com", "0").await;
    assert_eq!(member.get("/manager/opus_list/all").await.status(), StatusCode::OK);
    assert!(said(&server.run(&["outbox"])).0);

    // a migration that the program of before could not run on
    server.sql("update oldest_program set migration = 99990000").await;
    for command in [&["serve"][..], &["migrate"], &["outbox"]] {
        let (good, _, error) = said(&server.run(command));
        let why = "by a newer program (migration 99990000), which needs one that knows migration 99990000";
        assert!(!good && error.contains(why), "{command:?}: {error}");
    }
}

async fn only_serving_and_migrating_change_a_schema(server: Server) {
    // the newest, undone
    server.sql("drop table oldest_program").await;
    server.sql("delete from _sqlx_migrations where version = 360").await;
    let (good, _, error) = said(&server.run(&["outbox"]));
    assert!(!good && error.contains("the database lacks 1 migrations: `bindery migrate`"), "{error}");
    assert!(said(&server.run(&["migrate"])).0);
    let (good, _, error) = said(&server.run(&["outbox"]));
    assert!(good, "{error}");
}
