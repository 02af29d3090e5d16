import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { Message } from './message.ts';

/**
 * Returns the object as Kubernetes reads it from its storage. Fields follow the order of the type; unknown fields
 * come first. An empty list or map that Go always writes becomes null.
 *
 * @param empty the treatment of such a list or map: `kept` for an object that has not been stored yet
 */
export function inOrder(message: Message, value: JsonObject, empty: 'null' | 'kept' = 'null'): JsonObject {
  const ordered: JsonObject = {};
  for (const name in value) {
    if (!message.fields.has(name)) ordered[name] = value[name] ?? null;
  }
  for (const [name, field] of message.fields) {
    const given = value[name];
    if (given === undefined) continue;
    if (empty === 'null' && field.container !== '' && !field.omitEmpty && isEmpty(given)) {
      ordered[name] = null;
    } else {
      const { message: inner, container } = field;
      ordered[name] = inner === undefined ? given : within({ message: inner, container, empty }, given);
    }
  }
  return ordered;
}

interface Within {
  readonly message: Message;
  readonly container: string;
  readonly empty: 'null' | 'kept';
}

function within({ message, container, empty }: Within, value: JsonValue): JsonValue {
  const inner = { message, container: container.slice(1), empty };
  if (Array.isArray(value)) return value.map((item) => within(inner, item));
  if (!isJsonObject(value)) return value;
  if (container === '') return inOrder(message, value, empty);
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, member]) => [key, within(inner, member ?? null)]));
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}
