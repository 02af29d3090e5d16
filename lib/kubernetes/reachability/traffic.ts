import type { Labels } from '../../selectors/index.ts';
import type { IpFamily } from './addresses.ts';

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** A connection that is asked about. */
export interface Traffic {
  readonly from: End;
  readonly to: End;
  /** The number of the port at the destination. */
  readonly port: number;
  readonly protocol: Protocol;
  /** Which of their addresses two pods use that have several; each of them where absent. */
  readonly ipFamily?: IpFamily;
}

export type End = PodEnd | AddressEnd;

/** A pod, or one that is only being considered. */
export interface PodEnd {
  readonly namespace: string;
  /** Absent where only its labels are known. */
  readonly name?: string;
  readonly labels: Labels;
  readonly namespaceLabels: Labels;
  /** Its `status.podIPs`; none where it has none yet. */
  readonly addresses: readonly string[];
  /** Those of its node, its `status.hostIPs`. */
  readonly nodeAddresses: readonly string[];
  /** It has its node's network. */
  readonly hostNetwork: boolean;
  readonly ports: readonly ContainerPort[];
}

/** What a container says that it listens on. */
export interface ContainerPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: Protocol;
}

/** An IP address that is no pod's. */
export interface AddressEnd {
  readonly address: string;
  /** The Service whose address it is, as `<namespace>/<name>`. */
  readonly service?: string;
}

/** Whether an end is a pod. */
export function isPod(end: End): end is PodEnd {
  return 'labels' in end;
}

/** In words: `default/a`, `a pod of default with these labels`, `10.0.0.1`. */
export function nameOfEnd(end: End): string {
  if (!isPod(end)) return end.address;
  return end.name === undefined
    ? `a pod of ${end.namespace} with these labels`
    : `${end.namespace}/${end.name}`;
}
