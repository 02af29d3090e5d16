import type { JsonObject } from '../../json/index.ts';
import { isStored, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { groupVersionKind, schemaName } from './openapi-schemas.ts';
import { reference, SHARED } from './openapi-shared.ts';

const JSON_TYPE = 'application/json';

const LIST_PARAMETERS = [
  query('labelSelector'),
  query('fieldSelector'),
  query('limit', 'integer'),
  query('continue'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('watch', 'boolean'),
  query('allowWatchBookmarks', 'boolean'),
  query('timeoutSeconds', 'integer'),
];
const LIST_ONLY = [query('explain'), query('facets'), query('sortBy')];
const WRITE_PARAMETERS = [query('dryRun'), query('fieldManager'), query('fieldValidation')];
const DELETE_PARAMETERS = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('propagationPolicy'),
];

/**
 * Returns the paths of one type below `root` (`/api/V` or `/apis/G/V`).
 *
 * PATCH lists the parameters that tell kubectl that the server validates and supports dry runs. It has no
 * requestBody: with one, kubectl would compute patches from these schemas instead of its own built-in types.
 */
export function openApiPaths(root: string, type: ResourceType): JsonObject {
  const namespaced = type.scope === 'Namespaced';
  const scope = namespaced ? [pathParameter('namespace')] : [];
  const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${type.resource}`;
  const item = `${collection}/{name}`;
  if (!isStored(type)) return { [collection]: { post: write(type, 'post', '201'), parameters: scope } };
  const itemParameters = [pathParameter('name'), ...scope];
  return {
    ...(namespaced ? { [`${root}/${type.resource}`]: { get: list(type) } } : {}),
    [collection]: {
      get: list(type),
      ...allowed(type, {
        create: ['post', write(type, 'post', '201')],
        deletecollection: ['delete', deleteCollection(type)],
      }),
      parameters: scope,
    },
    [item]: {
      get: operation(type, 'get', [], schemaName(type)),
      ...allowed(type, {
        update: ['put', write(type, 'put')],
        patch: ['patch', patch(type)],
        delete: ['delete', operation(type, 'delete', DELETE_PARAMETERS, SHARED.status)],
      }),
      parameters: itemParameters,
    },
    ...(type.status ? { [`${item}/status`]: status(type, itemParameters) } : {}),
  };
}

/** The operations whose verbs the type supports, by HTTP method. */
function allowed(
  { verbs }: ResourceType,
  operations: Readonly<Record<string, readonly [method: string, operation: JsonObject]>>,
): JsonObject {
  const there = Object.entries(operations).filter(([verb]) => verbs.includes(verb));
  return Object.fromEntries(there.map(([, entry]) => entry));
}

function deleteCollection(type: ResourceType): JsonObject {
  return operation(type, 'deletecollection', [...LIST_PARAMETERS, ...DELETE_PARAMETERS], SHARED.status);
}

function status(type: ResourceType, parameters: JsonObject[]): JsonObject {
  return {
    get: operation(type, 'get', [], schemaName(type)),
    put: write(type, 'put'),
    patch: patch(type),
    parameters,
  };
}

function list(type: ResourceType): JsonObject {
  return operation(type, 'list', [...LIST_PARAMETERS, ...LIST_ONLY], `${schemaName(type)}List`);
}

function patch(type: ResourceType): JsonObject {
  return operation(type, 'patch', [...WRITE_PARAMETERS, query('force', 'boolean')], schemaName(type));
}

function write(type: ResourceType, action: 'post' | 'put', code = '200'): JsonObject {
  const content = { [JSON_TYPE]: { schema: reference(schemaName(type)) } };
  return {
    ...operation(type, action, WRITE_PARAMETERS, schemaName(type), code),
    requestBody: { required: true, content },
  };
}

function operation(
  type: ResourceType,
  action: string,
  parameters: JsonObject[],
  answer: string,
  code = '200',
): JsonObject {
  const content = { [JSON_TYPE]: { schema: reference(answer) } };
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': groupVersionKind(type),
    parameters,
    responses: { [code]: { description: 'OK', content } },
  };
}

function query(name: string, type = 'string'): JsonObject {
  return { name, in: 'query', schema: { type } };
}

function pathParameter(name: string): JsonObject {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}
