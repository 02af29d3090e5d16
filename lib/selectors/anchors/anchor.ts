/**
 * What selectors are found by, without asking each of them: a label and its value (`app=web`), a label whatever its
 * value (`app`), or nothing at all. No label's key holds a `=` or is a `*`.
 */
export type Anchor = string;

export const pairAnchor = (key: string, value: string): Anchor => `${key}=${value}`;

export const keyAnchor = (key: string): Anchor => key;

/** What every object meets. */
export const ALWAYS: Anchor = '*';
