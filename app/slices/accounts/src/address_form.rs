//! The form of a shipping address, on the address pages and at the checkout: its fields, and what it must hold.

use base::db::new_id;
use domain::{phone, regions};
use leptos::prelude::*;
use web::render::{Form, use_form, use_path};
use web::ui::forms::check_length;
use web::ui::parts::{Field, FieldError};

use super::Address;

/// The button that shows the chosen province's cities, by its name in the form. Browsers with scripts do without.
pub const LOOK: &str = "look";
/// The fields that are typed, and those that are chosen from lists.
const TYPED: [&str; 3] = ["receiver", "phone", "street"];
const CHOSEN: [&str; 3] = ["province", "city", "district"];
/// Characters that a receiver's name may have.
const MOST_RECEIVER: u32 = 40;
/// Characters that a street may have.
const MOST_STREET: u32 = 120;

/// Reads and checks an address; what is wrong is noted in the form.
pub fn read_address(form: &mut Form) -> Option<Address> {
    check_length(form, "receiver", "收货人", 1, MOST_RECEIVER as usize);
    let phone = phone::normal(form.get("phone"));
    if form.get("phone").is_empty() {
        form.refuse("phone", "请输入联系电话");
    } else if phone.is_none() {
        form.refuse("phone", "请输入正确的手机号码（11 位），或带区号的座机号码");
    }
    let Region { province, city, district } = Region::sent(form);
    if regions::cities(&province).next().is_none() {
        form.refuse("province", "请选择省份");
    } else if regions::districts(&province, &city).is_empty() {
        form.refuse("city", "请选择城市");
    } else if !regions::is_known(&province, &city, &district) {
        form.refuse("district", format!("请选择{city}的区县"));
    }
    check_length(form, "street", "详细地址", 1, MOST_STREET as usize);
    if form.is_refused() {
        return None;
    }
    Some(Address {
        id: new_id(),
        receiver: form.get("receiver").to_owned(),
        phone: phone?,
        province,
        city,
        district,
        street: form.get("street").to_owned(),
        is_default: !form.get("is_default").is_empty(),
    })
}

/// Whether something was written into the fields of an address.
pub fn is_address_written(form: &Form) -> bool {
    TYPED.iter().any(|field| !form.get(field).trim().is_empty())
}

/// Takes what was written of an address out of a form: it is kept, and no new one any more.
pub fn forget_written_address(form: &mut Form) {
    TYPED.iter().chain(&CHOSEN).for_each(|field| form.forget(field));
}

/// What the three lists say; a name that does not belong to the one before it is left out.
struct Region {
    province: String,
    city: String,
    district: String,
}

impl Region {
    fn sent(form: &Form) -> Self {
        Self::of(form.get("province"), form.get("city"), form.get("district"))
    }

    fn of(province: &str, city: &str, district: &str) -> Self {
        // without a chosen city all districts of the province are offered, each behind its city's name
        let (with_city, district) = district.split_once('/').unwrap_or(("", district));
        let city = if city.is_empty() { with_city } else { city };
        let with_city = if with_city.is_empty() { city } else { with_city };
        let mut cities = regions::cities(province);
        let city = match (cities.next(), cities.next()) {
            (Some(only), None) => only,
            _ => city,
        };
        let districts = regions::districts(province, city);
        let city = if districts.is_empty() { "" } else { city };
        let district = match districts {
            [only] => only,
            _ if with_city == city && districts.contains(&district) => district,
            _ => "",
        };
        Self { province: province.to_owned(), city: city.to_owned(), district: district.to_owned() }
    }
}

