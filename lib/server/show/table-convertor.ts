import { isJsonObject, type JsonObject } from '../../json/index.ts';
import { type TableLayout, tableLayout } from '../../kubernetes/columns/index.ts';
import type { Column, ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Representation } from '../http/index.ts';
import { badRequest } from '../status/index.ts';
import { toPartialObjectMetadata } from './partial-object-metadata.ts';

/** The part of each object that its row includes. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly layout: TableLayout;
  /** The time from which ages are computed, in ms since the epoch. */
  readonly now: number;
  /** The default is Metadata, which kubectl needs for `-A` and `--show-labels`. */
  readonly includeObject?: IncludeObject;
  /** The version of meta.k8s.io. The default is v1. */
  readonly version?: Representation['version'];
  /** The metadata of a list: resourceVersion, continue, remainingItemCount. */
  readonly metadata?: JsonObject;
  /** Whether to define the columns. In a watch, only the first event defines them. */
  readonly headers?: boolean;
}

/**
 * The query parameter `includeObject`.
 * @throws ApiError 400 the value is unknown
 */
export function parseIncludeObject(value: string | null): IncludeObject {
  switch (value) {
    case null:
    case '':
      return 'Metadata';
    case 'None':
    case 'Metadata':
    case 'Object':
      return value;
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
      );
  }
}

interface Asked extends Required<Pick<TableOptions, 'version'>> {
  /** The query parameter `includeObject`. */
  readonly include: string | null;
  readonly clock: Clock;
}

/**
 * Shows objects of a type as Tables.
 * @throws ApiError 400 for an unknown includeObject
 */
export function tablePresenter(type: ResourceType, { version, include, clock }: Asked) {
  const options = { layout: tableLayout(type), version, includeObject: parseIncludeObject(include) };
  const now = clock.now();
  return {
    object: (object: JsonObject) => toObjectTable(object, { ...options, now }),
    list: (objects: readonly JsonObject[], metadata: JsonObject) =>
      toTable(objects, { ...options, now, metadata }),
    member: (object: JsonObject) => toRow(object, { ...options, now }),
    event: (object: JsonObject, headers: boolean) =>
      toObjectTable(object, { ...options, now: clock.now(), headers }),
  };
}

/** Objects as a meta.k8s.io Table, one row for each. */
export function toTable(objects: readonly JsonObject[], options: TableOptions): JsonObject {
  const { layout, metadata = {}, headers = true, version = 'v1' } = options;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: headers ? layout.columns.map(definition) : [],
    rows: objects.map((object) => toRow(object, options)),
  };
}

/** The row of an object. */
export function toRow(object: JsonObject, options: TableOptions): JsonObject {
  const { layout, now } = options;
  const conditions = layout.conditionsOf(object);
  return {
    cells: layout.columns.map((column) => column.cell(object, now)),
    ...(conditions.length === 0 ? {} : { conditions: [...conditions] }),
    ...rowObject(object, options),
  };
}

/** A Table of one row with the object's resourceVersion: the answer to a GET, or the object of a watch event. */
export function toObjectTable(object: JsonObject, options: Omit<TableOptions, 'metadata'>): JsonObject {
  const resourceVersion = isJsonObject(object.metadata) ? object.metadata.resourceVersion : undefined;
  return toTable([object], {
    ...options,
    metadata: resourceVersion === undefined ? {} : { resourceVersion },
  });
}

function definition({ name, type, format = '', priority, description }: Column): JsonObject {
  return { name, type, format, description, priority };
}

function rowObject(object: JsonObject, { includeObject = 'Metadata', version }: TableOptions): JsonObject {
  switch (includeObject) {
    case 'None':
      return { object: null };
    case 'Metadata':
      return { object: toPartialObjectMetadata(object, version) };
    case 'Object':
      return { object };
    default:
      return includeObject satisfies never;
  }
}
