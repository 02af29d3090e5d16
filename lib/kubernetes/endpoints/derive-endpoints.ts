import type { Changes } from './changes.ts';
import type { Selected } from './endpoint-group.ts';
import { MANAGED_BY as ENDPOINTS_MANAGED_BY, endpointsChanges } from './endpoints-changes.ts';
import { MANAGER } from './manager.ts';
import type { EndpointSlice, Endpoints, Service } from './objects.ts';
import { sliceChanges } from './slice-changes.ts';
import { MANAGED_BY, SERVICE_NAME } from './slice-labels.ts';

/** A Service, the objects that it selects, and its existing slices and Endpoints. */
export interface Known extends Selected {
  /** The slices with the Service's name in the label `kubernetes.io/service-name`, from any writer. */
  readonly slices: readonly EndpointSlice[];
  /** The Endpoints with the Service's name, from any writer. */
  readonly endpoints: Endpoints | undefined;
  /** The names of other slices in the namespace, which a new slice must not take. */
  readonly taken?: Iterable<string>;
  /** The maximum number of endpoints in a slice. The default is 100, as in Kubernetes. */
  readonly mostInSlice?: number;
}

/** The reason why no endpoints are derived. For `ManagedByOthers`, existing derived objects are deleted. */
export type LeftAlone = 'ExternalName' | 'NoSelector' | 'ManagedByOthers';

/** The writes that give a Service the endpoints that it should have. */
export interface DerivedEndpoints {
  readonly slices: Changes<EndpointSlice>;
  readonly endpoints: Changes<Endpoints>;
  readonly leftAlone?: LeftAlone;
}

const MOST_IN_SLICE = 100;
const NOTHING = { create: [], update: [], delete: [] };

/**
 * Computes the writes for a Service from its current state (level-triggered). If nothing is missing, there are no
 * writes.
 *
 * As in Kubernetes, an ExternalName and a Service without a selector are left alone, including earlier derived
 * objects. If another writer, such as a mirror of a cluster, manages slices or Endpoints of the Service, Winnow
 * deletes its own. It creates them again when the last object of the other writers is gone.
 */
export function deriveEndpoints(known: Known): DerivedEndpoints {
  const { service, pods, slices, endpoints, taken = [], mostInSlice = MOST_IN_SLICE } = known;
  const leftAlone = reasonFor(known);
  const own = slices.filter(isOurSlice);
  if (leftAlone === 'ManagedByOthers') {
    const isOurs = endpoints !== undefined && areOurEndpoints(endpoints);
    return {
      leftAlone,
      slices: { ...NOTHING, delete: own },
      endpoints: { ...NOTHING, delete: isOurs ? [endpoints] : [] },
    };
  }
  if (leftAlone !== undefined) return { leftAlone, slices: NOTHING, endpoints: NOTHING };
  return {
    slices: sliceChanges(known, { slices: own, taken, mostInSlice }),
    endpoints: endpointsChanges(service, pods, endpoints),
  };
}

/** Returns the name of the Service that a slice belongs to, from its label; undefined if it has none. */
export function serviceOf({ metadata }: EndpointSlice): string | undefined {
  return metadata.labels?.[SERVICE_NAME] || undefined;
}

function reasonFor({ service, slices, endpoints }: Known): LeftAlone | undefined {
  if (service.spec?.type === 'ExternalName') return 'ExternalName';
  if (!hasSelector(service)) return 'NoSelector';
  const isMirrored =
    slices.some((slice) => !isOurSlice(slice)) || (endpoints !== undefined && !areOurEndpoints(endpoints));
  return isMirrored ? 'ManagedByOthers' : undefined;
}

/** Whether a Service has a selector. An empty selector does not count. */
function hasSelector({ spec }: Service): boolean {
  return Object.keys(spec?.selector ?? {}).length > 0;
}

function isOurSlice({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[MANAGED_BY] === MANAGER;
}

function areOurEndpoints({ metadata }: Endpoints): boolean {
  return metadata.labels?.[ENDPOINTS_MANAGED_BY] === MANAGER;
}
