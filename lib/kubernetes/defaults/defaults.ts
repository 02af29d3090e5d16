import type { JsonObject } from '../../json/index.ts';

/**
 * Functions by message name. Each sets defaults that depend on the rest of the message. Inner messages are already
 * complete.
 */
export type Defaults = Readonly<Record<string, (decoded: JsonObject) => void>>;
