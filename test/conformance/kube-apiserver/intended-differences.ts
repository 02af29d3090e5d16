import type { Aspect } from '../../golden/compare.ts';
import type { IntendedDifference } from '../../golden/intended-differences.ts';
import type { Replayed } from '../../golden/replay.ts';

/** Beside what is intended of the recordings: where the sweep finds an answer that is another one on purpose. */
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

/** Volumes from images, claims of devices, signals that stop a container. */
const OFF = /"image\\":\{|"claims\\":|"resourceClaims\\":|"stopSignal\\":/;

function all({ differences }: Replayed): readonly Aspect[] {
  return Object.keys(differences) as Aspect[];
}
