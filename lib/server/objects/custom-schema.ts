import { type JsonValue, objectAt } from '../../json/index.ts';
import { loadFields } from '../../kubernetes/fields/index.ts';
import type { CustomKind } from '../../kubernetes/resource-types/index.ts';
import type { CompiledSchema, MetadataRules } from '../../kubernetes/schemas/index.ts';
import type { FieldError } from '../../selectors/index.ts';

const COMPILED = new WeakMap<object, Promise<CompiledSchema>>();

/** What reads and checks objects of a custom kind; made, and its code loaded, when first one is asked for. */
export function customSchema({ schema }: Pick<CustomKind, 'schema'>): Promise<CompiledSchema> {
  const known = COMPILED.get(schema) ?? compile(schema);
  COMPILED.set(schema, known);
  return known;
}

async function compile(schema: CustomKind['schema']): Promise<CompiledSchema> {
  const { compileSchema } = await import('../../kubernetes/schemas/index.ts');
  return compileSchema(schema, await metadataRules());
}

/** How the metadata of resources within an object is read and checked. */
export async function metadataRules(): Promise<MetadataRules> {
  const { metadataReader } = await import('../../kubernetes/schemas/index.ts');
  const { objectMeta } = await import('../../kubernetes/validation/index.ts');
  const fields = await loadFields();
  return {
    read: metadataReader(fields.message('meta.v1.ObjectMeta')),
    check: (metadata, path) => embeddedMetadataErrors(metadata, { path, objectMeta }),
  };
}

interface Embedded {
  readonly path: string;
  readonly objectMeta: typeof import('../../kubernetes/validation/index.ts').objectMeta;
}

/** As the metadata of an object, but that it needs no name, and that its name may be any segment of a path. */
function embeddedMetadataErrors(metadata: JsonValue, { path, objectMeta }: Embedded): FieldError[] {
  const own = objectAt(metadata);
  const scope = (own.namespace ?? '') === '' ? 'Cluster' : 'Namespaced';
  const named = { ...own, name: own.name === undefined || own.name === '' ? 'unnamed' : own.name };
  const errors = [...objectMeta({ scope, nameRule: 'path', builtin: false }, { metadata: named })];
  return errors.map((error) => ({ ...error, field: error.field.replace(/^metadata/, path) }));
}
