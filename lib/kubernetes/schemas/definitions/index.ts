/** CustomResourceDefinitions: their defaults, validation, accepted names and resource types. */
export { acceptNames, awaitsNames, setCondition } from './accept-names.ts';
export {
  type DefinitionSpec,
  type DefinitionStatus,
  isTrue,
  type Names,
  specOf,
  statusOf,
  type Version,
} from './definition.ts';
export { defaultDefinition, newDefinition, nextDefinition } from './prepare-definition.ts';
export { resourceTypesOf } from './resource-types-of.ts';
export { validateDefinition } from './validate-definition.ts';
export { inDiscoveryOrder } from './version-order.ts';
