import type { JsonObject } from '../../../lib/json/index.ts';

export interface ObjectMeta extends JsonObject {
  name: string;
  namespace: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
  generation: number;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface KubernetesObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/** What came back: the object of `kubernetes`, the list of `items`, or the Status with its `causes`. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The whole JSON body. */
  readonly body: KubernetesObject;
  readonly items: readonly KubernetesObject[];
  readonly message: string;
  readonly reason: string;
  readonly causes: readonly StatusCause[];
}

export interface RequestOptions {
  /** Sent as it is when a string or bytes, as JSON otherwise. */
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What curl could do, with the answer taken apart. */
export class HttpClient {
  readonly url: string;
  /** Gives headers that are sent with every request. */
  readonly login: () => Promise<Readonly<Record<string, string>>>;

  constructor(url: string, login: HttpClient['login'] = async () => ({})) {
    this.url = url;
    this.login = login;
  }

  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { body, type = 'application/json' } = options;
    const headers = { ...(await this.login()), ...options.headers };
    const response = await fetch(`${this.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: encode(body) }),
      headers: { ...(body === undefined || type === '' ? {} : { 'content-type': type }), ...headers },
    });
    return parse(response, await response.text());
  }

  /** Like {@link send}, for a request that has to succeed. */
  async ask(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const answer = await this.send(method, path, options);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.message}`);
    return answer;
  }

  get(path: string): Promise<Answer> {
    return this.ask('GET', path);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.ask('POST', path, { body });
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.ask('PUT', path, { body });
  }

  merge(path: string, body: unknown): Promise<Answer> {
    return this.ask('PATCH', path, { body, type: 'application/merge-patch+json' });
  }

  delete(path: string): Promise<Answer> {
    return this.ask('DELETE', path);
  }

  async names(path: string): Promise<string[]> {
    return (await this.get(path)).items.map(({ metadata }) => metadata.name);
  }

  /** The resourceVersion of the collection at `path` (without a query). */
  async version(path: string): Promise<string> {
    return (await this.get(`${path}?limit=1`)).body.metadata.resourceVersion;
  }
}

function encode(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function parse({ status, headers }: Response, text: string): Answer {
  const body = (text === '' ? {} : JSON.parse(text)) as KubernetesObject & {
    items?: KubernetesObject[];
    message?: string;
    reason?: string;
    details?: { causes?: StatusCause[] };
  };
  const { items = [], message = '', reason = '', details } = body;
  return { status, headers, body, items, message, reason, causes: details?.causes ?? [] };
}
