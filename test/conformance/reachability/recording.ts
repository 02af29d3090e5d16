import { Recording } from '../harness/recording.ts';
import type { Answer } from './our-answer.ts';
import type { World } from './worlds.ts';

/** A world, and cyclonus' answers for its connections. */
export interface Recorded {
  readonly world: World;
  readonly answers: readonly Answer[];
}

export const recording = new Recording<Recorded>('kubernetes/reachability');
