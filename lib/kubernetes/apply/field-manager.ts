import { type JsonObject, objectAt, valueAt } from '../../json/index.ts';
import { ApplySyntaxError, ApplyTypeError } from './apply-errors.ts';
import { capManagers } from './cap-managers.ts';
import { ConflictError } from './conflict-error.ts';
import { FieldSet } from './field-set.ts';
import { fieldsOfLastApplied, hasLastApplied, withLastApplied } from './last-applied.ts';
import {
  isReset,
  ManagedFieldsError,
  type ManagerIdentity,
  type Managers,
  managerId,
  noManagers,
  readManagers,
  writeManagers,
} from './managers.ts';
import { fieldElement, type Path } from './path-element.ts';
import { refuseConflicts } from './refuse-conflicts.ts';
import { removeFields } from './remove-fields.ts';
import type { Shape } from './shape.ts';
import { Updater, type UpdaterOptions } from './updater.ts';
import { showShapeErrors, validateValue } from './validate-value.ts';
import { withManagedFields } from './with-managed-fields.ts';

export interface FieldManagerOptions extends Pick<UpdaterOptions, 'convert'> {
  readonly apiVersion: string;
  readonly kind: string;
  /** `''`, `status`, `scale` */
  readonly subresource: string;
  /** The shape of a whole object in a version; undefined where that is not served. */
  shapeOf(apiVersion: string): Shape | undefined;
  /** Fields that a write through this path cannot change, with all below: `['status']`, `['metadata', 'labels']`. */
  readonly reset: readonly (readonly string[])[];
  /** An object of the kind that says nothing, as its type writes it. */
  readonly empty: JsonObject;
  /** Now, RFC 3339, whole seconds. */
  readonly now: string;
  /**
   * The one field that is written through `scale`. As in Kubernetes an update of it is kept track of only where somebody
   * owns it already, and who owns it through `scale` has no time.
   */
  readonly scaled?: readonly string[] | undefined;
}

export interface UpdateWrite {
  /** As stored, with its managedFields; absent on create. */
  readonly live: JsonObject | undefined;
  /** What is to be stored. Its managedFields are the client's. */
  readonly updated: JsonObject;
  readonly manager: string;
}

export interface ApplyWrite {
  readonly live: JsonObject | undefined;
  /** The body as it was sent. */
  readonly applied: JsonObject;
  readonly manager: string;
  readonly force: boolean;
}

/** Never owned by anybody: they say which object it is, or are the server's. */
const STRIPPED: readonly (readonly string[])[] = [
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['metadata', name]),
];
const STRIP = FieldSet.of(...STRIPPED.map(toPath));

/** Of all that was there before anybody was tracked. */
const BEFORE_FIRST_APPLY = 'before-first-apply';
/** The one manager that takes over from client-side apply. */
const KUBECTL = 'kubectl';

