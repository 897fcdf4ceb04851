// Written from the server's types by its tests.
import type { UploaderProps } from "./photos.js";

export type EditorProps = { 
/**
 * The work's id.
 */
work: string, 
/**
 * 11 documents, 12 albums, 13 calendars (specification section 2).
 */
feditorType: number, 
/**
 * The page that is shown first: 0 is the cover.
 */
page: number, 
/**
 * Whether the work's pages may be added, left out and moved.
 */
isFree: boolean, 
/**
 * Whether its pages hang one by one, as a calendar's.
 */
isSingle: boolean, 
/**
 * How far the picture of an element reaches past its frame, in mm.
 */
layerMargin: number, 
/**
 * The margins that layouts keep, in mm: what is moved is drawn to them.
 */
pageMargin: number, 
/**
 * The address of a picture of all ornaments, side by side.
 */
ornaments: string, 
/**
 * The whole cover, where it has a back.
 */
cover: EditorCover | null, 
/**
 * Photos that are dropped here.
 */
uploads: UploaderProps, 
/**
 * The newest revision and its document, for whoever sees the page for the first time.
 */
revision: number, document: unknown, 
/**
 * What the work shows.
 */
shown: Array<EditorPhoto>, looks: Array<EditorLook>, };

export type EditorCover = { above: number, right: number, width: number, height: number, 
/**
 * The binding that makes it so.
 */
binding: string, };

export type EditorDesk = { 
/**
 * The newest of the library.
 */
newest: EditorPhotos, 
/**
 * What the work shows.
 */
shown: Array<EditorPhoto>, looks: Array<EditorLook>, };

export type EditorPhotos = { 
/**
 * The newest first.
 */
photos: Array<EditorPhoto>, 
/**
 * Whether there are older ones.
 */
isFurther: boolean, };

export type EditorPhoto = { id: string, 
/**
 * Its file's name.
 */
name: string, 
/**
 * Of the upright photo, in pixels.
 */
width: number, height: number, 
/**
 * Whether it may be put on a page: it is whole, and in the library.
 */
isUsable: boolean, 
/**
 * When it was taken by the clock on the wall, in ms since 1970 as if that were UTC.
 */
takenAt: number | null, 
/**
 * Whether somebody is in it, as far as that was looked for.
 */
hasFaces: boolean, 
/**
 * What is weak of it, in a word; empty where nothing is.
 */
flaw: string, };

export type EditorLook = { name: string, 
/**
 * What members read.
 */
title: string, paper: string, tint: string, deep: string, 
/**
 * Of words on the deep ground.
 */
light: string, accent: string, 
/**
 * The same on the deep ground.
 */
accentOnDeep: string, 
/**
 * Of a frame without its photo.
 */
empty: string, 
/**
 * The white border around a photo.
 */
mat: number, 
/**
 * A line around a photo: 0 is none.
 */
lineWidth: number, lineColour: string, 
/**
 * Of a photo's corners.
 */
radius: number, roles: { [key in string]: EditorRole }, };

export type EditorRole = { font: string, 
/**
 * On a page of 200 mm.
 */
size: number, bold: boolean, colour: string, tracking: number, indent: number, 
/**
 * How much of the page's own size counts.
 */
stretch: number, 
/**
 * From one line to the next.
 */
pitch: number, 
/**
 * Between paragraphs, beyond that.
 */
gap: number, align: string, };

export type EditorFinding = { 
/**
 * The page's id; nothing where it is about the whole book.
 */
page: string | null, element: string | null, 
/**
 * `note`, `warning`, `serious`.
 */
severity: "note" | "warning" | "serious", message: string, };

export type EditorWay = { 
/**
 * The word for forms and pictures.
 */
code: string, 
/**
 * What members read.
 */
title: string, 
/**
 * What the pages would be.
 */
pages: unknown[], };

export type EditorStyles = { styles: Array<EditorStyle>, 
/**
 * Why there are none, in a sentence; empty where there are.
 */
reason: string, };

export type EditorStyle = { 
/**
 * The word for calls and pictures.
 */
code: string, 
/**
 * What members read.
 */
name: string, hint: string, 
/**
 * How many pages the book would have.
 */
pages: number, 
/**
 * Whether it is so already.
 */
isNow: boolean, 
/**
 * The left-hand pages of the pairs that show it, by their numbers; 0 is the cover, which stands with the first page. Of a
 * book that is set anew, none.
 */
shown: number[], 
/**
 * Why it can't be so, in a sentence; empty where it can.
 */
reason: string, };

export type EditorFilling = { 
/**
 * What those pages would be that change.
 */
pages: unknown[], 
/**
 * The photos that come to them.
 */
photos: Array<EditorPhoto>, 
/**
 * Why there are none, in a sentence; empty where there are.
 */
reason: string, };

export type EditorBetter = { photos: Array<EditorBetterPhoto>, 
/**
 * Why there are none, in a sentence; empty where there are.
 */
reason: string, };

export type EditorBetterPhoto = { photo: EditorPhoto, 
/**
 * What is better of it, in a word each.
 */
merits: Array<string>, 
/**
 * The part of it that the frame would show.
 */
crop: { x: number; y: number; width: number; height: number }, };

export type TextLines = { 
/**
 * What stands on each line.
 */
lines: Array<string>, 
/**
 * Whether it is longer than its frame.
 */
overflows: boolean, };
