import type { Container, ContainerStatus, Pod } from '../objects.ts';
import { type Nanos, nanosOf } from './resources.ts';

export interface RequestOptions {
  /** Whether the status of a container counts while the container is resized. */
  readonly useStatus: boolean;
  /** The requests assumed for a container without requests. */
  readonly defaults?: Nanos;
}

type Sum = Map<string, bigint>;

/**
 * Returns the requests of a pod in billionths, as resource.PodRequests of k8s.io/component-helpers: the sum of its
 * containers
 * and sidecars, or an init container with the sidecars before it if that is more, plus the overhead.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
export function podRequests(pod: Pod, options: RequestOptions): Nanos {
  const { containers, initContainers, overhead } = pod.spec ?? {};
  const statuses = options.useStatus ? statusesOf(pod) : NO_STATUSES;
  const infeasible = options.useStatus && isResizeInfeasible(pod);
  const requests = (container: Container, status: ContainerStatus | undefined) =>
    withDefaults(containerRequests({ container, status, infeasible }), options.defaults);
  const sum: Sum = new Map();
  for (const container of containers ?? []) add(sum, requests(container, statuses.get(container.name ?? '')));
  const sidecars: Sum = new Map();
  const starting: Sum = new Map();
  for (const container of initContainers ?? []) {
    const isSidecar = container.restartPolicy === 'Always';
    const own = requests(container, isSidecar ? statuses.get(container.name ?? '') : undefined);
    if (isSidecar) {
      add(sum, own);
      add(sidecars, own);
    } else {
      raise(starting, add(new Map(own), sidecars));
    }
  }
  raise(sum, starting);
  return add(sum, nanosOf(overhead));
}

const NO_STATUSES: ReadonlyMap<string, ContainerStatus> = new Map();

function statusesOf({ status }: Pod): ReadonlyMap<string, ContainerStatus> {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.length === 0 ? NO_STATUSES : new Map(all.map((one) => [one.name ?? '', one]));
}

function isResizeInfeasible({ status }: Pod): boolean {
  const pending = (status?.conditions ?? []).find(({ type }) => type === 'PodResizePending');
  return pending?.reason === 'Infeasible';
}

interface Running {
  readonly container: Container;
  readonly status: ContainerStatus | undefined;
  readonly infeasible: boolean;
}

/**
 * Returns the maximum of the desired, the actual and the allocated requests. The desired ones do not count if the
 * resize is infeasible.
 */
function containerRequests({ container, status, infeasible }: Running): Sum {
  const asked = nanosOf(container.resources?.requests);
  if (status?.resources === undefined || status.resources === null) return asked;
  const most = infeasible
    ? nanosOf(status.resources.requests)
    : raise(asked, nanosOf(status.resources.requests));
  return raise(most, nanosOf(status.allocatedResources));
}

function withDefaults(requests: Sum, defaults: Nanos | undefined): Sum {
  for (const [name, nanos] of defaults ?? []) if (!requests.has(name)) requests.set(name, nanos);
  return requests;
}

function add(sum: Sum, other: Nanos): Sum {
  for (const [name, nanos] of other) sum.set(name, (sum.get(name) ?? 0n) + nanos);
  return sum;
}

function raise(most: Sum, other: Nanos): Sum {
  for (const [name, nanos] of other) {
    const before = most.get(name);
    if (before === undefined || nanos > before) most.set(name, nanos);
  }
  return most;
}
