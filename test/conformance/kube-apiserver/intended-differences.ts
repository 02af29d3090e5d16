import type { Aspect } from '../../golden/compare.ts';
import type { IntendedDifference } from '../../golden/intended-differences.ts';
import type { Replayed } from '../../golden/replay.ts';

/** Intended differences that only the sweep meets, besides those of the recordings. */
export const intendedOfSweep: readonly IntendedDifference[] = [
  {
    reason: 'Privileged containers and processes of a host are let in',
    explains: (one) =>
      JSON.stringify(one.recorded.answer ?? null).includes('disallowed by cluster policy') ? all(one) : [],
  },
  {
    reason: 'Fields of features that Kubernetes 1.33 has off unless told otherwise are kept, and validated',
    explains: (one) => (OFF.test(JSON.stringify(one.recorded.body ?? null)) ? all(one) : []),
  },
  {
    reason: 'A certificate request says who asks, who is another one in each',
    explains: ({ differences }) =>
      /^(items\S*\.)?spec\.(username|uid|groups): /.test(differences.body ?? '') ? ['body'] : [],
  },
];

/** Fields of disabled features: image volumes, device claims, and stop signals of containers. */
const OFF = /"image\\":\{|"claims\\":|"resourceClaims\\":|"stopSignal\\":/;

function all({ differences }: Replayed): readonly Aspect[] {
  return Object.keys(differences) as Aspect[];
}
