import type { Collection } from '../../json/index.ts';
import { anchorPartition, nameKey, parseAnchorKey, parseDependentKey, parsePartition } from '../keys.ts';
import type { LabelPlaces } from '../labels/index.ts';
import type { Row } from '../table.ts';
import type { StoredObject } from './expected-rows.ts';

/** The object that a row belongs to. */
export interface StrayTarget {
  readonly collection: Collection;
  /** As `nameKey` spells it. */
  readonly name: string;
}

/**
 * The object that a secondary row belongs to; undefined for other rows. Relabel entries that were written before
 * `since`, in ms since the epoch, are never read.
 */
export function strayTarget(row: Row, since: number): StrayTarget | undefined {
  const { kind, of, rest } = parsePartition(row.pk);
  switch (kind) {
    case 'labels':
      return { collection: of as Collection, name: rest };
    case 'owner': {
      const { collection, name } = parseDependentKey(row);
      return { collection, name: nameKey(name) };
    }
    case 'anchor':
      // A mark says that a carrier had a posting here, which stays true for ever.
      return row.moved === undefined ? parseAnchorKey(row) : undefined;
    case 'relabel':
      return Number(row.time) < since ? undefined : { collection: of as Collection, name: String(row.name) };
    default:
      return undefined;
  }
}

/** Whether a row does not fit its object. */
export function isStray(row: Row, object: StoredObject | undefined, places: LabelPlaces): boolean {
  const { kind, of, rest } = parsePartition(row.pk);
  const { state } = object ?? {};
  switch (kind) {
    case 'labels':
      return state === undefined || !Object.hasOwn(state.labels, row.sk) || places.get(row.sk) !== 'overflow';
    case 'owner':
      return !(state?.trackedOwners ?? []).includes(rest === '' ? of : `${of}#${rest}`);
    case 'anchor': {
      const { path } = parseAnchorKey(row);
      const own = (state?.anchored ?? []).filter((one) => one.path === path);
      return !own.some((one) => one.places.some((place) => anchorPartition(place) === row.pk));
    }
    case 'relabel':
      // The newest relabel entry counts, and may be missing in the copy: the indexes show the object's labels.
      return row.labels !== object?.row.labels;
    default:
      return false;
  }
}
