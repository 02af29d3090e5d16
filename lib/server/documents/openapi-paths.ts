import type { JsonObject } from '../../json/index.ts';
import type { Components } from '../../kubernetes/openapi/index.ts';
import {
  isStored,
  type ResourceType,
  type Subresource,
  subresourcesOf,
} from '../../kubernetes/resource-types/index.ts';
import { groupVersionKind, hasDiscoveryPath, hasWatchPaths, schemaName } from './openapi-schemas.ts';
import { RESOURCE_LIST, reference, SHARED, WATCH_EVENT } from './openapi-shared.ts';

const JSON_TYPE = 'application/json';

const LIST_PARAMETERS = [
  query('labelSelector'),
  query('fieldSelector'),
  query('limit', 'integer'),
  query('continue'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('watch', 'boolean'),
  query('allowWatchBookmarks', 'boolean'),
  query('timeoutSeconds', 'integer'),
];
const LIST_ONLY = [query('at'), query('explain'), query('facets'), query('joint'), query('sortBy')];
/** The parameters of a LIST of a kind that is not stored: History. */
const HISTORY_PARAMETERS = [
  query('labelSelector'),
  query('fieldSelector'),
  query('limit', 'integer'),
  query('continue'),
  query('since'),
  query('until'),
  query('all', 'boolean'),
  query('states', 'boolean'),
];
const WRITE_PARAMETERS = [query('dryRun'), query('fieldManager'), query('fieldValidation')];
const DELETE_PARAMETERS = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('propagationPolicy'),
];

/** The verbs in the names of operations, by the client's action: `readCoreV1NamespacedPod`. */
const CALLED = { get: 'read', post: 'create', put: 'replace', watchlist: 'watch' } as const;

/** A type whose paths are described. */
interface Described {
  readonly type: ResourceType;
  readonly components: Components;
}

interface Operation {
  /** The value of `x-kubernetes-action`. */
  readonly action:
    | 'get'
    | 'list'
    | 'post'
    | 'put'
    | 'patch'
    | 'delete'
    | 'deletecollection'
    | 'watch'
    | 'watchlist';
  readonly parameters: readonly JsonObject[];
  /** The component of the answer. */
  readonly answer: string;
  /** The component of the body, where there is one. */
  readonly body?: string;
  readonly code?: string;
  /** The part of the operation's name after the kind. */
  readonly suffix?: string;
  readonly about?: Record<string, string>;
}

/**
 * Returns the paths of one type below `root` (`/api/V` or `/apis/G/V`).
 *
 * PATCH lists the parameters that tell kubectl that the server validates and supports dry runs. It has no
 * requestBody: with one, kubectl would compute patches from these schemas instead of its own built-in types.
 */
