//! What the numbers of the statistics page mean, said on the page itself.

use leptos::prelude::*;

/// The definitions, as members read them.
#[component]
pub fn Definitions() -> impl IntoView {
    view! {
        <section class="part" aria-labelledby="definitions">
            <h2 id="definitions">"这些数字怎样数"</h2>
            <dl class="definitions">
                <dt>"打开"</dt>
                <dd>"有人从外面来到作品或刊物，算一次；在里面翻页不再算。不用 JavaScript 的读者也算。"</dd>
                <dt>"阅读"</dt>
                <dd>"一页在屏幕上停留 1 秒以上，算一页次。并排的两页各算各的；同一次打开的同一页只算一次。"</dd>
                <dt>"稿件"</dt>
                <dd>"有人打开一篇稿件的页面，或者在版面上点了它，算一次；同一位读者来一次，同一篇只算一次。"</dd>
                <dt>"读者"</dt>
                <dd>
                    "一天里不同的人。登录的读者按账号算，准确；没有登录的，同一个网络里同一种浏览器算一个人。"
                    "隔天的人无从相认，所以几天的读者加起来只是人次，不是人数；多日显示每天的平均、最多的一天和人次。"
                </dd>
                <dt>"平均每页"</dt>
                <dd>"看一页的平均时间，切到别处不算；一次最多算 10 分钟。"</dd>
                <dt>"来源、设备"</dt>
                <dd>"按打开的次数。来源是上一个网页的域名，或者微信这样的应用；没有说明的算直接打开。"</dd>
                <dt>"地区"</dt>
                <dd>"网站有地区资料时才有：网络地址所在的省份，国外是国家。只记这个名字，不记地址。"</dd>
                <dt>"销售"</dt>
                <dd>"付了款的销售减去退款，按付款的日子。选了一件作品时，是它单独卖出的，加上含有它的套餐（整份的金额）。"</dd>
                <dt>"不算的"</dt>
                <dd>"您自己；搜索引擎和别的程序；浏览器预先取来、没有给人看的页面；离线阅读。"</dd>
                <dt>"读者的隐私"</dt>
                <dd>
                    "不为统计使用 Cookie，不保存读者的网络地址和浏览器名称。一天里的读者用一个每天更换的随机数区分，"
                    "它和由它算出的记号最多保留 48 小时，然后删除，谁也不能再认出谁。数字每隔几秒入库；服务器突然断电，会少最后几秒。"
                </dd>
            </dl>
        </section>
    }
}
