import { isJsonObject, type JsonObject } from '../../json/index.ts';
import type { TableLayout } from '../../kubernetes/columns/index.ts';
import type { Column } from '../../kubernetes/resource-types/index.ts';
import type { Representation } from '../http/index.ts';
import { badRequest } from '../status/index.ts';
import { toPartialObjectMetadata } from './partial-object-metadata.ts';

/** How much of each object comes along with its row. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly layout: TableLayout;
  /** Milliseconds since the epoch: ages are told from here. */
  readonly now: number;
  /** Metadata where it is not said: that is what kubectl needs for `-A` and `--show-labels`. */
  readonly includeObject?: IncludeObject;
  /** Of meta.k8s.io; v1 where it is not said. */
  readonly version?: Representation['version'];
  /** A list's metadata: resourceVersion, continue, remainingItemCount. */
  readonly metadata?: JsonObject;
  /** Whether to say what the columns are; a watch says it on its first event alone. */
  readonly headers?: boolean;
}

/**
 * The query parameter `includeObject`.
 * @throws ApiError 400 when it is none of the three.
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

/** A list's objects as a meta.k8s.io/v1 Table, one row each. */
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

/** An object's row. */
export function toRow(object: JsonObject, options: TableOptions): JsonObject {
  const { layout, now } = options;
  const conditions = layout.conditionsOf(object);
  return {
    cells: layout.columns.map((column) => column.cell(object, now)),
    ...(conditions.length === 0 ? {} : { conditions: [...conditions] }),
    ...rowObject(object, options),
  };
}

/** One object as a Table of one row, of the object's resourceVersion: the answer to a GET, or a watch event's object. */
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
