import { type Collection, type JsonValue, valueAt } from '../json/index.ts';
import type { TargetResource, TargetResources } from '../kubernetes/winnow/index.ts';
import { type DeclaredCollection, readDeclared, type Table } from '../store/index.ts';

/** A set of known resource types and their collections. */
export interface KnownResources {
  readonly resources: TargetResources;
  /** All collections, and those with namespaced objects. */
  readonly collections: readonly Collection[];
  readonly namespacedCollections: readonly Collection[];
}

/** Adds resource types that were declared since to those of `known`. */
export function withDeclared(known: KnownResources, declared: readonly DeclaredCollection[]): KnownResources {
  const targets = declared.map(targetOf);
  const names = (some: readonly TargetResource[]) => some.map(({ collection }) => collection);
  return {
    resources: withTargets(known.resources, targets),
    collections: [...known.collections, ...names(targets)],
    namespacedCollections: [
      ...known.namespacedCollections,
      ...names(targets.filter(({ namespaced }) => namespaced)),
    ],
  };
}

/** Adds targets to known resource types. */
export function withTargets(known: TargetResources, targets: readonly TargetResource[]): TargetResources {
  const groupOf = (apiVersion: string) => (apiVersion.includes('/') ? apiVersion.split('/', 1).join('') : '');
  return {
    find: (group, resource) =>
      known.find(group, resource) ?? targets.find(({ collection }) => collection === `${group}/${resource}`),
    of: (collection) => known.of(collection) ?? targets.find((target) => target.collection === collection),
    ofKind: (apiVersion, kind) =>
      known.ofKind(apiVersion, kind) ??
      targets.find((target) => target.kind === kind && groupOf(target.apiVersion) === groupOf(apiVersion)),
  };
}

/** Adds the declared resource types to options, with one request. */
export async function readKnown<Options extends KnownResources & { readonly table: Table }>(
  options: Options,
): Promise<Options> {
  const declared = await readDeclared(options.table);
  return declared.length === 0 ? options : { ...options, ...withDeclared(options, declared) };
}

/** Finds a declared resource type, one that is not built in; undefined: there is none. */
export async function findDeclared(
  table: Table,
  collection: Collection,
): Promise<TargetResource | undefined> {
  const declared = (await readDeclared(table)).find((one) => one.collection === collection);
  return declared && targetOf(declared);
}

function targetOf({ fields, ...declared }: DeclaredCollection): TargetResource {
  return { ...declared, fields: ['metadata.name', 'metadata.namespace', ...fields], readField: readPath };
}

/** Returns the scalar at a dotted path of an object, as text; undefined: there is none. */
export function readPath(body: JsonValue, path: string): string | undefined {
  const found = valueAt(body, path);
  return typeof found === 'object' ? undefined : found === undefined ? undefined : String(found);
}
