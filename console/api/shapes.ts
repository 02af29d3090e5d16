import type { LiveObject, TableRow } from '../../lib/client/objects/index.ts';

/** A kind that Winnow serves. */
export interface KindInfo {
  /** `pods`, or with the group: `deployments.apps`. */
  readonly id: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  /** The name in paths: `deployments`. */
  readonly plural: string;
  /** The name in objects: `Deployment`. */
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** A row of the table that kubectl prints, with the metadata of its object. */
export type Row = LiveObject<TableRow>;
