import { ConflictError, InvalidError, NotFoundError } from './errors.ts';
import type { AnyKind, BodyOf, Kind } from './kind.ts';
import { LiveSet } from './live-set.ts';
import type { ObjectList, PageAnswer } from './object-list.ts';
import type {
  ApplyOptions,
  Change,
  DeleteOptions,
  FacetOptions,
  ListOptions,
  LiveOptions,
  Patch,
  Question,
  RequestOptions,
  ReviewedChange,
  SelectedOptions,
  SelectOptions,
  Target,
  WatchOptions,
} from './options.ts';
import { Resource } from './resource.ts';
import type { Facets, Selection, SelectionReview } from './reviews.ts';
import { SelectedSet } from './selected-set.ts';
import { fieldSelectorText, type LabelSelector, labelSelectorText, requireLabelKey } from './selector.ts';
import type { Shape, Shaped } from './shape.ts';
import type { Applied, New, Stored } from './stored-object.ts';
import type { Transport } from './transport.ts';
import type { WatchEvent } from './watch.ts';

/** The most times that an update reads an object anew because another writer was faster. */
const UPDATES = 5;
const UID = 'metadata.uid';
const MERGE_PATCH = 'application/merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

/** The objects of one kind: in one namespace, or in all namespaces if there is none. */
export class Objects<Body, Input = Body, Selectable extends string = never> {
  readonly kind: Kind<Body, Input, Selectable>;
  readonly namespace: string | undefined;
  readonly #transport: Transport;
  readonly #resource: Resource;

  constructor(
    transport: Transport,
    kind: Kind<Body, Input, Selectable>,
    { namespace }: { readonly namespace?: string | undefined } = {},
  ) {
    this.#transport = transport;
    this.#resource = new Resource(transport, kind, namespace);
    this.kind = kind;
    this.namespace = namespace;
  }

  /** @throws {NotFoundError} there is no such object */
  get(target: Target, { signal }: RequestOptions = {}): Promise<Stored<Body>> {
    return this.#transport.send({ method: 'GET', path: this.#resource.pathOf(target), signal });
  }

  /** Lists the objects that a selector selects; all objects by default. The requests begin with the iteration. */
  list<As extends Shape = 'object'>(
    selector: LabelSelector = '',
    options: ListOptions<Selectable, Body, As> = {},
  ): ObjectList<Shaped<Body, As>> {
    const { pageSize, signal } = options;
    return this.#select(selector, options, pageSize).list(signal);
  }

  /**
   * Yields the changes of the selected set in one watch request. An object that leaves the set is `DELETED`. The server
   * ends a watch after some minutes; {@link live} follows a set for longer.
   *
   * @throws {ExpiredError} the resourceVersion is older than the journal: list again
   * @throws {UnavailableError} the connection broke, or it was silent for too long
   */
  watch<As extends Shape = 'object'>(
    selector: LabelSelector = '',
    options: WatchOptions<Selectable, Body, As> = {},
  ): AsyncGenerator<WatchEvent<Shaped<Body, As>>> {
    const groups = this.#select(selector, options).watch({ ...options, fields: {}, shape: undefined });
    return (async function* () {
      for await (const group of groups) yield* group;
    })();
  }

