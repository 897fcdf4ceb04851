//! `kill -9` at any moment: whatever was acknowledged is there afterwards, and jobs go on.

use reqwest::StatusCode;

use support::{Server, jpeg, on_both_engines, rounds};

on_both_engines!(
    what_was_acknowledged_survives_a_kill,
    a_kill_in_the_middle_of_uploads_leaves_only_whole_photos,
);

async fn what_was_acknowledged_survives_a_kill(mut server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let photos = member.upload((0..6).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    // the derivatives are still being made
    server.kill();
    server.restart();
    let member = server.visitor();
    member.sign_in("buyer@example.com", support::PASSWORD).await;
    assert_eq!(member.library().await, photos);
    let work = member.album("square-210", "海边的夏天", &photos).await;
    server.kill();
    server.restart();
    let member = server.visitor();
    member.sign_in("buyer@example.com", support::PASSWORD).await;
    let line = member.add_to_cart(&work, "album-210").await;
    let order = member.order(&line).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    let balance = member.balance().await;
    server.kill();
    server.restart();
    let member = server.visitor();
    member.sign_in("buyer@example.com", support::PASSWORD).await;
    assert_eq!(member.balance().await, balance);
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("已付款"));
    for id in &photos {
        let answer = member.get(&format!("/manager/photo/{id}/1280")).await;
        assert_eq!(answer.status(), StatusCode::OK, "the derivative is made after all");
    }
    let folder = server.folder.path().join("export");
    let output = server.run(&["order", "export", &order, folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

async fn a_kill_in_the_middle_of_uploads_leaves_only_whole_photos(mut server: Server) {
    let mut member = server.member("buyer@example.com", "0").await;
    let mut acknowledged = 0;
    for round in 0..rounds(4, 30) as u32 {
        let sending = (0..4u8).map(|n| {
            let member = member.clone();
            let photo = jpeg(1200 + 8 * round, 900, n);
            tokio::spawn(async move { member.try_upload(photo).await })
        });
        let sending: Vec<_> = sending.collect();
        tokio::time::sleep(std::time::Duration::from_millis(30 + 60 * u64::from(round % 4))).await;
        server.kill();
        for task in sending {
            acknowledged += usize::from(task.await.unwrap());
        }
        server.restart();
        let again = server.visitor();
        again.sign_in("buyer@example.com", support::PASSWORD).await;
        let library = again.library().await;
        assert!(library.len() >= acknowledged, "an acknowledged photo is gone");
        for id in &library {
            let answer = again.get(&format!("/manager/photo/{id}/320")).await;
            assert_eq!(answer.status(), StatusCode::OK, "a photo is not whole");
        }
        acknowledged = library.len();
        // the next round speaks to the new process
        member = again;
    }
}
