import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { type Amount, amountsOf, count } from '../amounts.ts';
import type { Evaluator } from './evaluator.ts';
import { pods } from './pods.ts';

/** Resources that have a second name in quotas, from before `count/` was introduced. */
const NAMED = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];
const ONE = count(1);
const OF_CLASS = '.storageclass.storage.k8s.io/';

/** The evaluator for the objects of a type. */
export function evaluatorOf(type: ResourceType): Evaluator {
  switch (collectionOfType(type)) {
    case 'core/pods':
      return pods;
    case 'core/services':
      return services;
    case 'core/persistentvolumeclaims':
      return claims;
    default:
      return objects(type);
  }
}

/** The evaluator of types for which quotas count only the number of objects. */
function objects({ group, resource, storedAs }: ResourceType): Evaluator {
  const counted = `count/${resource}${group === '' ? '' : `.${group}`}`;
  const stored = `count/${resource}${(storedAs?.group ?? '') === '' ? '' : `.${storedAs?.group}`}`;
  const names = new Set([counted, stored, ...(group === '' && NAMED.includes(resource) ? [resource] : [])]);
  return {
    counts: (name) => names.has(name),
    usage: () => new Map([...names].map((name) => [name, ONE])),
    isWithin: () => false,
  };
}

const SERVICES = ['services', 'services.nodeports', 'services.loadbalancers', 'count/services'];

const services: Evaluator = {
  counts: (name) => SERVICES.includes(name),
  usage: ({ spec }) => {
    const { type, ports, allocateLoadBalancerNodePorts: allocates } = objectAt(spec ?? {});
    const all = Array.isArray(ports) ? ports.map(objectAt) : [];
    const nodePorts =
      type === 'LoadBalancer' && allocates === false ? all.filter(({ nodePort }) => nodePort) : all;
    const usage = new Map([
      ['services', ONE],
      ['count/services', ONE],
    ]);
    const isOnNodes = type === 'NodePort' || type === 'LoadBalancer';
    if (isOnNodes) usage.set('services.nodeports', count(nodePorts.length));
    if (type === 'LoadBalancer') usage.set('services.loadbalancers', ONE);
    return usage;
  },
  isWithin: () => false,
};

const CLAIMS = ['persistentvolumeclaims', 'requests.storage', 'count/persistentvolumeclaims'];

const claims: Evaluator = {
  counts: (name) => CLAIMS.includes(name) || CLAIMS.some((one) => name.endsWith(`${OF_CLASS}${one}`)),
  usage: (body) => {
    const { resources } = objectAt(body.spec ?? {});
    const storage = amountsOf(objectAt(resources ?? {}).requests).get('storage');
    const usage = new Map<string, Amount>(
      CLAIMS.filter((name) => name !== 'requests.storage').map((name) => [name, ONE]),
    );
    if (storage !== undefined) usage.set('requests.storage', storage);
    const name = classOf(body);
    if (typeof name !== 'string' || name === '') return usage;
    usage.set(`${name}${OF_CLASS}persistentvolumeclaims`, ONE);
    if (storage !== undefined) usage.set(`${name}${OF_CLASS}requests.storage`, storage);
    return usage;
  },
  isWithin: () => false,
};

function classOf(body: JsonObject): JsonValue | undefined {
  const { annotations } = metadataOf(body);
  const old = objectAt(annotations ?? {})['volume.beta.kubernetes.io/storage-class'];
  return old ?? objectAt(body.spec ?? {}).storageClassName;
}
