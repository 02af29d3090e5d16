import type { DefinedKind, Kind, StandardSchema } from '../objects/index.ts';
import { columnType, selectableFields } from './field-at.ts';
import type { JsonSchema } from './json-schema.ts';
import { withMergedLists } from './merged-lists.ts';
import { readSchema } from './schema-source.ts';

/** A kind from `defineKind`, with any types. */
// biome-ignore lint/suspicious/noExplicitAny: a kind of any schemas
export type AnyDefinedKind = DefinedKind<any, any, any>;

/** The spec of a CustomResourceDefinition, as far as this client writes it. */
export interface DefinitionSpec {
  group: string;
  scope: string;
  names: { plural: string; singular: string; kind: string };
  versions: DefinitionVersion[];
}

interface DefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  schema: { openAPIV3Schema: JsonSchema };
  subresources?: { status: Record<string, never> };
  selectableFields?: { jsonPath: string }[];
  additionalPrinterColumns?: { name: string; type: string; jsonPath: string }[];
}

interface DefinitionStatus {
  conditions?: { type: string; status: string; message?: string }[];
}

/** The kind CustomResourceDefinition itself. */
export type DefinitionKind = Kind<
  { spec: DefinitionSpec; status?: DefinitionStatus },
  { spec: DefinitionSpec }
>;

export interface Definition {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string };
  spec: DefinitionSpec;
}

/**
 * Returns the CustomResourceDefinition of a kind.
 *
 * @throws {UnsupportedSchemaError} a definition cannot express the schema of the spec or the status, or a path is wrong
 */
export function definitionOf({ definition, scope }: AnyDefinedKind): Definition {
  const { group, version, kind, plural, selectable = [], columns = {}, rules = [] } = definition;
  const spec = readSchema(definition.spec as StandardSchema, 'spec');
  const { 'x-kubernetes-validations': own = [] } = spec;
  const all = [...(own as typeof rules), ...rules];
  const ruled = all.length === 0 ? spec : { ...spec, 'x-kubernetes-validations': all };
  const status = definition.status && readSchema(definition.status as StandardSchema, 'status');
  const bodies: Record<string, JsonSchema> = { spec: ruled };
  if (status !== undefined) bodies.status = status;
  const properties = withMergedLists(bodies, definition);
  const served: DefinitionVersion = {
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties } },
  };
  if (status !== undefined) served.subresources = { status: {} };
  const paths: readonly string[] = selectable;
  if (paths.length > 0) served.selectableFields = selectableFields(properties, paths);
  const titled = Object.entries(columns as Readonly<Record<string, string>>);
  if (titled.length > 0) {
    served.additionalPrinterColumns = titled.map(([name, path]) => {
      return { name, type: columnType(properties, path), jsonPath: `.${path}` };
    });
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [served],
    },
  };
}
