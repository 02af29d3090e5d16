import { isJsonObject, type JsonValue } from '../../json/index.ts';
import { child } from '../field-errors/index.ts';
import { decodeMessage, type Message } from '../fields/index.ts';
import type { ReadMetadata } from './shape-value.ts';

/**
 * Returns a reader of the metadata of embedded resources, which treats it like that of every object.
 *
 * @param objectMeta the type of metadata, from the table of fields
 * @returns a reader that throws UnmarshalError if a value has a wrong type
 */
export function metadataReader(objectMeta: Message): ReadMetadata {
  return (metadata: JsonValue, path: string, unknown: string[]) => {
    if (!isJsonObject(metadata)) return metadata;
    const decoded = decodeMessage(objectMeta, metadata);
    unknown.push(...decoded.unknown.map((name) => child(path, name)));
    const { creationTimestamp, ...rest } = decoded.value;
    return creationTimestamp === null || creationTimestamp === undefined
      ? rest
      : { ...rest, creationTimestamp };
  };
}
