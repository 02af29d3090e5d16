import { type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import type { MemoryApi } from '../../support/service/memory-api.ts';
import { CORE, itemsOf, SLICES, ZONE } from './requests.ts';

/** The endpoints of a Service from its slices and from its Endpoints, one line each. */
export async function derived(api: MemoryApi, service: JsonObject) {
  const { name, uid } = metadataOf(service);
  const slices = itemsOf(await api.ask('GET', `${SLICES}?labelSelector=kubernetes.io/service-name=${name}`));
  const owned = slices.filter((slice) =>
    JSON.stringify(metadataOf(slice).ownerReferences).includes(`${uid}`),
  );
  const endpoints = owned.flatMap((slice) => (slice.endpoints ?? []) as unknown as Endpoint[]);
  const whole = await api.ask('GET', `${CORE}/endpoints/${name}`);
  const subsets = (whole.subsets ?? []) as unknown as Subset[];
  return {
    slices: endpoints
      .map(({ addresses, conditions, zone }) => `${addresses[0]} ${conditions.ready} ${zone ?? ''}`)
      .toSorted(),
    endpoints: subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)).toSorted(),
  };
}

/** The same endpoints, computed naively. */
export async function naive(api: MemoryApi, service: JsonObject) {
  const { selector, publishNotReadyAddresses = false } = service.spec as unknown as Spec;
  const nodes = itemsOf(await api.ask('GET', '/api/v1/nodes'));
  const zoneOf = (name: string) => {
    const node = nodes.find(({ metadata }) => (metadata as JsonObject).name === name);
    return (metadataOf(node ?? {}).labels as Record<string, string> | undefined)?.[ZONE] ?? '';
  };
  const pods = itemsOf(await api.ask('GET', `${CORE}/pods`)) as unknown as NaivePod[];
  const selected = pods.filter(
    ({ metadata, status }) =>
      status.podIP !== undefined &&
      status.phase !== 'Failed' &&
      Object.entries(selector).every(([key, value]) => metadata.labels[key] === value),
  );
  const ready = ({ status }: NaivePod) =>
    publishNotReadyAddresses ||
    status.conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  return {
    slices: selected
      .map((pod) => `${pod.status.podIP} ${ready(pod)} ${zoneOf(pod.spec.nodeName)}`)
      .toSorted(),
    endpoints: selected
      .filter(ready)
      .map(({ status }) => status.podIP ?? '')
      .toSorted(),
  };
}

interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready: boolean };
  readonly zone?: string;
}

interface Subset {
  readonly addresses?: readonly { readonly ip: string }[];
}

interface Spec {
  readonly selector: Readonly<Record<string, string>>;
  readonly publishNotReadyAddresses?: boolean;
}

interface NaivePod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly nodeName: string };
  readonly status: {
    readonly podIP?: string;
    readonly phase: string;
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
}
