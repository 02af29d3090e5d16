import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../json/index.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import type { Conflict } from './conflict-error.ts';
import { FieldSet } from './field-set.ts';
import { fieldsOfValue } from './fields-of-value.ts';
import { compareText } from './go-format.ts';
import type { Owned } from './managers.ts';
import { mergeValues } from './merge-values.ts';
import { reconcileFields } from './reconcile-fields.ts';
import { removeFields } from './remove-fields.ts';
import type { Shape } from './shape.ts';
import { throwConflicts } from './throw-conflicts.ts';

export interface UpdaterOptions {
  /** The version of the write. */
  readonly apiVersion: string;
  /** Returns undefined for a version that is no longer served. Ownership in that version is dropped. */
  shapeOf(apiVersion: string): Shape | undefined;
  /** Converts the object to another version. If absent, the object is used unchanged. */
  readonly convert?: ((object: JsonObject, apiVersion: string) => JsonObject) | undefined;
  /** Fields that the write cannot change and therefore does not own, including everything below them. */
  readonly reset: FieldSet;
}

type OwnedById = Map<string, Owned>;

/** A write by an update: `before` and `after` as parsed from JSON. */
export interface UpdateChange {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly manager: string;
}

export interface ApplyChange {
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly manager: string;
  readonly force: boolean;
}

/**
 * Computes the ownership of fields after a write. Follows Updater of sigs.k8s.io/structured-merge-diff/v4/merge.
 * Changes to the fields of other managers are computed in the version in which they own them. When an apply removes
 * fields, objects count as identical in all versions, as with conversion `None`.
 */
export class Updater {
  readonly #options: UpdaterOptions;
  readonly #shape: Shape;

  constructor(options: UpdaterOptions) {
    const shape = options.shapeOf(options.apiVersion);
    if (shape === undefined) throw new Error(`no shape of ${options.apiVersion}`);
    this.#options = options;
    this.#shape = shape;
  }

  /** Returns the ownership after an update: `manager` alone owns the changed fields. */
  update(managers: OwnedById, { before, after, manager }: UpdateChange): OwnedById {
    const { apiVersion, reset } = this.#options;
    const compared = this.#compare(apiVersion, before, after);
    const others = this.#reconciled(managers);
    const owned = this.#withoutTaken(others, { before, after, manager, force: true });
    const own = owned.get(manager)?.fields ?? new FieldSet();
    const fields = own
      .difference(compared.removed)
      .union(compared.modified)
      .union(compared.added)
      .recursiveDifference(reset);
    if (fields.isEmpty) {
      owned.delete(manager);
    } else {
      owned.set(manager, { fields, apiVersion, applied: false });
    }
    return owned;
  }

  /**
   * Returns the object after an apply; undefined if nothing changed. Fields are removed if the manager applied them
   * before and no manager owns them now.
   * @throws {ConflictError} the apply changes fields that other managers own, and `force` is not set
   */
  apply(managers: OwnedById, change: ApplyChange): { object: JsonObject | undefined; owned: OwnedById } {
    const { apiVersion, reset } = this.#options;
    const { live, applied, manager, force } = change;
    const owned = this.#reconciled(managers);
    const last = owned.get(manager);
    const merged = mergeValues(this.#shape, live, applied) ?? null;
    const fields = fieldsOfValue(this.#shape, applied).recursiveDifference(reset);
    owned.set(manager, { fields, apiVersion, applied: true });
    const after = this.#pruned(merged, owned, last);
    const left = this.#withoutTaken(owned, { before: live, after, manager, force });
    return { object: jsonEquals(live, after) ? undefined : (after as JsonObject), owned: left };
  }

  #compare(apiVersion: string, before: JsonValue, after: JsonValue): Comparison {
    const compared = compareValues(
      this.#shapeOf(apiVersion),
      this.#converted(before, apiVersion),
      this.#converted(after, apiVersion),
    );
    const { reset } = this.#options;
    return {
      added: compared.added.recursiveDifference(reset),
      modified: compared.modified.recursiveDifference(reset),
      removed: compared.removed.recursiveDifference(reset),
    };
  }

  #converted(object: JsonValue, apiVersion: string): JsonValue {
    const { apiVersion: own, convert } = this.#options;
    return apiVersion === own || convert === undefined || !isJsonObject(object)
      ? object
      : convert(object, apiVersion);
  }

