//! People in photos: pages cut through nobody, and say so where a member does.

use pictures::{encoded, put_face, scene};
use serde_json::Value;

use support::{Server, on_both_engines, wait};

on_both_engines!(
    ; on_sqlite:
    who_is_cut_by_a_member_is_named,
    a_person_at_the_edge_stands_whole_on_the_page,
    a_photo_of_before_gets_its_faces_by_a_job,
);

/// Tests look for none unless they are about them.
fn look_for_faces(server: &mut Server) {
    server.kill();
    server.set("BINDERY_FACES", "1");
    server.restart();
}

/// A road, wider than it is high, with somebody in its upper left corner, whom a cover cut out of its middle would cut through.
fn somebody_at_the_edge(seed: u64) -> Vec<u8> {
    let mut picture = scene(1600, 1300, seed);
    put_face(&mut picture, seed as usize, (0.14, 0.16), 300.0, 0.0);
    encoded(&picture, image::ImageFormat::Jpeg)
}

async fn stored(server: &Server, work: &str) -> String {
    server.read(&format!("select document from works where id = '{work}'")).await
}

/// The frames of a book with its faces: crop and face, each as left edge, top, width, height.
async fn frames(server: &Server, work: &str) -> Vec<([f64; 4], [f64; 4])> {
    let part = |value: &Value| ["x", "y", "width", "height"].map(|side| value[side].as_f64().unwrap());
    let document: Value = serde_json::from_str(&stored(server, work).await).unwrap();
    let mut found = Vec::new();
    let pages = document["pages"].as_array().unwrap().iter().chain([&document["cover"]]);
    for frame in pages.flat_map(|page| page["elements"].as_array().unwrap()) {
        let Some(photo) = frame["photo"].as_str() else { continue };
        let faces = server.read(&format!("select faces from photos where id = '{photo}'")).await;
        let faces: Vec<Value> = serde_json::from_str(&faces).unwrap();
        assert_eq!(faces.len(), 1, "{faces:?}");
        found.push((part(&frame["crop"]), part(&faces[0])));
    }
    found
}

async fn a_person_at_the_edge_stands_whole_on_the_page(mut server: Server) {
    look_for_faces(&mut server);
    let member = server.member("maker@example.com", "0").await;
    let photos = (0..6).map(|seed| ("路.jpg", somebody_at_the_edge(seed))).collect();
    let photos = member.upload(photos).await;
    let work = member.album("square-210", "路上", &photos).await;
    let frames = frames(&server, &work).await;
    assert!(frames.len() >= 7);
    for (crop, face) in &frames {
        assert!(face[0] < 0.1 && face[1] < 0.07, "in the corner: {face:?}");
        for side in 0..2 {
            let whole = face[side] >= crop[side] - 1e-6
                && face[side] + face[side + 2] <= crop[side] + crop[side + 2] + 1e-6;
            assert!(whole, "{face:?} in {crop:?}");
        }
    }
    assert!(frames.iter().any(|(crop, _)| crop[2] * crop[3] < 0.9), "some are cut: {frames:?}");
}

async fn a_photo_of_before_gets_its_faces_by_a_job(mut server: Server) {
    look_for_faces(&mut server);
    let member = server.member("maker@example.com", "0").await;
    let id = member.upload(vec![("路.jpg", somebody_at_the_edge(1))]).await.remove(0);
    assert_eq!(member.get(&format!("/manager/photo/{id}/320")).await.status(), 200);
    let faces = format!("select faces from photos where id = '{id}'");
    let right = server.read(&faces).await;
    assert!(right.contains("confidence"), "{right}");
    // as an older version left it, and the migration since
    server.sql(&format!("update photos set faces = null where id = '{id}'")).await;
    server.queue_of_photo("look_for_faces", &id).await;
    // of its smaller copy: nearly the same places
    let count =
        format!("select cast(count(*) as text) from photos where id = '{id}' and faces like '%confidence%'");
    wait::eventually(&server, &count, "1").await;
}

async fn who_is_cut_by_a_member_is_named(mut server: Server) {
    look_for_faces(&mut server);
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload((0..3).map(|seed| ("路.jpg", somebody_at_the_edge(seed))).collect()).await;
    let work = member.album("square-210", "路上", &photos).await;
    let said = "有人的脸被裁掉了一部分";
    assert!(!member.page(&format!("/manager/opus/{work}")).await.contains(said));
    // as a member would cut it by hand: everything from the middle of the face on
    let document = stored(&server, &work).await;
    let mut changed: Value = serde_json::from_str(&document).unwrap();
    let pages = changed["pages"].as_array_mut().unwrap();
    let (page, frame) = pages
        .iter_mut()
        .enumerate()
        .find_map(|(page, elements)| {
            let elements = elements["elements"].as_array_mut().unwrap();
            Some((page, elements.iter_mut().find(|element| element["photo"].is_string())?))
        })
        .unwrap();
    let crop = frame["crop"].clone();
    frame["crop"]["x"] = 0.14.into();
    frame["crop"]["width"] = crop["width"].as_f64().unwrap().min(0.86).into();
    let changed = serde_json::to_string(&changed).unwrap().replace('\'', "''");
    server.sql(&format!("update works set document = '{changed}' where id = '{work}'")).await;
    let shown = member.page(&format!("/manager/opus/{work}")).await;
    assert!(shown.contains(&format!("第 {} 页的照片里{said}", page + 1)), "{shown}");
}
