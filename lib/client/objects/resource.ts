import type { AnyKind } from './kind.ts';
import type { Target } from './options.ts';
import type { Transport } from './transport.ts';

/** The place of a kind in the API: the paths of its objects, and the type that its objects have. */
export class Resource {
  readonly #transport: Transport;
  readonly #kind: AnyKind;
  readonly #namespace: string | undefined;
  /** The name of the kind, once the server told it. */
  #name: Promise<string> | undefined;

  /** @throws {TypeError} there is a namespace, and the objects are in none */
  constructor(transport: Transport, kind: AnyKind, namespace: string | undefined) {
    if (namespace !== undefined && kind.scope === 'Cluster') {
      throw new TypeError(`${kind.plural} are in no namespace; leave out the namespace "${namespace}"`);
    }
    this.#transport = transport;
    this.#kind = kind;
    this.#namespace = namespace;
  }

  /** The API group; empty for the core group. */
  get group(): string {
    const [group, version] = this.#kind.apiVersion.split('/');
    return version === undefined ? '' : (group ?? '');
  }

  /** Returns the path of all objects: in a namespace, or in all. */
  collection(namespace = this.#namespace): string {
    const where = namespace === undefined ? '' : `/namespaces/${segment(namespace)}`;
    return `${this.#root()}${where}/${segment(this.#kind.plural)}`;
  }

  /** Returns the path of one object. */
  pathOf(target: Target): string {
    const { name, namespace } = typeof target === 'string' ? { name: target } : target;
    return `${this.collection(this.namespaceOf(namespace))}/${segment(name)}`;
  }

  /**
   * Returns the namespace of an object: the given one, or that of the collection. Undefined if the kind has none.
   *
   * @throws {TypeError} there is no namespace, or the object belongs to another one than this collection
   */
  namespaceOf(given: string | undefined): string | undefined {
    const { scope, plural } = this.#kind;
    if (scope === 'Cluster') return undefined;
    const namespace = given ?? this.#namespace;
    if (namespace === undefined) {
      throw new TypeError(`${plural} are in namespaces; give the collection or the object a namespace`);
    }
    if (this.#namespace !== undefined && namespace !== this.#namespace) {
      throw new TypeError(`the namespace "${namespace}" is not "${this.#namespace}", that of the collection`);
    }
    return namespace;
  }

  /** Returns an object with its type, which the API requires of custom kinds. */
  async typed(object: object): Promise<object> {
    const { apiVersion } = this.#kind;
    this.#name ??= this.#readName().catch((error) => {
      this.#name = undefined;
      throw error;
    });
    return { apiVersion, kind: await this.#name, ...object };
  }

  async #readName(): Promise<string> {
    const { kind, plural } = this.#kind;
    if (kind !== undefined) return kind;
    const root = this.#root();
    const { resources } = await this.#transport.send<ResourceNames>({ method: 'GET', path: root });
    const found = resources.find(({ name }) => name === plural);
    if (found === undefined) throw new TypeError(`the server has no resource "${plural}" at ${root}`);
    return found.kind;
  }

  #root(): string {
    const parts = this.#kind.apiVersion.split('/').map(segment);
    return `/${parts.length === 1 ? 'api' : 'apis'}/${parts.join('/')}`;
  }
}

/** The resources of a version of a group: an `APIResourceList`. */
interface ResourceNames {
  readonly resources: readonly { readonly name: string; readonly kind: string }[];
}

/**
 * Encodes a part of a path.
 *
 * @throws {TypeError} the name is empty or dots only, so the path would be that of something else
 */
function segment(name: string): string {
  if (/^\.*$/.test(name)) throw new TypeError(`"${name}" is not a name`);
  return encodeURIComponent(name);
}
