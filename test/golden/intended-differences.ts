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
  {
    reason: 'Access reviews are answered and not kept: they have no managedFields.',
    covers: ({ recorded, differences }) =>
      /\/[a-z]*(subject|access)[a-z]*reviews$/.test(recorded.path) &&
      Object.keys(differences).every((aspect) => aspect === 'managedFields'),
  },
  {
    reason:
      'A SelfSubjectReview answers whom the login let in, an IAM user or role; where there is no login, system:anonymous.',
    covers: ({ recorded, differences }) =>
      recorded.path.endsWith('/selfsubjectreviews') &&
      (differences.body ?? '').startsWith('status.userInfo.username: "admin"'),
  },
];
