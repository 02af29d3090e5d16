import { type JsonValue, objectAt } from '../../json/index.ts';
import { loadFields } from '../../kubernetes/fields/index.ts';
import type { CustomKind } from '../../kubernetes/resource-types/index.ts';
import type { CompiledSchema, MetadataRules } from '../../kubernetes/schemas/index.ts';
import { systemClock } from '../../platform/index.ts';
import type { FieldError } from '../../selectors/index.ts';

const COMPILED = new WeakMap<object, Promise<CompiledSchema>>();

/** The compiled schema that decodes and checks objects of a custom kind. Loads the code and compiles on first use. */
export function customSchema({ schema }: Pick<CustomKind, 'schema'>): Promise<CompiledSchema> {
  const known = COMPILED.get(schema) ?? compile(schema);
  COMPILED.set(schema, known);
  return known;
}

async function compile(schema: CustomKind['schema']): Promise<CompiledSchema> {
  const { compileSchema } = await import('../../kubernetes/schemas/index.ts');
  return compileSchema(schema, await metadataRules());
}

/** The rules that decode and check the metadata of resources embedded in an object. */
export async function metadataRules(): Promise<MetadataRules> {
  const { metadataReader } = await import('../../kubernetes/schemas/index.ts');
  const { objectMeta } = await import('../../kubernetes/validation/index.ts');
  const fields = await loadFields();
  return {
    now: () => systemClock.now(),
    read: metadataReader(fields.message('meta.v1.ObjectMeta')),
    check: (metadata, path) => embeddedMetadataErrors(metadata, { path, objectMeta }),
  };
}

interface Embedded {
  readonly path: string;
  readonly objectMeta: typeof import('../../kubernetes/validation/index.ts').objectMeta;
}

/** The faults of embedded metadata. Unlike other metadata it needs no name, and any path segment is a valid name. */
function embeddedMetadataErrors(metadata: JsonValue, { path, objectMeta }: Embedded): FieldError[] {
  const own = objectAt(metadata);
  const scope = (own.namespace ?? '') === '' ? 'Cluster' : 'Namespaced';
  const named = { ...own, name: own.name === undefined || own.name === '' ? 'unnamed' : own.name };
  const errors = [...objectMeta({ scope, nameRule: 'path', builtin: false }, { metadata: named })];
  return errors.map((error) => ({ ...error, field: error.field.replace(/^metadata/, path) }));
}
