import type { JsonObject } from '../../json/index.ts';
import type { Column, ResourceType } from '../resource-types/index.ts';
import { AGE, NAME } from './columns.ts';
import type { ColumnsByKind } from './columns-by-kind.ts';
import { core, podConditions } from './core/index.ts';
import {
  admissionregistration,
  apiextensions,
  apiregistration,
  apps,
  autoscaling,
  batch,
  certificates,
  coordination,
  discovery,
  flowcontrol,
  networking,
  node,
  policy,
  rbac,
  scheduling,
  storage,
  winnow,
} from './groups/index.ts';

/** The layout of a type's objects in a Table. */
export interface TableLayout {
  /** The columns in kubectl's order. */
  readonly columns: readonly Column[];
  /** Returns the conditions of an object's row, which it has besides its cells. */
  conditionsOf(object: JsonObject): readonly JsonObject[];
}

const BY_GROUP: ReadonlyMap<string, ColumnsByKind> = new Map([
  ['', core],
  ['admissionregistration.k8s.io', admissionregistration],
  ['apiextensions.k8s.io', apiextensions],
  ['apiregistration.k8s.io', apiregistration],
  ['apps', apps],
  ['autoscaling', autoscaling],
  ['batch', batch],
  ['certificates.k8s.io', certificates],
  ['coordination.k8s.io', coordination],
  ['discovery.k8s.io', discovery],
  ['flowcontrol.apiserver.k8s.io', flowcontrol],
  ['networking.k8s.io', networking],
  ['node.k8s.io', node],
  ['policy', policy],
  ['rbac.authorization.k8s.io', rbac],
  ['scheduling.k8s.io', scheduling],
  ['storage.k8s.io', storage],
  ['winnow.dev', winnow],
]);

const USUAL: readonly Column[] = [NAME, AGE];

/**
 * Returns the layout of a type's Tables. A version that is stored as another one has the layout of the stored
 * version.
 */
export function tableLayout(type: ResourceType): TableLayout {
  const { custom, group, kind, storedAs } = type;
  if (custom !== undefined) return { columns: [NAME, ...(type.columns ?? [])], conditionsOf: none };
  const columns = BY_GROUP.get(storedAs?.group ?? group)?.[kind] ?? USUAL;
  return {
    columns: storedAs === undefined ? columns : columns.map((column) => seenThrough(column, storedAs)),
    conditionsOf: group === '' && kind === 'Pod' ? podConditions : none,
  };
}

/** Returns a column of the stored version for objects that are shown in another version. */
function seenThrough(column: Column, { encode }: NonNullable<ResourceType['storedAs']>): Column {
  return { ...column, cell: (object, now) => column.cell(encode(object), now) };
}

function none(): readonly JsonObject[] {
  return [];
}
