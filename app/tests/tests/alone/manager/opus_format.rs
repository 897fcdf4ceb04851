//! /manager/opus/{id}/format: another page size for a finished work, and one step back.

use support::documents::send;
use support::{Server, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    looking_at_another_format_of_a_text_keeps_nothing,
);

async fn looking_at_another_format_of_a_text_keeps_nothing(server: Server) {
    let member = server.member("writer@example.com", "0").await;
    let fields = [("title", "山中"), ("text", "从前有一座山。"), ("markup", "plain")];
    let base = location(&send(&member, &fields, None).await);
    let kept = "select cast((select count(*) from pdf_files) + (select count(*) from jobs) as text)";
    let before = server.read(kept).await;
    for _ in 0..2 {
        let page = member.page(&format!("{base}/format?to=a4-portrait")).await;
        assert!(page.contains("148 × 210 mm → 210 × 297 mm"), "{page}");
    }
    assert_eq!(server.read(kept).await, before);
    location(&member.post(&format!("{base}/format"), &[("revision", "1"), ("to", "a4-portrait")]).await);
    assert!(member.page(&base).await.contains("210 × 297 mm"));
    assert_eq!(
        server
            .read(&format!(
                "select cast(count(*) as text) from pdf_files where member_id in {}",
                server.members()
            ))
            .await,
        "2"
    );
}
