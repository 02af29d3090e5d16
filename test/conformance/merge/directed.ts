import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/index.ts';
import type { Field, Message } from '../../../lib/kubernetes/fields/index.ts';
import type { SeededRandom } from '../../bench/inputs/random.ts';

interface Direction {
  readonly random: SeededRandom;
  readonly message: Message | undefined;
  readonly patch: JsonObject;
  /** The object whose elements directives may name too, besides those of the patch. */
  readonly live: JsonObject;
}

/** Returns the patch with directives in places, as a user may write them by hand. Not all of them make sense. */
export function directed({ random, message, patch, live }: Direction): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(patch)) {
    const field = message?.fields.get(name);
    put(result, name, directedValue({ random, field, value, live: live[name] }));
  }
  for (const field of message?.fields.values() ?? []) directList({ random, field, patch: result, live });
  if (random.chance(0.02)) result.$patch = random.pick(['replace', 'delete', 'merge', 'nonsense']);
  if (random.chance(0.04)) {
    const names = Object.keys(result).filter((name) => !name.startsWith('$'));
    result.$retainKeys = random.chance(0.8) ? names : [...names.slice(1), 'other'];
  }
  return result;
}

interface Directing {
  readonly random: SeededRandom;
  readonly field: Field | undefined;
  readonly value: JsonValue;
  readonly live: JsonValue | undefined;
}

function directedValue({ random, field, value, live }: Directing): JsonValue {
  const message = field?.message;
  const known = isJsonObject(live) ? live : {};
  // Fields that are replaced as a whole get no directives: the package would store a directive in them.
  if (field?.merge?.replaced === true) return value;
  if (isJsonObject(value)) {
    return field?.container === '' ? directed({ random, message, patch: value, live: known }) : value;
  }
  if (!Array.isArray(value) || field?.merge?.key === undefined) return value;
  const elements = value.map((item) =>
    isJsonObject(item) && random.chance(0.5) ? directed({ random, message, patch: item, live: {} }) : item,
  );
  const { key } = field.merge;
  if (key !== '') {
    for (const item of [...elements, ...listOf(live)].filter(isJsonObject)) {
      if (random.chance(0.1)) {
        elements.splice(random.below(elements.length + 1), 0, { $patch: 'delete', [key]: item[key] ?? 'a' });
      }
    }
    if (random.chance(0.04)) elements.push({ $patch: 'replace' });
  }
  return elements;
}

interface ListDirecting {
  readonly random: SeededRandom;
  readonly field: Field;
  /** The patch to which directives are added. */
  readonly patch: JsonObject;
  readonly live: JsonObject;
}

/** Adds an order for a merged list, and deletions from a set. */
function directList({ random, field: { name, merge }, patch, live }: ListDirecting): void {
  if (merge?.key === undefined) return;
  const { key } = merge;
  const [patched, present] = [listOf(patch[name]), listOf(live[name])];
  if (patched.length + present.length === 0) return;
  const content = patched.filter((item) => !isJsonObject(item) || item.$patch === undefined);
  if (random.chance(0.2)) {
    const some = present.filter(() => random.chance(0.5));
    const elements = random.chance(0.8)
      ? [...content, ...some]
      : random.sample([...content, ...some], content.length);
    const keyOf = (item: JsonValue) =>
      key === '' || !isJsonObject(item) ? item : { [key]: item[key] ?? 'a' };
    put(patch, `$setElementOrder/${name}`, unique(elements.map(keyOf)));
  }
  if (key === '' && random.chance(0.3)) {
    // The result for a value that is both listed and deleted depends on the order of a Go map.
    const doomed = present.filter((item) => !patched.includes(item) && random.chance(0.5));
    put(patch, `$deleteFromPrimitiveList/${name}`, doomed);
  }
}

function unique(values: readonly JsonValue[]): JsonValue[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function put(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
