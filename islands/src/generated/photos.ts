// Written from the server's types by its tests.

export type UploaderProps = { 
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
 * Bytes that the member has room for.
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
inForm: boolean, };
