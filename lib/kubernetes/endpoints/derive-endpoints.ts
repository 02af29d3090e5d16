import type { Changes } from './changes.ts';
import type { Selected } from './endpoint-group.ts';
import { MANAGED_BY as ENDPOINTS_MANAGED_BY, endpointsChanges } from './endpoints-changes.ts';
import { MANAGER } from './manager.ts';
import type { EndpointSlice, Endpoints, Service } from './objects.ts';
import { sliceChanges } from './slice-changes.ts';
import { MANAGED_BY, SERVICE_NAME } from './slice-labels.ts';

/** A Service, what it selects, and what there is of it already. */
export interface Known extends Selected {
  /** The slices that name the Service by their label `kubernetes.io/service-name`, of any writer. */
  readonly slices: readonly EndpointSlice[];
  /** The Endpoints of the Service's name, of any writer. */
  readonly endpoints: Endpoints | undefined;
  /** Names of other slices of the namespace: one that is to be made is not called so. */
  readonly taken?: Iterable<string>;
  /** How many endpoints a slice takes; 100 where it is not said, as in Kubernetes. */
  readonly mostInSlice?: number;
}

/** Why nobody's endpoints are derived: those that were, are taken away where another writes them. */
export type LeftAlone = 'ExternalName' | 'NoSelector' | 'ManagedByOthers';

/** What has to be written so that a Service has the endpoints that it should have. */
export interface DerivedEndpoints {
  readonly slices: Changes<EndpointSlice>;
  readonly endpoints: Changes<Endpoints>;
  readonly leftAlone?: LeftAlone;
}

const MOST_IN_SLICE = 100;
const NOTHING = { create: [], update: [], delete: [] };

/**
 * Level-triggered: the same from whatever there is, and nothing where all is as it should be. As in Kubernetes, an
 * ExternalName and a Service without a selector are left alone, what was derived before too. Where somebody else writes
 * slices of the Service or its Endpoints, as somebody does who mirrors a cluster, ours go; they come again when the
 * last of the others is gone.
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

/** Whose slice it is, by the label with the name of the Service: undefined where it is of none. */
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

/** An empty selector is none. */
function hasSelector({ spec }: Service): boolean {
  return Object.keys(spec?.selector ?? {}).length > 0;
}

function isOurSlice({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[MANAGED_BY] === MANAGER;
}

function areOurEndpoints({ metadata }: Endpoints): boolean {
  return metadata.labels?.[ENDPOINTS_MANAGED_BY] === MANAGER;
}
