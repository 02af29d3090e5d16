import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../lib/json/index.ts';
import { Fault } from '../connection/index.ts';

/**
 * Reads the one object of a YAML or JSON file; `-` is standard input.
 *
 * @throws {Fault} the file holds no object or several, or cannot be read
 */
export async function readObject(file: string): Promise<JsonObject> {
  const documents = parseAllDocuments(await readText(file));
  const error = documents.flatMap((document) => document.errors)[0];
  if (error !== undefined) {
    throw new Fault({
      what: `${file} is not valid YAML: ${error.message}`,
      advice: 'Correct it and try again',
    });
  }
  const values: unknown[] = documents.map((document) => document.toJS()).filter((value) => value !== null);
  const [object] = values;
  if (values.length !== 1 || !isObject(object)) {
    const what = `${file} holds ${values.length === 1 ? 'a value that is not an object' : `${values.length} documents`}`;
    throw new Fault({ what, advice: 'The file must hold one object: a Pod, or one with a pod template' });
  }
  return object;
}

async function readText(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : `cannot be read (${error})`;
    throw new Fault({ what: `${file} ${why}`, advice: 'Check the path' });
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
