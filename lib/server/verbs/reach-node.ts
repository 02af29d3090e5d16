import { isJsonObject, type JsonObject, objectAt } from '../../json/index.ts';
import {
  findResourceType,
  type ResourceType,
  subresourcesOf,
} from '../../kubernetes/resource-types/index.ts';
import { type Answer, type Call, collectionOfCall, objectNameOf } from '../http/index.ts';
import { type ApiError, badRequest, notFound } from '../status/index.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/**
 * Answers requests that need a kubelet or a network: logs, a command in a container, a connection. Errors that need
 * neither are reported as in Kubernetes. The log of an unassigned pod is empty. All other requests fail, because Winnow
 * has no kubelet.
 * @throws ApiError 404, 400: not a 5xx, because the server works and a retry does not help
 */
export async function reachNode(call: Call): Promise<Answer> {
  const { type, subresource } = call.route;
  await decideConnection(call);
  if (subresource === 'proxy') throw await whyNoProxy(call);
  const pod = await read(call, type, call.route.name);
  refuseContainer(call, pod);
  const node = String(pod.nodeName ?? '');
  if (node === '' && subresource === 'log') return { status: 204, text: '' };
  if (node === '') throw badRequest(`pod ${call.route.name} does not have a host assigned`);
  const nodes = findResourceType('', 'v1', 'nodes');
  if (nodes !== undefined) await read({ ...call, route: { ...call.route, namespace: '' } }, nodes, node);
  throw badRequest(
    `node "${node}" is not reachable: Winnow has no kubelet, so logs, exec and port-forward are not supported`,
  );
}

/**
 * Has admission rules decide a connection. A GET of a WebSocket is refused anyway, and clients send a POST then.
 * @throws ApiError a rule denies it
 */
async function decideConnection({ route: { type, subresource }, request, decide }: Call): Promise<void> {
  if (subresource === 'log') return;
  const { kind = '' } = subresourcesOf(type).find(({ name }) => name === subresource)?.takes ?? {};
  const object = { apiVersion: 'v1', kind, ...queryOf(request.query) };
  await decide?.(() => ({ operation: 'CONNECT', object, dryRun: false }));
}

/** The options in a query, as the fields of their kind: texts, booleans, and lists of commands and ports. */
function queryOf(query: URLSearchParams): JsonObject {
  const fields = [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    const [first = ''] = values;
    if (name === 'command') return [name, values];
    if (name === 'ports') return [name, values.map(Number)];
    return [name, FLAGS.includes(name) ? first === 'true' || first === '1' : first];
  });
  return Object.fromEntries(fields);
}

const FLAGS = ['stdin', 'stdout', 'stderr', 'tty'];

/** The spec of an object. @throws ApiError 404 */
async function read({ options, route }: Call, type: ResourceType, name: string): Promise<JsonObject> {
  const call = { options, route: { ...route, type } } as Call;
  const state = await options.store.get(collectionOfCall(call), objectNameOf(call, name));
  if (state === undefined) throw notFound(type, name);
  return objectAt(state.body.spec);
}

/** k8s.io/kubernetes/pkg/registry/core/pod, validateContainer */
function refuseContainer({ request, route: { name, subresource } }: Call, spec: JsonObject): void {
  if (subresource === 'portforward') return;
  const asked = request.query.get('container') ?? '';
  const names = CONTAINERS.flatMap((field) => namesOf(spec, field));
  if (asked !== '' && !names.includes(asked)) {
    throw badRequest(`container ${asked} is not valid for pod ${name}`);
  }
  if (asked === '' && namesOf(spec, 'containers').length > 1) {
    const choice = names.join(' ');
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${choice}]`);
  }
}

function namesOf(spec: JsonObject, field: (typeof CONTAINERS)[number]): string[] {
  const containers = spec[field];
  return Array.isArray(containers) ? containers.filter(isJsonObject).map(({ name }) => String(name)) : [];
}

/** The error of a proxy request, whose path names its target as `[scheme:]name[:port]`. */
async function whyNoProxy(call: Call): Promise<ApiError> {
  const { type } = call.route;
  const parts = call.route.name.split(':');
  const name = (parts.length === 3 ? parts[1] : parts[0]) ?? '';
  await read(call, type, name);
  return badRequest(
    `${type.singular} "${name}" is not reachable: Winnow has no network to pods, services and nodes, so proxy is not supported`,
  );
}
