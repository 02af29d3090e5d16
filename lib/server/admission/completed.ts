import type { JsonObject } from '../../json/index.ts';

/** A new object with what it is given, or why it may not be. */
export type Completed = { readonly body: JsonObject } | { readonly refusal: string };
