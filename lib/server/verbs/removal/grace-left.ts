import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { timestampAt } from '../../objects/index.ts';

export interface GraceOptions {
  /** Seconds that a DELETE gives the pod; undefined: those of its spec. */
  readonly asked: number | undefined;
  /** In ms since the epoch. */
  readonly now: number;
}

/** The time by which the kubelet must have stopped the pod. */
export interface Grace extends JsonObject {
  readonly deletionTimestamp: string;
  readonly deletionGracePeriodSeconds: number;
}

/**
 * How long a pod that is deleted stays: not at all where no node has it or it has ended. One that is on its way out can
 * only be given less time: undefined where it is not.
 * k8s.io/apiserver/pkg/registry/rest, BeforeDelete; k8s.io/kubernetes/pkg/registry/core/pod, CheckGracefulDelete
 */
export function graceLeft(pod: JsonObject, { asked, now }: GraceOptions): Grace | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds: given } = metadataOf(pod);
  if (deletionTimestamp === undefined || given === undefined) return graceUntil(now, graceOf(pod, asked));
  if (asked === undefined || asked >= Number(given)) return undefined;
  return graceUntil(Date.parse(String(deletionTimestamp)) - Number(given) * 1000, asked);
}

function graceUntil(from: number, seconds: number): Grace {
  return { deletionTimestamp: timestampAt(from + seconds * 1000), deletionGracePeriodSeconds: seconds };
}

function graceOf({ spec, status }: JsonObject, asked: number | undefined): number {
  const { nodeName = '', terminationGracePeriodSeconds = 0 } = objectAt(spec);
  const { phase = '' } = objectAt(status);
  if (nodeName === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = asked ?? Number(terminationGracePeriodSeconds);
  return seconds < 0 ? 1 : seconds;
}
