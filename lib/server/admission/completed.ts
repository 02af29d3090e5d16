import type { JsonObject } from '../../json/index.ts';

/** A new object with its defaults, or the reason for a refusal. */
export type Completed = { readonly body: JsonObject } | { readonly refusal: string };
