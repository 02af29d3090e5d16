import {
  type Collection,
  collectionOf,
  type JsonObject,
  type JsonValue,
  objectAt,
} from '../../../lib/json/index.ts';
import type { Chance } from '../world/chance.ts';

export const GROUP = 'fleet.example';
/** Each has a definition from time to time; they request the same short names. */
export const PLURALS = ['devices', 'machines'] as const;
export type Plural = (typeof PLURALS)[number];
export type Scope = 'Namespaced' | 'Cluster';

const KINDS = { devices: 'Device', machines: 'Machine' } as const;
/** Short names that definitions request. Two that request the same one cannot both have it. */
const SHORT_NAMES = ['dev', 'dev', 'dev', 'd'] as const;
export const DEFINITIONS_URL = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The varying content of a definition. */
export interface Defined {
  /** The default value that its objects carry; each definition has another. */
  readonly era: string;
  readonly scope: Scope;
  readonly shortName: string;
}

export function anyDefinition(chance: Chance, era: string): Defined {
  return { era, scope: chance.pick(['Namespaced', 'Cluster'] as const), shortName: chance.pick(SHORT_NAMES) };
}

export function definitionOf(plural: Plural, { era, scope, shortName }: Defined): JsonObject {
  const spec = { type: 'object', properties: { era: { type: 'string', default: era } } };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: nameOf(plural) },
    spec: {
      group: GROUP,
      scope,
      names: { plural, kind: KINDS[plural], shortNames: [shortName] },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

export function nameOf(plural: Plural): string {
  return `${plural}.${GROUP}`;
}

export function objectsOf(plural: Plural): Collection {
  return collectionOf(GROUP, plural);
}

export function objectOf(plural: Plural, name: string): JsonObject {
  return { apiVersion: `${GROUP}/v1`, kind: KINDS[plural], metadata: { name }, spec: {} };
}

/** The era of a definition, from the default of its schema. */
export function eraOfDefinition({ spec }: JsonObject): string {
  const { versions } = objectAt(spec);
  const [version = null] = Array.isArray(versions) ? versions : [];
  const path = ['schema', 'openAPIV3Schema', 'properties', 'spec', 'properties', 'era'];
  return String(
    objectAt(path.reduce<JsonValue>((value, name) => objectAt(value)[name] ?? null, version)).default,
  );
}

/** The era that an object carries; undefined for an object of no custom kind. */
export function eraOf({ spec }: JsonObject): string | undefined {
  const { era } = objectAt(spec ?? {});
  return era === undefined ? undefined : String(era);
}
