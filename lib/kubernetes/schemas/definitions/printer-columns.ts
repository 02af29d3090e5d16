import type { JsonObject, JsonValue } from '../../../json/index.ts';
import { type Column, humanAge } from '../../resource-types/index.ts';
import type { PrinterColumn } from './definition.ts';
import { parseJsonPath } from './json-path.ts';

/** The column of a definition without columns, besides the name. */
const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'Time since the object was created.',
};

/** Returns the columns of a version's Table besides the name. A column with an invalid path is empty. */
export function columnsOf(columns: readonly PrinterColumn[] = []): Column[] {
  return (columns.length === 0 ? [AGE] : columns).map(columnOf);
}

function columnOf(column: PrinterColumn): Column {
  const { name, type, format, jsonPath, priority = 0, description = '' } = column;
  const find = parseJsonPath(jsonPath);
  return {
    name,
    type: type as Column['type'],
    ...(format === undefined ? {} : { format }),
    priority: priority === 0 ? 0 : 1,
    description:
      description === ''
        ? `Custom resource definition column (in JSONPath format): ${jsonPath}`
        : description,
    cell: (object: JsonObject, now: number) => {
      const [found] = find?.(object) ?? [];
      return found === undefined || found === null ? null : cellOf(type, found, now);
    },
  };
}

function cellOf(type: string, value: Exclude<JsonValue, null>, now: number): JsonValue {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}

function ageOf(text: string, now: number): string {
  return Number.isNaN(Date.parse(text)) ? '<invalid>' : humanAge(text, now);
}