/// The fields of an address, those of a known one to begin with.
#[component]
pub fn AddressFields(#[prop(optional)] known: Option<Address>) -> impl IntoView {
    let form = use_form();
    let text = |part: fn(&Address) -> &String| known.as_ref().map(part).cloned().unwrap_or_default();
    let region = if form.is_sent() {
        Region::sent(&form)
    } else {
        let known = [text(|known| &known.province), text(|known| &known.city), text(|known| &known.district)];
        Region::of(&known[0], &known[1], &known[2])
    };
    let provinces: Vec<_> = regions::provinces().map(|name| option(name, &region.province)).collect();
    let cities: Vec<_> = regions::cities(&region.province).map(|name| option(name, &region.city)).collect();
    let districts = if region.city.is_empty() {
        let groups: Vec<_> = regions::cities(&region.province)
            .map(|city| {
                let districts: Vec<_> = regions::districts(&region.province, city)
                    .iter()
                    .map(|name| view! { <option value=format!("{city}/{name}")>{*name}</option> })
                    .collect();
                view! { <optgroup label=city>{districts}</optgroup> }
            })
            .collect();
        groups.into_any()
    } else {
        let districts: Vec<_> = regions::districts(&region.province, &region.city)
            .iter()
            .map(|name| option(name, &region.district))
            .collect();
        districts.into_any()
    };
    view! {
        <div class="fields two">
            // pressing Enter in a field saves: a form's first button is the one that Enter presses
            <button hidden></button>
            <Field
                name="receiver"
                label="收货人"
                value=text(|known| &known.receiver)
                most=MOST_RECEIVER
                autocomplete="name"
            />
            <Field
                name="phone"
                label="联系电话"
                value=text(|known| &known.phone)
                kind="tel"
                most=30
                autocomplete="tel"
                inputmode="tel"
            />
            <fieldset class="region all" id="region" data-regions>
                <legend class="sr">"所在地区"</legend>
                <Choice name="province" label="省份" autocomplete="address-level1">{provinces}</Choice>
                <Choice name="city" label="城市" autocomplete="address-level2">{cities}</Choice>
                <Choice name="district" label="区县" autocomplete="address-level3">{districts}</Choice>
                <button
                    class="button small"
                    name=LOOK
                    value="regions"
                    formaction=format!("{}#region", use_path())
                    formnovalidate
                >
                    "按省份列出城市和区县"
                </button>
            </fieldset>
            <Field
                name="street"
                label="详细地址"
                class="all"
                value=text(|known| &known.street)
                most=MOST_STREET
                autocomplete="street-address"
            />
        </div>
    }
}

fn option(name: &'static str, chosen: &str) -> impl IntoView + use<> {
    view! { <option value=name selected=name == chosen>{name}</option> }
}

/// One of the three lists.
#[component]
fn Choice(
    name: &'static str,
    label: &'static str,
    autocomplete: &'static str,
    children: Children,
) -> impl IntoView {
    let invalid = use_form().error(name).is_some();
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <select
                id=name
                name=name
                autocomplete=autocomplete
                aria-invalid=invalid.then_some("true")
                aria-describedby=invalid.then(|| format!("{name}-error"))
            >
                <option value="">"请选择"</option>
                {children()}
            </select>
            <FieldError name=name.to_owned()/>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_do_not_fit_together_are_emptied_from_the_first_wrong_one() {
        let chosen = |province: &str, city: &str, district: &str| {
            let region = Region::of(province, city, district);
            (region.city, region.district)
        };
        let pair = |city: &str, district: &str| (city.to_owned(), district.to_owned());
        assert_eq!(chosen("浙江省", "杭州市", "西湖区"), pair("杭州市", "西湖区"));
        assert_eq!(chosen("浙江省", "", "杭州市/西湖区"), pair("杭州市", "西湖区"));
        assert_eq!(chosen("浙江省", "宁波市", "杭州市/西湖区"), pair("宁波市", ""));
        assert_eq!(chosen("江苏省", "杭州市", "西湖区"), pair("", ""), "the province was changed");
        assert_eq!(chosen("北京市", "", ""), pair("北京市", ""), "there is only one");
        assert_eq!(chosen("湖北省", "仙桃市", ""), pair("仙桃市", "仙桃市"));
        assert_eq!(chosen("", "杭州市", "西湖区"), pair("", ""));
    }
}
