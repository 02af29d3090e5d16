import { STORE } from './store.ts';
import type { Survivors } from './survivors.ts';
import { WATCH } from './watch.ts';

export type { Survivors };

/** The files whose every survivor was covered or is explained here. */
export const JUDGED: readonly string[] = [
  'lib/store/holes.ts',
  'lib/store/journal-tail.ts',
  'lib/store/journal.ts',
  'lib/store/relabel-window.ts',
  'lib/store/settle.ts',
  'lib/watch/lease.ts',
];

export const SURVIVORS: readonly Survivors[] = [...STORE, ...WATCH];

export function knownSurvivors(): ReadonlySet<string> {
  return new Set(SURVIVORS.flatMap(({ mutants }) => mutants));
}
