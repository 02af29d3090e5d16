import type { Aspect } from '../../golden/compare.ts';
import type { IntendedDifference } from '../../golden/intended-differences.ts';
import type { Replayed } from '../../golden/replay.ts';

/** Beside what is intended of the recordings: where the sweep finds an answer that is another one on purpose. */
export const intendedOfSweep: readonly IntendedDifference[] = [
  {
    reason: 'A PUT changes what is there, and makes nothing',
    explains: (one) => (one.recorded.method === 'PUT' && one.ours.status === 404 ? all(one) : []),
  },
  {
    reason: 'A LimitRange has the name that it is sent with',
    explains: (one) => (one.recorded.path.endsWith('/limitranges') && mayBeNameless(one) ? all(one) : []),
  },
  {
    reason: 'A certificate request does not say who asks',
    explains: ({ differences }) => ((differences.body ?? '').startsWith('spec.username: ') ? ['body'] : []),
  },
];

/** A create without a name, or a list that has what Kubernetes named by itself. */
function mayBeNameless({ recorded, ours }: Replayed): boolean {
  const isCreate = recorded.method === 'POST' && JSON.stringify(recorded.body) === '"{}"';
  return recorded.method === 'GET' || (isCreate && ours.status === 422);
}

function all({ differences }: Replayed): readonly Aspect[] {
  return Object.keys(differences) as Aspect[];
}
