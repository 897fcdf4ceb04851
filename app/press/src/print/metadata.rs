//! What the file says about itself: the Info dictionary and XMP, which must agree (ISO 15930-7, 6.3).

use super::profile::OutputCondition;
use domain::print_settings::PrintStandard;
use domain::xml;
use lopdf::{Dictionary, Object, Stream, dictionary, text_string};

pub(super) const PRODUCER: &str = "Bindery";

/// The facts of a print file.
pub(super) struct Imprint<'a> {
    pub standard: PrintStandard,
    pub condition: &'a OutputCondition,
    pub title: &'a str,
    pub author: &'a str,
    /// Milliseconds since 1970.
    pub made_at: i64,
    pub identity: u128,
}

impl Imprint<'_> {
    pub fn info(&self) -> Dictionary {
        let [year, month, day, hour, minute, second] = civil(self.made_at);
        let date = format!("D:{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z");
        let mut info = dictionary! {
            "Title" => text_string(self.title),
            "Creator" => Object::string_literal(PRODUCER),
            "Producer" => Object::string_literal(PRODUCER),
            "CreationDate" => Object::string_literal(date.clone()),
            "ModDate" => Object::string_literal(date),
            "Trapped" => "False",
        };
        // PDF/X-1a says so here (ISO 15930-4, 6.2), PDF/X-4 in its XMP (ISO 15930-7, 6.3)
        if self.standard == PrintStandard::X1a {
            info.set("GTS_PDFXVersion", Object::string_literal(self.standard.name()));
        }
        if !self.author.is_empty() {
            info.set("Author", text_string(self.author));
        }
        info
    }

    pub fn xmp(&self) -> Stream {
        let [year, month, day, hour, minute, second] = civil(self.made_at);
        let date = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
        let hex = format!("{:032x}", self.identity);
        let uuid =
            format!("uuid:{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]);
        let title = escape(self.title);
        let creator = match escape(self.author) {
            author if author.is_empty() => String::new(),
            author => format!("\n   <dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>"),
        };
        let xmp = format!(
            r#"<?xpacket begin="{bom}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
    xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
    xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
   <dc:format>application/pdf</dc:format>
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>{creator}
   <xmp:CreatorTool>{PRODUCER}</xmp:CreatorTool>
   <xmp:CreateDate>{date}</xmp:CreateDate>
   <xmp:ModifyDate>{date}</xmp:ModifyDate>
   <xmp:MetadataDate>{date}</xmp:MetadataDate>
   <xmpMM:DocumentID>{uuid}</xmpMM:DocumentID>
   <xmpMM:InstanceID>{uuid}</xmpMM:InstanceID>
   <xmpMM:VersionID>1</xmpMM:VersionID>
   <xmpMM:RenditionClass>default</xmpMM:RenditionClass>
   <pdf:Producer>{PRODUCER}</pdf:Producer>
   <pdf:Trapped>False</pdf:Trapped>
   <pdfxid:GTS_PDFXVersion>{standard}</pdfxid:GTS_PDFXVersion>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"#,
            bom = '\u{feff}',
            standard = self.standard.name(),
        );
        Stream::new(dictionary! { "Type" => "Metadata", "Subtype" => "XML" }, xmp.into_bytes())
    }
}

/// A text on one line.
fn escape(text: &str) -> String {
    xml::escaped(&text.replace(char::is_control, " "))
}

/// Year, month, day, hour, minute, second (UTC) of a moment. The date is by the usual count of days in eras of
/// 400 years that begin on 1 March.
pub(crate) fn civil(epoch_ms: i64) -> [i64; 6] {
    let seconds = epoch_ms.div_euclid(1000);
    let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    [year, month, day, time / 3600, time / 60 % 60, time % 60]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_become_dates() {
        assert_eq!(civil(0), [1970, 1, 1, 0, 0, 0]);
        assert_eq!(civil(951_782_400_000), [2000, 2, 29, 0, 0, 0]);
        assert_eq!(civil(1_767_225_599_999), [2025, 12, 31, 23, 59, 59]);
        assert_eq!(civil(-1), [1969, 12, 31, 23, 59, 59]);
    }

    #[test]
    fn xmp_escapes_what_members_write() {
        let standard = PrintStandard::X4;
        let condition = &OutputCondition::default();
        let imprint = Imprint { standard, condition, title: "<&>\u{1}", author: "", made_at: 0, identity: 1 };
        let xmp = String::from_utf8(imprint.xmp().content).expect("XMP is UTF-8");
        assert!(xmp.contains(">&lt;&amp;&gt; </rdf:li>"));
    }
}
