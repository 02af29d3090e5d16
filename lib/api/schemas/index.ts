/**
 * Schemas of custom resources: what makes one valid, and how it shapes and checks objects. Pure: it knows no
 * definition as a resource, and no store.
 */
export { CompiledSchema, compileSchema, type MetadataRules } from './compiled-schema.ts';
export * from './definitions/index.ts';
export { metadataReader } from './read-metadata.ts';
export { scaledErrors, scaledStatusErrors } from './scaled-errors.ts';
export type { Schema, ValidationRule } from './schema.ts';
export { additionalOf, itemsOf, propertiesOf } from './schema.ts';
export { resolveFieldPath } from './valid-field-path.ts';
export { type SchemaPlace, validateSchema } from './validate-schema.ts';
