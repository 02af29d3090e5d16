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

/** The ARN of a Lambda function, perhaps with a version or an alias. */
export const FUNCTION_ARN =
  /^arn:aws[a-z-]*:lambda:(?<region>[a-z0-9-]+):\d{12}:function:[A-Za-z0-9_-]{1,64}(:[A-Za-z0-9_$-]{1,128})?$/;
const SERVICE = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?\/[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const MEMBERS = ['hosts', 'privateHosts', 'functions', 'services'];

/**
 * Reads the operator's list.
 *
 * @throws {TypeError} the list has another form; the message names the member
 */
export function readDestinationList(value: unknown): DestinationList {
  if (!isObject(value)) throw new TypeError('the list of webhook destinations must be an object');
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
  const url = host.includes('*') || host.endsWith('.') ? null : URL.parse(`https://${host}`);
  if (url?.host !== host && `${url?.host}:443` !== host) {
    throw new TypeError(
      `hosts: ${host} is not a host, such as policy.example.com or policy.example.com:8443`,
    );
  }
}

function textsIn(object: object, member: string): string[] {
  const list: unknown = Reflect.get(object, member) ?? [];
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  throw new TypeError(`${member}: must be a list of texts`);
}

function readServices(value: unknown): Record<string, string> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new TypeError('services: must be an object');
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isHttps = (target: unknown) => typeof target === 'string' && URL.parse(target)?.protocol === 'https:';
