//! Whose a repository is, and what the storage has lost: neither may take the last good backups away.

use support::uploads::sha256;
use support::{Engine, Server, jpeg, names_in, on_both_engines};

use super::{backups, blob, date_back, generations, original, refused, repository};

on_both_engines!(
    what_the_storage_lost_stays_in_backups,
    ; on_sqlite:
    another_installation_leaves_backups_alone,
    a_disk_that_is_not_there_is_no_new_repository,
);

async fn another_installation_leaves_backups_alone(mut server: Server) {
    let folder = repository(&mut server);
    let place = folder.path().to_str().unwrap();
    let member = server.member("keeper@example.com", "0").await;
    member.upload(vec![("照片.jpg", jpeg(640, 480, 1))]).await;
    backups(&server, &["run"]).await;
    let before = generations(folder.path());
    // an empty one with the same settings, after a loss
    let mut other = Server::start(Engine::Sqlite).await.unwrap();
    other.set("BINDERY_BACKUP_TO", place);
    for words in [&["run"][..], &["prune", "--keep", "1d"]] {
        let told = refused(&other, words).await;
        assert!(told.contains("another installation's") && told.contains("--adopt"), "{told}");
    }
    assert_eq!(generations(folder.path()), before);
    let noted = "select fault from backup_attempts";
    assert!(other.read(noted).await.contains("another installation's"));
    // what is restored is the same installation
    let mut restored = Server::start(Engine::Sqlite).await.unwrap();
    backups(&restored, &["restore", "--from", place]).await;
    restored.set("BINDERY_BACKUP_TO", place);
    backups(&restored, &["run"]).await;
    // one that takes the repository is its owner from then on
    backups(&other, &["run", "--adopt"]).await;
    backups(&other, &["prune"]).await;
    assert!(refused(&server, &["run"]).await.contains("another installation's"));
    // as long as it made none, nothing goes
    std::fs::copy(folder.path().join("installation"), folder.path().join("aside")).unwrap();
    backups(&server, &["run", "--adopt"]).await;
    std::fs::rename(folder.path().join("aside"), folder.path().join("installation")).unwrap();
    assert!(refused(&other, &["prune"]).await.contains("is of another installation"));
}

async fn a_disk_that_is_not_there_is_no_new_repository(mut server: Server) {
    let folder = repository(&mut server);
    backups(&server, &["run"]).await;
    let mounted = folder.path().with_extension("mounted");
    std::fs::rename(folder.path(), &mounted).unwrap();
    std::fs::create_dir(folder.path()).unwrap();
    assert!(refused(&server, &["run"]).await.contains("mount its disk"));
    assert!(!folder.path().join("generations").exists() && !folder.path().join("blobs").exists());
    std::fs::remove_dir_all(folder.path()).unwrap();
    std::fs::rename(&mounted, folder.path()).unwrap();
    backups(&server, &["run"]).await;
}

async fn what_the_storage_lost_stays_in_backups(mut server: Server) {
    let folder = repository(&mut server);
    let member = server.member("keeper@example.com", "0").await;
    let photos: Vec<Vec<u8>> = (1..4).map(|n| jpeg(640, 480, n)).collect();
    member.upload(photos.iter().map(|photo| ("照片.jpg", photo.clone())).collect()).await;
    backups(&server, &["run"]).await;
    date_back(folder.path(), &generations(folder.path())[0], "20200101T033000Z");
    for photo in &photos {
        std::fs::remove_file(original(&server, photo)).unwrap();
    }
    let told = refused(&server, &["run"]).await;
    for photo in &photos {
        assert!(told.contains(&sha256(photo)) && blob(folder.path(), &sha256(photo)).exists(), "{told}");
    }
    let noted = "select cast(damaged as text) from backup_attempts order by id desc limit 1";
    assert_eq!(server.read(noted).await, "3");
    backups(&server, &["prune", "--keep", "1d"]).await;
    assert_eq!(generations(folder.path()).len(), 1);
    backups(&server, &["verify"]).await;
    let restored = Server::start(server.engine).await.unwrap();
    backups(&restored, &["restore", "--from", folder.path().to_str().unwrap()]).await;
    for photo in &photos {
        assert!(std::fs::read(original(&restored, photo)).unwrap() == *photo);
    }
    // what no backup has is named, and as long as that is most of it nothing goes
    let empty = tempfile::tempdir().unwrap();
    server.set("BINDERY_BACKUP_TO", empty.path().to_str().unwrap());
    let told = refused(&server, &["run", "--adopt"]).await;
    assert!(told.contains("lacks 3 files") && told.contains("nothing taken away"), "{told}");
    assert_eq!(names_in(&empty.path().join("generations")).len(), 1);
    assert!(backups(&server, &["verify"]).await.contains(&sha256(&photos[0])));
}
