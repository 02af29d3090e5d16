import type { JsonObject } from '../lib/json/index.ts';

/** The answer of a Kubernetes API. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject & {
    readonly items?: readonly KubernetesObject[];
    readonly resources?: readonly ApiResource[];
    readonly message?: string;
  };
}

export interface KubernetesObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: JsonObject & { name: string; namespace?: string };
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** A client that uses the HTTP API only, as curl would. */
export class Client {
  readonly url: string;
  readonly #discovered = new Map<string, readonly ApiResource[]>();

  constructor(url: string) {
    this.url = url;
  }

  async send(
    method: string,
    path: string,
    body?: JsonObject,
    contentType = 'application/json',
  ): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': contentType } }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  /** Like {@link send}, but throws if the status is 400 or above. */
  async ask(method: string, path: string, body?: JsonObject, contentType?: string): Promise<Answer['body']> {
    const answer = await this.send(method, path, body, contentType);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.message}`);
    return answer.body;
  }

  /** Creates an object, or merges it into an existing one. Returns the word that kubectl prints for the result. */
  async apply(object: KubernetesObject): Promise<'created' | 'configured'> {
    const collection = await this.collectionPath(object);
    const created = await this.send('POST', collection, object);
    if (created.status === 201) return 'created';
    if (created.status !== 409) {
      throw new Error(`${object.kind} ${object.metadata.name}: ${created.body.message}`);
    }
    await this.merge(`${collection}/${object.metadata.name}`, object);
    return 'configured';
  }

  merge(path: string, patch: JsonObject): Promise<Answer['body']> {
    return this.ask('PATCH', path, patch, 'application/merge-patch+json');
  }

  /** Looks up the path of an object's collection by discovery. */
  async collectionPath({ apiVersion, kind, metadata }: KubernetesObject): Promise<string> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    if (!this.#discovered.has(root)) {
      this.#discovered.set(root, (await this.ask('GET', root)).resources ?? []);
    }
    const resource = this.#discovered.get(root)?.find((one) => one.kind === kind && !one.name.includes('/'));
    if (resource === undefined) throw new Error(`${apiVersion} has no kind ${kind}`);
    return resource.namespaced
      ? `${root}/namespaces/${metadata.namespace ?? 'default'}/${resource.name}`
      : `${root}/${resource.name}`;
  }
}
