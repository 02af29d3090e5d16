import { isJsonObject, type JsonObject, metadataOf, type ObjectName } from '../json/index.ts';
import type { Labels } from '../selectors/index.ts';
import { decodeText } from './body/index.ts';
import type { IndexedSelector } from './indexed-selector.ts';
import type { Attribute } from './table.ts';

/** An object at one resourceVersion. Shared by caches: never mutate it. */
export interface ObjectState {
  readonly name: ObjectName;
  /** The resourceVersion; 0 for a dry run of a create, which allots no resourceVersion. */
  readonly rv: number;
  readonly uid: string;
  readonly labels: Labels;
  /** The whole Kubernetes object except `metadata.resourceVersion`. */
  readonly body: JsonObject;
  /**
   * The newest resourceVersion that changed more than `status` and `metadata.managedFields`. Present only if the state
   * was read from the object's row, and that row is known to have one.
   */
  readonly mainRv?: number;
  /**
   * The uids of owners for which the object has an owner row: those of references written since owner rows exist.
   * Present only if the state was read from the object's row.
   */
  readonly trackedOwners?: readonly string[];
  /** The object's reservations. Present only if the state was read from the object's row. */
  readonly reserved?: readonly string[];
  /**
   * The postings of the object's selectors, if it has any. Present only if the state was read from the object's row.
   */
  readonly anchored?: readonly IndexedSelector[];
  /** Present only if the state was read from the object's row, and its body is in chunk rows. */
  readonly apart?: BodyApart;
}

/** The chunk rows of an object's body, and the state before that the object's row keeps besides them. */
export interface BodyApart {
  readonly chunks: string;
  /** When the chunks were written, in ms since the epoch. */
  readonly since: number;
  readonly former?: FormerState;
}

/** An earlier state, encoded or in chunk rows. */
interface FormerState {
  readonly body?: string | Uint8Array;
  readonly chunks?: string;
  readonly rv: number;
}

/** The object as clients see it: its body with `metadata.resourceVersion`. */
export function toObject(state: ObjectState): JsonObject {
  if (state.rv === 0) return state.body;
  return { ...state.body, metadata: { ...metadataOf(state.body), resourceVersion: String(state.rv) } };
}

/** A state from a body: uid and labels are read from its metadata. */
export function stateOf(name: ObjectName, rv: number, body: JsonObject): ObjectState {
  const metadata = metadataOf(body);
  const labels = isJsonObject(metadata.labels) ? (metadata.labels as Labels) : {};
  return { name, rv, uid: String(metadata.uid ?? ''), labels, body };
}

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
