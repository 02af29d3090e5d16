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
import { removeFields } from './remove-fields.ts';
import type { Shape } from './shape.ts';
import { throwConflicts } from './throw-conflicts.ts';
import { Updater, type UpdaterOptions } from './updater.ts';
import { showShapeErrors, validateValue } from './validate-value.ts';
import { withManagedFields } from './with-managed-fields.ts';

export interface FieldManagerOptions extends Pick<UpdaterOptions, 'convert'> {
  readonly apiVersion: string;
  readonly kind: string;
  /** `''`, `status`, `scale` */
  readonly subresource: string;
  /** Returns the shape of a whole object in a version; undefined if the version is not served. */
  shapeOf(apiVersion: string): Shape | undefined;
  /**
   * Fields that a write through this path cannot change, with everything below: `['status']`,
   * `['metadata', 'labels']`.
   */
  readonly reset: readonly (readonly string[])[];
  /** An empty object of the kind, as its type serializes it. */
  readonly empty: JsonObject;
  /** The current time, RFC 3339, whole seconds. */
  readonly now: string;
  /**
   * The one field that is written through `scale`. As in Kubernetes, an update of it is tracked only if a manager
   * already owns it. Managers that own it through `scale` have no time.
   */
  readonly scaled?: readonly string[] | undefined;
}

export interface UpdateWrite {
  /** The stored object with its managedFields; undefined on create. */
  readonly live: JsonObject | undefined;
  /** The object to store. Its managedFields come from the client. */
  readonly updated: JsonObject;
  readonly manager: string;
}

export interface ApplyWrite {
  readonly live: JsonObject | undefined;
  /** The request body, unchanged. */
  readonly applied: JsonObject;
  readonly manager: string;
  readonly force: boolean;
}

/** Fields that no manager ever owns: they identify the object, or the server sets them. */
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

/** The manager of all fields that were set before managers were tracked. */
const BEFORE_FIRST_APPLY = 'before-first-apply';
/** The only manager that takes over fields from client-side apply. */
const KUBECTL = 'kubectl';

/**
 * Maintains `metadata.managedFields`, which records the managers of each field, for writes of every kind. Also
 * computes the result of an apply. Follows k8s.io/apimachinery/pkg/util/managedfields, version 0.33.
 *
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export class FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #updater: Updater;
  readonly #shape: Shape;

  /** @throws Error if `apiVersion` has no shape */
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
   * Returns `updated` with the managedFields that apply after the write. A client may send its own managedFields, on
   * the object itself. Unreadable managedFields are ignored; `[]` and `[{}]` remove all managers.
   */
  update({ live, updated, manager }: UpdateWrite): JsonObject {
    const managers = this.#managersOfUpdate(live, updated);
    const object = withManagedFields(updated, []);
    if (live !== undefined && !this.#isTracked(managers)) return this.#written(object, managers);
    const before = live === undefined ? this.#options.empty : withManagedFields(live, []);
    const change = { before: this.#asScale(before), after: this.#asScale(object), manager };
    return this.#written(object, this.#updated(managers, change));
  }

  /** Returns the object as a Scale represents it. Go omits zero from a Scale, so no manager owns a zero. */
  #asScale(object: JsonObject): JsonObject {
    const { scaled } = this.#options;
    if (scaled === undefined || valueAt(object, scaled.join('.')) !== 0) return object;
    return objectAt(removeFields(this.#shape, object, FieldSet.of(toPath(scaled))));
  }

  /**
   * Returns the object after an apply, with its managedFields. If nothing changes, it returns the previous object.
   * @throws {ApplySyntaxError} the body has another kind, or sets managedFields
   * @throws {ApplyTypeError} the type does not have a field, or the field has the wrong type
   * @throws {ConflictError} the apply changes fields that other managers own, and `force` is not set
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

  /**
   * Applies for kubectl, which takes over the fields that it wrote by client-side apply. Only other fields can
   * conflict.
   */
  #appliedByKubectl(write: ApplyWrite): Applied {
    try {
      return this.#applied(write);
    } catch (error) {
      if (!(error instanceof ConflictError) || write.manager !== KUBECTL || write.live === undefined) {
        throw error;
      }
      const allowed = fieldsOfLastApplied(this.#shape, write.live, this.#options.apiVersion);
      throwConflicts(error.conflicts.filter(({ path }) => !allowed.has(path)));
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

  /**
   * Returns the managers that the client sent, else the stored ones. A write through a subresource cannot set
   * managers.
   */
  #managersOfUpdate(live: JsonObject | undefined, updated: JsonObject): Managers {
    const sent = objectAt(updated.metadata).managedFields;
    if (this.#options.subresource === '') {
      if (isReset(sent)) return noManagers();
      const managers = readableManagers(sent);
      if (managers.owned.size > 0) return managers;
    }
    return readableManagers(objectAt(live?.metadata).managedFields);
  }

  /**
   * Adds the changed fields to those of the writing manager. Updates its time only if the write changed something.
   */
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

/**
 * The temporary manager of the current write, until it is known whether the write owns any fields. No client uses
 * this name.
 */
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

/** Formats `/v1, Kind=ConfigMap`; `/, Kind=` for a body that has neither. */
function showKind({ apiVersion, kind }: JsonObject): string {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  const full = version.includes('/') ? version : `/${version}`;
  return `${full}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

function showName({ metadata }: JsonObject): string {
  const { namespace = '', name = '' } = objectAt(metadata);
  return `${namespace}/${name}`;
}
