import { styleText } from 'node:util';
import { type JsonObject, jsonEquals, jsonPatchBetween, metadataOf } from '../../lib/json/index.ts';
import type { KubernetesObject } from '../client.ts';
import { Connection, openAccess } from '../connection/index.ts';
import { notFound } from '../finding/index.ts';
import { changedFields } from './change-line.ts';
import { findTarget, type Target } from './find-target.ts';
import { objectDiff } from './object-diff.ts';
import type { DiffOptions } from './options.ts';
import { openPager } from './pager.ts';
import { readSince } from './read-since.ts';

/** Objects per page. */
const PAGE = 500;
const OF_SERVER = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'uid'];

/** The objects of a set that differ between two times. */
interface Difference {
  readonly entered: readonly KubernetesObject[];
  readonly left: readonly KubernetesObject[];
  readonly changed: readonly { readonly before: KubernetesObject; readonly after: KubernetesObject }[];
}

/** Prints which objects of a set entered, left or changed between two times. The exit code is 1 if any did. */
export async function diff(named: string, options: DiffOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const connection = new Connection(openAccess(options), interrupted.signal);
  const target = await findTarget(connection, named, options);
  if (target.object !== undefined && options.selector !== undefined) {
    throw new Error(`${named} names one object: leave out --selector`);
  }
  const sides = [
    await listAt(connection, target, options.selector, options.at),
    await listAt(connection, target, options.selector, options.to),
  ] as const;
  if (target.object !== undefined && sides.every(({ size }) => size === 0)) throw notFound(target.object);
  const difference = differenceOf(...sides);
  const { entered, left, changed } = difference;
  if (entered.length + left.length + changed.length > 0) process.exitCode = 1;
  if (options.output === 'json') {
    process.stdout.write(`${JSON.stringify(difference, undefined, 2)}\n`);
    return;
  }
  const pager = await openPager({ isPlain: false });
  for (const line of linesOf(difference, options.patch === true)) if (!(await pager.line(line))) break;
  await pager.end();
}

/** The objects at a time, a resourceVersion, or now, by namespace and name. */
async function listAt(
  connection: Connection,
  { object, collection }: Target,
  selector: string | undefined,
  at: string | undefined,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (object !== undefined) query.set('fieldSelector', `metadata.name=${object.name}`);
  if (selector !== undefined) query.set('labelSelector', selector);
  if (at !== undefined && /^\d+$/.test(at)) {
    query.set('resourceVersion', at);
    query.set('resourceVersionMatch', 'Exact');
  } else if (at !== undefined) {
    query.set('at', readSince(at).toISOString());
  }
  const found = new Map<string, KubernetesObject>();
  for (;;) {
    const page = await connection.askInput('GET', `${collection.path}?${query}`);
    for (const item of page.items ?? []) found.set(nameOf(item), item);
    const { continue: next = '' } = page.metadata as { readonly continue?: string };
    if (next === '') return found;
    for (const parameter of ['at', 'resourceVersion', 'resourceVersionMatch']) query.delete(parameter);
    query.set('continue', next);
  }
}

function differenceOf(
  before: ReadonlyMap<string, KubernetesObject>,
  after: ReadonlyMap<string, KubernetesObject>,
): Difference {
  const pairs = [...after].flatMap(([name, object]) => {
    const earlier = before.get(name);
    return earlier === undefined ? [] : [{ before: earlier, after: object }];
  });
  return {
    entered: [...after].filter(([name]) => !before.has(name)).map(([, object]) => object),
    left: [...before].filter(([name]) => !after.has(name)).map(([, object]) => object),
    changed: pairs.filter((pair) => isChanged(pair.before, pair.after)),
  };
}

function isChanged(before: KubernetesObject, after: KubernetesObject): boolean {
  return metadataOf(before).uid !== metadataOf(after).uid || !jsonEquals(plain(before), plain(after));
}

function* linesOf({ entered, left, changed }: Difference, patches: boolean): Generator<string> {
  for (const object of left) yield styleText('red', `- ${nameOf(object)}  left`);
  for (const object of entered) yield styleText('green', `+ ${nameOf(object)}  entered`);
  for (const { before, after } of changed) {
    const fields = patches ? 'changed' : changedFields(jsonPatchBetween(plain(before), plain(after)));
    const anew = metadataOf(before).uid === metadataOf(after).uid ? [] : ['created anew'];
    const what = [...anew, fields].filter((text) => text !== '').join(', ');
    yield `${styleText('yellow', `~ ${nameOf(after)}`)}  ${what}`;
    if (patches) for (const line of objectDiff(before, after)) yield `    ${line}`;
  }
}

function nameOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The object without the fields that the server alone sets. */
function plain(object: KubernetesObject): JsonObject {
  const metadata = Object.entries(metadataOf(object)).filter(([field]) => !OF_SERVER.includes(field));
  return { ...object, metadata: Object.fromEntries(metadata) };
}
