import { Connection, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { changeLine } from './change-line.ts';
import { findTarget } from './find-target.ts';
import { follow } from './follow.ts';
import { objectDiff } from './object-diff.ts';
import type { LogOptions } from './options.ts';
import { openPager, type Pager } from './pager.ts';
import { type HistoryItem, readHistory } from './read-history.ts';
import { readSince } from './read-since.ts';

/** The changes of one page. Pages are read as the user scrolls. */
const PAGE = 50;
/** The last changes that `--follow` begins with. */
const RECENT = 10;

/** Prints what happened to an object or to a set, newest first. */
export async function log(named: string, options: LogOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const { signal } = interrupted;
  const connection = new Connection(openAccess(options), signal);
  const { selector } = options;
  const target = await findTarget(connection, named, options);
  if (target.object !== undefined && selector !== undefined) {
    throw new Error(`${named} names one object: leave out --selector`);
  }
  const since = options.since === undefined ? undefined : readSince(options.since);
  const request = {
    all: options.all === true,
    states: options.patch === true,
    selector,
    since: since?.toISOString(),
    limit: options.follow ? RECENT : PAGE,
  };
  const pager = await openPager({ isPlain: options.output === 'json' || options.follow === true });
  const print = printer(pager, options);
  if (options.follow) {
    await followed(print, { connection, target, request, signal });
    return;
  }
  const changes = readHistory(connection, target, request);
  const ended = await printAll(print, changes, since).finally(() => pager.end());
  if (ended !== undefined) screen.note(ended);
}

/** Prints changes until they are too old, or the reader leaves. Returns a sentence about older changes. */
async function printAll(
  print: Print,
  changes: AsyncGenerator<HistoryItem, string | undefined>,
  since: Date | undefined,
): Promise<string | undefined> {
  for (let count = 0; ; count += 1) {
    const { done, value } = await changes.next();
    if (done === true) return value ?? (count === 0 ? 'No changes are recorded.' : undefined);
    if (since !== undefined && Date.parse(value.time) < since.getTime()) return undefined;
    if (!(await print(value))) return undefined;
  }
}

async function followed(print: Print, asked: Parameters<typeof follow>[0]): Promise<void> {
  try {
    for await (const item of follow(asked)) await print(item);
  } catch (error) {
    if (!asked.signal.aborted) throw error;
  }
}

/** Prints a change. Resolves to false when the reader has left. */
type Print = (item: HistoryItem) => Promise<boolean>;

function printer(pager: Pager, { output, patch }: LogOptions): Print {
  return async (item) => {
    if (output === 'json') return pager.line(JSON.stringify(item));
    const lines = [changeLine(item)];
    if (patch === true) lines.push(...objectDiff(item.before, item.after).map((line) => `    ${line}`), '');
    for (const line of lines) if (!(await pager.line(line))) return false;
    return true;
  };
}
