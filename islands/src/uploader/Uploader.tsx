import { effect } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import type { UploaderProps } from "../generated/photos.js";
import { bytes } from "./bytes.js";
import { SIGN_IN } from "../runtime/problem.js";
import { type Sending, type State, count, isOver } from "./File.js";
import { Uploads } from "./Model.js";
import { Lacking, Made, Refused } from "./Notices.js";
import { holdGuests } from "./guests.js";
import { holdForm, refreshLibrary } from "./surroundings.js";

interface Props {
  props: UploaderProps;
  host: HTMLElement;
  /** The file input of the page, which somebody may just be choosing with. */
  plain: HTMLInputElement | null;
}

/** Photos are sent as soon as they are chosen; a guest's, with their form. */
export function Uploader({ props, host, plain }: Props) {
  useSignals();
  const [model] = useState(() => new Uploads(props));
  const left = model.left.value;
  useEffect(() => {
    const take = () => {
      model.add(plain?.files ?? []);
    };
    take();
    // its chooser may still be open
    plain?.addEventListener("change", take);
    return () => plain?.removeEventListener("change", take);
  }, [model, plain]);
  useEffect(() => {
    if (props.isGuests) return holdGuests(host.closest("form"), model);
    if (props.inForm) return holdForm(host.closest("form"), model);
    let shown = 0;
    return effect(() => {
      const count = model.photos.value.length;
      if (!model.isOver.value || count === shown) return;
      shown = count;
      void refreshLibrary();
    });
  }, [host, model, props.inForm, props.isGuests]);
  useEffect(() => {
    // a picture from the clipboard, but not into a field that somebody types in
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])].filter((file) => file.type.startsWith("image/"));
      if (files.length > 0) model.add(files);
    };
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("paste", paste);
    };
  }, [model]);
  return (
    <div className="field tile uploader">
      <label htmlFor="photos">{props.label}</label>
      <p className="hint" id="photos-hint">
        {props.hint}
        {!props.isGuests && `，还可存 ${bytes(left)}`}
      </p>
      <input
        id="photos"
        className="input"
        type="file"
        accept="image/jpeg,image/png,image/webp"
        multiple
        aria-describedby="photos-hint"
        onChange={({ target }) => {
          model.add(target.files ?? []);
          // the same files may be chosen again
          target.value = "";
        }}
      />
      <Progress model={model} props={props} />
      {props.inForm && <Fields model={model} host={host} />}
    </div>
  );
}

/** The photos as fields of the form around, which hears of each. */
function Fields({ model, host }: { model: Uploads; host: HTMLElement }) {
  useSignals();
  const photos = model.photos.value;
  useEffect(() => {
    host.dispatchEvent(new Event("change", { bubbles: true }));
  }, [host, photos]);
  return photos.map((id) => <input key={id} type="hidden" name="photo" value={id} />);
}

/** What was chosen, as it comes; each can be taken out. A guest's page has a list of those that are there. */
function Thumbs({ model, props }: { model: Uploads; props: UploaderProps }) {
  useSignals();
  const isListed = (item: Sending) => props.isGuests && (item.photo.value !== "" || isOver(item.state.value));
  const items = model.items.value.filter((item) => item.state.value !== "refused" && !isListed(item));
  if (items.length === 0) return null;
  return (
    <ul className="thumbs" aria-label={`放进来的照片，${items.length} 张`}>
      {items.map((item) => (
        <Thumb key={item.key} item={item} model={model} picture={props.picture} />
      ))}
    </ul>
  );
}

