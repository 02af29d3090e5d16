/**
 * Schemas of custom resources: their validation, and how they shape and check objects. Pure: it does not import the
 * store.
 */
export { CompiledSchema, compileSchema, type MetadataRules } from './compiled-schema.ts';
export {
  acceptNames,
  awaitsNames,
  type DefinitionSpec,
  type DefinitionStatus,
  defaultDefinition,
  inDiscoveryOrder,
  isTrue,
  type Names,
  newDefinition,
  nextDefinition,
  resourceTypesOf,
  setCondition,
  specOf,
  statusOf,
  type Version,
  validateDefinition,
} from './definitions/index.ts';
export { metadataReader } from './read-metadata.ts';
export { scaledErrors, scaledStatusErrors } from './scaled-errors.ts';
export { additionalOf, itemsOf, propertiesOf, type Schema, type ValidationRule } from './schema.ts';
export { resolveFieldPath } from './valid-field-path.ts';
export { type SchemaPlace, validateSchema } from './validate-schema.ts';
