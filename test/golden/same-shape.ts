import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/index.ts';

export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Values that differ between any two runs. Each pattern is replaced by a name, so that such values compare equal. */
const RANDOM: readonly (readonly [shape: RegExp, name: string])[] = [
  [new RegExp(UUID, 'g'), '<uid>'],
  [/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time$1>'],
  [/(?<=resourceVersion\\*":\\*")\d+/g, '<rv>'],
  [/\b10\.\d+\.\d+\.\d+\b/g, '<address>'],
  [/(?<=ResourceVersion in record \()\d+/g, '<rv>'],
  [/(?<=Too large resource version: \d+, current: )\d+/g, '<rv>'],
  [/(?<=ResourceVersion in record \()\d+/g, '<rv>'],
  // Go prints a pointer as a memory address; Winnow prints the value that is there.
  [/\(\*([\w.]+)\)\((?!nil\))((?:[^(){}]|\{[^{}]*\})*)\)/g, '(*$1)(<pointer>)'],
  [/(?<="\w+[-_])[a-z0-9]{5}(?=\\?" is invalid|\\?": )/g, '<suffix>'],
  [/(?<=^\w+_)[a-z0-9]{5}$/g, '<suffix>'],
];
/** Values that a server chooses, by the name of their field. */
const CHOSEN: Readonly<Record<string, RegExp>> = {
  resourceVersion: /^\d+$/,
  continue: /./,
  serverAddress: /./,
  nodePort: /^3[0-2]\d{3}$/,
};
/** Texts for people. Each server has its own, and no client depends on them. */
const OWN_WORDS = /^columnDefinitions\.\d+\.description$/;
const AGE = /^(\d+[smhdy])+$|^<invalid>$/;
/** The suffix that a server appends to a generateName. */
const SUFFIX = /^[a-z0-9]{5}$/;
const SORTED = new Set(['causes']);
/** A message that lists its causes, in the order of a Go map: `Pod "x" is invalid: [a, b]`. */
const LISTED = /^(.* is invalid: )\[(.*)\]$/s;

/**
 * The first place where two answers differ, and both values; undefined if they are equal. Values that each run chooses
 * for itself do not count: uids, times, resourceVersions, addresses, generated names.
 */
export function differenceOf(
  recorded: JsonValue | undefined,
  ours: JsonValue | undefined,
  path: readonly string[] = [],
): string | undefined {
  if (Array.isArray(recorded) && Array.isArray(ours)) return listDifference(recorded, ours, path);
  if (isJsonObject(recorded) && isJsonObject(ours)) {
    const given = generatedName(recorded);
    const own = generatedName(ours);
    const isRowOfGenerated = isGenerated(recorded) && isGenerated(ours);
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(ours)])) {
      if (name === 'name' && given !== undefined && given === own) continue;
      if (name === 'cells' && isRowOfGenerated) {
        const found = differenceOf(withoutName(recorded), withoutName(ours), [...path, name]);
        if (found !== undefined) return found;
        continue;
      }
      const found = differenceOf(recorded[name], ours[name], [...path, name]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return sameValue(recorded, ours, path)
    ? undefined
    : `${path.join('.')}: ${JSON.stringify(recorded)} here ${JSON.stringify(ours)}`;
}

function listDifference(
  recorded: readonly JsonValue[],
  ours: readonly JsonValue[],
  path: readonly string[],
): string | undefined {
  if (recorded.length !== ours.length) {
    return `${path.join('.')}: ${recorded.length} elements, here ${ours.length}`;
  }
  const [left, right] = SORTED.has(path.at(-1) ?? '') ? [sorted(recorded), sorted(ours)] : [recorded, ours];
  for (const [index, item] of left.entries()) {
    const found = differenceOf(item, right[index], [...path, String(index)]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Sorts a list that kube-apiserver orders as a Go map. */
function sorted(list: readonly JsonValue[]): JsonValue[] {
  const shapeOf = (one: JsonValue) => masked(JSON.stringify(one));
  return list.toSorted((left, right) => (shapeOf(left) < shapeOf(right) ? -1 : 1));
}

/** The prefix of an object's name if the server generated the rest. */
function generatedName({ name, generateName }: Record<string, JsonValue | undefined>): string | undefined {
  if (typeof name !== 'string' || typeof generateName !== 'string' || generateName === '') return undefined;
  return name.startsWith(generateName) && SUFFIX.test(name.slice(generateName.length))
    ? generateName
    : undefined;
}

/** Whether this is a Table row of an object with a generated name. The name is compared with the object. */
function isGenerated({ cells, object }: JsonObject): boolean {
  const { metadata = {} } = isJsonObject(object) ? object : {};
  return Array.isArray(cells) && isJsonObject(metadata) && generatedName(metadata) !== undefined;
}

function withoutName({ cells }: JsonObject): JsonValue[] {
  return Array.isArray(cells) ? cells.slice(1) : [];
}

function sameValue(
  recorded: JsonValue | undefined,
  ours: JsonValue | undefined,
  path: readonly string[],
): boolean {
  if (recorded === ours) return true;
  if (recorded === undefined || ours === undefined || typeof recorded !== typeof ours) return false;
  if (OWN_WORDS.test(path.join('.'))) return recorded !== '' && ours !== '';
  const chosen = CHOSEN[path.at(-1) ?? ''];
  if (chosen?.test(String(recorded)) && chosen.test(String(ours))) return true;
  if (typeof recorded !== 'string' || typeof ours !== 'string') return false;
  return (
    masked(recorded) === masked(ours) || (path.includes('cells') && AGE.test(recorded) && AGE.test(ours))
  );
}

/** A text without its random parts. */
export function masked(text: string): string {
  const plain = RANDOM.reduce((rest, [shape, name]) => rest.replaceAll(shape, name), text);
  return plain.replace(
    LISTED,
    (_all, title, causes) => `${title}[${causes.split(', ').toSorted().join(', ')}]`,
  );
}
