export { type AnyDefinedKind, type Definition, definitionOf } from './definition-of.ts';
export { type InstallOptions, install, type Preview } from './install.ts';
export { UnsupportedSchemaError } from './json-schema.ts';
export { fromJsonSchema } from './schema-source.ts';
