//! The public pages: what search engines and anonymous visitors get.

use support::{Server, between, on_both_engines, structured_data};

on_both_engines!(
    ; on_sqlite:
    absolute_addresses_come_from_the_configuration,
    the_host_is_named_only_where_it_is_known,
    absolute_addresses_come_from_the_request,
);

async fn absolute_addresses_come_from_the_configuration(mut server: Server) {
    server.kill();
    server.set("BINDERY_PUBLIC_URL", "https://books.example/");
    server.restart();
    let visitor = server.visitor();
    let page = visitor.get_with("/about", &[("host", "evil.example")]).await.text().await.unwrap();
    assert_eq!(between(&page, "<link rel=\"canonical\" href=\"", "\""), "https://books.example/about");
    assert!(!page.contains("evil"));
    assert!(visitor.page("/robots.txt").await.contains("Sitemap: https://books.example/sitemap.xml\n"));

    server.kill();
    server.set("BINDERY_PUBLIC_URL", "");
    server.set("BINDERY_TRUST_PROXY", "1");
    server.restart();
    let headers = [("host", "books.example"), ("x-forwarded-proto", "http, https")];
    let page = server.visitor().get_with("/about", &headers).await.text().await.unwrap();
    assert_eq!(between(&page, "<link rel=\"canonical\" href=\"", "\""), "https://books.example/about");
}

async fn the_host_is_named_only_where_it_is_known(mut server: Server) {
    let page = server.visitor().page("/about/contact").await;
    assert!(page.contains("还没有留下联系方式") && !page.contains("mailto:") && !page.contains("tel:"));
    assert_eq!(structured_data(&page)[0]["name"], "书坊");

    server.kill();
    server.set("BINDERY_COMPANY", "纸上</script>坊 & 子");
    server.set("BINDERY_CONTACT_EMAIL", "print@books.example");
    server.set("BINDERY_CONTACT_PHONE", "0571-8888 0000");
    server.restart();
    let page = server.visitor().page("/about/contact").await;
    assert!(page.contains("纸上&lt;/script&gt;坊 &amp; 子"));
    assert!(
        page.contains("href=\"mailto:print@books.example\"") && page.contains("href=\"tel:057188880000\"")
    );
    let shop = &structured_data(&page)[0];
    assert_eq!(shop["name"], "纸上</script>坊 & 子");
    assert_eq!(shop["email"], "print@books.example");
    assert_eq!(shop["telephone"], "0571-8888 0000");
}

async fn absolute_addresses_come_from_the_request(server: Server) {
    let visitor = server.visitor();
    let canonical = async |headers: &[(&str, &str)]| {
        let page = visitor.get_with("/about/faq", headers).await.text().await.unwrap();
        between(&page, "<link rel=\"canonical\" href=\"", "\"")
    };
    assert_eq!(canonical(&[("host", "books.example")]).await, "http://books.example/about/faq");
    // nobody has said that a proxy is to be believed
    let claims =
        [("host", "books.example"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "evil.example")];
    assert_eq!(canonical(&claims).await, "http://books.example/about/faq");
    for host in ["evil.example/\"><script>", "user@evil.example", "a b", "evil.example?x", "a&b"] {
        let page = visitor.get_with("/about/faq", &[("host", host)]).await.text().await.unwrap();
        assert!(!page.contains("evil") && !page.contains("a&b"), "{host}");
    }
}
