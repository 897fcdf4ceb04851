mod alipay;
mod wechatpay;
