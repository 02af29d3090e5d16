import { isJsonObject, type JsonObject, type JsonValue } from '../../store/index.ts';
import type { Message } from './message.ts';

/**
 * The object as Kubernetes reads it from its storage: its fields in the order of its type (what the type has not
 * stands before), and a list or map that is empty, and told all the same, as null.
 */
export function inOrder(message: Message, value: JsonObject): JsonObject {
  const ordered: JsonObject = {};
  for (const name in value) {
    if (!message.fields.has(name)) ordered[name] = value[name] ?? null;
  }
  for (const [name, field] of message.fields) {
    const given = value[name];
    if (given === undefined) continue;
    if (field.container !== '' && !field.omitEmpty && isEmpty(given)) {
      ordered[name] = null;
    } else {
      ordered[name] = field.message === undefined ? given : within(field.message, field.container, given);
    }
  }
  return ordered;
}

function within(message: Message, container: string, value: JsonValue): JsonValue {
  const inner = container.slice(1);
  if (Array.isArray(value)) return value.map((item) => within(message, inner, item));
  if (!isJsonObject(value)) return value;
  if (container === '') return inOrder(message, value);
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, member]) => [key, within(message, inner, member ?? null)]));
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}
