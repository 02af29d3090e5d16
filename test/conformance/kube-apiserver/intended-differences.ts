import type { Aspect } from '../../golden/compare.ts';
import type { IntendedDifference } from '../../golden/intended-differences.ts';
import type { Replayed } from '../../golden/replay.ts';

/** Beside what is intended of the recordings: where the sweep finds an answer that is another one on purpose. */
export const intendedOfSweep: readonly IntendedDifference[] = [
  {
    reason: 'Winnow admits privileged containers and processes of the host',
    explains: (one) =>
      JSON.stringify(one.recorded.answer ?? null).includes('disallowed by cluster policy') ? all(one) : [],
  },
  {
    reason: 'Winnow keeps and validates the fields of features that are off by default in Kubernetes 1.33',
    explains: (one) => (OFF.test(JSON.stringify(one.recorded.body ?? null)) ? all(one) : []),
  },
  {
    reason: 'The username in a certificate request differs, because the two servers have different users',
    explains: ({ differences }) =>
      /^(items\S*\.)?spec\.(username|uid|groups): /.test(differences.body ?? '') ? ['body'] : [],
  },
];

/** Volumes from images, claims of devices, signals that stop a container. */
const OFF = /"image\\":\{|"claims\\":|"resourceClaims\\":|"stopSignal\\":/;

function all({ differences }: Replayed): readonly Aspect[] {
  return Object.keys(differences) as Aspect[];
}
