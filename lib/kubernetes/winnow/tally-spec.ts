import { type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { type FieldError, labelKeyErrors, SelectorError } from '../../selectors/index.ts';
import { TALLIES } from '../lifecycle/index.ts';
import {
  invalid,
  readSubscription,
  type TargetResources,
  unknownFields,
  validateSubscription,
} from './subscription.ts';
import type { SubscriptionSpec } from './subscription-spec.ts';

/** The finalizer that keeps a deleted Tally until no process counts for it. */
export const TALLY_FINALIZER = 'winnow.dev/tally';

/** The bounds of the desired count. Undefined means no bound. */
export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** The parsed spec of a Tally. */
export interface TallySpec {
  /** The counted objects, as a Subscription's spec. */
  readonly selecting: SubscriptionSpec;
  readonly groupBy: readonly string[];
}

/**
 * The fields that a Tally shares with a Subscription. They determine the objects, the permissions and whether it is
 * suspended.
 */
const SELECTING = [
  ...['resource', 'namespaces', 'namespaceSelector'],
  ...['selector', 'labelSelector', 'fieldSelector', 'serviceAccountName', 'suspend'],
];
const FIELDS = [...SELECTING, 'groupBy', 'bounds'];
const MOST_KEYS = 4;
const STRING = 'must be a string';

/**
 * Returns a Tally with explicit defaults and with the finalizer that deletes its state with it. `old` is the object
 * that it replaces. Only a terminating Tally can lose the finalizer.
 */
export function prepareTally(body: JsonObject, old: JsonObject | undefined): JsonObject {
  const spec = objectAt(body.spec);
  const metadata = objectAt(body.metadata);
  const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers : [];
  const isTerminating = objectAt(old?.metadata).deletionTimestamp !== undefined;
  const guarded = [...finalizers.filter((finalizer) => finalizer !== TALLY_FINALIZER), TALLY_FINALIZER];
  return {
    ...body,
    metadata: isTerminating ? metadata : { ...metadata, finalizers: guarded },
    // `namespaces` has no default if there is a namespace selector.
    spec: { ...((spec.namespaceSelector ?? null) === null && { namespaces: 'Own' }), ...spec },
  };
}

/** Returns all errors of a Tally. `old` is the object that it replaces. */
export function validateTally(
  body: JsonObject,
  old: JsonObject | undefined,
  resources: TargetResources,
): FieldError[] {
  const spec = objectAt(body.spec);
  const { group, resource } = objectAt(spec.resource);
  const isOfTallies = `${group}/${resource}` === TALLIES;
  return [
    ...unknownFields(spec, 'spec', FIELDS),
    ...validateSubscription(asSubscription(body), old && asSubscription(old), resources),
    ...(isOfTallies ? [invalid('spec.resource', TALLIES, 'a Tally does not count Tallies')] : []),
    ...groupByErrors(spec.groupBy ?? []),
    ...boundsErrors(spec.bounds ?? {}),
  ];
}

/**
 * Reads the spec of a Tally that was validated when it was written.
 *
 * @throws {SelectorError} the spec is invalid, or its resource is no longer served
 */
export function readTally(body: JsonObject, resources: TargetResources): TallySpec {
  const spec = objectAt(body.spec);
  const errors = [...groupByErrors(spec.groupBy ?? []), ...boundsErrors(spec.bounds ?? {})];
  if (errors.length > 0) throw SelectorError.of(errors);
  return {
    selecting: readSubscription(asSubscription(body), resources),
    groupBy: Array.isArray(spec.groupBy) ? spec.groupBy.map(String) : [],
  };
}

/** Returns the bounds of a validated spec. */
export function boundsOf(spec: JsonObject): Bounds {
  const { min, max } = objectAt(spec.bounds);
  return { min: numberOr(min), max: numberOr(max) };
}

function numberOr(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/**
 * Returns the shared fields as a Subscription, so that the Subscription's rules for parsing, validation and
 * immutability apply.
 */
function asSubscription(body: JsonObject): JsonObject {
  const spec = Object.entries(objectAt(body.spec)).filter(([field]) => SELECTING.includes(field));
  return { ...body, spec: { ...Object.fromEntries(spec), queue: { type: 'FIFO' } } };
}

function groupByErrors(value: JsonValue): FieldError[] {
  const field = 'spec.groupBy';
  if (!Array.isArray(value)) {
    return [{ type: 'TypeInvalid', field, value, detail: 'must be a list of label keys' }];
  }
  if (value.length > MOST_KEYS) {
    return [{ type: 'TooMany', field, value: value.length, detail: `must have at most ${MOST_KEYS} items` }];
  }
  return value.flatMap((key, at): FieldError[] => {
    const path = `${field}[${at}]`;
    if (typeof key !== 'string') return [{ type: 'TypeInvalid', field: path, value: key, detail: STRING }];
    if (value.indexOf(key) < at) return [{ type: 'Duplicate', field: path, value: key, detail: '' }];
    return labelKeyErrors(key).map((detail) => invalid(path, key, detail));
  });
}

function boundsErrors(value: JsonValue): FieldError[] {
  const field = 'spec.bounds';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ type: 'TypeInvalid', field, value, detail: 'must be an object' }];
  }
  const numbers = Object.entries(value).filter(([key]) => key === 'min' || key === 'max');
  const wrong = numbers.filter(([, one]) => !Number.isSafeInteger(one) || Number(one) < 0);
  const { min, max } = boundsOf({ bounds: value });
  const isEmpty = min !== undefined && max !== undefined && min > max;
  return [
    ...unknownFields(value, field, ['min', 'max']),
    ...wrong.map(([key, one]) => invalid(`${field}.${key}`, one, 'must be a whole number, 0 or more')),
    ...(isEmpty ? [invalid(`${field}.max`, max, 'must not be less than min')] : []),
  ];
}
