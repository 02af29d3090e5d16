import {
  type Collection,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEquals,
  objectAt,
} from '../../json/index.ts';
import {
  type FieldError,
  type FieldSelector,
  fromLabelSelector,
  parseFieldSelector,
  parseSelector,
  type Selector,
  SelectorError,
} from '../../selectors/index.ts';
import { parsed } from './parsed-selector.ts';
import { readConsumers } from './read-consumers.ts';
import { readNamespaces } from './read-namespaces.ts';
import { readQueue } from './read-queue.ts';
import { serviceAccountErrors } from './service-account-errors.ts';
import { PAYLOADS, type SubscriptionSpec, type TargetResource } from './subscription-spec.ts';
import { whyNotGathered } from './why-not-gathered.ts';
import { whyUnverifiable } from './why-unverifiable.ts';

/** The finalizer that keeps a deleted Subscription until its queue is gone. */
export const QUEUE_FINALIZER = 'winnow.dev/queue';

/** A lookup of resource types: by a Subscription's resource, by collection, or by an owner reference. */
export interface TargetResources {
  find(group: string, resource: string): TargetResource | undefined;
  of(collection: Collection): TargetResource | undefined;
  /** Ignores the version in `apiVersion`. */
  ofKind(apiVersion: string, kind: string): TargetResource | undefined;
}

/** The limit in bytes of the stored selectors together. During an edit, a subscription's row holds two of them. */
const MOST_SELECTING = 150_000;
const DEFAULTS = { namespaces: 'Own', start: 'now', payload: 'Object' };
const FIELDS = [
  ...['resource', 'namespaces', 'namespaceSelector', 'selector', 'labelSelector', 'fieldSelector'],
  ...['queue', 'ordering', 'start', 'payload', 'consumers', 'suspend', 'verify', 'serviceAccountName'],
];

/**
 * Returns a Subscription with explicit defaults and with the finalizer that protects its queue. `old` is the object
 * that it replaces. Only a terminating Subscription can lose the finalizer.
 */
export function prepareSubscription(body: JsonObject, old: JsonObject | undefined): JsonObject {
  const spec = objectAt(body.spec);
  const queue = spec.queue ?? {};
  const metadata = objectAt(body.metadata);
  const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers : [];
  const isTerminating = objectAt(old?.metadata).deletionTimestamp !== undefined;
  const guarded = [...finalizers.filter((finalizer) => finalizer !== QUEUE_FINALIZER), QUEUE_FINALIZER];
  return {
    ...body,
    metadata: isTerminating ? metadata : { ...metadata, finalizers: guarded },
    spec: {
      ...defaultsOf(spec),
      ...spec,
      queue: isJsonObject(queue) && (queue.arn ?? null) === null ? { type: 'FIFO', ...queue } : queue,
    },
  };
}

/** Returns the defaults of a spec. `namespaces` has no default if there is a namespace selector. */
function defaultsOf({ namespaceSelector = null }: JsonObject): JsonObject {
  const { namespaces, ...others } = DEFAULTS;
  return namespaceSelector === null ? DEFAULTS : others;
}

/** Returns all errors of a Subscription. `old` is the object that it replaces. */
export function validateSubscription(
  body: JsonObject,
  old: JsonObject | undefined,
  resources: TargetResources,
): FieldError[] {
  return [...parseSpec(body, resources).errors, ...immutableErrors(objectAt(body.spec), old)];
}

/**
 * Reads the spec of a Subscription that was validated when it was written.
 *
 * @throws {SelectorError} the spec is invalid
 */
export function readSubscription(body: JsonObject, resources: TargetResources): SubscriptionSpec {
  const { spec, errors } = parseSpec(body, resources);
  if (spec === undefined) throw SelectorError.of(errors);
  return spec;
}

function parseSpec(body: JsonObject, resources: TargetResources): Parsed {
  const spec = objectAt(body.spec);
  const errors = unknownFields(spec, 'spec', FIELDS);
  const note = (found: readonly FieldError[]) => errors.push(...found);
  note(serviceAccountErrors(spec));

  const target = findTarget(spec.resource, resources, note);
  const where = readNamespaces(spec, target, note);
  note(whyNotGathered(target?.collection, where));
  const selector = readSelector(spec, note);
  const fieldSelector = readFieldSelector(spec.fieldSelector, target, note);
  note(sizeErrors(selector, fieldSelector));
  const payload = oneOf(spec.payload ?? DEFAULTS.payload, 'spec.payload', PAYLOADS, note);
  const start = readStart(spec.start ?? DEFAULTS.start, note);
  const queue = readQueue(spec.queue, note);
  const byObject = oneOf(spec.ordering ?? 'Total', 'spec.ordering', ['Total', 'Object'], note) === 'Object';
  if (byObject && !queue.fifo) note([forbidden('spec.ordering', 'a Standard queue keeps no order')]);
  const suspended = readFlag(spec.suspend, 'spec.suspend', note);
  const verified = readFlag(spec.verify, 'spec.verify', note);
  if (verified) note(whyUnverifiable({ fifo: queue.fifo, byObject, start }));
  const consumers = readConsumers(spec.consumers, note);
  if (queue.queueArn !== '' && consumers.length > 0) {
    note([
      forbidden(
        'spec.consumers',
        'may not be set with spec.queue.arn: set the policy of a user-owned queue yourself',
      ),
    ]);
  }

  if (errors.length > 0 || target === undefined) return { spec: undefined, errors };
  const sent = { ...queue, byObject, start, payload, suspended, verified, consumers };
  return { spec: { target, ...where, selector, fieldSelector, ...sent }, errors };
}

