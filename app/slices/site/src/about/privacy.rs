//! What the program keeps about people, and why. Whoever adds a column with somebody's data adds it here.

use domain::payment::Method;
use leptos::prelude::*;

use super::Frame;
use platform::app::App;

const PATH: &str = "/about/privacy";

/// GET /about/privacy
#[component]
pub fn PrivacyPage() -> impl IntoView {
    let shared = use_context::<App>().map(|app| shared(&app));
    view! {
        <Frame at=PATH>
            <header>
                <h1>"隐私"</h1>
                <p class="lead">
                    "这里写的是书坊的程序实际保存什么。没有广告，没有第三方统计；网页不向别的网站请求任何东西，浏览器也被要求拦下这样的请求。"
                </p>
            </header>
            <section>
                <h2>"保存什么，为什么"</h2>
                <dl class="words">
                    <dt>"账户"</dt>
                    <dd>
                        "手机号、邮箱、显示的名字、会员编号、邀请码、邀请您的会员、会员等级与到期日。密码只存 argon2id 算出的摘要，我们自己也看不到原文。开启两步验证时另存加密过的密钥和恢复码的摘要，关闭即删除。"
                    </dd>
                    <dt>"登录"</dt>
                    <dd>
                        "登录状态记在服务器上，最长 30 天，程序令牌最长一年；退出登录即删除。每次登录记下设备名称、网络地址和时间，以及最近使用的时间（每小时至多记一次）；在“资料”里看得到全部登录，可以逐个退出。登录记录保留 90 天，登录成功和没有成功的各最近 100 条：时间、方式、设备名称、网络地址和结果，只给您自己看；输入过的密码从不保存。扫码登录时记下手机上的回答。尝试登录时记下账号、网络地址和失败次数，用来挡住猜密码的人；一小时前的失败不再计入，最多一天后删除。"
                    </dd>
                    <dt>"头像"</dt>
                    <dd>
                        "从上传的照片中间裁出的小方图，不含拍摄信息，只给您自己看；上传的照片本身不保存。换掉或移除后，旧图随即从服务器上删除。"
                    </dd>
                    <dt>"验证码和通知"</dt>
                    <dd>
                        "要发给您的验证码和通知，发出后立即删除；没发出的，验证码最多留 10 分钟，通知最多留一天。核对用的只是验证码的摘要，用过或过了 10 分钟就删除。往哪个手机号或邮箱、从哪个网络地址发过几次，最多记一天，用来挡住滥发。"
                    </dd>
                    <dt>"照片"</dt>
                    <dd>
                        "原文件连同文件名、尺寸和拍摄时间。原文件里若有拍摄地点，也随原文件保存；网页上的小图和页面图都不含这些信息。"
                    </dd>
                    <dt>"作品"</dt>
                    <dd>"版面、书名、作者、图注，以及每一次保存的版本，便于回到从前。"</dd>
                    <dt>"购物车与订单"</dt>
                    <dd>
                        "所选商品、选项、数量、备注；订单另存一份下单时的版面、价格和收货地址，印刷和售后以它为准。"
                    </dd>
                    <dt>"收货地址"</dt>
                    <dd>"收件人、电话、地址，用来寄书和算运费。在“收货地址”里可以修改和删除。"</dd>
                    <dt>"余额"</dt>
                    <dd>"每一笔进出的金额、时间和用途。账目只增不改。"</dd>
                    <dt>"付款与发票"</dt>
                    <dd>
                        "从外部付款时记下方式、金额、时间和支付机构给的流水号。发票记下抬头、税号、接收邮箱和开好的文件；保存的抬头可以修改和删除。"
                    </dd>
                    <dt>"阅读统计"</dt>
                    <dd>
                        "公开的作品和刊物被打开、被阅读的次数，按天和页相加，给它的作者看；连同来源网站、设备种类、书里搜过的词，站点备有地区资料时还有省份。不为此使用 Cookie，不保存读者的网络地址和浏览器名称；一天里的读者用一个每天更换的随机数区分，48 小时内删除。"
                    </dd>
                    <dt>"微信"</dt>
                    <dd>
                        "开通了微信登录的站点上：绑定微信时记下微信给出的标识和昵称，以及绑定的时间，解绑即删除。登录时浏览器会去往微信的页面，程序凭授权码向微信询问您是谁，不告诉微信别的。"
                    </dd>
                </dl>
            </section>
            <section>
                <h2>"浏览器里存什么"</h2>
                <p>
                    "登录后有一个名为 bindery 的 Cookie，只用来认出您，脚本读不到它。名为 bindery_styles 的 Cookie 记着这个浏览器已经收到哪些样式文件，不记是谁。登录页另有一个名为 bindery_qr 的 Cookie，只用于扫码登录，关闭浏览器就消失。登录过的浏览器还有一个名为 bindery_known 的 Cookie，保留一年，只用来在别人猜您的密码时不把您挡在外面。只用 https 的站点上，这些名称前面都有 __Host-。部分页面会把界面状态存在浏览器本地，名称以 desk 开头，只留在您的设备上；登录页会这样记住您选的方式和填过的账号，从不记密码，退出登录时清除。"
                </p>
                <p>"用微信登录时有一个名为 bindery_weixin 的 Cookie，只用来核对这次登录是您开始的，10 分钟内有效，回来即删除。"</p>
            </section>
            <section>
                <h2>"谁看得到"</h2>
                <p>
                    "照片、作品和订单只有您自己的账户能打开。为了印刷和寄送，经营者会取出订单的印刷文件、收货地址和备注；经营者管理着服务器，也有能力看到其余资料。"
                    {shared}
                </p>
            </section>
            <section>
                <h2>"服务器日志"</h2>
                <p>
                    "每个请求记一行：时间、方法、路径、状态码、用时和请求编号。不记网络地址，不记浏览器型号，不记表单内容。"
                </p>
            </section>
            <section>
                <h2>"删除"</h2>
                <p>
                    "在“资料”页的最下面可以"<a href="/manager/userInfo/closing">"注销账户"</a>
                    "：照片、作品和版本、PDF、购物车、收货地址、发票抬头、头像、微信绑定、两步验证、登录记录、名字、手机号和邮箱都会删除。登录立即失效，文件在一天左右删完，画好的页面图最迟三十天；此前做的备份里还有，随备份过期。还有未结束的订单、余额、在途的付款或退款、没开出的发票时，要先办完它们。"
                </p>
                <p>
                    "依法保留的有：订单连同它印刷和售后要用的版面、照片和收货信息，从交易完成起至少三年（《电子商务法》第三十一条）；发票、付款和账目，作为会计资料保存更久。它们不再与您的名字、手机号或邮箱相连，只有经营者看得到。"
                </p>
                <p>
                    "只想查看、更正或删除一部分资料，页面上又办不到的，请"<a href="/about/contact">"联系我们"</a>"。"
                </p>
            </section>
        </Frame>
    }
}

/// Who else is given something: the providers that the host has configured.
fn shared(app: &App) -> String {
    let delivery = &app.config.delivery;
    let messages = match (delivery.mails(), delivery.texts()) {
        (false, false) => "",
        (true, false) => "发送验证码和通知时，您的邮箱和那封邮件会交给邮件服务商。",
        (false, true) => "发送验证码和通知时，您的手机号和那条短信会交给短信服务商。",
        (true, true) => "发送验证码和通知时，您的邮箱或手机号和那条消息会交给邮件或短信服务商。",
    };
    let is_provider = |method| matches!(method, Method::Wechat | Method::Alipay);
    let asks_provider = payments::ways(app).is_ok_and(|ways| ways.all().any(is_provider));
    let payments = if asks_provider {
        "用微信支付或支付宝付款时，付款的编号、金额和“书坊订单”或“书坊账户充值”字样会交给它们。"
    } else {
        ""
    };
    let besides = if messages.is_empty() && payments.is_empty() { "" } else { "除此之外，" };
    format!("{messages}{payments}{besides}程序不把任何资料发给第三方。")
}
