import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/index.ts';
import type { TypeRules } from './rules.ts';

/** The rules of Secrets: `stringData` is written into `data`. */
export const secretRules: TypeRules = { read: withStringData, prepare: withStringData };

function withStringData({ stringData, data, type = 'Opaque', ...rest }: JsonObject): JsonObject {
  const written = isJsonObject(stringData) ? Object.entries(stringData).map(encodeEntry) : [];
  const kept = isJsonObject(data) ? Object.entries(data) : [];
  const all = Object.fromEntries([...kept, ...written]);
  return { ...rest, ...(Object.keys(all).length === 0 ? {} : { data: all }), type };
}

function encodeEntry([key, value]: [string, JsonValue]): [string, JsonValue] {
  return [key, Buffer.from(String(value)).toString('base64')];
}
