//! Photos as cameras, phones and chats leave them: which clock counts, with which zone, where they were taken, and what a book makes
//! of it.

use std::fmt::Write;
use std::process::Command;

use support::{Server, between_all, jpeg, location, on_both_engines, wait};

on_both_engines!(
    a_journeys_chapters_are_the_cities_that_satellites_saw;
    on_sqlite:
    the_clock_on_the_wall_counts_whatever_the_camera_wrote,
);

/// What a photo's zone is said by, as lines for ExifTool after `-OffsetTime…=`, and in minutes. Its clock shows a quarter past some hour.
const ZONES: [(Option<&str>, Option<i16>); 5] = [
    (None, None),
    (Some("+02:00"), Some(120)),
    (Some("-07:00"), Some(-420)),
    (Some("+05:45"), Some(345)),
    (Some("+08:00"), Some(480)),
];

/// Where its time stands.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// DateTimeOriginal; every other tag and the name say something else.
    Exposure,
    /// CreateDate, which EXIF calls DateTimeDigitized.
    Digitising,
    /// The name alone; the file was changed later.
    Name,
    /// The file's last change alone.
    Change,
}

/// What satellites say beside it.
#[derive(Clone, Copy, PartialEq)]
enum Satellites {
    Nothing,
    /// The moment of the photo, when the camera's clock is two hours ahead of UTC.
    Paris,
}

/// One photo: its tags and name for ExifTool, and what is expected of it.
struct Photo {
    name: String,
    tags: Vec<String>,
    /// The clock on the wall: day of May and minute.
    clock: (u32, u32),
    offset: Option<i16>,
}

/// Every combination on each of five days, in an order that is nobody's.
fn photos() -> Vec<Photo> {
    let sources = [Source::Exposure, Source::Digitising, Source::Name, Source::Change];
    let mut photos = Vec::new();
    for day in [1, 3, 5, 8, 9] {
        for (number, source) in sources.into_iter().enumerate() {
            for (at, (zone, minutes)) in ZONES.into_iter().enumerate() {
                for (seen, satellites) in [Satellites::Nothing, Satellites::Paris].into_iter().enumerate() {
                    // each photo has a minute of its own between 10:00 and 20:00
                    let minute = 600 + 15 * (number * 10 + at * 2 + seen) as u32;
                    photos.push(photo(day, minute, source, zone.zip(minutes), satellites));
                }
            }
        }
    }
    let count = photos.len();
    let mut mixed: Vec<Option<Photo>> = photos.into_iter().map(Some).collect();
    (0..count).map(|place| mixed[place * 77 % count].take().unwrap()).collect()
}

fn photo(day: u32, minute: u32, source: Source, zone: Option<(&str, i16)>, satellites: Satellites) -> Photo {
    let (hour, past) = (minute / 60, minute % 60);
    let time = format!("2026:05:{day:02} {hour:02}:{past:02}:00");
    let mut tags = Vec::new();
    let mut tag = |name: &str, value: &str| tags.push(format!("-{name}={value}"));
    let plain = format!("DSC_{day}_{minute}.JPG");
    let name = match source {
        Source::Exposure => {
            tag("DateTimeOriginal", &time);
            tag("CreateDate", "2026:06:01 01:00:00");
            tag("ModifyDate", "2026:07:01 01:00:00");
            // a chat's name says when it was sent
            format!("微信图片_202608{day:02}{hour:02}{past:02}00.jpg")
        }
        Source::Digitising => {
            tag("CreateDate", &time);
            tag("ModifyDate", "2026:07:01 01:00:00");
            plain
        }
        Source::Name => {
            tag("ModifyDate", "2026:07:01 01:00:00");
            match minute % 4 {
                0 => format!("IMG_202605{day:02}_{hour:02}{past:02}00.jpg"),
                1 => format!("微信图片_202605{day:02}{hour:02}{past:02}00.jpg"),
                2 => format!("Screenshot_2026-05-{day:02}-{hour:02}-{past:02}-00.jpg"),
                _ => format!("2026-05-{day:02} {hour:02}.{past:02}.00.jpg"),
            }
        }
        Source::Change => {
            tag("ModifyDate", &time);
            plain
        }
    };
    if let Some((zone, _)) = zone {
        let of = match source {
            Source::Exposure => "OffsetTimeOriginal",
            Source::Digitising => "OffsetTimeDigitized",
            Source::Name | Source::Change => "OffsetTime",
        };
        tag(of, zone);
    }
    if satellites == Satellites::Paris {
        tag("GPSDateStamp", &format!("2026:05:{day:02}"));
        tag("GPSTimeStamp", &format!("{:02}:{past:02}:00", hour - 2));
    }
    let offset = match (source, zone, satellites) {
        // the zone is that of the file's change, when nobody knows where the photo was
        (Source::Name, ..) => None,
        (_, Some((_, minutes)), _) => Some(minutes),
        (_, None, Satellites::Paris) => Some(120),
        (_, None, Satellites::Nothing) => None,
    };
    Photo { name, tags, clock: (day, minute), offset }
}

