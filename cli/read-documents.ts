import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';
import { Fault } from './connection/index.ts';

/**
 * Reads the documents of a YAML or JSON file, without empty ones; `-` is standard input.
 *
 * @throws {Fault} the file cannot be read, or is not YAML
 */
export async function readDocuments(file: string): Promise<unknown[]> {
  const documents = parseAllDocuments(await readText(file));
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error !== undefined) {
    throw new Fault({
      what: `${file} is not valid YAML: ${error.message}`,
      advice: 'Correct it and try again',
    });
  }
  return documents.map((document) => document.toJS()).filter((value) => value !== null);
}

async function readText(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'does not exist' : `cannot be read (${error})`;
    throw new Fault({ what: `${file} ${why}`, advice: 'Check the path' });
  }
}
