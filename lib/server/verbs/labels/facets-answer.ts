import type { JsonObject, JsonValue } from '../../../json/index.ts';
import { type CellCount, type LabelCounts, sum } from './label-counts.ts';

/** The limits of an answer: values of one key, and combinations of values. */
const MOST_VALUES = 1_000;
const MOST_CELLS = 10_000;
/** The limits of an answer about every key. */
const MOST_FOUND_KEYS = 100;
const MOST_VALUES_OF_FOUND = 20;

/** The counts that an answer shows. */
export interface Facets {
  readonly counts: LabelCounts;
  /** The label keys of the request; undefined if it asked for every key. */
  readonly keys: readonly string[] | undefined;
  /** The number of objects that match. */
  readonly total: number;
}

/** The answer as an object of winnow.dev/v1, kind Facets. */
export function facetsOf({ counts, keys, total }: Facets, metadata: JsonObject): JsonObject {
  const all = counts.keys;
  const told = all.slice(0, keys === undefined ? MOST_FOUND_KEYS : all.length);
  const facets = told.map(([key, values]) => ({
    key,
    distinct: values.length,
    absent: total - sum(values),
    values: values.slice(0, mostValues(keys)).map(({ value, count }) => ({ value, count })),
  }));
  const { cells } = counts;
  return {
    kind: 'Facets',
    apiVersion: 'winnow.dev/v1',
    metadata,
    count: total,
    ...(keys === undefined && { keys: all.length }),
    facets,
    ...(cells !== undefined &&
      keys !== undefined && {
        joint: {
          keys: [...keys],
          distinct: cells.length,
          cells: cells.slice(0, MOST_CELLS).map(({ values, count }) => ({ values: [...values], count })),
        },
      }),
  };
}

/** The answer as a Table: a row for each value, or for each combination of values. */
export function tableOf(facets: Facets, metadata: JsonObject): JsonObject {
  const { keys, counts } = facets;
  const { cells } = counts;
  const joint = cells === undefined || keys === undefined ? undefined : { keys, cells };
  const columns = joint === undefined ? VALUE_COLUMNS : joint.keys.map((key) => labelColumn(key));
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: [...columns, COUNT].map((column) => ({ ...column, format: '', priority: 0 })),
    rows: (joint === undefined ? valueRows(facets) : cellRows(joint)).map((row) => ({ cells: row })),
  };
}

function valueRows({ counts, keys, total }: Facets): JsonValue[][] {
  const most = mostValues(keys);
  return counts.keys.slice(0, keys === undefined ? MOST_FOUND_KEYS : undefined).flatMap(([key, values]) => {
    const told = values.slice(0, most).map(({ value, count }) => [key, value, count]);
    const others = sum(values.slice(most));
    const without = total - sum(values);
    return [
      ...told,
      ...(others === 0 ? [] : [[key, `<${values.length - most} others>`, others]]),
      ...(without === 0 ? [] : [[key, NONE, without]]),
    ];
  });
}

/** The label keys of joint facets, and the counts of their combinations. */
interface Joint {
  readonly keys: readonly string[];
  readonly cells: readonly CellCount[];
}

function cellRows({ keys, cells }: Joint): JsonValue[][] {
  const told = cells
    .slice(0, MOST_CELLS)
    .map(({ values, count }) => [...values.map((value) => value ?? NONE), count]);
  const others = cells.slice(MOST_CELLS);
  if (others.length === 0) return told;
  const rest = others.reduce((total, { count }) => total + count, 0);
  return [...told, [`<${others.length} others>`, ...keys.slice(1).map(() => ''), rest]];
}

const mostValues = (keys: readonly string[] | undefined) =>
  keys === undefined ? MOST_VALUES_OF_FOUND : MOST_VALUES;

/** The cell of objects without the label. */
const NONE = '<none>';

const COUNT = { name: 'Count', type: 'integer', description: 'The number of objects with this value.' };

const VALUE_COLUMNS = [
  { name: 'Label', type: 'string', description: 'The label key.' },
  {
    name: 'Value',
    type: 'string',
    description:
      'A value of the label. <none>: objects without the label. <… others>: all less frequent values.',
  },
];

const labelColumn = (key: string) => ({
  name: key,
  type: 'string',
  description: 'A value of this label. <none>: objects without the label.',
});
