import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../client.ts';

/** Reads the objects of YAML or JSON files in order. A List yields its items. */
export async function readObjects(files: readonly string[]): Promise<KubernetesObject[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text, index) =>
    parseAllDocuments(text).flatMap((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw new Error(`${files[index]}: ${error.message}`);
      return objectsIn(document.toJS(), files[index] ?? '');
    }),
  );
}

function objectsIn(value: unknown, file: string): KubernetesObject[] {
  if (value === null || value === undefined) return [];
  const object = value as KubernetesObject & { items?: unknown[] };
  if (Array.isArray(object.items)) return object.items.flatMap((item) => objectsIn(item, file));
  if (typeof object.apiVersion !== 'string' || typeof object.kind !== 'string' || !object.metadata?.name) {
    throw new Error(`${file}: a document has no apiVersion, kind or metadata.name`);
  }
  return [object];
}