/// The files, written by ExifTool.
fn files(photos: &[Photo]) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let mut words = String::new();
    let place = |number: usize| folder.path().join(format!("{number}.jpg"));
    for (number, photo) in photos.iter().enumerate() {
        std::fs::write(place(number), jpeg(120, 90, (number % 250) as u8)).unwrap();
        // so that no two files are the same
        writeln!(words, "-ImageUniqueID={number}\n{}\n-overwrite_original", photo.tags.join("\n")).unwrap();
        writeln!(words, "{}\n-execute", place(number).display()).unwrap();
    }
    let list = folder.path().join("words");
    std::fs::write(&list, words).unwrap();
    let done =
        Command::new("exiftool").arg("-@").arg(&list).output().expect("Debian's libimage-exiftool-perl");
    let said = String::from_utf8_lossy(&done.stdout);
    assert_eq!(said.matches("1 image files updated").count(), photos.len(), "{said}");
    (0..photos.len()).map(|number| std::fs::read(place(number)).unwrap()).collect()
}

async fn the_clock_on_the_wall_counts_whatever_the_camera_wrote(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let mut photos = photos();
    assert_eq!(photos.len(), 200);
    let files = files(&photos);
    for (photos, files) in photos.chunks(50).zip(files.chunks(50)) {
        let sent = photos.iter().zip(files).map(|(photo, file)| (photo.name.as_str(), file.clone()));
        member.upload(sent.collect()).await;
    }
    // what a clock showed is kept as if it were China's
    let noon = "select string_agg(line, '\n') from (select file_name || ' ' || ((taken_at - 1777564800000) / 60000) \
                || ' ' || coalesce(taken_offset, -9999) as line from photos order by taken_at) as lines";
    let read = server.read(noon).await;
    photos.sort_by_key(|photo| photo.clock);
    let expected: Vec<String> = photos
        .iter()
        .map(|Photo { name, clock: (day, minute), offset, .. }| {
            format!("{name} {} {}", (day - 1) * 1440 + minute, offset.unwrap_or(-9999))
        })
        .collect();
    let read: Vec<&str> = read.lines().collect();
    for (read, expected) in read.iter().zip(&expected) {
        assert_eq!(read, expected);
    }
    assert_eq!(read.len(), expected.len());

    // a book of them has the days as its chapters
    let mut form = reqwest::multipart::Form::new()
        .text("format", "square-210")
        .text("theme", "festive")
        .text("title", "五月")
        .text("dates", "1")
        .text("chapters", "1");
    for id in
        between_all(&member.page("/manager/make_ebook?month=2026-05").await, "name=\"photo\" value=\"", "\"")
    {
        form = form.text("photo", id);
    }
    let made = location(&member.post_multipart("/manager/make_ebook", form).await);
    let page = member.page(&made).await;
    for day in ["5月1日</textarea>", "5月3日</textarea>", "5月5日</textarea>", "5月8日"] {
        assert!(page.contains(day), "{day}");
    }
    assert!(!page.contains("6月") && !page.contains("7月") && !page.contains("8月<"), "days that nobody saw");
}

