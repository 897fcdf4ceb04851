// Written from the server's types by its tests.

export type QrLoginProps = { 
/**
 * The signed question.
 */
ask: string, 
/**
 * How long the code is good for, in ms from now.
 */
left: number, 
/**
 * What both screens show.
 */
number: number, };