/**
 * Keeps `metadata.managedFields`: who owns which field of an object, for writes of every kind, and what an apply
 * makes of it. As k8s.io/apimachinery/pkg/util/managedfields, version 0.33.
 *
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export class FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #updater: Updater;
  readonly #shape: Shape;

  /** @throws Error the own version has no shape */
  constructor(options: FieldManagerOptions) {
    const shape = options.shapeOf(options.apiVersion);
    if (shape === undefined) throw new Error(`no shape of ${options.apiVersion}`);
    this.#options = options;
    this.#shape = shape;
    this.#updater = new Updater({
      apiVersion: options.apiVersion,
      shapeOf: options.shapeOf,
      convert: options.convert,
      reset: FieldSet.of(...options.reset.map(toPath)),
    });
  }

  /**
   * `updated` with the managedFields that hold after it. A client may give managedFields of its own, on the
   * object itself; what cannot be read is as if it were not there, `[]` and `[{}]` forget all managers.
   */
  update({ live, updated, manager }: UpdateWrite): JsonObject {
    const managers = this.#managersOfUpdate(live, updated);
    const object = withManagedFields(updated, []);
    if (live !== undefined && !this.#isTracked(managers)) return this.#written(object, managers);
    const before = live === undefined ? this.#options.empty : withManagedFields(live, []);
    const change = { before: this.#asScale(before), after: this.#asScale(object), manager };
    return this.#written(object, this.#updated(managers, change));
  }

  /** What is written through `scale` as a Scale says it: Go leaves a zero out of one, and so nobody owns it. */
  #asScale(object: JsonObject): JsonObject {
    const { scaled } = this.#options;
    if (scaled === undefined || valueAt(object, scaled.join('.')) !== 0) return object;
    return objectAt(removeFields(this.#shape, object, FieldSet.of(toPath(scaled))));
  }

  /**
   * The object after an apply, with its managedFields; where nothing changes, as it was.
   * @throws {ApplySyntaxError} the body is of another kind, or names managers
   * @throws {ApplyTypeError} a field that the type has not, or of another type
   * @throws {ConflictError} others own what it changes, and `force` is not said
   */
  apply(write: ApplyWrite): JsonObject {
    this.#refuse(write.applied);
    const { object, managers } = this.#appliedByKubectl(write);
    const synced =
      write.manager === KUBECTL && hasLastApplied(object) ? withLastApplied(object, write.applied) : object;
    return this.#written(synced, managers);
  }

  #isTracked({ owned }: Managers): boolean {
    const { scaled } = this.#options;
    if (scaled === undefined) return owned.size > 0;
    return [...owned.values()].some(({ fields }) => fields.has(toPath(scaled)));
  }

  #refuse(applied: JsonObject): void {
    const { apiVersion, kind } = this.#options;
    if (applied.apiVersion !== apiVersion || applied.kind !== kind) {
      throw new ApplySyntaxError(`invalid object type: ${showKind(applied)}`);
    }
    if ((objectAt(applied.metadata).managedFields ?? null) !== null) {
      throw new ApplySyntaxError('metadata.managedFields must be nil');
    }
    const errors = validateValue(this.#shape, applied, { duplicates: false });
    if (errors.length > 0) {
      const what = `${showName(applied)}; ${showKind(applied)}`;
      throw new ApplyTypeError(`failed to create typed patch object (${what}): ${showShapeErrors(errors)}`);
    }
  }

  /** kubectl takes over what it wrote itself by client-side apply, and conflicts only about the rest. */
  #appliedByKubectl(write: ApplyWrite): Applied {
    try {
      return this.#applied(write);
    } catch (error) {
      if (!(error instanceof ConflictError) || write.manager !== KUBECTL || write.live === undefined) {
        throw error;
      }
      const allowed = fieldsOfLastApplied(this.#shape, write.live, this.#options.apiVersion);
      refuseConflicts(error.conflicts.filter(({ path }) => !allowed.has(path)));
      return this.#applied({ ...write, force: true });
    }
  }

  #applied({ live, applied, manager, force }: ApplyWrite): Applied {
    const id = this.#idOf(manager, 'Apply');
    const before = live === undefined ? this.#options.empty : withManagedFields(live, []);
    const managers = this.#managersOfApply(live, before);
    const { object, owned } = this.#updater.apply(managers.owned, {
      live: before,
      applied,
      manager: id,
      force,
    });
    const times = new Map(managers.times);
    if (object !== undefined) this.#tell(times, id);
    return { object: object ?? before, managers: { owned: stripped(owned, id), times } };
  }

  #managersOfApply(live: JsonObject | undefined, before: JsonObject): Managers {
    const managers = readManagers(objectAt(live?.metadata).managedFields);
    if (managers.owned.size > 0) return managers;
    return this.#updated(managers, {
      before: this.#options.empty,
      after: before,
      manager: BEFORE_FIRST_APPLY,
    });
  }

  /** Those the client sent, else those that are stored; through a subresource nobody sets them. */
  #managersOfUpdate(live: JsonObject | undefined, updated: JsonObject): Managers {
    const sent = objectAt(updated.metadata).managedFields;
    if (this.#options.subresource === '') {
      if (isReset(sent)) return noManagers();
      const managers = readableManagers(sent);
      if (managers.owned.size > 0) return managers;
    }
    return readableManagers(objectAt(live?.metadata).managedFields);
  }

  /** What the write changed joins what its manager owned; its time moves only where it changed something. */
  #updated(managers: Managers, { before, after, manager }: Updated): Managers {
    const owned = this.#updater.update(managers.owned, { before, after, manager: CURRENT });
    const times = new Map(managers.times);
    const current = stripped(owned, CURRENT);
    const taken = current.get(CURRENT);
    current.delete(CURRENT);
    if (taken !== undefined) {
      const id = this.#idOf(manager, 'Update');
      const fields = taken.fields.union(current.get(id)?.fields ?? new FieldSet());
      current.set(id, { ...taken, fields });
      this.#tell(times, id);
    }
    return capManagers({ owned: current, times });
  }

  #tell(times: Map<string, string>, id: string): void {
    if (this.#options.scaled === undefined) {
      times.set(id, this.#options.now);
    } else {
      times.delete(id);
    }
  }

  #idOf(manager: string, operation: ManagerIdentity['operation']): string {
    const { apiVersion, subresource } = this.#options;
    return managerId({ manager: manager || 'unknown', operation, apiVersion, subresource });
  }

  #written(object: JsonObject, managers: Managers): JsonObject {
    return withManagedFields(object, writeManagers(managers));
  }
}

interface Applied {
  readonly object: JsonObject;
  readonly managers: Managers;
}

interface Updated {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly manager: string;
}

/** The write that is going on, before it is known whether it owns anything; no client has this name. */
const CURRENT = 'current-operation';

function stripped(owned: Managers['owned'], id: string): Managers['owned'] {
  const own = owned.get(id);
  if (own === undefined) return owned;
  const fields = own.fields.difference(STRIP);
  const left = new Map(owned);
  if (fields.isEmpty) {
    left.delete(id);
  } else {
    left.set(id, { ...own, fields });
  }
  return left;
}

function readableManagers(managedFields: JsonObject[string] | undefined): Managers {
  try {
    return readManagers(managedFields);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return noManagers();
    throw error;
  }
}

function toPath(names: readonly string[]): Path {
  return names.map(fieldElement);
}

/** `/v1, Kind=ConfigMap`; `/, Kind=` of a body without either. */
function showKind({ apiVersion, kind }: JsonObject): string {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  const full = version.includes('/') ? version : `/${version}`;
  return `${full}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

function showName({ metadata }: JsonObject): string {
  const { namespace = '', name = '' } = objectAt(metadata);
  return `${namespace}/${name}`;
}
