import type { DefinedKind, Kind, StandardSchema } from '../objects/index.ts';
import { readSchema } from './schema-source.ts';
import { type JsonSchema, UnsupportedSchemaError } from './structural-schema.ts';

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
 * @throws {UnsupportedSchemaError} a definition cannot express the schema of the spec or the status
 */
export function definitionOf({ definition, scope }: AnyDefinedKind): Definition {
  const { group, version, kind, plural, selectable = [], columns = {}, rules = [] } = definition;
  const spec: JsonSchema = readSchema(definition.spec as StandardSchema, 'spec');
  const ruled = rules.length === 0 ? spec : { ...spec, 'x-kubernetes-validations': rules };
  const status = definition.status && readSchema(definition.status as StandardSchema, 'status');
  const properties: Record<string, JsonSchema> = { spec: ruled };
  if (status !== undefined) properties.status = status;
  const served: DefinitionVersion = {
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties } },
  };
  if (status !== undefined) served.subresources = { status: {} };
  const paths: readonly string[] = selectable;
  if (paths.length > 0) served.selectableFields = paths.map((path) => ({ jsonPath: `.${path}` }));
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

function columnType(properties: Readonly<Record<string, JsonSchema>>, path: string): string {
  if (/^metadata\..*Timestamp$/.test(path)) return 'date';
  if (path.startsWith('metadata.')) return 'string';
  let schema: JsonSchema | undefined = { properties };
  for (const name of path.split('.')) {
    const inner = schema?.properties as Readonly<Record<string, JsonSchema>> | undefined;
    schema = inner !== undefined && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }
  if (schema === undefined) throw new UnsupportedSchemaError(path, 'a column needs a field of the schema');
  return typeof schema.type === 'string' ? schema.type : 'string';
}
