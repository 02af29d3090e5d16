export { type AnyDefinedKind, type Definition, definitionOf } from './definition-of.ts';
export { type InstallOptions, install } from './install.ts';
export { fromJsonSchema } from './schema-source.ts';
export { UnsupportedSchemaError } from './structural-schema.ts';
