import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { jsonEquals } from './merge-patch.ts';

/** An operation of a JSON patch (RFC 6902), of those that a difference needs. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string };

/**
 * The JSON patch that turns `from` into `to`. Elements of lists are aligned by the key that names them, such as `name`,
 * or by their content. A list is replaced as a whole where that is shorter.
 */
export function jsonPatchBetween(from: JsonValue, to: JsonValue): readonly PatchOperation[] {
  return between('', from, to, { characters: MOST_CHARACTERS, pairs: MOST_PAIRS });
}

/** The most characters of lists, and the most pairs of elements, that one patch compares. */
const MOST_CHARACTERS = 8_000_000;
const MOST_PAIRS = 1_000_000;

/** The comparisons that are left for a patch. When they are spent, lists are replaced as a whole. */
interface Effort {
  characters: number;
  pairs: number;
}

function between(path: string, from: JsonValue, to: JsonValue, effort: Effort): readonly PatchOperation[] {
  if (isJsonObject(from) && isJsonObject(to)) return betweenObjects(path, from, to, effort);
  if (Array.isArray(from) && Array.isArray(to)) return betweenLists(path, from, to, effort);
  return jsonEquals(from, to) ? [] : [{ op: 'replace', path, value: to }];
}

function betweenObjects(path: string, from: JsonObject, to: JsonObject, effort: Effort): PatchOperation[] {
  const operations: PatchOperation[] = [];
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key)) operations.push({ op: 'remove', path: below(path, key) });
  }
  for (const [key, value] of Object.entries(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    if (before === undefined) {
      operations.push({ op: 'add', path: below(path, key), value });
    } else {
      operations.push(...between(below(path, key), before, value, effort));
    }
  }
  return operations;
}

function betweenLists(path: string, from: JsonValue[], to: JsonValue[], effort: Effort): PatchOperation[] {
  const whole: PatchOperation[] = [{ op: 'replace', path, value: to }];
  if (effort.characters <= 0) return jsonEquals(from, to) ? [] : whole;
  const size = sizeOf(whole);
  effort.characters -= size + JSON.stringify(from).length;
  const operations = edits(path, from, to, effort);
  return sizeOf(operations) > size ? whole : operations;
}

const sizeOf = (operations: readonly PatchOperation[]) =>
  operations.length === 0 ? 0 : JSON.stringify(operations).length;

/** The edits from the front of a list to its end. `at` is the index in the list as it is after the edits so far. */
function edits(path: string, from: JsonValue[], to: JsonValue[], effort: Effort): PatchOperation[] {
  const operations: PatchOperation[] = [];
  const key = namingKey(from, to);
  let [source, at] = [0, 0];
  for (const [left, right] of [...aligned(from, to, key, effort), [from.length, to.length] as const]) {
    for (; source < left || at < right; ) {
      const element = below(path, String(at));
      const value = to[at] ?? null;
      if (at >= right) {
        operations.push({ op: 'remove', path: element });
        source += 1;
        continue;
      }
      if (source >= left) {
        operations.push({ op: 'add', path: element, value });
      } else if (key === undefined) {
        operations.push(...between(element, from[source] ?? null, value, effort));
        source += 1;
      } else {
        // Another name is another element, and no change of this one.
        operations.push({ op: 'replace', path: element, value });
        source += 1;
      }
      at += 1;
    }
    if (left < from.length) {
      operations.push(...between(below(path, String(at)), from[left] ?? null, to[right] ?? null, effort));
    }
    source += 1;
    at += 1;
  }
  return operations;
}

/** The keys that name the elements of Kubernetes' lists, the most specific one first. */
const NAMING_KEYS = ['uid', 'name', 'type', 'key', 'ip', 'containerPort', 'port', 'mountPath', 'devicePath'];

/** The key whose value differs between all elements of a list, in both lists; undefined if there is none. */
function namingKey(...lists: readonly (readonly JsonValue[])[]): string | undefined {
  return NAMING_KEYS.find((key) =>
    lists.every((list) => {
      const names = list.map((element) => nameBy(element, key)).filter((name) => name !== undefined);
      return names.length === list.length && new Set(names).size === list.length;
    }),
  );
}

function nameBy(element: JsonValue, key: string): string | undefined {
  const value = isJsonObject(element) && Object.hasOwn(element, key) ? element[key] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? `${typeof value} ${value}` : undefined;
}

/** The pairs of indices of elements that stay, ascending in both lists: a longest common subsequence. */
function aligned(
  from: readonly JsonValue[],
  to: readonly JsonValue[],
  key: string | undefined,
  effort: Effort,
): (readonly [number, number])[] {
  const tokenOf = (element: JsonValue) =>
    (key === undefined ? undefined : nameBy(element, key)) ?? JSON.stringify(element);
  const [left, right] = [from.map(tokenOf), to.map(tokenOf)];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const rows = left.length - start - end;
  const columns = right.length - start - end;
  const isAffordable = rows * columns <= effort.pairs;
  if (isAffordable) effort.pairs -= rows * columns;
  const middle = !isAffordable
    ? []
    : common(left.slice(start, start + rows), right.slice(start, start + columns));
  return [
    ...Array.from({ length: start }, (_, index) => [index, index] as const),
    ...middle.map(([row, column]) => [start + row, start + column] as const),
    ...Array.from({ length: end }, (_, index) => [start + rows + index, start + columns + index] as const),
  ];
}

/** The longest common subsequence of two lists of texts, by dynamic programming. */
function common(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left[row] === right[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [row, column] = [0, 0]; row < left.length && column < right.length; ) {
    if (left[row] === right[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
      row += 1;
    } else {
      column += 1;
    }
  }
  return pairs;
}

const below = (path: string, token: string) => `${path}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`;
