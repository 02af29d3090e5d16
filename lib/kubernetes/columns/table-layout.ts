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

/** How objects of a type are shown in a Table. */
export interface TableLayout {
  /** Every column in kubectl's order. */
  readonly columns: readonly Column[];
  /** What an object's row says of it beside its cells. */
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

/** The layout of a type's Tables; of a version that is stored as another, that of the other. */
export function tableLayout(type: ResourceType): TableLayout {
  const { custom, group, kind, storedAs } = type;
  if (custom !== undefined) return { columns: [NAME, ...(type.columns ?? [])], conditionsOf: none };
  const columns = BY_GROUP.get(storedAs?.group ?? group)?.[kind] ?? USUAL;
  return {
    columns: storedAs === undefined ? columns : columns.map((column) => seenThrough(column, storedAs)),
    conditionsOf: group === '' && kind === 'Pod' ? podConditions : none,
  };
}

/** A column of the stored version, for objects that are shown as another. */
function seenThrough(column: Column, { encode }: NonNullable<ResourceType['storedAs']>): Column {
  return { ...column, cell: (object, now) => column.cell(encode(object), now) };
}

function none(): readonly JsonObject[] {
  return [];
}