export function openApiPaths(root: string, type: ResourceType, components: Components): JsonObject {
  const described = { type, components };
  const name = schemaName(type, components);
  const namespaced = type.scope === 'Namespaced';
  const scope = namespaced ? [pathParameter('namespace')] : [];
  const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${type.resource}`;
  const item = `${collection}/{name}`;
  const list = (suffix = '', parameters = [...LIST_PARAMETERS, ...LIST_ONLY]) =>
    operation(described, { action: 'list', parameters, answer: `${name}List`, suffix });
  if (!isStored(type) && type.verbs.includes('list')) {
    return {
      [`${root}/${type.resource}`]: { get: list('ForAllNamespaces', HISTORY_PARAMETERS) },
      [collection]: withParameters({ get: list('', HISTORY_PARAMETERS) }, scope),
    };
  }
  const post = operation(described, {
    action: 'post',
    parameters: WRITE_PARAMETERS,
    answer: name,
    body: name,
    code: '201',
  });
  if (!isStored(type)) return { [collection]: withParameters({ post }, scope) };
  const itemParameters = [pathParameter('name'), ...scope];
  const below = subresourcesOf(type).flatMap((subresource) => {
    const methods = subresourceMethods(described, subresource);
    const path = `${item}/${subresource.name}`;
    return Object.keys(methods).length === 0
      ? []
      : [[path, withParameters(methods, itemParameters)] as const];
  });
  return {
    ...(namespaced ? { [`${root}/${type.resource}`]: { get: list('ForAllNamespaces') } } : {}),
    [collection]: withParameters(
      {
        get: list(),
        ...allowed(type, {
          create: ['post', post],
          deletecollection: [
            'delete',
            operation(described, {
              action: 'deletecollection',
              parameters: [...LIST_PARAMETERS, ...DELETE_PARAMETERS],
              answer: SHARED.status,
            }),
          ],
        }),
      },
      scope,
    ),
    [item]: withParameters(
      {
        get: operation(described, { action: 'get', parameters: [], answer: name }),
        ...allowed(type, {
          update: [
            'put',
            operation(described, { action: 'put', parameters: WRITE_PARAMETERS, answer: name, body: name }),
          ],
          patch: ['patch', patch(described, name)],
          delete: [
            'delete',
            operation(described, { action: 'delete', parameters: DELETE_PARAMETERS, answer: SHARED.status }),
          ],
        }),
      },
      itemParameters,
    ),
    ...Object.fromEntries(below),
    ...(hasWatchPaths(type) ? watchPaths(root, described) : {}),
  };
}

/** Returns the path of discovery of a group and version of Kubernetes, below `root`; custom groups have none. */
export function discoveryPath(root: string, types: readonly ResourceType[]): JsonObject {
  const type = types.find(hasDiscoveryPath);
  if (type === undefined) return {};
  const schema = reference(RESOURCE_LIST);
  const get = {
    description: 'get available resources',
    operationId: `get${groupName(type)}APIResources`,
    responses: { 200: { description: 'OK', content: { [JSON_TYPE]: { schema } } } },
  };
  return { [`${root}/`]: { get } };
}

/** The deprecated paths of watches, from which some clients derive how to watch. */
function watchPaths(root: string, described: Described): JsonObject {
  const { type } = described;
  const namespaced = type.scope === 'Namespaced';
  const scope = namespaced ? [pathParameter('namespace')] : [];
  const collection = `${root}/watch${namespaced ? '/namespaces/{namespace}' : ''}/${type.resource}`;
  const watch = (action: 'watch' | 'watchlist', suffix: string): JsonObject => ({
    ...operation(described, { action, parameters: LIST_PARAMETERS, answer: WATCH_EVENT, suffix }),
    description: `${
      action === 'watch'
        ? `watch changes to an object of kind ${type.kind}`
        : `watch individual changes to a list of ${type.kind}`
    }. deprecated: use the 'watch' parameter with a list operation instead${
      action === 'watch' ? ", filtered to a single item with the 'fieldSelector' parameter" : ''
    }.`,
  });
  return {
    ...(namespaced && {
      [`${root}/watch/${type.resource}`]: { get: watch('watchlist', 'ListForAllNamespaces') },
    }),
    [collection]: withParameters({ get: watch('watchlist', 'List') }, scope),
    [`${collection}/{name}`]: withParameters({ get: watch('watch', '') }, [pathParameter('name'), ...scope]),
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

function patch(described: Described, answer: string, more: Partial<Operation> = {}): JsonObject {
  const parameters = [...WRITE_PARAMETERS, query('force', 'boolean')];
  return operation(described, { action: 'patch', parameters, answer, ...more });
}

/**
 * The methods of a subresource, by name. Empty where its answer has no component, because the answer is text or a
 * connection.
 */
function subresourceMethods(described: Described, { name, takes, verbs }: Subresource): JsonObject {
  const { type, components } = described;
  const { group, version } = type;
  const about = { ...groupVersionKind(type), ...(takes && { group, version, ...takes }) };
  const own = schemaName(type, components);
  const answer = takes === undefined ? own : components.nameOf({ group, version, ...takes });
  if (answer === undefined || name === 'log') return {};
  const suffix = name.charAt(0).toUpperCase() + name.slice(1);
  const more = { answer, about, suffix };
  const write = { ...more, parameters: WRITE_PARAMETERS, body: answer };
  const methods: Readonly<Record<string, readonly [string, JsonObject]>> = {
    create: ['post', operation(described, { ...write, action: 'post', code: '201' })],
    get: ['get', operation(described, { ...more, action: 'get', parameters: [] })],
    patch: ['patch', patch(described, answer, more)],
    update: ['put', operation(described, { ...write, action: 'put' })],
  };
  return Object.fromEntries(verbs.flatMap((verb) => (methods[verb] === undefined ? [] : [methods[verb]])));
}

function operation({ type }: Described, described: Operation): JsonObject {
  const { action, parameters, answer, body, code = '200', about = groupVersionKind(type) } = described;
  const content = { [JSON_TYPE]: { schema: reference(answer) } };
  return {
    ...(body !== undefined && {
      requestBody: { required: true, content: { [JSON_TYPE]: { schema: reference(body) } } },
    }),
    operationId: operationId(type, described),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': about,
    // Go's clients drop an empty list when they read the document, so it is left out.
    ...(parameters.length > 0 && { parameters: [...parameters] }),
    responses: { [code]: { description: 'OK', content } },
  };
}

/** `listCoreV1PodForAllNamespaces`, `deleteAppsV1CollectionNamespacedDeployment`. */
function operationId({ group, version, kind, scope }: ResourceType, described: Operation): string {
  const { action, suffix = '' } = described;
  const isOfAll = suffix.endsWith('ForAllNamespaces');
  const isCollection = action === 'deletecollection';
  const called = isCollection ? 'delete' : action in CALLED ? CALLED[action as keyof typeof CALLED] : action;
  const words = [
    ...(isCollection ? ['Collection'] : []),
    ...(scope === 'Namespaced' && !isOfAll ? ['Namespaced'] : []),
  ];
  return `${called}${groupName({ group, version })}${words.join('')}${kind}${suffix}`;
}

/** The group and version in the names of operations: `RbacAuthorizationV1`. */
function groupName({ group, version }: Pick<ResourceType, 'group' | 'version'>): string {
  const words = (group === '' ? 'core' : group.replace(/\.k8s\.io$/, '')).split(/[^a-zA-Z0-9]/);
  return [...words, version].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function withParameters(methods: JsonObject, parameters: readonly JsonObject[]): JsonObject {
  return parameters.length === 0 ? methods : { ...methods, parameters: [...parameters] };
}

function query(name: string, type = 'string'): JsonObject {
  return { name, in: 'query', schema: { type } };
}

function pathParameter(name: string): JsonObject {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}
