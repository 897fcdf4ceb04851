// Written from the server's types by its tests.
import type { QrLoginProps } from "./accounts.js";
import type { PrintOptionsProps } from "./cart.js";
import type { UploaderProps } from "./photos.js";
import type { EditorProps } from "./works.js";

export type Island = { "name": "editor", "props": EditorProps } | { "name": "print-options", "props": PrintOptionsProps } | { "name": "qr-login", "props": QrLoginProps } | { "name": "uploader", "props": UploaderProps };
