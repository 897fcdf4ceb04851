// Written from the server's types by its tests.
import type { QrLoginProps } from "./accounts.js";
import type { PrintOptionsProps } from "./cart.js";
import type { UploaderProps } from "./photos.js";

export type Island = { "name": "print-options", "props": PrintOptionsProps } | { "name": "qr-login", "props": QrLoginProps } | { "name": "uploader", "props": UploaderProps };
