import { styleText } from 'node:util';
import { fieldPathOf, isJsonObject, type JsonValue } from '../../lib/json/index.ts';
import type { HistoryItem, PatchOperation } from './read-history.ts';

/** The most fields that a line names, and the most characters of a value. */
const MOST_FIELDS = 3;
const LONGEST_VALUE = 40;

const COLOURS = {
  Created: 'green',
  Entered: 'green',
  Deleted: 'red',
  Left: 'red',
  Updated: 'yellow',
  Changed: 'yellow',
} as const;
/** Paths of a patch that a line leaves out: the whole object, and the number that counts changes. */
const UNSAID = ['', '/metadata/generation'];
const MAPS = ['/metadata/labels', '/metadata/annotations'];
const SIGNS: Readonly<Record<string, string>> = { add: '+', remove: '-', replace: '~' };

/** Control characters and marks of direction, by which a value could forge lines or colors of a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A change on one line: time, resourceVersion, type, object, user, and the changed fields. */
export function changeLine(item: HistoryItem): string {
  const { time, resourceVersion, type, object, user = 'Winnow', manager, cause } = item;
  const place = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
  const by = manager === undefined ? user : `${user} (${manager})`;
  const why = cause === undefined ? '' : `  "${shortened(cause)}"`;
  const version = styleText('dim', resourceVersion);
  const what = styleText(COLOURS[type], type.padEnd(7));
  const fields = changedFields(item.patch);
  return `${shownTime(time)}  ${version}  ${what}  ${place}  ${by}${fields === '' ? '' : `  ${fields}`}${why}`;
}

/** A time without fractions of seconds. */
const shownTime = (time: string) => time.replace(/\.\d+(?=Z$)/, '');

/** The changed fields with their new values: `+labels.tier=web, -spec.paused`. Empty for a create and a delete. */
export function changedFields(patch: readonly PatchOperation[]): string {
  const operations = patch.filter(({ path }) => !UNSAID.includes(path)).flatMap(eachKey);
  const shown = operations.slice(0, MOST_FIELDS).map(fieldOf);
  const rest = operations.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

/** A patch that adds all labels or annotations at once, as one that adds each. */
function eachKey(operation: PatchOperation): readonly PatchOperation[] {
  const { op, path, value } = operation;
  if (!MAPS.includes(path) || value === undefined || !isJsonObject(value)) return [operation];
  return Object.entries(value).map(([key, member]) => ({
    op,
    path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    value: member,
  }));
}

function fieldOf({ op, path, value }: PatchOperation): string {
  const field = `${SIGNS[op] ?? `${op} `}${fieldPathOf(path)}`;
  return value === undefined ? field : `${field}=${shortened(value)}`;
}

function shortened(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ');
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE)}…` : line;
}
