import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { timestampAt } from '../../objects/index.ts';

export interface GraceOptions {
  /** Seconds that a DELETE gives the pod; undefined for those of its spec. */
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
 * The grace period of a deleted pod: 0 if the pod has no node or has ended. A later DELETE of a terminating pod can
 * only shorten the period; returns undefined if it does not.
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
