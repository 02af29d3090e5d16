import { type JsonObject, valueAt } from '../../lib/json/index.ts';
import { aligned } from '../aligned.ts';
import { Connection, openAccess } from '../connection/index.ts';
import { findType, pathOf } from '../finding/index.ts';
import type { FacetsOptions } from './options.ts';

/** The text for objects without the label. */
const NONE = '<none>';
const HEADERS = ['LABEL', 'VALUE', 'COUNT'];

/** Prints the number of objects of a type for each value of each label, or for each combination of values. */
export async function facets(
  type: string,
  keys: readonly string[],
  { allNamespaces, namespace, selector, fieldSelector, joint, output, ...access }: FacetsOptions,
): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const connection = new Connection(openAccess(access), interrupted.signal);
  const path = pathOf(await findType(connection, type), allNamespaces ? undefined : namespace);
  const query = new URLSearchParams({ facets: keys.length === 0 ? '*' : keys.join(',') });
  if (joint) query.set('joint', 'true');
  if (selector !== undefined) query.set('labelSelector', selector);
  if (fieldSelector !== undefined) query.set('fieldSelector', fieldSelector);
  const answer: JsonObject = await connection.askInput('GET', `${path}?${query}`);
  const text =
    output === 'json'
      ? JSON.stringify(answer, undefined, 2)
      : aligned(joint ? jointRows(answer) : [HEADERS, ...rowsOf(answer)]).join('\n');
  process.stdout.write(`${text}\n`);
  if (output !== 'text') return;
  const others = Number(valueAt(answer, 'keys') ?? 0) - listAt(answer, 'facets').length;
  if (others > 0) process.stderr.write(`${others} less frequent label keys are not shown; name them\n`);
  process.stderr.write(`total: ${valueAt(answer, 'count')}\n`);
}

/** The table rows of facets: one per value, one for the values that the answer leaves out, one for objects without the label. */
export function rowsOf(answer: JsonObject): string[][] {
  return listAt(answer, 'facets').flatMap((facet) => {
    const values = listAt(facet, 'values').map((one) => [valueAt(one, 'value'), valueAt(one, 'count')]);
    const absent = valueAt(facet, 'absent');
    const others = Number(valueAt(facet, 'distinct')) - values.length;
    const told = values.reduce((sum, [, count]) => sum + Number(count), Number(absent));
    const rest = [
      ...(others === 0 ? [] : [[`<${others} others>`, Number(valueAt(answer, 'count')) - told]]),
      ...(absent === 0 ? [] : [[NONE, absent]]),
    ];
    return [...values, ...rest].map((cells) => [valueAt(facet, 'key'), ...cells].map(String));
  });
}

/**
 * The table rows of joint facets, with a row of titles. Two label keys give a matrix: a row for each value of the first
 * key, a column for each value of the second key, the most frequent ones first. More keys give a row for each combination.
 */
export function jointRows(answer: JsonObject): string[][] {
  const keys = (valueAt(answer, 'joint.keys') as string[]).map(String);
  const cells = listAt(answer, 'joint.cells').map((cell) => ({
    values: (valueAt(cell, 'values') as (string | null)[]).map((value) => value ?? NONE),
    count: String(valueAt(cell, 'count')),
  }));
  const others = Number(valueAt(answer, 'joint.distinct')) - cells.length;
  const rest = others === 0 ? [] : [[`<${others} other combinations>`]];
  const [first = '', second = ''] = keys;
  if (keys.length > 2) {
    const titles = [...keys.map((key) => key.toUpperCase()), 'COUNT'];
    return [titles, ...cells.map(({ values, count }) => [...values, count]), ...rest];
  }
  const columns = byTotal(cells, 1);
  const matrix = new Map<string, Map<string, string>>();
  for (const { values, count } of cells) {
    const [row = '', column = ''] = values;
    matrix.set(row, (matrix.get(row) ?? new Map<string, string>()).set(column, count));
  }
  const rows = byTotal(cells, 0).map((row) => [
    row,
    ...columns.map((column) => matrix.get(row)?.get(column) ?? '-'),
  ]);
  return [[`${first} \\ ${second}`.toUpperCase(), ...columns], ...rows, ...rest];
}

/** The values of a label key in the cells, the most frequent first; objects without the label come last. */
function byTotal(cells: readonly { values: readonly string[]; count: string }[], key: number): string[] {
  const totals = new Map<string, number>();
  for (const { values, count } of cells) {
    const value = values[key] ?? '';
    totals.set(value, (totals.get(value) ?? 0) + Number(count));
  }
  const rank = ([value, total]: [string, number]) => (value === NONE ? -1 : total);
  return [...totals].sort((left, right) => rank(right) - rank(left)).map(([value]) => value);
}

function listAt(value: JsonObject, path: string): JsonObject[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? (found as JsonObject[]) : [];
}
