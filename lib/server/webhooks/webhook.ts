import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  metadataOf,
  objectAt,
  objectsIn,
} from '../../json/index.ts';

/** The place of a webhook's server, as an author writes it: `clientConfig` of admissionregistration.k8s.io/v1. */
export interface ClientConfig {
  /** An `https` URL; undefined if a Service is named. */
  readonly url: string | undefined;
  readonly service: ServiceReference | undefined;
  /** The certificates, in PEM, that sign the server's; undefined stands for the public ones. */
  readonly certificates: string | undefined;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** Begins with `/`, or is empty. */
  readonly path: string;
}

/** One webhook of a ValidatingWebhookConfiguration or a MutatingWebhookConfiguration. */
export interface Webhook {
  /** The name of its configuration. */
  readonly configuration: string;
  readonly name: string;
  /** Its place among all webhooks of its kind, in the order in which the server asks them. */
  readonly index: number;
  readonly client: ClientConfig;
  /** Whether a failed call lets the write pass. */
  readonly ignoresFailures: boolean;
  /** Whether a dry run may call it. */
  readonly allowsDryRun: boolean;
  /** In ms. */
  readonly timeout: number;
  /** Whether it is asked again when a later mutation changes its object. */
  readonly reinvoked: boolean;
  readonly reviewVersions: readonly string[];
  /** The whole webhook, with its rules, selectors and conditions. */
  readonly spec: JsonObject;
}

const DEFAULT_TIMEOUT_SECONDS = 10;
const HTTPS_PORT = 443;

/**
 * The webhooks of configurations of one kind: by the names of the configurations, and in each as its author wrote
 * them. Upstream asks them in this order.
 */
export function webhooksIn(configurations: readonly JsonObject[]): Webhook[] {
  const named = configurations.map((body) => ({ body, name: String(metadataOf(body).name ?? '') }));
  named.sort((one, other) => (one.name < other.name ? -1 : 1));
  const all = named.flatMap(({ body, name }) => objectsIn(body.webhooks).map((spec) => ({ name, spec })));
  return all.map(({ name, spec }, index) => ({
    configuration: name,
    name: textOf(spec.name),
    index,
    client: readClient(objectAt(spec.clientConfig)),
    ignoresFailures: spec.failurePolicy === 'Ignore',
    allowsDryRun: spec.sideEffects === 'None' || spec.sideEffects === 'NoneOnDryRun',
    timeout:
      1_000 * (typeof spec.timeoutSeconds === 'number' ? spec.timeoutSeconds : DEFAULT_TIMEOUT_SECONDS),
    reinvoked: spec.reinvocationPolicy === 'IfNeeded',
    reviewVersions: Array.isArray(spec.admissionReviewVersions)
      ? spec.admissionReviewVersions.map(textOf)
      : [],
    spec,
  }));
}

/** Reads a `clientConfig`, which validation has accepted. */
export function readClient({ url, service, caBundle }: JsonObject): ClientConfig {
  return {
    url: typeof url === 'string' ? url : undefined,
    service: isJsonObject(service) ? readService(service) : undefined,
    certificates:
      typeof caBundle === 'string' && caBundle !== ''
        ? Buffer.from(caBundle, 'base64').toString('utf8')
        : undefined,
  };
}

function readService({ namespace, name, port, path }: JsonObject): ServiceReference {
  return {
    namespace: textOf(namespace),
    name: textOf(name),
    port: typeof port === 'number' ? port : HTTPS_PORT,
    path: textOf(path),
  };
}

const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
