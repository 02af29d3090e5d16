/** What is known of each resource type this API serves. */
export { apiVersionOf } from './api-version.ts';
export { collectionOfType } from './collection-of-type.ts';
export { type CustomKind, SELECTS } from './custom-kind.ts';
export { defineResourceTypes } from './define-resource-types.ts';
export { EVICTION } from './eviction.ts';
export { TOKEN_REQUEST } from './groups/index.ts';
export { humanAge, humanDuration } from './human-duration.ts';
export { isStored } from './is-stored.ts';
export { listAt, numberAt, objectAt, textAt } from './json-path.ts';
export { formatLabelSelector, formatLabels, NONE } from './label-text.ts';
export { isObjectName, LONGEST_NAME } from './object-name.ts';
export { readField } from './read-field.ts';
export type { BodySelector, Column, ResourceType, Scaling } from './resource-type.ts';
export { replicasPath, SCALE, scaleOf, withReplicas } from './scale.ts';
export { array, boolean, fields, integer, object, string, stringMap, time } from './schema-fields.ts';
export { findResourceType, isBuiltinGroup, resourceTypes } from './served-types.ts';
export { SELECTED, SELECTED_BY, type Subresource, subresourcesOf } from './subresources.ts';
export { collections, namespacedCollections, targetResources } from './targets.ts';
