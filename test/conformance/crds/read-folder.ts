import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  metadataOf,
  objectAt,
} from '../../../lib/json/index.ts';

/** A definition or a sample object, with the answer of a kube-apiserver if it is known. */
export interface Entry {
  readonly project: string;
  readonly object: JsonObject;
  /** The status code of kube-apiserver's answer. */
  readonly kube?: number | undefined;
  readonly message: string;
  /** Whether the definition is deleted again, because a later one has its name. */
  readonly isDropped: boolean;
}

export interface Folder {
  readonly definitions: readonly Entry[];
  readonly samples: readonly Entry[];
}

/** A fault of the folder, in words for the user of the command. */
export class FolderError extends Error {}

const DEFINITIONS = 'crds.jsonl';
const SAMPLES = 'crd-samples.jsonl';

/**
 * Reads a folder: `crds.jsonl` and `crd-samples.jsonl`, both perhaps with `.gz`, or else YAML files.
 *
 * @throws {FolderError}
 */
export function readFolder(folder: string): Folder {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new FolderError(`there is no folder ${folder}: name a folder with ${DEFINITIONS}.gz or YAML files`);
  }
  const definitions = linesOf(folder, DEFINITIONS);
  const read =
    definitions === undefined
      ? documentsOf(folder)
      : { definitions, samples: linesOf(folder, SAMPLES) ?? [] };
  if (read.definitions.length > 0) return read;
  throw new FolderError(
    `the folder ${folder} has no definitions: add ${DEFINITIONS}.gz, or YAML files with CustomResourceDefinitions`,
  );
}

function linesOf(folder: string, name: string): Entry[] | undefined {
  const [path] = [name, `${name}.gz`].map((each) => join(folder, each)).filter((each) => existsSync(each));
  if (path === undefined) return undefined;
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .split('\n')
    .map((line, at) => ({ line, at }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, at }) => entryOf(line, `${path}:${at + 1}`));
}

function entryOf(line: string, place: string): Entry {
  let read: JsonValue;
  try {
    read = JSON.parse(line);
  } catch {
    throw new FolderError(`${place} is no JSON: write one object a line`);
  }
  const { project, crd, object = crd, kube, drop } = isJsonObject(read) ? read : {};
  if (!isJsonObject(object)) throw new FolderError(`${place} has neither "crd" nor "object": add the object`);
  const { code, message } = objectAt(kube);
  return {
    project: typeof project === 'string' ? project : 'unnamed',
    object,
    kube: typeof code === 'number' ? code : undefined,
    message: typeof message === 'string' ? message : '',
    isDropped: drop === true,
  };
}

/** Reads the YAML files of a folder. No kube-apiserver has judged their objects. */
function documentsOf(folder: string): Folder {
  const names = readdirSync(folder).filter((name) => /\.(ya?ml|json)$/.test(name));
  const entries = names.sort().flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), 'utf8')).flatMap((document): Entry[] => {
      const [fault] = document.errors;
      if (fault !== undefined) throw new FolderError(`${join(folder, name)} is no YAML: ${fault.message}`);
      const object = document.toJS() as JsonValue | undefined;
      return isJsonObject(object) ? [{ project: name, object, message: '', isDropped: false }] : [];
    }),
  );
  const isDefinition = ({ object }: Entry) => object.kind === 'CustomResourceDefinition';
  return {
    definitions: entries.filter(isDefinition),
    samples: entries.filter((entry) => !isDefinition(entry)),
  };
}

/** Returns the name of an object in reports. */
export function nameOf({ object }: Entry): string {
  const { name, generateName } = metadataOf(object);
  return `${String(object.kind)} ${String(name ?? generateName ?? '')}`;
}