  #shapeOf(apiVersion: string): Shape {
    return this.#options.shapeOf(apiVersion) ?? this.#shape;
  }

  /** Returns the managers whose version is served, with their fields adapted to the current types. */
  #reconciled(managers: OwnedById): OwnedById {
    const result: OwnedById = new Map();
    for (const [id, owned] of managers) {
      const shape = this.#options.shapeOf(owned.apiVersion);
      if (shape !== undefined) result.set(id, { ...owned, fields: reconcileFields(shape, owned.fields) });
    }
    return result;
  }

  /**
   * Returns all ownership after the change by `manager`. The other managers lose the fields that were changed or
   * removed.
   */
  #withoutTaken(managers: OwnedById, change: Taking): OwnedById {
    const conflicts: Conflict[] = [];
    const left: OwnedById = new Map();
    for (const [id, owned] of [...managers].sort(([a], [b]) => compareText(a, b))) {
      const taken = id === change.manager ? undefined : this.#taken(owned, change);
      for (const path of taken?.changed.paths() ?? []) conflicts.push({ manager: id, path });
      const fields =
        taken === undefined ? owned.fields : owned.fields.difference(taken.changed).difference(taken.removed);
      if (!fields.isEmpty) left.set(id, { ...owned, fields });
    }
    if (!change.force) throwConflicts(conflicts);
    return left;
  }

  #taken(owned: Owned, { before, after }: Taking): { changed: FieldSet; removed: FieldSet } {
    const { added, modified, removed } = this.#compare(owned.apiVersion, before, after);
    return { changed: owned.fields.intersection(modified.union(added)), removed };
  }

  /** Removes fields that the manager applied last time, does not apply now, and no other manager owns. */
  #pruned(merged: JsonValue, managers: OwnedById, last: Owned | undefined): JsonValue {
    if (last === undefined || last.fields.isEmpty) return merged;
    const shape = this.#shapeOf(last.apiVersion);
    const named = last.fields.withNamedFields(shape);
    const pruned = removeFields(shape, merged, named);
    const kept = this.#withOwned(merged, pruned, { managers, first: last.apiVersion });
    return this.#withOthers(kept, { shape, last: named, merged });
  }

  /** Restores the fields that any manager owns. */
  #withOwned(merged: JsonValue, pruned: JsonValue, { managers, first }: Ownership): JsonValue {
    const inOrder = [...managers.values()].sort(
      (a, b) => Number(b.apiVersion === first) - Number(a.apiVersion === first),
    );
    const byVersion = new Map<string, FieldSet>();
    for (const { apiVersion, fields } of inOrder) {
      byVersion.set(apiVersion, (byVersion.get(apiVersion) ?? new FieldSet()).union(fields));
    }
    let kept = pruned;
    for (const [apiVersion, fields] of byVersion) {
      const shape = this.#shapeOf(apiVersion);
      const there = fieldsOfValue(shape, kept).withNamedFields(shape);
      const wanted = there.union(fields.withNamedFields(shape));
      const all = fieldsOfValue(shape, merged).withNamedFields(shape);
      kept = removeFields(shape, merged, all.difference(wanted));
    }
    return kept;
  }

  /** Restores the removed fields that the manager never applied. */
  #withOthers(pruned: JsonValue, { shape, last, merged }: Pruning): JsonValue {
    const kept = fieldsOfValue(shape, pruned).withNamedFields(shape);
    const all = fieldsOfValue(shape, merged).withNamedFields(shape);
    return removeFields(shape, merged, all.difference(kept).intersection(last));
  }
}

interface Taking {
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly manager: string;
  readonly force: boolean;
}

interface Ownership {
  readonly managers: OwnedById;
  /** The version whose fields are restored first. */
  readonly first: string;
}

interface Pruning {
  readonly shape: Shape;
  readonly last: FieldSet;
  readonly merged: JsonValue;
}
