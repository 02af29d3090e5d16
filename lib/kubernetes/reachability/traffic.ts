import type { Labels } from '../../selectors/index.ts';
import type { IpFamily } from './addresses.ts';

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** The connection to decide about. */
export interface Traffic {
  readonly from: End;
  readonly to: End;
  /** The port number at the destination. */
  readonly port: number;
  readonly protocol: Protocol;
  /** The address family of the connection, for pods that have several. If absent, every shared family is checked. */
  readonly ipFamily?: IpFamily;
}

export type End = PodEnd | AddressEnd;

/** A pod, existing or hypothetical. */
export interface PodEnd {
  readonly namespace: string;
  /** Absent if only the labels of the pod are known. */
  readonly name?: string;
  readonly labels: Labels;
  readonly namespaceLabels: Labels;
  /** Its `status.podIPs`; empty if it has no address yet. */
  readonly addresses: readonly string[];
  /** The addresses of its node: its `status.hostIPs`. */
  readonly nodeAddresses: readonly string[];
  /** Whether the pod uses its node's network. */
  readonly hostNetwork: boolean;
  readonly ports: readonly ContainerPort[];
}

/** A port that a container declares. */
export interface ContainerPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: Protocol;
}

/** An IP address that does not belong to a pod. */
export interface AddressEnd {
  readonly address: string;
  /** The Service that has this address, as `<namespace>/<name>`. */
  readonly service?: string;
}

/** Whether an end is a pod. */
export function isPod(end: End): end is PodEnd {
  return 'labels' in end;
}

/** Formats an end: `default/a`, `a pod of default with these labels`, `10.0.0.1`. */
export function nameOfEnd(end: End): string {
  if (!isPod(end)) return end.address;
  return end.name === undefined
    ? `a pod of ${end.namespace} with these labels`
    : `${end.namespace}/${end.name}`;
}
