import { type JsonObject, valueAt } from '../../lib/json/index.ts';
import { aligned } from '../aligned.ts';
import { Connection, openAccess } from '../connection/index.ts';
import { findType, pathOf } from '../finding/index.ts';
import type { FacetsOptions } from './options.ts';

const HEADERS = ['LABEL', 'VALUE', 'COUNT'];

/** Prints the number of objects of a type for each value of each label. */
export async function facets(
  type: string,
  keys: readonly string[],
  { allNamespaces, namespace, selector, fieldSelector, output, ...access }: FacetsOptions,
): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const connection = new Connection(openAccess(access), interrupted.signal);
  const path = pathOf(await findType(connection, type), allNamespaces ? undefined : namespace);
  const query = new URLSearchParams({ facets: keys.join(',') });
  if (selector !== undefined) query.set('labelSelector', selector);
  if (fieldSelector !== undefined) query.set('fieldSelector', fieldSelector);
  const answer: JsonObject = await connection.askInput('GET', `${path}?${query}`);
  const text =
    output === 'json'
      ? JSON.stringify(answer, undefined, 2)
      : aligned([HEADERS, ...rowsOf(answer)]).join('\n');
  process.stdout.write(`${text}\n`);
  if (output === 'text') process.stderr.write(`total: ${valueAt(answer, 'count')}\n`);
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
      ...(absent === 0 ? [] : [['<none>', absent]]),
    ];
    return [...values, ...rest].map((cells) => [valueAt(facet, 'key'), ...cells].map(String));
  });
}

function listAt(value: JsonObject, path: string): JsonObject[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? (found as JsonObject[]) : [];
}
