import type { ClientConfig, ServiceReference } from './webhook.ts';

/** The place that Winnow calls for a webhook. */
export type Destination = HttpsDestination | FunctionDestination;

/** An HTTPS server. */
export interface HttpsDestination {
  readonly kind: 'https';
  /** The URL as messages and the request name it. */
  readonly url: URL;
  /** The address to connect to instead of the URL's host; undefined stands for that host. */
  readonly connect?: { readonly host: string; readonly port: number } | undefined;
  /** The certificates, in PEM, that sign the server's; undefined stands for the public ones. */
  readonly certificates: string | undefined;
  /** Whether the address may be a loopback, link-local or private one. */
  readonly mayBePrivate: boolean;
}

/** A Lambda function, which receives the AdmissionReview as its event and returns one. */
export interface FunctionDestination {
  readonly kind: 'function';
  readonly arn: string;
}

/** The answer for a webhook that the operator ignores: it is never called, and lets every write pass. */
export const IGNORED = 'ignored';

/** A destination that the deployment's operator does not permit, or that does not exist. The message says why. */
export class NoDestinationError extends Error {
  override readonly name = 'NoDestinationError';
}

/** Finds the place of a webhook's server. */
export interface Destinations {
  /**
   * Returns why a configuration may not name this place, for the answer 422; undefined if it may. It does no I/O: a
   * Service need not exist yet.
   */
  refusal(client: ClientConfig): string | undefined;
  /** @throws {NoDestinationError} */
  find(client: ClientConfig): Promise<Destination | typeof IGNORED>;
}

/** The name of a Service in certificates and URLs. */
const hostOfService = ({ name, namespace }: ServiceReference) => `${name}.${namespace}.svc`;

/** The URL of a webhook that a Service serves, as messages name it. */
export function urlOfService(service: ServiceReference): URL {
  const url = new URL(`https://${hostOfService(service)}:${service.port}`);
  if (service.path !== '') url.pathname = service.path;
  return url;
}

/** A URL as kube-apiserver prints it in errors: with the timeout of the call, and for a Service always with the port. */
export function printedUrl(url: URL, timeout: number, isService: boolean): string {
  const called = calledUrl(url, timeout);
  const port = called.port === '' && isService ? ':443' : '';
  return `${called.protocol}//${called.host}${port}${called.pathname}${called.search}`;
}

/** The URL of one call. Its query tells the server the timeout in seconds. */
export function calledUrl(url: URL, timeout: number): URL {
  const called = new URL(url);
  called.searchParams.set('timeout', `${Math.ceil(timeout / 1_000)}s`);
  return called;
}
