import type { Kind } from './kind.ts';
import { Objects } from './objects.ts';
import { type ApiRequest, type ConnectOptions, Transport } from './transport.ts';

/** A connection to Winnow, created by {@link connect}. */
export class Winnow {
  readonly #transport: Transport;

  constructor(options: ConnectOptions) {
    this.#transport = new Transport(options);
  }

  /**
   * Returns the objects of a kind, without a request. Without a namespace, list and watch are about all namespaces, and
   * the other methods need the namespace of each object.
   */
  objects<Body, Input, Selectable extends string>(
    kind: Kind<Body, Input, Selectable>,
    where: { readonly namespace?: string | undefined } = {},
  ): Objects<Body, Input, Selectable> {
    return new Objects(this.#transport, kind, where);
  }

  /**
   * Sends any other request, and returns the JSON of the answer, or its text: `winnow.request('/version')`.
   *
   * @throws {WinnowError} the request failed; the class says why
   */
  request<Answer = unknown>(path: string, options: Partial<Omit<ApiRequest, 'path'>> = {}): Promise<Answer> {
    return this.#transport.send<Answer>({ method: 'GET', mayBeText: true, ...options, path });
  }
}

/**
 * Connects to Winnow, without a request. The client reads no kubeconfig.
 *
 * @throws {TypeError} there is no usable URL, or a token would travel without encryption
 */
export function connect(options: ConnectOptions = {}): Winnow {
  return new Winnow(options);
}