  /**
   * Follows the selected set: lists it, watches it from there on, and does so again after a failure. It runs until it is
   * stopped.
   */
  live<As extends Shape = 'object'>(
    selector: LabelSelector = '',
    options: LiveOptions<Selectable, Body, As> = {},
  ): LiveSet<Shaped<Body, As>> {
    return new LiveSet(this.#select(selector, options), options);
  }

  /**
   * Counts the selected objects by the values of labels, at one resourceVersion. The order of the facets is that of the
   * keys, so that `const { facets: [site] } = await devices.facets(['site'])` works.
   *
   * @throws {WinnowError} 413: there are too many objects to count; use a narrower selector
   */
  async facets<const Keys extends readonly [string, ...string[]]>(
    keys: Keys,
    selector: LabelSelector = '',
    { fields = {}, signal }: FacetOptions<Selectable, Body> = {},
  ): Promise<Facets<Keys>> {
    if (keys.length === 0) throw new TypeError('facets need one label key at least');
    for (const key of keys) requireLabelKey(key);
    if (new Set(keys).size < keys.length) throw new TypeError(`a label key is given twice: ${keys.join()}`);
    const query = { ...selection(selector, fields), facets: keys.join() };
    return this.#transport.send({ method: 'GET', path: this.#resource.collection(), query, signal });
  }

  /**
   * Finds the selectors that match a stored object, such as those of Services and Subscriptions.
   *
   * @throws {NotFoundError} there is no such object
   */
  async selectedBy(target: Target, { signal }: RequestOptions = {}): Promise<readonly Selection[]> {
    const path = `${this.#resource.pathOf(target)}/selectedby`;
    const { items } = await this.#transport.send<SelectionList>({ method: 'GET', path, signal });
    return items;
  }

  /**
   * Lists the objects that an object selects, such as the pods of a Service. The requests begin with the iteration, which
   * throws if the object has no selector, or one that spans namespaces.
   *
   * @throws {ExpiredError} the selector was changed between two pages
   * @throws {TypeError} the objects are not of the kind `of`
   */
  selected<Of extends AnyKind = Kind<Record<string, unknown>>>(
    target: Target,
    selector: LabelSelector = '',
    { of, path, fields = {}, pageSize, signal }: SelectedOptions<Of> = {},
  ): ObjectList<BodyOf<Of>> {
    const query = { ...selection(selector, fields), path };
    const place = `${this.#resource.pathOf(target)}/selected`;
    const expect = ({ apiVersion, kind }: PageAnswer) => {
      const found = kind.replace(/List$/, '');
      if (of !== undefined && (of.apiVersion !== apiVersion || (of.kind ?? found) !== found)) {
        throw new TypeError(`the selected objects are of ${apiVersion} ${found}, not ${of.plural}`);
      }
    };
    return new SelectedSet<BodyOf<Of>>(this.#transport, { path: place, query, pageSize, expect }).list(
      signal,
    );
  }

  /**
   * Returns what {@link live} would ask, without a request. Views that ask equal questions can share one live set.
   *
   * @throws {TypeError} a wrong selector
   */
  question(
    selector: LabelSelector = '',
    {
      fields = {},
      shape,
      most,
    }: Pick<LiveOptions<Selectable, Body, Shape>, 'fields' | 'shape' | 'most'> = {},
  ): Question {
    const asked = [this.#resource.collection(), selection(selector, fields), shape, most];
    return { connection: this.#transport, text: JSON.stringify(asked) };
  }

  /**
   * Finds the selectors that would match an object after a change, and which of them begin or stop to match. The server
   * stores nothing.
   *
   * @throws {InvalidError} the server refused the question; `causes` names the fields
   */
  async review(
    change: ReviewedChange<Body, Input>,
    { signal }: RequestOptions = {},
  ): Promise<SelectionReview> {
    const { plural } = this.kind;
    const namespace = this.#resource.namespaceOf(change.namespace);
    const spec = { ...change, namespace, resource: { group: this.#resource.group, resource: plural } };
    const { status } = await this.#transport.send<{ readonly status: SelectionReview }>({
      method: 'POST',
      path: '/apis/winnow.dev/v1/selectionreviews',
      body: { apiVersion: 'winnow.dev/v1', kind: 'SelectionReview', spec },
      isRead: true,
      signal,
    });
    return status;
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
      path: this.#resource.collection(this.#resource.namespaceOf(object.metadata.namespace)),
      query: this.#writer(),
      body: await this.#resource.typed(object),
      signal,
    });
  }

  /**
   * Reads an object, calls `change` with it, and writes the result. If another writer was faster, this happens again with
   * the new state, five times at most. So `change` must not have other effects.
   *
   * @throws {ConflictError} other writers were faster each time, or the object of this name is another one
   * @throws {OutcomeUnknownError} the answer is lost, so the object may be changed
   */
  update(target: Target, change: Change<Body>, options: RequestOptions = {}): Promise<Stored<Body>> {
    return this.#update(target, '', change, options);
  }

  /** Does the same as {@link update} for `status`, which other writes do not change if the kind has such a subresource. */
  updateStatus(
    this: WithStatus<Body, Objects<Body, Input, Selectable>>,
    target: Target,
    change: Change<Body>,
    options: RequestOptions = {},
  ): Promise<Stored<Body>> {
    const self = this as unknown as Objects<Body, Input, Selectable>;
    return self.#update(target, '/status', change, options);
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
      path: this.#resource.pathOf(object.metadata),
      query: {
        ...this.#writer(),
        force: force === true ? 'true' : undefined,
        dryRun: dryRun === true ? 'All' : undefined,
      },
      body: await this.#resource.typed(object),
      contentType: APPLY_PATCH,
      isRepeatable: true,
      warned,
      signal,
    });
  }

  /**
   * Changes parts of an object (JSON merge patch): `null` removes a field, and a list replaces the whole list.
   *
   * @throws {ConflictError} the object of this name is another one
   */
  async patch(target: Target, patch: Patch<Input>, { signal }: RequestOptions = {}): Promise<Stored<Body>> {
    const uid = uidOf(target);
    const sent = this.#transport.send<Stored<Body>>({
      method: 'PATCH',
      path: this.#resource.pathOf(target),
      query: this.#writer(),
      body: uid === undefined ? patch : { ...patch, metadata: { ...patch.metadata, uid } },
      contentType: MERGE_PATCH,
      signal,
    });
    return sent.catch((error: unknown) => {
      // For the server, the patch of a successor would change its uid.
      const isOther = error instanceof InvalidError && error.causes.some(({ field }) => field === UID);
      throw isOther && uid !== undefined ? new ConflictError(error.message, error) : error;
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
    const uid = uidOf(target);
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: propagation,
      preconditions: uid === undefined ? undefined : { uid },
    };
    const isRepeatable = uid !== undefined;
    const path = this.#resource.pathOf(target);
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
    const wanted = uidOf(target);
    const path = `${this.#resource.pathOf(target)}${subresource}`;
    for (let tries = 1; ; tries++) {
      const object = await this.get(target, { signal });
      // The function may change the object or return another one, but the write is only for the state that was read.
      const { uid, resourceVersion } = object.metadata;
      if (wanted !== undefined && uid !== wanted) throw otherObject(path, { wanted, uid });
      const returned = await change(object);
      const changed = typeof returned === 'object' ? returned : object;
      const metadata = { ...changed.metadata, uid, resourceVersion };
      try {
        const body = await this.#resource.typed({ ...changed, metadata });
        return await this.#transport.send({ method: 'PUT', path, query: this.#writer(), body, signal });
      } catch (error) {
        if (!(error instanceof ConflictError) || tries === UPDATES) throw error;
      }
    }
  }

  #select<As extends Shape>(
    selector: LabelSelector,
    { fields = {}, shape }: SelectOptions<Selectable, Body, As>,
    pageSize?: number,
  ): SelectedSet<Shaped<Body, As>> {
    const { namespace } = this;
    const query = selection(selector, fields);
    const path = this.#resource.collection();
    return new SelectedSet(this.#transport, { path, query, shape, namespace, pageSize });
  }

  #writer(): Record<string, string> {
    return { fieldManager: this.#transport.manager };
  }
}

/** The type of a collection for a method that needs a status; a text, which the compiler prints, without one. */
type WithStatus<Body, Self> = 'status' extends keyof Body ? Self : 'this kind has no status';

interface SelectionList {
  readonly items: readonly Selection[];
}

/** @throws {TypeError} a selector that would mean something else as text */
function selection(selector: LabelSelector, fields: object): Record<string, string> {
  const fieldSelector = fieldSelectorText(fields as Parameters<typeof fieldSelectorText>[0]);
  return { labelSelector: labelSelectorText(selector), fieldSelector };
}

function uidOf(target: Target): string | undefined {
  return typeof target === 'string' ? undefined : target.uid;
}

/** The error that the server gives for a wrong uid in a write. */
function otherObject(path: string, { wanted, uid }: { wanted: string; uid: string }): ConflictError {
  const message = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`;
  const status = { status: 'Failure', code: 409, reason: 'Conflict', message };
  return new ConflictError(`PUT ${path}: ${message}`, { code: 409, status, auditId: '' });
}
