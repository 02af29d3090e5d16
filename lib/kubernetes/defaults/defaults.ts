import type { JsonObject } from '../../json/index.ts';

/** By the name of a message: fills in what depends on the rest of it. The inner messages are complete. */
export type Defaults = Readonly<Record<string, (decoded: JsonObject) => void>>;
