import type { JsonObject } from '../json/index.ts';
import { decodeText } from './body-codec.ts';
import type { ObjectState } from './object.ts';
import type { Attribute } from './table.ts';

/** The key of a stored state's text. A copy of a state has no text, because it may have another body. */
const TEXT = Symbol('text');

/** A state as a row holds it. Its body is decompressed and parsed when it is first used. */
export function storedState(known: Omit<ObjectState, 'body'>, encoded: Attribute | undefined): ObjectState {
  let text: string | undefined;
  let parsed: JsonObject | undefined;
  const textOf = (): string => {
    text ??= decodeText(encoded);
    return text;
  };
  const state: ObjectState = {
    ...known,
    get body() {
      parsed ??= JSON.parse(textOf()) as JsonObject;
      return parsed;
    },
  };
  // Not enumerable, so that a copy does not have it.
  return Object.defineProperty(state, TEXT, { value: textOf });
}

/**
 * The JSON text of a state's body, as `JSON.stringify` wrote it for the row. Undefined if the state does not come from a
 * row, or was changed after it was read.
 */
export function storedText(state: ObjectState): string | undefined {
  return (state as { readonly [TEXT]?: () => string })[TEXT]?.();
}
