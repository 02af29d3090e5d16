import type { Metadata, Pod } from '../objects.ts';
import { type AffinityTerms, NO_TERMS, readTermsLeniently } from './affinity-term.ts';
import type { Amount } from './amount.ts';
import { type HostPort, hostPortsOf } from './host-ports.ts';
import { podRequests, type RequestOptions } from './pod-requests.ts';
import { type Nanos, type Resources, resourcesOf } from './resources.ts';

/** The requests that scores assume for a container without requests. */
const DEFAULT_REQUESTS: Nanos = new Map([
  ['cpu', 10n ** 8n],
  ['memory', 200n * 1024n ** 2n * 10n ** 9n],
]);

/** The state of a pod that has a node or a nominated node. */
export interface PodState {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly priority: number;
  /** Whether the pod is being deleted. Topology spread does not count such pods. */
  readonly isTerminating: boolean;
  readonly resources: Resources;
  readonly nonZero: NonZero;
  readonly ports: readonly HostPort[];
  readonly terms: AffinityTerms;
  readonly nodeName: string;
  readonly isBound: boolean;
}

export interface NonZero {
  readonly cpu: Amount;
  readonly memory: Amount;
}

/** Returns the state of a pod; undefined if it has neither a node nor a nominated node, or has ended. */
export function readPod(pod: Pod): PodState | undefined {
  const { metadata, spec, status } = pod;
  const nodeName = spec?.nodeName || status?.nominatedNodeName || '';
  if (nodeName === '' || status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined;
  const namespace = metadata?.namespace ?? '';
  return {
    namespace,
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    labels: labelsOf(metadata),
    priority: spec?.priority ?? 0,
    isTerminating: metadata?.deletionTimestamp !== undefined && metadata.deletionTimestamp !== null,
    resources: resourcesOf(podRequests(pod, { useStatus: true })),
    nonZero: nonZeroOf(pod, { useStatus: true }),
    ports: hostPortsOf(pod),
    terms: spec?.affinity ? readTermsLeniently(spec.affinity, namespace) : NO_TERMS,
    nodeName,
    isBound: Boolean(spec?.nodeName),
  };
}

export function nonZeroOf(pod: Pod, { useStatus }: Pick<RequestOptions, 'useStatus'>): NonZero {
  return resourcesOf(podRequests(pod, { useStatus, defaults: DEFAULT_REQUESTS }));
}

export function labelsOf(metadata: Metadata | null | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(metadata?.labels ?? {}));
}
