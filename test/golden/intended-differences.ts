import type { Replayed } from './replay.ts';

/** Where an answer is not Kubernetes' on purpose. docs/api.md tells the same reasons. */
export interface IntendedDifference {
  /** As docs/api.md has it. */
  readonly reason: string;
  covers(one: Replayed): boolean;
}

export const intendedDifferences: readonly IntendedDifference[] = [
  {
    reason:
      'Where Kubernetes answers 500 to a mistake of the client, the answer is a 4xx that says what is wrong.',
    covers: ({ recorded, ours }) => recorded.status === 500 && ours.status >= 400 && ours.status < 500,
  },
];
