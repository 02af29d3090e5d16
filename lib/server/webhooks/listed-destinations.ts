import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import {
  type Destination,
  type Destinations,
  IGNORED,
  NoDestinationError,
  urlOfService,
} from './destination.ts';
import type { ClientConfig, ServiceReference } from './webhook.ts';

/** The destinations that the operator of a deployment permits. */
export interface DestinationList {
  /** `policy.example.com` or `policy.example.com:8443`, as URLs name them. Port 443 is the default. */
  readonly hosts: readonly string[];
  /** The hosts among them that may have private addresses. */
  readonly privateHosts: readonly string[];
  /** The ARNs of Lambda functions. */
  readonly functions: readonly string[];
  /** For `namespace/name` of a Service: an `https` URL, the ARN of a function, or `ignore`. */
  readonly services: Readonly<Record<string, string>>;
}

const FUNCTION_ARN =
  /^arn:aws[a-z-]*:lambda:(?<region>[a-z0-9-]+):\d{12}:function:[A-Za-z0-9_-]{1,64}(:[A-Za-z0-9_$-]{1,128})?$/;
const SERVICE = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?\/[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const MEMBERS = ['hosts', 'privateHosts', 'functions', 'services'];

/**
 * Reads the operator's list.
 *
 * @throws {TypeError} the list has another form; the message names the member
 */
export function readDestinationList(value: JsonValue): DestinationList {
  if (!isJsonObject(value)) throw new TypeError('the list of webhook destinations must be an object');
  for (const member of Object.keys(value)) {
    if (MEMBERS.includes(member)) continue;
    throw new TypeError(`${member}: unknown; a list of webhook destinations has ${MEMBERS.join(', ')}`);
  }
  const hosts = textsIn(value, 'hosts');
  const privateHosts = textsIn(value, 'privateHosts');
  for (const host of [...hosts, ...privateHosts]) refuseHost(host);
  const functions = textsIn(value, 'functions');
  for (const arn of functions) {
    if (!FUNCTION_ARN.test(arn)) throw new TypeError(`functions: ${arn} is not the ARN of a Lambda function`);
  }
  return {
    hosts: [...hosts, ...privateHosts],
    privateHosts,
    functions,
    services: readServices(value.services),
  };
}

function refuseHost(host: string): void {
  const url = URL.parse(`https://${host}`);
  if (url?.host !== host && `${url?.host}:443` !== host) {
    throw new TypeError(
      `hosts: ${host} is not a host, such as policy.example.com or policy.example.com:8443`,
    );
  }
}

function textsIn(object: JsonObject, member: string): string[] {
  const list = object[member] ?? [];
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  throw new TypeError(`${member}: must be a list of texts`);
}

function readServices(value: JsonValue | undefined): Record<string, string> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new TypeError('services: must be an object');
  for (const [service, target] of Object.entries(value)) {
    if (!SERVICE.test(service)) {
      throw new TypeError(`services: ${service} is not namespace/name of a Service`);
    }
    const isTarget = typeof target === 'string' && (target === 'ignore' || FUNCTION_ARN.test(target));
    if (isTarget || isHttps(target)) continue;
    throw new TypeError(`services.${service}: must be an https URL, the ARN of a Lambda function, or ignore`);
  }
  return value as Record<string, string>;
}

const isHttps = (target: JsonValue | undefined) =>
  typeof target === 'string' && URL.parse(target)?.protocol === 'https:';

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
    return { ...shared, url: service.path === '' ? base : new URL(service.path, base) };
  }
  const connect = { host: base.hostname, port: base.port === '' ? 443 : Number(base.port) };
  return { ...shared, url: urlOfService(service), connect };
}

const notListed = (place: string) =>
  `${place} is not among the webhook destinations of this deployment; its operator can add it to the file of -c webhooks`;

/** A listed host without a port is that host at port 443. URL drops the default port. */
const isHost = (listed: string, { host }: URL) => listed === host || listed === `${host}:443`;

/**
 * The function that an invocation URL of Lambda names:
 * `https://lambda.eu-west-1.amazonaws.com/2015-03-31/functions/ARN/invocations`. Undefined for other URLs.
 */
function functionOf({ hostname, pathname }: URL): string | undefined {
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
