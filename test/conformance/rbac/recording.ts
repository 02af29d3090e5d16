import { Recording } from '../harness/recording.ts';
import type { Answers } from './our-answer.ts';
import type { World } from './worlds.ts';

/** A world, and Kubernetes' answers for it. */
export interface Recorded {
  readonly world: World;
  readonly answers: Answers;
}

export const recording = new Recording<Recorded>('kubernetes/rbac');
