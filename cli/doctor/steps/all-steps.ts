import type { Step } from '../examination.ts';
import { createNamespace } from './create-namespace.ts';
import { deliver } from './deliver.ts';
import { discover } from './discover.ts';
import { list } from './list.ts';
import { logIn } from './log-in.ts';
import { reach } from './reach.ts';
import { subscribe } from './subscribe.ts';
import { watch } from './watch.ts';
import { write } from './write.ts';

/** The steps in the order in which they run. The clean-up runs after them, whatever their outcomes. */
export const ALL_STEPS: readonly Step[] = [
  reach,
  logIn,
  discover,
  createNamespace,
  write,
  list,
  watch,
  subscribe,
  deliver,
];