function Thumb({ item, model, picture }: { item: Sending; model: Uploads; picture: string }) {
  useSignals();
  const photo = item.photo.value;
  const part = item.file.size > 0 ? item.sent.value / item.file.size : 0;
  return (
    <li className={isOver(item.state.value) ? undefined : "coming"}>
      {photo ? (
        <img src={picture.replace("*", `/${photo}`)} alt={item.file.name} width="160" height="160" loading="lazy" />
      ) : (
        <span className="wait">{item.file.name}</span>
      )}
      {!isOver(item.state.value) && <progress aria-hidden="true" max={1} value={part} />}
      <button type="button" aria-label={`不放 ${item.file.name}`} onClick={() => model.remove(item)}>
        ×
      </button>
    </li>
  );
}

function Progress({ model, props }: { model: Uploads; props: UploaderProps }) {
  useSignals();
  const items = model.items.value;
  if (items.length === 0) return null;
  const isShown = props.inForm || props.isGuests;
  if (model.isHeld.value) {
    return (
      <div className="sending">
        <p className="hint num" role="status">
          选好了 {items.length} 张，写好名字就可以发送
        </p>
        <Refused model={model} />
        <Thumbs model={model} props={props} />
      </div>
    );
  }
  const isOver = model.isOver.value;
  const isPaused = model.isPaused.value;
  const problem = model.problem.value;
  const isSignedOut = model.isSignedOut.value;
  return (
    <div className="sending">
      {!isOver && <Total model={model} />}
      <p className="hint num" role="status">
        <Summary model={model} isGuests={props.isGuests} />
      </p>
      {problem && (
        <p className="error" role="alert">
          {problem} {isSignedOut && <a href={SIGN_IN.href} target="_blank">{SIGN_IN.text}</a>}
        </p>
      )}
      {!isOver && (
        <button type="button" className="button" onClick={() => (isPaused ? model.resume() : model.pause())}>
          {isPaused ? "继续" : "暂停"}
        </button>
      )}
      <Made model={model} />
      <Lacking model={model} />
      <Refused model={model} />
      {isShown && <Thumbs model={model} props={props} />}
      <ul className="sendings">
        {items.map((item) => (
          <Row key={item.key} item={item} isPaused={isPaused} isQuiet={isShown} />
        ))}
      </ul>
    </div>
  );
}

/** The real one, in bytes. */
function Total({ model }: { model: Uploads }) {
  useSignals();
  return <progress aria-label="上传进度" max={model.bytesAll.value} value={model.bytesSent.value} />;
}

/** Read out when a file is over, not with every byte. */
function Summary({ model, isGuests }: { model: Uploads; isGuests: boolean }) {
  useSignals();
  const items = model.items.value;
  const [known, taken] = [count(items, "known"), count(items, "taken")];
  const place = isGuests ? "之前发过" : "素材里已有";
  const note = known > 0 ? `${known} 张${place}，没有重传。` : "";
  if (model.isOver.value) return taken > 0 ? `已上传 ${taken} 张照片。${note}` : note;
  const word = model.isPaused.value ? "已暂停，" : "";
  return (
    <>
      {word}已完成 {model.filesOver.value} / {items.length} 张
      <Bytes model={model} />
    </>
  );
}

function Bytes({ model }: { model: Uploads }) {
  useSignals();
  return (
    <span aria-hidden="true">
      ，{bytes(model.bytesSent.value)} / {bytes(model.bytesAll.value)}
    </span>
  );
}

const WORDS: Partial<Record<State, string>> = { checking: "正在核对", sending: "正在上传", retrying: "网络断了，正在重试" };

/** What is under way; the rest is a number above. */
function Row({ item, isPaused, isQuiet }: { item: Sending; isPaused: boolean; isQuiet: boolean }) {
  useSignals();
  const state = item.state.value;
  const sent = item.sent.value;
  const word = WORDS[state];
  // beside its picture only trouble is worth a word
  if (!word || (isQuiet && state !== "retrying")) return null;
  return (
    <li>
      <span>{item.file.name}</span>
      <span className="hint num">
        {isPaused ? "已暂停" : word}
        {state === "sending" && `，${bytes(sent)} / ${bytes(item.file.size)}`}
      </span>
    </li>
  );
}
