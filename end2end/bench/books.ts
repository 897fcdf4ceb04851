// Books for measurements, made of operations as the editor sends them: every page is known to a millimetre.
import { randomUUID } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ReaderPage } from "../pages/ReaderPage.js";
import { SignInPage } from "../pages/SignInPage.js";
import { addMember } from "../support/members.js";
import { type File as Photo, photo } from "../support/photos.js";
import type { Server } from "../support/server.js";

/** Something that stands on a page. */
export type Part = Record<string, unknown> & { kind: "photo" | "text" | "shape" };

interface Current {
  revision: number;
  document: { pages: { id: string; elements: { id: string }[] }[] };
}

type Operation = Record<string, unknown> & { op: string };

/** The photos of a folder, or painted ones. */
export async function files(folder?: string): Promise<Photo[]> {
  if (!folder) return Array.from({ length: 20 }, (_, place) => photo(`${place}.jpg`, 1600, 1200));
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jpg")).sort();
  return Promise.all(names.map(async (name) => ({ name, mimeType: "image/jpeg", buffer: await readFile(join(folder, name)) })));
}

/** A new member, signed in. */
export async function signIn(page: Page, server: Server): Promise<void> {
  const member = await addMember(server.data);
  const door = new SignInPage(page);
  await door.open();
  await door.signIn(member.account, member.password);
  await page.waitForURL("**/manager/make_ebook");
}

/** Sends photos, and answers their ids. */
export async function upload(page: Page, photos: Photo[]): Promise<string[]> {
  const known = new Set<string>();
  for (const photo of photos) {
    const form = new FormData();
    form.append("photos", new File([new Uint8Array(photo.buffer)], photo.name, { type: photo.mimeType }));
    await page.request.post("/manager/photos", { multipart: form, timeout: 120_000 });
    const library = await (await page.request.get("/manager/photos")).text();
    for (const [, id = ""] of library.matchAll(/\/manager\/photo\/([^/"]+)\/320/g)) known.add(id);
  }
  if (known.size !== photos.length) throw new Error(`${known.size} of ${photos.length} photos are in the library`);
  return [...known];
}

/** A square album with so many pages, and on each of them what `parts` says; answers its id. */
export async function book(page: Page, title: string, pages: number, parts: (number: number) => Part[]): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ format: "square-210", theme: "calm", title, author: "林知夏", blank: "1" })) form.append(name, value);
  const made = await page.request.post("/manager/make_ebook", { multipart: form });
  const work = /\/manager\/opus\/([^/?]+)/.exec(made.url())?.[1];
  if (!work) throw new Error(`the album was answered with ${made.url()}`);
  const blank = (await current(page, work)).document.pages;
  const first = blank[0]?.id ?? "";
  // two at a time behind the first page: the last one stays the last
  const pairs = Array.from({ length: (pages - blank.length) / 2 }, () => ({ op: "insert", page: first, pages: [empty(), empty()] }));
  await edit(page, work, pairs);
  const { document } = await current(page, work);
  if (document.pages.length !== pages) throw new Error(`the album has ${document.pages.length} pages`);
  const cleared = document.pages.flatMap(({ id, elements }) => elements.map((element) => ({ op: "remove", page: id, element: element.id })));
  const filled = document.pages.flatMap(({ id }, place) => parts(place + 1).map((part) => ({ op: "add", page: id, element: { id: randomUUID(), ...part } })));
  await edit(page, work, [...cleared, ...filled]);
  return work;
}

/** Lets everybody read a work, and answers where. */
export async function share(page: Page, work: string): Promise<string> {
  await page.goto(`/manager/opus/${work}`);
  return new URL(await new ReaderPage(page).publish()).pathname;
}

const empty = () => ({ id: randomUUID(), elements: [] });

async function current(page: Page, work: string): Promise<Current> {
  const answer = await page.request.get(`/works/document?workID=${work}`);
  return ((await answer.json()) as { data: Current }).data;
}

async function edit(page: Page, work: string, operations: Operation[]): Promise<void> {
  if (operations.length === 0) return;
  const { revision } = await current(page, work);
  const form = { workID: work, base: String(revision), operations: JSON.stringify(operations.map((operation) => ({ id: randomUUID(), ...operation }))) };
  const answer = await page.request.post("/works/edit", { form, headers: { accept: "application/json" }, timeout: 120_000 });
  if (!answer.ok()) throw new Error(`an edit was answered with ${answer.status()}: ${await answer.text()}`);
}
