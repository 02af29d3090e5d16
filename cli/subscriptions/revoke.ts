import { createInterface } from 'node:readline/promises';
import { valueAt } from '../../lib/json/index.ts';
import { Connection, openAccess } from '../connection/index.ts';
import { type Authored, findAuthored } from './find-authored.ts';
import { noneOf } from './list-authored.ts';
import type { RevokeOptions } from './options.ts';
import { tableOf } from './rows.ts';
import { stop } from './stop.ts';

/**
 * Suspends all Subscriptions and Tallies of one author; with `--delete`, deletes them. It does not change
 * objects that are suspended or deleted already, so an operator can run it again.
 *
 * @throws {Error} the user did not confirm, or some objects could not be stopped; the message names them
 */
export async function revoke(options: RevokeOptions): Promise<void> {
  const { author, delete: deletes = false, yes = false, ...access } = options;
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const { signal } = interrupted;
  const connection = new Connection(openAccess(access), signal);
  const found = await findAuthored(connection, { author });
  if (found.length === 0) {
    process.stderr.write(`${noneOf(author)}\n`);
    return;
  }
  const due = found.filter((one) => deletes || isDue(one));
  process.stdout.write(`${tableOf(found)}\n`);
  for (const line of notesOn(found, deletes)) process.stderr.write(`${line}\n`);
  if (due.length === 0) return;
  if (!yes) await confirm(`${deletes ? 'Delete' : 'Suspend'} ${due.length} of these?`, signal);
  await stopAll(connection, due, { deletes, signal });
}

/** Whether it is not suspended. */
function isDue({ object }: Authored): boolean {
  return valueAt(object, 'spec.suspend') !== true;
}

function notesOn(found: readonly Authored[], deletes: boolean): string[] {
  const written = found.filter(({ object }) => valueAt(object, 'status.writer') !== undefined).length;
  const accounts =
    written === 0
      ? []
      : [`${written} of these run as a service account: another user can take them over by an edit.`];
  if (deletes) {
    return [...accounts, 'Deleting a Subscription deletes its queue, unless it is a user-owned queue.'];
  }
  const suspended = found.filter((one) => !isDue(one)).length;
  return [
    ...(suspended === 0 ? [] : [`${suspended} of these are suspended already.`]),
    ...accounts,
    'The author can resume these if a role allows it: remove the roles, bindings and login first.',
  ];
}

async function confirm(question: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY) throw new Error('nothing was changed: without a terminal, confirm with --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new Error('nothing was changed');
  } finally {
    terminal.close();
  }
}

/** Stops the objects one after the other. A failure does not prevent the others from being stopped. */
async function stopAll(
  connection: Connection,
  due: readonly Authored[],
  { deletes, signal }: { readonly deletes: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const left: string[] = [];
  for (const one of due) {
    const { namespace, name } = one.object.metadata;
    const named = `${one.kind} ${namespace}/${name}`;
    try {
      signal.throwIfAborted();
      process.stdout.write(`${named}: ${await stop(connection, one, deletes)}\n`);
    } catch (error) {
      left.push(`${named}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (left.length === 0) return;
  throw new Error(
    `${left.length} of ${due.length} are not stopped; run the command again:\n${left.join('\n')}`,
  );
}
