// 上传: photos that are sent piece by piece and go on after a dropped line or another page.
import "../runtime/base.js";
import type { ReactElement } from "react";
import type { UploaderProps } from "../generated/photos.js";
import { Uploader } from "./Uploader.js";

export default function draw(props: UploaderProps, host: HTMLElement): Promise<ReactElement> {
  const plain = host.querySelector<HTMLInputElement>("input[type=file]");
  return Promise.resolve(<Uploader props={props} host={host} plain={plain} />);
}
