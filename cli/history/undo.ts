import { createInterface } from 'node:readline/promises';
import { type JsonObject, metadataOf, objectsIn } from '../../lib/json/index.ts';
import type { KubernetesObject } from '../client.ts';
import { Connection, explainInput, Fault, openAccess } from '../connection/index.ts';
import { type FoundObject, findObject } from '../finding/index.ts';
import { screen } from '../screen.ts';
import { findState } from './find-state.ts';
import { objectDiff } from './object-diff.ts';
import type { UndoOptions } from './options.ts';
import { createdAnew, restored } from './restored.ts';

const MANAGER = 'winnow-undo';

/** Puts an object back as it was at a resourceVersion. */
export async function undo(named: string, options: UndoOptions): Promise<void> {
  if (options.to !== undefined && !/^\d+$/.test(options.to)) {
    throw new Error(`invalid resourceVersion ${JSON.stringify(options.to)}: use one from the output of log`);
  }
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const connection = new Connection(openAccess(options), interrupted.signal);
  const object = await findObject(connection, named, options.namespace);
  const current = await readCurrent(connection, object);
  const { version, state } = await findState(
    connection,
    { object, collection: collectionOf(object) },
    options.to,
  );
  if (state === undefined) {
    throw new Fault({
      what: `${named} did not exist at resourceVersion ${version}`,
      advice: 'Choose an earlier resourceVersion from the output of log',
    });
  }
  const wanted =
    current === undefined
      ? createdAnew(state, await livingOwners(connection, state))
      : restored(current, state);
  const result = await write(connection, { object, current, wanted, dryRun: true });
  const lines = objectDiff(current, result);
  if (lines.length === 0) {
    screen.note(`${named} is already as it was at resourceVersion ${version}.`);
    return;
  }
  const what = current === undefined ? 'created anew' : 'restored';
  screen.note(`${named} would be ${what} as it was at resourceVersion ${version}:`);
  for (const line of lines) screen.note(`  ${line}`);
  if (options.dryRun === 'server') return;
  if (options.yes !== true && !(await isConfirmed())) {
    screen.note('Nothing was changed.');
    process.exitCode = 1;
    return;
  }
  const written = await write(connection, { object, current, wanted, dryRun: false });
  process.stdout.write(
    options.output === 'json'
      ? `${JSON.stringify(written, undefined, 2)}\n`
      : `${named} ${what}, now at resourceVersion ${metadataOf(written).resourceVersion}\n`,
  );
}

async function readCurrent(
  connection: Connection,
  object: FoundObject,
): Promise<KubernetesObject | undefined> {
  const reply = await connection.send('GET', object.path);
  if (reply.status === 404) return undefined;
  if (reply.status >= 400 || reply.body === undefined) throw explainInput(reply, `GET ${object.path}`);
  return reply.body as unknown as KubernetesObject;
}

interface Write {
  readonly object: FoundObject;
  readonly current: KubernetesObject | undefined;
  readonly wanted: JsonObject;
  readonly dryRun: boolean;
}

/** Replaces the object in the version that was read, or creates it. */
async function write(
  connection: Connection,
  { object, current, wanted, dryRun }: Write,
): Promise<JsonObject> {
  const query = new URLSearchParams({ fieldManager: MANAGER, ...(dryRun && { dryRun: 'All' }) });
  const collection = collectionOf(object).path;
  const [method, path] =
    current === undefined ? (['POST', collection] as const) : (['PUT', object.path] as const);
  const reply = await connection.send(method, `${path}?${query}`, { body: wanted });
  if (reply.status === 409) {
    throw new Fault({
      what: `${object.type}/${object.name} was changed meanwhile, and nothing was restored`,
      advice: 'Look at its log, and run the command again',
    });
  }
  if (reply.status >= 400 || reply.body === undefined) throw explainInput(reply, `${method} ${path}`);
  return reply.body;
}

/** The uids of the owners in a state that still exist. */
async function livingOwners(connection: Connection, state: KubernetesObject): Promise<ReadonlySet<string>> {
  const living = new Set<string>();
  for (const { apiVersion, kind, name, uid } of objectsIn(metadataOf(state).ownerReferences)) {
    const [, group] = /^(.+)\/[^/]+$/.exec(String(apiVersion)) ?? [];
    const type = group === undefined ? String(kind) : `${kind}.${group}`;
    const owner = await findObject(connection, `${type}/${name}`, state.metadata.namespace ?? '').catch(
      noType,
    );
    const found = owner && (await readCurrent(connection, owner));
    if (found !== undefined && metadataOf(found).uid === uid) living.add(String(uid));
  }
  return living;
}

/** The owner's type is not served any more. @throws {Fault} the endpoint failed */
function noType(error: unknown): undefined {
  if (error instanceof Fault) throw error;
}

function collectionOf({ path }: FoundObject) {
  return { path: path.slice(0, path.lastIndexOf('/')), resource: '', namespace: undefined };
}

/** Asks the user. @throws {Error} standard input is no terminal */
async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('nothing was changed: add --yes to write without a question');
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test(await asking.question('Write this? [y/N] '));
  } finally {
    asking.close();
  }
}
