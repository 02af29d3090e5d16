import { isJsonObject, objectAt } from '../../lib/json/index.ts';
import { Fault } from '../connection/index.ts';
import { FORMAT, parseMarker } from './export-line.ts';
import { fileLines } from './file-lines.ts';
import { DEFINITION, type DefinitionSpec, type Kind } from './kinds.ts';
import { badLine, type ObjectLine, parseObjectLine } from './object-line.ts';

export interface CheckedFile {
  readonly objects: number;
  /** Of all objects but those that were being deleted: whose owner one of those is goes as it would have gone. */
  readonly uids: ReadonlySet<string>;
  readonly bytes: number;
}

export interface CheckOptions {
  readonly kinds: readonly Kind[];
  /** Whether a file without an end will do. */
  readonly incomplete: boolean;
}

/** The objects of an export, markers left out. */
export async function* objectLines(path: string): AsyncGenerator<ObjectLine> {
  for await (const { number, text } of fileLines(path)) {
    if (!isMarker(number, text)) yield parseObjectLine(number, text);
  }
}

/**
 * Reads the whole of a file before anything is written.
 *
 * @throws {Fault} the first line that is not what it has to be, and its field.
 */
export async function checkFile(path: string, { kinds, incomplete }: CheckOptions): Promise<CheckedFile> {
  const namespaced = new Map(kinds.map((one) => [`${one.apiVersion} ${one.kind}`, one.namespaced]));
  const uids = new Set<string>();
  let objects = 0;
  let bytes = 0;
  let isEnded = false;
  for await (const { number, text, end } of fileLines(path)) {
    bytes = end;
    const marker = isMarker(number, text);
    isEnded = marker !== undefined && marker.what === 'end';
    if (marker?.what === 'end' && marker.objects !== objects) {
      throw badLine(number, `export.objects: says ${marker.objects} objects, and ${objects} are there`);
    }
    if (marker !== undefined) continue;
    const line = parseObjectLine(number, text);
    if (line.kind === DEFINITION) learn(line, namespaced);
    refuseStranger(line, namespaced);
    if (line.uid !== '' && uids.has(line.uid)) throw badLine(number, 'metadata.uid: an earlier line has it');
    if (!line.isLeaving) uids.add(line.uid);
    objects += 1;
  }
  if (!isEnded && !incomplete) {
    const what = `${path} has no end: its export was cut off`;
    throw new Fault({
      what,
      advice: 'Run the same export again, or import what there is with --incomplete.',
    });
  }
  return { objects, uids, bytes };
}

function isMarker(number: number, text: string) {
  try {
    const marker = parseMarker(text);
    if (marker?.what === 'begin' && marker.format !== FORMAT) {
      throw badLine(number, `export.format: is ${marker.format}, and this Winnow knows ${FORMAT}`);
    }
    return marker;
  } catch (error) {
    // No JSON: whoever reads it as an object says so.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The kinds that a definition in the file makes. */
function learn({ number, object }: ObjectLine, namespaced: Map<string, boolean>): void {
  const spec = objectAt(object.spec) as unknown as Partial<DefinitionSpec>;
  const { group, scope, names, versions } = spec;
  if (typeof group !== 'string') throw badLine(number, 'spec.group: has to be a text');
  if (!isJsonObject(names as never)) throw badLine(number, 'spec.names: has to be an object');
  if (!Array.isArray(versions)) throw badLine(number, 'spec.versions: has to be a list');
  for (const { name } of versions) namespaced.set(`${group}/${name} ${names?.kind}`, scope === 'Namespaced');
}

function refuseStranger(line: ObjectLine, namespaced: ReadonlyMap<string, boolean>): void {
  const { number, apiVersion, kind, namespace } = line;
  const needsNamespace = namespaced.get(`${apiVersion} ${kind}`);
  if (needsNamespace === undefined) {
    throw badLine(number, `kind: there is no ${kind} of ${apiVersion} there, and none is defined above`);
  }
  if (needsNamespace && namespace === undefined) {
    throw badLine(number, `metadata.namespace: is missing; a ${kind} has one`);
  }
  if (!needsNamespace && namespace !== undefined) {
    throw badLine(number, `metadata.namespace: is ${namespace}; a ${kind} has none`);
  }
}
