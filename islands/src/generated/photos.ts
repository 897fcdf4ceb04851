// Written from the server's types by its tests.

export type UploaderProps = { 
/**
 * Where photos are sent.
 */
address: string, 
/**
 * Where a small picture of one is, with `*` in the place of a slash and what it is called.
 */
picture: string, 
/**
 * Bytes of one request.
 */
chunk: number, 
/**
 * Over the place where files are chosen.
 */
label: string, 
/**
 * What may be chosen.
 */
hint: string, 
/**
 * Bytes that one file may have.
 */
mostBytes: number, 
/**
 * Bytes that there is room for.
 */
left: number, 
/**
 * Why more does not fit.
 */
noRoom: string, 
/**
 * What to do with HEIC and AVIF, where they are not taken.
 */
heic: string | null, 
/**
 * Whether the photos become fields of the form around the island; else the library is shown anew.
 */
inForm: boolean, 
/**
 * Whether somebody without an account sends them, with the form around the island.
 */
isGuests: boolean, };
