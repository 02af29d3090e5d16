/**
 * An index term of selectors: a label and its value (`app=web`), a label with any value (`app`), or `*` for
 * everything. It is unambiguous: no label key contains `=` or equals `*`.
 */
export type Anchor = string;

export const pairAnchor = (key: string, value: string): Anchor => `${key}=${value}`;

export const keyAnchor = (key: string): Anchor => key;

/** The index term that every object has. */
export const ALWAYS: Anchor = '*';