interface Parsed {
  readonly spec: SubscriptionSpec | undefined;
  readonly errors: FieldError[];
}

type Note = (errors: readonly FieldError[]) => void;

function findTarget(
  value: JsonValue | undefined,
  resources: TargetResources,
  note: Note,
): TargetResource | undefined {
  const { group = '', resource } = objectAt(value);
  if (typeof resource !== 'string' || resource === '') {
    note([{ type: 'Required', field: 'spec.resource.resource', detail: 'the plural name, e.g. pods' }]);
    return undefined;
  }
  const target = typeof group === 'string' ? resources.find(group, resource) : undefined;
  if (target === undefined) {
    note([invalid('spec.resource', `${group}/${resource}`, 'no such resource; see kubectl api-resources')]);
  }
  return target;
}

function readSelector(spec: JsonObject, note: Note): Selector {
  const { selector = null } = spec;
  if (selector !== null && (spec.labelSelector ?? null) !== null) {
    note([forbidden('spec.labelSelector', 'may not be set together with spec.selector')]);
  }
  // Here an absent selector restricts nothing. Null counts as absent.
  if (selector !== null) {
    const source = { field: 'spec.selector', value: selector, fallback: parseSelector('') };
    return parsed(source, note, () => fromLabelSelector(selector, 'spec.selector'));
  }
  const text = spec.labelSelector ?? '';
  if (typeof text !== 'string') {
    note([{ type: 'TypeInvalid', field: 'spec.labelSelector', value: text, detail: 'must be a string' }]);
    return parseSelector('');
  }
  const source = { field: 'spec.labelSelector', value: text, fallback: parseSelector('') };
  return parsed(source, note, () => parseSelector(text));
}

function readFieldSelector(
  value: JsonValue | undefined,
  target: TargetResource | undefined,
  note: Note,
): FieldSelector {
  const field = 'spec.fieldSelector';
  const text = value ?? '';
  if (typeof text !== 'string') {
    note([{ type: 'TypeInvalid', field, value: text, detail: 'must be a string' }]);
    return parseFieldSelector('');
  }
  const source = { field, value: text, fallback: parseFieldSelector('') };
  const selector = parsed(source, note, () => parseFieldSelector(text));
  const unknown = selector.requirements.find(
    (requirement) => target && !target.fields.includes(requirement.field),
  );
  if (unknown !== undefined) note([invalid(field, text, `field label not supported: ${unknown.field}`)]);
  return selector;
}

function sizeErrors(...selecting: readonly (Selector | FieldSelector)[]): FieldError[] {
  const bytes = selecting.reduce((sum, one) => sum + Buffer.byteLength(one.toString()), 0);
  if (bytes <= MOST_SELECTING) return [];
  return [
    invalid('spec', `${bytes} bytes`, `the selectors may take no more than ${MOST_SELECTING} bytes together`),
  ];
}

function readStart(value: JsonValue, note: Note): SubscriptionSpec['start'] {
  if (typeof value === 'string' && /^[1-9][0-9]*$/.test(value)) return Number(value);
  return oneOf<'now' | 'snapshot'>(value, 'spec.start', ['now', 'snapshot'], note);
}

function readFlag(value: JsonValue | undefined, field: string, note: Note): boolean {
  const flag = value ?? false;
  if (typeof flag !== 'boolean') {
    note([{ type: 'TypeInvalid', field, value, detail: 'must be true or false' }]);
  }
  return flag === true;
}

/** Returns errors for the fields of an object at a path that are not known. */
export function unknownFields(object: JsonObject, path: string, known: readonly string[]): FieldError[] {
  return Object.keys(object)
    .filter((field) => !known.includes(field))
    .map((field) => invalid(`${path}.${field}`, field, 'unknown field'));
}

/** Returns the choice that `value` names. If it names none, an error is noted and the first choice is returned. */
function oneOf<Choice extends string>(
  value: JsonValue,
  field: string,
  choices: readonly [Choice, ...Choice[]],
  note: Note,
): Choice {
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) {
    const detail = `supported values: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
    note([{ type: 'NotSupported', field, value, detail }]);
  }
  return chosen ?? choices[0];
}

function immutableErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (old === undefined) return [];
  const before = objectAt(old.spec);
  // A token may be set later, because it proves an existing queue.
  const fixed = (one: JsonObject): JsonObject => {
    const { ordering = 'Total', queue, verify = null, ...others } = one;
    return { ...others, ordering, verify: verify === true, queue: { ...objectAt(queue), token: null } };
  };
  const [is, was] = [fixed(spec), fixed(before)];
  return (['resource', 'queue', 'ordering', 'start', 'verify'] as const)
    .filter((field) => !jsonEquals(is[field] ?? null, was[field] ?? null))
    .map((field) => invalid(`spec.${field}`, spec[field], 'field is immutable'));
}

export const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'Invalid',
  field,
  value,
  detail,
});

const forbidden = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, detail });
