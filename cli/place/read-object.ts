import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../lib/json/index.ts';
import { Fault } from '../connection/index.ts';

/** The one object of a YAML or JSON file, `-` for standard input. @throws {Fault} it has none, several, or cannot be read */
export async function readObject(file: string): Promise<JsonObject> {
  const documents = parseAllDocuments(await readText(file));
  const error = documents.flatMap((document) => document.errors)[0];
  if (error !== undefined) {
    throw new Fault({ what: `${file} is no YAML: ${error.message}`, advice: 'Mend it and try again' });
  }
  const values: unknown[] = documents.map((document) => document.toJS()).filter((value) => value !== null);
  const [object] = values;
  if (values.length !== 1 || !isObject(object)) {
    const what = `${file} holds ${values.length === 1 ? 'something that is no object' : `${values.length} documents`}`;
    throw new Fault({ what, advice: 'Give it one object: a Pod, or one with a template of pods' });
  }
  return object;
}

async function readText(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : `cannot be read (${error})`;
    throw new Fault({ what: `${file} ${why}`, advice: 'Is the path right?' });
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
