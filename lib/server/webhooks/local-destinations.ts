import { collectionOf, type JsonObject, type JsonValue, objectAt, objectsIn } from '../../json/index.ts';
import { MEMORY } from '../../platform/index.ts';
import { parseSelector } from '../../selectors/index.ts';
import { eachPage, type Store } from '../../store/index.ts';
import { type Destination, type Destinations, NoDestinationError, urlOfService } from './destination.ts';
import type { ClientConfig, ServiceReference } from './webhook.ts';

const SERVICES = collectionOf('', 'services');
const SLICES = collectionOf('discovery.k8s.io', 'endpointslices');

/**
 * The destinations of a server on the author's own machine: URLs of loopback. With `services`, also every other URL, and
 * every Service through its EndpointSlices.
 */
export function localDestinations(places: 'loopback' | 'services', store: Store): Destinations {
  const refusal = ({ url, service }: ClientConfig): string | undefined => {
    if (places === 'services') return undefined;
    if (service !== undefined) {
      return `Winnow calls no Service; start it with --webhooks=services to call Service ${service.namespace}/${service.name}`;
    }
    const { hostname } = URL.parse(url ?? '') ?? { hostname: JSON.stringify(url) };
    if (LOOPBACK.test(hostname)) return undefined;
    return `${hostname} is not a host of loopback; start Winnow with --webhooks=services to call other hosts`;
  };
  return {
    refusal,
    find: async (client): Promise<Destination> => {
      const refused = refusal(client);
      if (refused !== undefined) throw new NoDestinationError(refused);
      const { url, service, certificates } = client;
      const shared = { kind: 'https', certificates, mayBePrivate: true } as const;
      if (service === undefined) return { ...shared, url: parsed(url) };
      return { ...shared, url: urlOfService(service), connect: await endpointOf(store, service) };
    },
  };
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function parsed(url = ''): URL {
  const found = URL.parse(url);
  if (found === null) throw new NoDestinationError(`the URL ${JSON.stringify(url)} cannot be parsed`);
  return found;
}

/** A ready endpoint of a Service's port. The first one: a pod that stops being ready leaves its slice. */
async function endpointOf(store: Store, service: ServiceReference): Promise<{ host: string; port: number }> {
  const { namespace, name, port } = service;
  const found = await store.get(SERVICES, { namespace, name });
  if (found === undefined) throw new NoDestinationError(`service ${JSON.stringify(name)} not found`);
  const { type, externalName, ports } = objectAt(found.body.spec);
  if (type === 'ExternalName') return { host: String(externalName), port };
  const wanted = objectsIn(ports).find((one) => one.port === port);
  if (wanted === undefined) {
    throw new NoDestinationError(`no service port ${port} found for service ${JSON.stringify(name)}`);
  }
  const selector = parseSelector(`kubernetes.io/service-name=${name}`);
  for await (const { items } of eachPage(store, SLICES, { namespace, selector, mostHeap: MEMORY.page })) {
    for (const { body } of items) {
      const endpoint = endpointIn(body, wanted.name ?? '');
      if (endpoint !== undefined) return endpoint;
    }
  }
  throw new NoDestinationError(`no endpoints available for service ${JSON.stringify(name)}`);
}

function endpointIn(slice: JsonObject, portName: JsonValue): { host: string; port: number } | undefined {
  const { port } = objectsIn(slice.ports).find(({ name = '' }) => name === portName) ?? {};
  const ready = objectsIn(slice.endpoints).find(({ conditions }) => objectAt(conditions).ready !== false);
  const [host] = Array.isArray(ready?.addresses) ? ready.addresses : [];
  return typeof host === 'string' && typeof port === 'number' ? { host, port } : undefined;
}
