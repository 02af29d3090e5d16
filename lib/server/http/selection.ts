import {
  isObjectName,
  type ResourceType,
  readField,
  writtenAs,
} from '../../kubernetes/resource-types/index.ts';
import {
  everyField,
  everything,
  type FieldSelector,
  nothing,
  parseFieldSelector,
  parseSelector,
  type Selector,
} from '../../selectors/index.ts';
import { type ObjectState, storedText } from '../../store/index.ts';
import { badRequest } from '../status/index.ts';
import type { ResourceRoute } from './route.ts';

/** The objects of a collection that a request selects: the common part of a ListRequest and a WatchRequest. */
export interface Selection {
  readonly selector: Selector;
  readonly namespace?: string;
  readonly name?: string;
  readonly matches?: (object: ObjectState) => boolean;
  /** The field selector as text; `''` if there is none. */
  readonly fields: string;
}

const METADATA_FIELDS: readonly string[] = ['metadata.name', 'metadata.namespace'];
/** The most requirements of one label selector. Each is evaluated for every object. */
const MOST_REQUIREMENTS = 256;
/** The pattern of namespace names. */
const NAMESPACE = /^[a-z0-9.-]{1,253}$/;

/**
 * Returns the selection of a route and its query. Requirements on metadata.name and metadata.namespace narrow what
 * the store reads. The whole field selector is matched afterwards.
 *
 * @throws {SelectorError}
 * @throws {ApiError} 400 for a field that does not support selectors, and for too many requirements
 */
export function selectionOf(route: ResourceRoute, query: URLSearchParams): Selection {
  const selector = parsed(query.get('labelSelector'), parseSelector) ?? everything;
  const fields = parsed(query.get('fieldSelector'), parseFieldSelector) ?? everyField;
  refuseUnsupported(route.type, fields);
  refuseManyRequirements(selector);
  const name = (route.verb === 'watch' && route.name) || exact(fields, 'metadata.name');
  const namespace = route.namespace || exact(fields, 'metadata.namespace');
  const impossible =
    (name !== undefined && !isObjectName(name)) || (namespace !== undefined && !NAMESPACE.test(namespace));
  return {
    selector: impossible ? nothing : selector,
    ...(namespace === undefined || impossible ? {} : { namespace }),
    ...(name === undefined || impossible ? {} : { name }),
    fields: fields.toString(),
    ...(fields.isEmpty ? {} : { matches: matcherOf(fields) }),
  };
}

/** The filter of a field selector. It parses no stored object whose text shows that it cannot match. */
function matcherOf(fields: FieldSelector): (object: ObjectState) => boolean {
  const parts = fields.requirements.flatMap(({ field, operator, value }) =>
    operator === '=' && !METADATA_FIELDS.includes(field) ? (writtenAs(value) ?? []) : [],
  );
  return (object) => {
    const text = parts.length > 0 ? storedText(object) : undefined;
    const isPossible = text === undefined || parts.every((part) => text.includes(part));
    return isPossible && fields.matches((field) => readAt(object, field));
  };
}

function parsed<T>(text: string | null, parse: (text: string) => T): T | undefined {
  return text === null || text === '' ? undefined : parse(text);
}

function refuseManyRequirements({ requirements }: Selector): void {
  if (requirements.length <= MOST_REQUIREMENTS) return;
  throw badRequest(
    `the label selector has ${requirements.length} requirements, the limit is ${MOST_REQUIREMENTS}; select several values of one label with in (…)`,
  );
}

function refuseUnsupported(type: ResourceType, { requirements }: FieldSelector): void {
  for (const { field } of requirements) {
    if (!METADATA_FIELDS.includes(field) && !type.fields.includes(field)) {
      throw badRequest(unsupported(type, field));
    }
  }
}

/**
 * The error text for an unsupported field. Kubernetes has three texts: for types without own selectable fields, for
 * Jobs, and for all others.
 */
function unsupported({ builtin, fields, kind, group }: ResourceType, field: string): string {
  if (builtin && fields.length === 0) {
    const known = METADATA_FIELDS.map((one) => JSON.stringify(one)).join(', ');
    return `${JSON.stringify(field)} is not a known field selector: only ${known}`;
  }
  return kind === 'Job' && group === 'batch'
    ? `field label ${JSON.stringify(field)} not supported for Job`
    : `field label not supported: ${field}`;
}

function exact({ requirements }: FieldSelector, field: string): string | undefined {
  return requirements.find((one) => one.field === field && one.operator === '=')?.value;
}

function readAt({ name, body }: ObjectState, field: string): string | undefined {
  switch (field) {
    case 'metadata.name':
      return name.name;
    case 'metadata.namespace':
      return name.namespace;
    default:
      return readField(body, field);
  }
}
