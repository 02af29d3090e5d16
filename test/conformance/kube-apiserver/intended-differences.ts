import type { Aspect } from '../../golden/compare.ts';
import type { IntendedDifference } from '../../golden/intended-differences.ts';
import type { Replayed } from '../../golden/replay.ts';

/** Intended differences that only the sweep meets, besides those of the recordings. */
export const intendedOfSweep: readonly IntendedDifference[] = [
  {
    reason: 'Winnow admits privileged containers and processes of the host',
    explains: (one) =>
      JSON.stringify(one.recorded.answer ?? null).includes('disallowed by cluster policy') ? all(one) : [],
  },
  {
    reason: 'Winnow stores and validates the fields of features that are off by default in Kubernetes 1.33',
    explains: (one) => (OFF.test(JSON.stringify(one.recorded.body ?? null)) ? all(one) : []),
  },
  {
    reason: 'Winnow checks the types of a policy with its write, where kube-controller-manager does so later',
    explains: ({ differences }) =>
      /^(items\.\d+\.)?status\.(observedGeneration|typeChecking): /.test(differences.body ?? '')
        ? ['body']
        : [],
  },
  {
    reason: 'The username in a certificate request differs, because the two servers have different users',
    explains: ({ differences }) =>
      /^(items\S*\.)?spec\.(username|uid|groups): /.test(differences.body ?? '') ? ['body'] : [],
  },
];

/** Fields of disabled features: image volumes, device claims, and stop signals of containers. */
const OFF = /"image\\":\{|"claims\\":|"resourceClaims\\":|"stopSignal\\":/;

function all({ differences }: Replayed): readonly Aspect[] {
  return Object.keys(differences) as Aspect[];
}
