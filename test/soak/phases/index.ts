/** What happens to the service in a soak, one after the other. */
import { clock } from './clock.ts';
import { crowd, crowdEnds } from './crowd.ts';
import { endings } from './endings.ts';
import { fullDisk } from './full-disk.ts';
import { kills } from './kills.ts';
import { line } from './line.ts';
import type { Phase } from './phase.ts';
import { poison } from './poison.ts';
import { steady } from './steady.ts';

export type { Amounts, PhaseContext, PhaseReport } from './phase.ts';

export const PHASES: readonly Phase[] = [
  steady,
  line,
  kills,
  clock,
  poison,
  fullDisk,
  crowd,
  crowdEnds,
  ...endings,
];
