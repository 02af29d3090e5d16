import { ConflictError, NotFoundError } from './errors.ts';
import type { Kind } from './kind.ts';
import { type HoldOptions, LiveSet } from './live-set.ts';
import { ObjectList, type PageAnswer } from './object-list.ts';
import { type FieldSelector, fieldSelectorText, type LabelSelector, labelSelectorText } from './selector.ts';
import type { Applied, MergePatch, New, Stored } from './stored-object.ts';
import type { Transport } from './transport.ts';
import { streamEvents, type WatchEvent } from './watch.ts';

/**
 * The object that a request is about: its name, or its name with its namespace. The `metadata` of a stored object is one
 * too.
 */
export type Target =
  | string
  | { readonly name: string; readonly namespace?: string | undefined; readonly uid?: string | undefined };

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions<Selectable extends string> extends RequestOptions {
  /** Values that selectable fields must have: `{ 'spec.state': 'active' }`. */
  readonly fields?: FieldSelector<Selectable> | undefined;
  /** The number of objects in one answer; 500 by default. */
  readonly pageSize?: number | undefined;
}

export interface WatchOptions<Selectable extends string> extends RequestOptions {
  readonly fields?: FieldSelector<Selectable> | undefined;
  /** The state that the watch begins after. Without it, the watch first adds every object that there is. */
  readonly resourceVersion?: string | undefined;
  /** The time after which the server ends the watch. */
  readonly timeoutSeconds?: number | undefined;
  /** The longest time without a byte, in ms; 90,000 by default. After it the connection counts as lost. */
  readonly silence?: number | undefined;
  /** Called when the answer begins. */
  readonly opened?: (() => void) | undefined;
  /** Called for each piece of the answer, also for one without an event. */
  readonly heard?: (() => void) | undefined;
}

export interface LiveOptions<Selectable extends string> extends HoldOptions {
  readonly fields?: FieldSelector<Selectable> | undefined;
}

export interface ApplyOptions extends RequestOptions {
  /** Takes over fields that other managers own. Without it, the apply throws a ConflictError. */
  readonly force?: boolean | undefined;
  /** Whether the server only checks the request, and stores nothing. */
  readonly dryRun?: boolean | undefined;
  /** Called with the warnings of the server, if it has any. */
  readonly warned?: ((warnings: readonly string[]) => void) | undefined;
}

export interface DeleteOptions extends RequestOptions {
  /** What happens to the objects that this object owns; `Background` by default. */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined;
}

/** A change of an object as a JSON merge patch. */
export type Patch<Input> = {
  readonly metadata?: {
    readonly resourceVersion?: string | undefined;
    readonly labels?: Readonly<Record<string, string | null>> | undefined;
    readonly annotations?: Readonly<Record<string, string | null>> | undefined;
    readonly finalizers?: readonly string[] | undefined;
  };
} & MergePatch<Input>;

/** A function that changes an object in place, or returns another one. */
type Change<Body> =
  | ((object: Stored<Body>) => Stored<Body> | Promise<Stored<Body>>)
  | ((object: Stored<Body>) => void | Promise<void>);

const PAGE = 500;
const SILENCE = 90_000;
/** The most times that an update reads an object anew because another writer was faster. */
const UPDATES = 5;
const MERGE_PATCH = 'application/merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

/** The objects of one kind: in one namespace, or in all namespaces if there is none. */
export class Objects<Body, Input = Body, Selectable extends string = never> {
  readonly kind: Kind<Body, Input, Selectable>;
  readonly namespace: string | undefined;
  readonly #transport: Transport;
  /** The name of the kind, once the server told it. */
  #name: Promise<string> | undefined;

  constructor(
    transport: Transport,
    kind: Kind<Body, Input, Selectable>,
    { namespace }: { readonly namespace?: string | undefined } = {},
  ) {
    if (namespace !== undefined && kind.scope === 'Cluster') {
      throw new TypeError(`${kind.plural} are in no namespace; leave out the namespace "${namespace}"`);
    }
    this.#transport = transport;
    this.kind = kind;
    this.namespace = namespace;
  }

  /** @throws {NotFoundError} there is no such object */
  get(target: Target, { signal }: RequestOptions = {}): Promise<Stored<Body>> {
    return this.#transport.send({ method: 'GET', path: this.#pathOf(target), signal });
  }

