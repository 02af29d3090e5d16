import { type JsonObject, type JsonValue, valueAt } from '../../json/index.ts';
import {
  type Column,
  formatLabelSelector,
  formatLabels,
  humanAge,
  listAt,
  NONE,
  numberAt,
  objectAt,
  textAt,
} from '../resource-types/index.ts';

type Cell = Column['cell'];

export const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  priority: 0,
  description: 'Name of the object, unique in its namespace.',
  cell: (object) => textAt(object, 'metadata.name'),
};

export const AGE: Column = text('Age', 'Time since the object was created.', (object, now) =>
  humanAge(textAt(object, 'metadata.creationTimestamp'), now),
);

/** The column of types without their own columns in Kubernetes. */
export const CREATED_AT: Column = {
  ...text('Created At', 'When it was created.', (object) => textAt(object, 'metadata.creationTimestamp')),
  type: 'date',
};

/** Returns a column of strings. */
export function text(name: string, description: string, cell: Cell): Column {
  return { name, type: 'string', priority: 0, description, cell };
}

/** Returns a column of the string at `path`; `otherwise` if it is absent or empty. */
export function field(name: string, path: string, description: string, otherwise = NONE): Column {
  return text(name, description, (object) => textAt(object, path) || otherwise);
}

/** Returns a column of whole numbers. */
export function integer(name: string, description: string, cell: Cell): Column {
  return { name, type: 'integer', priority: 0, description, cell };
}

/** Returns a column of the number at `path`; `otherwise` if it is absent. */
export function count(name: string, path: string, description: string, otherwise = 0): Column {
  return integer(name, description, (object) => numberAt(object, path, otherwise));
}

/** Returns a column of the boolean at `path`; `otherwise` if it is absent. */
export function boolean(name: string, path: string, description: string, otherwise = false): Column {
  const cell: Cell = (object) => {
    const found = valueAt(object, path);
    return typeof found === 'boolean' ? found : otherwise;
  };
  return { ...text(name, description, cell), type: 'boolean' };
}

/** Returns the column with the type string. Kubernetes declares some columns of numbers as strings. */
export function asString(column: Column): Column {
  return { ...column, type: 'string' };
}

/** Returns the column as one that only `-o wide` shows. */
export function wide(column: Column): Column {
  return { ...column, priority: 1 };
}

/** Returns the wide columns of a kind with a pod template at `path`. */
export function templateColumns(path: string): Column[] {
  const containers = (object: JsonObject) => listAt(object, `${path}.spec.containers`);
  return [
    wide(text('Containers', "Names of the template's containers.", (o) => joined(containers(o), 'name'))),
    wide(text('Images', "Images of the template's containers.", (o) => joined(containers(o), 'image'))),
  ];
}

/** Returns a column of the LabelSelector at `path`, in the selector language. */
export function labelSelector(name: string, path: string, description: string): Column {
  return text(name, description, (object) => formatLabelSelector(valueAt(object, path)));
}

/** Returns a column of the map of labels at `path`. */
export function labelMap(name: string, path: string, description: string): Column {
  return text(name, description, (object) => formatLabels(objectAt(object, path)));
}

/** Formats a list like kubectl, which shows three items: `a,b,c + 2 more...`. */
export function firstThree(items: readonly string[], none: string): string {
  const shown = items.slice(0, 3).join(',');
  const more = items.length > 3 ? ` + ${items.length - 3} more...` : '';
  return items.length === 0 ? none : `${shown}${more}`;
}

/** Whether the object's condition of this type is True. */
export function hasCondition(object: JsonObject, type: string): boolean {
  return listAt(object, 'status.conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
  );
}

function joined(elements: readonly JsonValue[], key: string): string {
  return elements.map((element) => textAt(element, key)).join(',');
}
