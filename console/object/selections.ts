import { type Selection, WinnowError } from '../../lib/client/objects/index.ts';
import {
  ask,
  type KindInfo,
  kindIdOf,
  METADATA_LIST,
  objectKey,
  objectPath,
  type Row,
} from '../api/index.ts';
import type { Place } from './object-requests.ts';

/** The most nodes of a column. */
export const MOST_NODES = 50;

/** An object in one of the columns. */
export interface Node {
  readonly kind: string;
  readonly kindId: string;
  readonly namespace: string;
  readonly name: string;
  /** The second line of the node: the selector, or the labels of the object. */
  readonly note: string;
}

export interface Column {
  readonly nodes: readonly Node[];
  /** The number of all objects; undefined if it is more than the nodes, and not known. */
  readonly count: number | undefined;
}

/** The key of the question which selectors match a state of an object. */
export function selectedByKey(kind: KindInfo, metadata: Row['metadata']): string {
  const { uid, resourceVersion } = metadata;
  return `selectedby ${objectKey(kind, metadata)} ${uid} ${resourceVersion}`;
}

/** Reads which selectors match an object. */
export async function readSelectedBy({ kind, ...name }: Place, signal: AbortSignal): Promise<Column> {
  const { items } = await ask<{ items: Selection[] }>(`${objectPath(kind, name)}/selectedby`, { signal });
  const nodes = items.slice(0, MOST_NODES).map(({ carrier, metadata, selector, fieldSelector }): Node => {
    const { apiVersion = '', kind: carrierKind = '' } = carrier;
    return {
      kind: carrierKind,
      kindId: kindIdOf(apiVersion, carrierKind),
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      note: [selector || 'every object', fieldSelector].filter(Boolean).join(' and '),
    };
  });
  return { nodes, count: items.length };
}

interface SelectedList {
  readonly apiVersion: string;
  /** The kind of the list, such as `PodList`. */
  readonly kind: string;
  readonly items: readonly {
    readonly metadata: {
      readonly name: string;
      readonly namespace?: string;
      readonly labels?: Record<string, string>;
    };
  }[];
  readonly metadata: { readonly continue?: string };
}

/**
 * Reads what an object selects. `null` if it has no selector.
 *
 * @param targetId the id of the kind of the selected objects, if it is known
 */
export async function readSelected(
  { kind, ...name }: Place,
  targetId: string | undefined,
  signal: AbortSignal,
): Promise<Column | null> {
  const path = `${objectPath(kind, name)}/selected`;
  const asked = (accept: string, limit: number) =>
    ask<SelectedList>(path, { query: { limit: String(limit) }, accept, signal });
  try {
    const { items, metadata } = await asked(METADATA_LIST, MOST_NODES);
    const kindId = items.length === 0 ? '' : (targetId ?? kindOfList(await asked('application/json', 1)));
    const nodes = items.map(({ metadata: { name: one, namespace = '', labels = {} } }): Node => {
      const note = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
      return { kind: '', kindId, namespace, name: one, note: note.join(', ') };
    });
    const isAll = (metadata.continue ?? '') === '';
    return { nodes, count: isAll ? nodes.length : await countSelected(path, signal) };
  } catch (error) {
    // An object without a selector.
    if (error instanceof WinnowError && error.code === 400) return null;
    throw error;
  }
}

/** The id of the kind of a list. A list of metadata does not say it. */
function kindOfList({ apiVersion, kind }: SelectedList): string {
  return kindIdOf(apiVersion, kind.replace(/List$/, ''));
}

/** Counts what an object selects. Undefined if the server cannot count it by its indexes. */
async function countSelected(path: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    const { count } = await ask<{ count: number }>(path, { query: { facets: 'app' }, signal });
    return count;
  } catch (error) {
    if (error instanceof WinnowError && error.code !== 403) return undefined;
    throw error;
  }
}
