import type { KubeObject } from '../what-if/index.ts';
import { readYaml } from '../yaml/index.ts';

/** Fields of `metadata` that the server sets. A draft does not have them. */
const OF_SERVER = [
  'creationTimestamp',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'uid',
];
/** Fields of `metadata` that each write changes. A difference does not show them. */
const OF_WRITES = ['generation', 'managedFields', 'resourceVersion'];

/** A line of YAML that begins with a key. Its groups are the text before the key, and the key with its colon. */
export const KEY_OF_LINE = /^(\s*(?:- )*)((?:"[^"]*"|'[^']*'|[^\s:'"#-][^:]*):)(?=\s|$)/;

/** A draft that is no YAML, or that is about another object. */
export class DraftError extends Error {
  override readonly name = 'DraftError';
}

/** The object without the fields that the server sets: what the user edits. */
export function draftOf(object: KubeObject): Record<string, unknown> {
  const { status: _status, ...rest } = object;
  return { ...rest, metadata: without(object.metadata, OF_SERVER) };
}

/** The object as a difference shows it. */
export function comparable(object: KubeObject | undefined): unknown {
  return object && { ...object, metadata: without(object.metadata, OF_WRITES) };
}

/**
 * Reads a draft of an object.
 *
 * @throws {DraftError}
 */
export function readDraft(text: string, object: KubeObject): KubeObject {
  const draft = parsed(text);
  if (typeof draft !== 'object' || draft === null || Array.isArray(draft)) {
    throw new DraftError('The draft is not an object: it needs apiVersion, kind and metadata');
  }
  const { apiVersion, kind, metadata } = draft as Partial<KubeObject>;
  const named: readonly (readonly [string, unknown, unknown])[] = [
    ['apiVersion', apiVersion, object.apiVersion],
    ['kind', kind, object.kind],
    ['metadata.name', metadata?.name, object.metadata.name],
    ['metadata.namespace', metadata?.namespace, object.metadata.namespace],
  ];
  const [wrong] = named.filter(([, is, was]) => is !== was);
  if (wrong !== undefined) {
    const [field, is, was] = wrong;
    throw new DraftError(`${field} is ${textOf(is)}, but an edit keeps it as it is: ${textOf(was)}`);
  }
  return draft as KubeObject;
}

function parsed(text: string): unknown {
  try {
    return readYaml(text);
  } catch (error) {
    throw new DraftError((error as Error).message);
  }
}

function without(fields: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function textOf(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
