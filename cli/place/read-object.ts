import type { JsonObject } from '../../lib/json/index.ts';
import { Fault } from '../connection/index.ts';
import { readDocuments } from '../read-documents.ts';

/**
 * Reads the one object of a YAML or JSON file; `-` is standard input.
 *
 * @throws {Fault} the file holds no object or several, or cannot be read
 */
export async function readObject(file: string): Promise<JsonObject> {
  const values = await readDocuments(file);
  const [object] = values;
  if (values.length !== 1 || !isObject(object)) {
    const what = `${file} holds ${values.length === 1 ? 'a value that is not an object' : `${values.length} documents`}`;
    throw new Fault({ what, advice: 'The file must hold one object: a Pod, or one with a pod template' });
  }
  return object;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
