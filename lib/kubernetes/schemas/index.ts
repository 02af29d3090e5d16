/**
 * Schemas of custom resources: what makes one valid, and how it shapes and checks objects. Pure: it knows no
 * definition as a resource, and no store.
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
