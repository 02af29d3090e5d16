import { fieldPathOf } from '../../lib/json/index.ts';
import { valueText } from '../selector/index.ts';
import type { KubeObject } from '../what-if/index.ts';

/** A change of an object, as its history tells it. */
export interface Change {
  readonly resourceVersion: string;
  readonly previousResourceVersion?: string;
  /** RFC 3339. */
  readonly time: string;
  readonly type: 'Created' | 'Updated' | 'Deleted';
  /** Absent for Winnow's own writes. */
  readonly user?: string;
  readonly manager?: string;
  readonly cause?: string;
  readonly auditID?: string;
  readonly patch: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[];
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

/** A page of a history, newest first. */
export interface ChangePage {
  readonly items: readonly Change[];
  readonly metadata: { readonly continue?: string };
  /** Why the history ends here. */
  readonly end?: string;
}

/** A changed field, for a line of the timeline. */
export interface ChangedField {
  readonly how: 'added' | 'removed' | 'changed';
  readonly field: string;
  /** The new value, shortened. Empty for a removed field. */
  readonly value: string;
}

const LONGEST = 48;
/** Paths of a patch that say nothing to the user: the whole object, and the number that counts changes. */
const UNSAID = ['', '/metadata/generation'];
const WHOLE_MAPS = ['/metadata/labels', '/metadata/annotations'];
const HOW: Readonly<Record<string, ChangedField['how']>> = {
  add: 'added',
  remove: 'removed',
  replace: 'changed',
};

/** The fields that a change set. */
export function changedFields({ patch }: Change): readonly ChangedField[] {
  return patch.flatMap(({ op, path, value }) => {
    if (UNSAID.includes(path)) return [];
    const how = HOW[op] ?? 'changed';
    const field = fieldPathOf(path);
    if (!WHOLE_MAPS.includes(path) || typeof value !== 'object' || value === null) {
      return { how, field, value: shortened(value) };
    }
    return Object.entries(value).map(([key, one]) => ({
      how,
      field: `${field}.${key}`,
      value: shortened(one),
    }));
  });
}

/** Why a history shows no older changes, as a sentence. Empty if it begins with the creation of the object. */
export function endOf(end: string | undefined): string {
  return ENDS[end ?? ''] ?? '';
}

const ENDS: Readonly<Record<string, string>> = {
  Expired: 'Older changes have expired.',
  Missing: 'Older changes are not recorded.',
  NotVisible: 'Older changes are not shown, because you may not see the object before them.',
  Redefined: 'Older changes belong to a former definition of the kind.',
};

/** A value as a text of at most as many characters; the rest is cut. */
export function shortened(value: unknown, most = LONGEST): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? valueText(value) : JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
