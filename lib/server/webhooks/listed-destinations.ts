import { type DestinationList, FUNCTION_ARN } from '../../webhook-places/index.ts';
import {
  type Destination,
  type Destinations,
  IGNORED,
  NoDestinationError,
  urlOfService,
} from './destination.ts';
import type { ClientConfig, ServiceReference } from './webhook.ts';

/** The destinations of a deployment: those that its operator lists. */
export function listedDestinations(list: DestinationList): Destinations {
  const find = (client: ClientConfig) => destinationIn(list, client);
  return {
    refusal: (client) => {
      try {
        find(client);
        return undefined;
      } catch (error) {
        if (error instanceof NoDestinationError) return error.message;
        throw error;
      }
    },
    find: async (client) => find(client),
  };
}

function destinationIn(list: DestinationList, client: ClientConfig): Destination | typeof IGNORED {
  const { url, service } = client;
  if (service !== undefined) return ofService(list, client, service);
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null) throw new NoDestinationError(`the URL ${url ?? '""'} cannot be parsed`);
  const arn = functionOf(parsed);
  if (arn !== undefined && list.functions.includes(arn)) return { kind: 'function', arn };
  if (!list.hosts.some((host) => isHost(host, parsed))) throw new NoDestinationError(notListed(parsed.host));
  return {
    kind: 'https',
    url: parsed,
    certificates: client.certificates,
    mayBePrivate: list.privateHosts.some((host) => isHost(host, parsed)),
  };
}

/**
 * The operator chose the URL of a Service, so its address may be private. With certificates of the configuration, the
 * server's certificate names the Service, as in a cluster.
 */
function ofService(
  { services }: DestinationList,
  { certificates }: ClientConfig,
  service: ServiceReference,
): Destination | typeof IGNORED {
  const name = `${service.namespace}/${service.name}`;
  const target = Object.hasOwn(services, name) ? services[name] : undefined;
  if (target === undefined) throw new NoDestinationError(notListed(`Service ${name}`));
  if (target === 'ignore') return IGNORED;
  if (FUNCTION_ARN.test(target)) return { kind: 'function', arn: target };
  const base = new URL(target);
  const shared = { kind: 'https', certificates, mayBePrivate: true } as const;
  if (certificates === undefined) {
    return { ...shared, url: atPath(base, service.path) };
  }
  const connect = { host: base.hostname, port: base.port === '' ? 443 : Number(base.port) };
  return { ...shared, url: urlOfService(service), connect };
}

/** The operator's URL with the path of a configuration below its own. The path cannot name another host. */
function atPath(base: URL, path: string): URL {
  const url = new URL(base);
  if (path !== '') url.pathname = `${base.pathname.replace(/\/$/, '')}/${path.replace(/^[/\\]+/, '')}`;
  return url;
}

const notListed = (place: string) =>
  `${place} is not among the webhook destinations of this deployment; its operator can add it to the file of -c webhooks`;

/** A listed host without a port is that host at port 443. URL drops the default port. */
const isHost = (listed: string, { host }: URL) => listed === host || listed === `${host}:443`;

/**
 * The function that an invocation URL of Lambda names:
 * `https://lambda.eu-west-1.amazonaws.com/2015-03-31/functions/ARN/invocations`. Undefined for other URLs.
 */
function functionOf({ hostname, pathname, search }: URL): string | undefined {
  if (search !== '') return undefined;
  const arn = decoded(/^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(pathname)?.[1]);
  const region = FUNCTION_ARN.exec(arn)?.groups?.region ?? '';
  const hosts = [`lambda.${region}.amazonaws.com`, `lambda.${region}.amazonaws.com.cn`];
  return hosts.includes(hostname) ? arn : undefined;
}

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
