import { collectionOf, type JsonObject } from '../../json/index.ts';
import {
  certificateFault,
  claimStatusFault,
  csiNodeFault,
  isOnNode,
  leaseFault,
  type NodeWrite,
  nodeFault,
  podCreationFault,
  podStatusFault,
} from '../../kubernetes/nodes/index.ts';
import { collectionOfType } from '../../kubernetes/resource-types/index.ts';
import type { Mutation, ObjectState, Store } from '../../store/index.ts';
import type { ResourceRoute } from '../http/index.ts';
import { storeWith } from '../registry/index.ts';
import { forbidden, notFound } from '../status/index.ts';
import { PODS } from './is-related.ts';

const NODES = collectionOf('', 'nodes');

/** The route of a write, and the node that writes. */
interface Restricted {
  readonly node: string;
  readonly route: ResourceRoute;
}

/**
 * Wraps the store for writes of a node, which may write only its own objects and those of its pods. It follows
 * Kubernetes' NodeRestriction admission.
 *
 * @throws ApiError 403 the user has the prefix of nodes, and names none
 * @see k8s.io/kubernetes/plugin/pkg/admission/noderestriction
 */
export function restrictedStore(given: Store, restricted: Restricted): Store {
  const { node, route } = restricted;
  if (node === '') {
    throw forbidden(route.type, route.name, 'could not determine node from user "system:node:"');
  }
  const own = collectionOfType(route.type);
  const isEviction = own === PODS && route.subresource === 'eviction';
  const refuse = (name: string, fault: string | undefined) => {
    if (fault !== undefined) throw forbidden(route.type, name, fault);
  };
  return storeWith(given, (store) => ({
    get: async (collection, name) => {
      const state = await store.get(collection, name);
      // An eviction changes a disruption budget before it deletes the pod, so the pod is checked when it is read.
      if (isEviction && collection === own && state !== undefined) {
        refuse(name.name, evictionFault(node, state.body));
      }
      return state;
    },
    write: (collection, name, change, options) => {
      if (collection !== own) return store.write(collection, name, change, options);
      const decide = async (current: ObjectState | undefined): Promise<Mutation> => {
        const mutation = await change(current);
        const before = current?.body;
        // The verb answers that a pod's name is taken, or that the pod or its namespace does not exist.
        const isRefused = own === PODS && (route.verb === 'create' || before === undefined);
        if (mutation.kind === 'none' && isRefused) return mutation;
        const after = afterOf(route, mutation, before);
        refuse(name.name, await faultOf(store, restricted, { node, ...name, before, after }));
        return mutation;
      };
      return store.write(collection, name, decide, options);
    },
  }));
}

/** The object after a write; undefined if the request deletes it. */
function afterOf(
  { verb }: ResourceRoute,
  mutation: Mutation,
  before: JsonObject | undefined,
): JsonObject | undefined {
  if (verb === 'delete' || verb === 'deletecollection' || mutation.kind === 'delete') return undefined;
  return mutation.kind === 'put' ? mutation.body : before;
}

async function faultOf(store: Store, { route }: Restricted, write: NodeWrite): Promise<string | undefined> {
  const { group, resource } = route.type;
  switch (`${group}/${resource}`) {
    case '/pods':
      return podFault(store, route, write);
    case '/nodes':
      return nodeFault(write, route.subresource);
    case '/persistentvolumeclaims':
      return route.subresource === 'status' ? claimStatusFault(write) : 'may only update PVC status';
    case 'coordination.k8s.io/leases':
      return leaseFault(write);
    case 'storage.k8s.io/csinodes':
      return csiNodeFault(write);
    case 'certificates.k8s.io/certificatesigningrequests':
      return certificateFault(write);
    default:
      return undefined;
  }
}

async function podFault(
  store: Store,
  { verb, subresource }: ResourceRoute,
  write: NodeWrite,
): Promise<string | undefined> {
  const { node, before, after } = write;
  const quoted = JSON.stringify(node);
  switch (subresource) {
    case '':
      break;
    case 'status':
      return podStatusFault(write);
    case 'eviction':
      return evictionFault(node, before ?? {});
    default:
      return `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
  }
  if (verb === 'delete' || verb === 'deletecollection') {
    return isOnNode(before ?? {}, node)
      ? undefined
      : `node ${quoted} can only delete pods with spec.nodeName set to itself`;
  }
  if (before !== undefined) {
    return `unexpected operation "UPDATE", node ${quoted} can only create and delete mirror pods`;
  }
  const own = await store.get(NODES, { namespace: '', name: node });
  const fault = podCreationFault(node, after ?? {}, own?.uid);
  if (fault === undefined && own === undefined) throw notFound({ group: '', resource: 'node' }, node);
  return fault;
}

function evictionFault(node: string, pod: JsonObject): string | undefined {
  return isOnNode(pod, node)
    ? undefined
    : `node ${node} can only evict pods with spec.nodeName set to itself`;
}
