// 扫码登录: follows what the phone answers. The code itself is drawn by the server.
import "../runtime/base.js";
import type { ReactElement } from "react";
import type { QrLoginProps } from "../generated/accounts.js";
import { QrLogin } from "./QrLogin.js";

export default function draw({ ask, left }: QrLoginProps): Promise<ReactElement> {
  return Promise.resolve(<QrLogin ask={ask} left={left} />);
}