  /** Lists the objects that a selector selects; all objects by default. The requests begin with the iteration. */
  list(selector: LabelSelector = '', options: ListOptions<Selectable> = {}): ObjectList<Body> {
    const { fields = {}, pageSize = PAGE, signal } = options;
    const query = { ...this.#selection(selector, fields), limit: String(pageSize) };
    const path = this.#collection(this.namespace);
    return new ObjectList<Body>((token) =>
      this.#transport.send<PageAnswer>({ method: 'GET', path, query: { ...query, continue: token }, signal }),
    );
  }

  /**
   * Yields the changes of the selected set in one watch request. An object that leaves the set is `DELETED`. The server
   * ends a watch after some minutes; {@link live} follows a set for longer.
   *
   * @throws {ExpiredError} the resourceVersion is older than the journal: list again
   * @throws {UnavailableError} the connection broke, or it was silent for too long
   */
  watch(
    selector: LabelSelector = '',
    options: WatchOptions<Selectable> = {},
  ): AsyncGenerator<WatchEvent<Body>> {
    const { fields = {}, resourceVersion, timeoutSeconds, silence = SILENCE } = options;
    const query = {
      ...this.#selection(selector, fields),
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion,
      timeoutSeconds: timeoutSeconds?.toString(),
    };
    const request = { method: 'GET', path: this.#collection(this.namespace), query } as const;
    return streamEvents(this.#transport, request, { ...options, silence });
  }

  /**
   * Follows the selected set: lists it, watches it from there on, and does so again after a failure. It runs until it is
   * stopped.
   */
  live(selector: LabelSelector = '', options: LiveOptions<Selectable> = {}): LiveSet<Body> {
    const { fields } = options;
    // A wrong selector is an error of this call.
    this.#selection(selector, fields ?? {});
    return new LiveSet<Body>(
      {
        namespace: this.namespace,
        list: (signal) => this.list(selector, { fields, signal }),
        watch: (watching) => this.watch(selector, { ...watching, fields }),
      },
      options,
    );
  }

  /**
   * Creates an object. A create whose answer is lost is not repeated.
   *
   * @throws {AlreadyExistsError} an object of this name exists
   * @throws {InvalidError} the server refused the object; `causes` names the fields
   * @throws {OutcomeUnknownError} the answer is lost, so the object may exist
   */
  async create(object: New<Input>, { signal }: RequestOptions = {}): Promise<Stored<Body>> {
    return this.#transport.send({
      method: 'POST',
      path: this.#collection(this.#namespaceOf(object.metadata.namespace)),
      query: this.#writer(),
      body: await this.#typed(object),
      signal,
    });
  }

  /**
   * Reads an object, calls `change` with it, and writes the result. If another writer was faster, this happens again with
   * the new state, five times at most. So `change` must not have other effects.
   *
   * @throws {ConflictError} other writers were faster each time
   * @throws {OutcomeUnknownError} the answer is lost, so the object may be changed
   */
  update(target: Target, change: Change<Body>, options: RequestOptions = {}): Promise<Stored<Body>> {
    return this.#update(target, '', change, options);
  }

  /** Does the same as {@link update} for `status`, which other writes do not change if the kind has such a subresource. */
  updateStatus(target: Target, change: Change<Body>, options: RequestOptions = {}): Promise<Stored<Body>> {
    return this.#update(target, '/status', change, options);
  }

  /**
   * Creates the object, or sets the given fields of it (server-side apply). Fields that this manager applied before, and
   * that are not given any more, are removed.
   *
   * @throws {ConflictError} another manager owns one of the fields; `causes` names them
   */
  async apply(object: Applied<Input>, options: ApplyOptions = {}): Promise<Stored<Body>> {
    const { force, dryRun, warned, signal } = options;
    return this.#transport.send({
      method: 'PATCH',
      path: this.#pathOf(object.metadata),
      query: {
        ...this.#writer(),
        force: force === true ? 'true' : undefined,
        dryRun: dryRun === true ? 'All' : undefined,
      },
      body: await this.#typed(object),
      contentType: APPLY_PATCH,
      isRepeatable: true,
      warned,
      signal,
    });
  }

  /** Changes parts of an object (JSON merge patch): `null` removes a field, and a list replaces the whole list. */
  patch(target: Target, patch: Patch<Input>, { signal }: RequestOptions = {}): Promise<Stored<Body>> {
    return this.#transport.send({
      method: 'PATCH',
      path: this.#pathOf(target),
      query: this.#writer(),
      body: patch,
      contentType: MERGE_PATCH,
      signal,
    });
  }

  /** Sets labels of an object; `null` removes a label. */
  relabel(
    target: Target,
    labels: Readonly<Record<string, string | null>>,
    options: RequestOptions = {},
  ): Promise<Stored<Body>> {
    return this.patch(target, { metadata: { labels } } as Patch<Input>, options);
  }

  /**
   * Deletes an object. Given the `metadata` of a stored object, it deletes only that object and no successor of the same
   * name. Only such a delete is repeated if its answer is lost.
   *
   * @throws {NotFoundError} there is no such object
   * @throws {ConflictError} the object of this name is another one
   */
  async delete(target: Target, { propagation, signal }: DeleteOptions = {}): Promise<void> {
    const uid = typeof target === 'string' ? undefined : target.uid;
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: propagation,
      preconditions: uid === undefined ? undefined : { uid },
    };
    const isRepeatable = uid !== undefined;
    const path = this.#pathOf(target);
    try {
      await this.#transport.send({ method: 'DELETE', path, body, isRepeatable, signal });
    } catch (error) {
      const isGone = error instanceof NotFoundError || error instanceof ConflictError;
      if (!isGone || error.lostAnswers === 0) throw error;
      // An earlier attempt deleted the object, and its answer was lost.
    }
  }

  async #update(
    target: Target,
    subresource: string,
    change: Change<Body>,
    { signal }: RequestOptions,
  ): Promise<Stored<Body>> {
    const path = `${this.#pathOf(target)}${subresource}`;
    for (let tries = 1; ; tries++) {
      const object = await this.get(target, { signal });
      const returned = await change(object);
      const changed = typeof returned === 'object' ? returned : object;
      try {
        const body = await this.#typed(changed);
        return await this.#transport.send({ method: 'PUT', path, query: this.#writer(), body, signal });
      } catch (error) {
        if (!(error instanceof ConflictError) || tries === UPDATES) throw error;
      }
    }
  }

  #selection(selector: LabelSelector, fields: FieldSelector<Selectable>): Record<string, string> {
    const fieldSelector = fieldSelectorText(fields as FieldSelector<string>);
    return { labelSelector: labelSelectorText(selector), fieldSelector };
  }

  #writer(): Record<string, string> {
    return { fieldManager: this.#transport.manager };
  }

  /** The object with its type, which the API requires of custom kinds. */
  async #typed(object: object): Promise<object> {
    const { apiVersion } = this.kind;
    this.#name ??= this.#readName().catch((error) => {
      this.#name = undefined;
      throw error;
    });
    return { apiVersion, kind: await this.#name, ...object };
  }

  async #readName(): Promise<string> {
    const { kind, plural } = this.kind;
    if (kind !== undefined) return kind;
    const root = this.#root();
    const { resources } = await this.#transport.send<ResourceNames>({ method: 'GET', path: root });
    const found = resources.find(({ name }) => name === plural);
    if (found === undefined) throw new TypeError(`the server has no resource "${plural}" at ${root}`);
    return found.kind;
  }

  #root(): string {
    const parts = this.kind.apiVersion.split('/').map(segment);
    return `/${parts.length === 1 ? 'api' : 'apis'}/${parts.join('/')}`;
  }

  #collection(namespace: string | undefined): string {
    const where = namespace === undefined ? '' : `/namespaces/${segment(namespace)}`;
    return `${this.#root()}${where}/${segment(this.kind.plural)}`;
  }

  #pathOf(target: Target): string {
    const { name, namespace } = typeof target === 'string' ? { name: target } : target;
    return `${this.#collection(this.#namespaceOf(namespace))}/${segment(name)}`;
  }

  /** @throws {TypeError} there is no namespace, or the object belongs to another one than this collection */
  #namespaceOf(given: string | undefined): string | undefined {
    const { scope, plural } = this.kind;
    if (scope === 'Cluster') return undefined;
    const namespace = given ?? this.namespace;
    if (namespace === undefined) {
      throw new TypeError(`${plural} are in namespaces; give the collection or the object a namespace`);
    }
    if (this.namespace !== undefined && namespace !== this.namespace) {
      throw new TypeError(`the namespace "${namespace}" is not "${this.namespace}", that of the collection`);
    }
    return namespace;
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
