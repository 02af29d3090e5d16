import { styleText } from 'node:util';
import { structuredPatch } from 'diff';
import { stringify } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue, metadataOf } from '../../lib/json/index.ts';

/** The unchanged lines around a change. */
const CONTEXT = 2;
const LEFT_OUT = ['generation', 'managedFields', 'resourceVersion'];
const COLOURS: Readonly<Record<string, 'green' | 'red'>> = { '+': 'green', '-': 'red' };

/** The lines of a unified diff of two states in YAML, without the fields that change with every write. */
export function objectDiff(before: JsonObject | undefined, after: JsonObject | undefined): readonly string[] {
  const { hunks } = structuredPatch('', '', textOf(before), textOf(after), '', '', { context: CONTEXT });
  return hunks.flatMap(({ lines }, index) => [
    ...(index > 0 ? [styleText('cyan', '@@')] : []),
    ...lines.filter((line) => !line.startsWith('\\')).map(coloured),
  ]);
}

function coloured(line: string): string {
  const colour = COLOURS[line[0] ?? ''];
  return colour === undefined ? line : styleText(colour, line);
}

function textOf(state: JsonObject | undefined): string {
  if (state === undefined) return '';
  const metadata = Object.entries(metadataOf(state)).filter(([field]) => !LEFT_OUT.includes(field));
  return stringify(sorted({ ...state, metadata: Object.fromEntries(metadata) }), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

/** The value with the keys of its objects in order, so that two states differ only where their values do. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
