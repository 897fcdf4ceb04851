// Written from the server's types by its tests.
import type { UploaderProps } from "./photos.js";

export type EditorProps = { work: string, feditorType: number, page: number, isFree: boolean, isSingle: boolean, layerMargin: number, uploads: UploaderProps, };
export type EditorDesk = { photos: Array<EditorPhoto>, looks: Array<EditorLook>, };
export type EditorPhoto = { id: string, name: string, width: number, height: number, isUsable: boolean, };
export type EditorLook = { name: string, title: string, paper: string, tint: string, deep: string, light: string, accent: string, empty: string, mat: number, lineWidth: number, lineColour: string, radius: number, roles: { [key in string]: EditorRole }, };
export type EditorRole = { font: string, size: number, bold: boolean, colour: string, tracking: number, indent: number, stretch: number, pitch: number, gap: number, align: string, };
export type EditorFinding = { page: string | null, element: string | null, severity: "note" | "warning" | "serious", message: string, };
export type TextLines = { lines: Array<string>, overflows: boolean, };
