import { Recording } from '../harness/recording.ts';
import type { Answer } from './answer.ts';
import type { Question } from './worlds.ts';

/** A step of a world, and Kubernetes' answer to it. */
export interface Recorded {
  readonly question: Question;
  readonly answer: Answer;
}

export const recording = new Recording<Recorded>('kubernetes/endpoints');