/// Places of a journey in degrees north and east, with how many photos were taken there; a day each.
const JOURNEY: [(Option<(f64, f64)>, usize); 5] = [
    // the old town of Dali, thirteen kilometres from its middle
    (Some((25.69, 100.16)), 7),
    // rooms
    (None, 5),
    // the airport of Kunming
    (Some((25.10, 102.93)), 2),
    (Some((26.87, 100.24)), 6),
    // Sydney is south
    (Some((-33.857, 151.215)), 6),
];

fn journey() -> Vec<Photo> {
    let days = (1..).zip(JOURNEY);
    let taken =
        days.flat_map(|(day, (place, photos))| (0..photos as u32).map(move |hour| (day, hour, place)));
    let photo = |(day, hour, place): (u32, u32, Option<(f64, f64)>)| {
        let mut tags = vec![format!("-DateTimeOriginal=2026:05:{day:02} {:02}:00:00", 9 + hour)];
        if let Some((north, east)) = place {
            tags.push(format!(
                "-GPSLatitude={}\n-GPSLatitudeRef={}",
                north.abs(),
                if north < 0.0 { "S" } else { "N" }
            ));
            tags.push(format!(
                "-GPSLongitude={}\n-GPSLongitudeRef={}",
                east.abs(),
                if east < 0.0 { "W" } else { "E" }
            ));
        }
        Photo { name: format!("{day}-{hour}.jpg"), tags, clock: (day, 60 * (9 + hour)), offset: None }
    };
    taken.map(photo).collect()
}

async fn a_journeys_chapters_are_the_cities_that_satellites_saw(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = journey();
    let sent = photos.iter().map(|photo| photo.name.as_str()).zip(files(&photos));
    let ids = member.upload(sent.collect()).await;
    let cities = "select string_agg(coalesce(city, '-'), ' ') from (select city from photos order by taken_at) as taken";
    let all = [("大理", 7), ("-", 5), ("昆明", 2), ("丽江", 6), ("悉尼", 6)];
    let all = all.map(|(city, photos)| vec![city; photos].join(" ")).join(" ");
    assert_eq!(server.read(cities).await, all);
    let first = server.read("select id from photos where file_name = '1-0.jpg'").await;
    let page = member.page(&format!("/manager/photo/{first}")).await;
    assert!(page.contains("大理一带") && !page.contains("100.1"), "{page}");
    // photos from before are read again
    server.sql("update photos set city = null").await;
    for id in &ids {
        server.queue_of_photo("read_clock", id).await;
    }
    wait::eventually(&server, cities, &all).await;

    let fields = |chapters: &'static str| {
        // they look alike, and all are to be in it
        let photos = ids.iter().flat_map(|id| [("photo", id.as_str()), ("compared", id.as_str())]);
        let known = [("format", "square-210"), ("theme", "magazine"), ("title", "五月"), ("dates", "1")];
        known.into_iter().chain([("chapters", chapters)]).chain(photos).collect::<Vec<_>>()
    };
    let ahead = member.post("/manager/make_ebook/ahead", &fields("cities")).await.text().await.unwrap();
    assert!(
        ahead.contains("拍摄地点：大理、丽江、悉尼。"),
        "two photos at an airport are no chapter: {ahead}"
    );
    let mut form = reqwest::multipart::Form::new();
    for (name, value) in fields("cities") {
        form = form.text(name, value.to_owned());
    }
    let made = location(&member.post_multipart("/manager/make_ebook", form).await);
    let page = member.page(&made).await;
    for words in ["大理</textarea>", "丽江</textarea>", "悉尼</textarea>", "丽江 · 2026年5月4日</textarea>"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("昆明</textarea>"));
    // what it has is known, and days are one press away, and cities again
    for (revision, wanted, now, heading) in
        [("1", "-days-", "-cities-", "5月4日"), ("2", "-cities-", "-days-", "丽江")]
    {
        let page = member.page(&format!("{made}/style?part=chapters")).await;
        let offered = between_all(&page, "name=\"to\" value=\"", "\"");
        assert!(!offered.iter().any(|to| to.contains(now)), "{offered:?}");
        let to = offered.iter().find(|to| to.contains(wanted)).unwrap_or_else(|| panic!("{offered:?}"));
        location(&member.post(&format!("{made}/style"), &[("revision", revision), ("to", to)]).await);
        assert!(member.page(&made).await.contains(&format!("{heading}</textarea>")), "{heading}");
    }
}
