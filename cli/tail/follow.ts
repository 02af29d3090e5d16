import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesObject } from '../client.ts';
import { type Selected, type SelectedOptions, selected } from './selected.ts';
import { type WatchEvent, watch } from './watch.ts';

/**
 * A change of the selected set, or a text for the user: what the command follows, or a note about missed
 * changes.
 */
export type Followed =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubernetesObject }
  | { readonly type: 'BEGIN'; readonly text: string }
  | { readonly type: 'NOTE'; readonly text: string };

export interface FollowOptions extends SelectedOptions {
  /** Whether to begin with all selected objects. */
  readonly snapshot: boolean;
  readonly signal: AbortSignal;
}

const PAUSE = 2_000;
const GONE = 410;

/**
 * Yields the changes of the objects that a Subscription selects, until the signal is aborted. A watch ends after some
 * minutes, and when the Subscription selects other objects. The next watch continues with the current selection.
 *
 * @throws {Fault} the first read fails.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<Followed> {
  const { signal } = options;
  let known = await selected(options);
  const head = options.snapshot ? undefined : await headOf(options, known);
  yield { type: 'BEGIN', text: beginningOf(options, known) };
  let from = head ?? (yield* snapshot(options, known));
  let said = '';
  while (!signal.aborted) {
    try {
      const selection = await selected(options);
      const text = differenceOf(known, selection);
      if (text !== undefined) yield { type: 'NOTE', text };
      known = selection;
      said = '';
      for await (const event of untilOther(options, selection, from)) {
        if (event.type === 'ERROR') throw errorOf(event);
        from = String(event.object.metadata.resourceVersion);
        if (event.type !== 'BOOKMARK' && isIn(selection.namespaces, event.object)) yield event as Followed;
      }
    } catch (error) {
      if (signal.aborted) return;
      const text = error instanceof Error ? error.message : String(error);
      if (text !== said) yield { type: 'NOTE', text };
      said = text;
      if (error instanceof MissedError) from = await headOf(options, await selected(options));
      await sleep(PAUSE, undefined, { signal }).catch(() => {});
    }
  }
}

/** Yields the changes after a resourceVersion, until the Subscription selects other objects. */
async function* untilOther(
  { connection, signal }: FollowOptions,
  { path, signs }: Selected,
  from: string,
): AsyncGenerator<WatchEvent> {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  const looks = signs.map(async (sign) => {
    for await (const event of watch(connection, sign.path, either)) if (sign.isOther(event)) return;
    throw new Error('the watch ended');
  });
  // If all these watches fail, the selection is read again when the watch of the changes ends.
  void Promise.any(looks).then(
    () => ended.abort(),
    () => {},
  );
  try {
    yield* watch(connection, `${path}&allowWatchBookmarks=true&resourceVersion=${from}`, either);
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  } finally {
    ended.abort();
  }
}

/** A sentence that says which objects the command follows. */
function beginningOf({ namespace, name }: FollowOptions, { path, namespaces }: Selected): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const selectors = ['labelSelector', 'fieldSelector'].flatMap((key) => {
    const value = searchParams.get(key);
    return value ? [`${key} ${value}`] : [];
  });
  const by = selectors.length === 0 ? '' : ` with ${selectors.join(' and ')}`;
  const where = namespaces?.size === 0 ? 'no namespace now' : `the namespaces ${namesOf(namespaces)}`;
  const within = namespaces === undefined ? '' : ` in ${where}`;
  return `Following the Subscription ${namespace}/${name}: ${pathname}${by}${within}. Press Ctrl-C to stop.`;
}

/** A note about a change of the selection; undefined if it did not change. */
function differenceOf(before: Selected, after: Selected): string | undefined {
  const [was, is] = [namesOf(before.namespaces), namesOf(after.namespaces)];
  if (before.path !== after.path) return 'the Subscription was edited; following its new selection';
  return was === is ? undefined : `the Subscription now selects from other namespaces: ${is}`;
}

/** The journal no longer holds the next changes. */
class MissedError extends Error {}

function errorOf({ object: { code, message } }: WatchEvent): Error {
  if (code !== GONE) return new Error(`the watch ended: ${message}`);
  return new MissedError(
    'some changes were missed, because they are older than the journal; following from now',
  );
}

function isIn(namespaces: ReadonlySet<string> | undefined, { metadata }: KubernetesObject): boolean {
  return namespaces?.has(metadata.namespace ?? '') !== false;
}

function namesOf(namespaces: ReadonlySet<string> | undefined): string {
  return namespaces === undefined ? 'by no labels' : [...namespaces].sort().join(', ') || 'none';
}

async function headOf({ connection }: FollowOptions, { path }: Selected): Promise<string> {
  const { metadata } = await connection.ask('GET', `${path}&limit=1`);
  return (metadata as { resourceVersion: string }).resourceVersion;
}

/** Yields all selected objects, and returns their resourceVersion. */
async function* snapshot(
  { connection }: FollowOptions,
  { path, namespaces }: Selected,
): AsyncGenerator<Followed, string> {
  for (let next = ''; ; ) {
    const page = await connection.ask('GET', `${path}&limit=500&continue=${encodeURIComponent(next)}`);
    for (const object of page.items ?? []) if (isIn(namespaces, object)) yield { type: 'ADDED', object };
    const metadata = page.metadata as { resourceVersion: string; continue?: string };
    if (!metadata.continue) return metadata.resourceVersion;
    next = metadata.continue;
  }
}
