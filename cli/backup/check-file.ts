import { isJsonObject, objectAt } from '../../lib/json/index.ts';
import { Fault } from '../connection/index.ts';
import { FORMAT, parseMarker } from './export-line.ts';
import { fileLines } from './file-lines.ts';
import { DEFINITION, type DefinitionSpec, type Kind } from './kinds.ts';
import { badLine, type ObjectLine, parseObjectLine } from './object-line.ts';

export interface CheckedFile {
  readonly objects: number;
  /**
   * The uids of all objects that were not being deleted. The import does not wait for owners that are missing here: the
   * collector deletes objects whose owners do not exist.
   */
  readonly uids: ReadonlySet<string>;
  /** The total size of the complete lines of the file, in bytes. */
  readonly bytes: number;
}

export interface CheckOptions {
  readonly kinds: readonly Kind[];
  /** Whether to accept a file without an end marker. */
  readonly incomplete: boolean;
  /** Receives the number of objects that are checked. */
  readonly onChecked?: (objects: number) => void;
}

/** Yields the objects of an export, without its markers. */
export async function* objectLines(path: string): AsyncGenerator<ObjectLine> {
  for await (const { number, text } of fileLines(path)) {
    if (!isMarker(number, text)) yield parseObjectLine(number, text);
  }
}

/**
 * Reads and checks a whole export file. The import calls it before it writes anything.
 *
 * @throws {Fault} a line is invalid; the message names the first such line and its field.
 */
export async function checkFile(
  path: string,
  { kinds, incomplete, onChecked }: CheckOptions,
): Promise<CheckedFile> {
  const namespaced = new Map(kinds.map((one) => [`${one.apiVersion} ${one.kind}`, one.namespaced]));
  const uids = new Set<string>();
  let objects = 0;
  let bytes = 0;
  let isExport = false;
  let isEnded = false;
  for await (const { number, text, end } of fileLines(path)) {
    bytes = end;
    const marker = isMarker(number, text);
    isExport ||= marker !== undefined;
    isEnded = marker !== undefined && marker.what === 'end';
    if (marker?.what === 'end' && marker.objects !== objects) {
      throw badLine(number, `export.objects: is ${marker.objects}, but the file holds ${objects} objects`);
    }
    if (marker !== undefined) continue;
    const line = parseObjectLine(number, text);
    if (line.kind === DEFINITION) learn(line, namespaced);
    refuseStranger(line, namespaced);
    if (line.uid !== '' && uids.has(line.uid)) {
      throw badLine(number, 'metadata.uid: an earlier line has the same uid');
    }
    if (!line.isLeaving) uids.add(line.uid);
    objects += 1;
    onChecked?.(objects);
  }
  if (!isEnded && !incomplete) throw isExport ? interrupted(path) : notAnExport(path);
  return { objects, uids, bytes };
}

function interrupted(path: string): Fault {
  return new Fault({
    what: `${path} has no end marker: its export was interrupted`,
    advice: 'Run the same export again. To import only the objects that the file holds, add --incomplete.',
  });
}

function notAnExport(path: string): Fault {
  return new Fault({
    what: `${path} has no markers, so "winnow export" did not write it`,
    advice: 'To import a file that you wrote, one object as JSON in each line, add --incomplete.',
  });
}

function isMarker(number: number, text: string) {
  try {
    const marker = parseMarker(text);
    if (marker?.what === 'begin' && marker.format !== FORMAT) {
      throw badLine(number, `export.format: is ${marker.format}; this release supports ${FORMAT}`);
    }
    return marker;
  } catch (error) {
    // The line is not JSON. `parseObjectLine` reports it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Adds the kinds that a CustomResourceDefinition in the file defines. */
function learn({ number, object }: ObjectLine, namespaced: Map<string, boolean>): void {
  const spec = objectAt(object.spec) as unknown as Partial<DefinitionSpec>;
  const { group, scope, names, versions } = spec;
  if (typeof group !== 'string') throw badLine(number, 'spec.group: must be a string');
  if (!isJsonObject(names as never)) throw badLine(number, 'spec.names: must be an object');
  if (!Array.isArray(versions)) throw badLine(number, 'spec.versions: must be a list');
  for (const { name } of versions) namespaced.set(`${group}/${name} ${names?.kind}`, scope === 'Namespaced');
}

function refuseStranger(line: ObjectLine, namespaced: ReadonlyMap<string, boolean>): void {
  const { number, apiVersion, kind, namespace } = line;
  const needsNamespace = namespaced.get(`${apiVersion} ${kind}`);
  if (needsNamespace === undefined) {
    throw badLine(number, `kind: the target has no ${kind} of ${apiVersion}, and no earlier line defines it`);
  }
  if (needsNamespace && namespace === undefined) {
    throw badLine(number, `metadata.namespace: is missing; a ${kind} needs one`);
  }
  if (!needsNamespace && namespace !== undefined) {
    throw badLine(number, `metadata.namespace: is ${namespace}; a ${kind} must not have one`);
  }
}
