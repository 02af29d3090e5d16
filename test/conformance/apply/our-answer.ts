import { isJsonObject, type JsonObject, objectAt } from '../../../lib/json/index.ts';
import {
  ApplySyntaxError,
  ApplyTypeError,
  ConflictError,
  FieldManager,
  type Shape,
} from '../../../lib/kubernetes/apply/index.ts';
import type { Step, Story } from './stories.ts';

/** The result of a step: an error, or the object and the owners of its fields. */
export interface Answer {
  readonly error: string;
  readonly causes: readonly string[];
  readonly object: JsonObject | null;
  readonly owners: readonly Owner[];
}

export interface Owner {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly timed: boolean;
  /** The text of its FieldsV1. */
  readonly fields: string;
}

/** Winnow's answers to a story, one for each step. A refused step changes nothing. */
export function answer(story: Story, shape: Shape): Answer[] {
  let live: JsonObject | undefined;
  return story.steps.map((step) => {
    try {
      live = withUid(carryOut(story, step, shape, live));
      return describe(live);
    } catch (error) {
      return refusal(error);
    }
  });
}

function carryOut(story: Story, step: Step, shape: Shape, live: JsonObject | undefined): JsonObject {
  const { apiVersion, kind } = story;
  const manager = new FieldManager({
    apiVersion,
    kind,
    subresource: step.subresource,
    shapeOf: () => shape,
    reset: [[step.subresource === 'status' ? 'spec' : 'status']],
    empty: { apiVersion, kind },
    now: '2026-01-01T00:00:00Z',
  });
  return step.operation === 'update'
    ? manager.update({ live, updated: step.object, manager: step.manager })
    : manager.apply({ live, applied: step.object, manager: step.manager, force: step.force });
}

function withUid(object: JsonObject): JsonObject {
  return { ...object, metadata: { ...objectAt(object.metadata), uid: 'u' } };
}

function describe({ metadata, ...object }: JsonObject): Answer {
  const { managedFields, ...rest } = objectAt(metadata);
  const entries = Array.isArray(managedFields) ? managedFields.filter(isJsonObject) : [];
  return { error: '', causes: [], object: { ...object, metadata: rest }, owners: entries.map(ownerOf) };
}

function ownerOf({ manager, operation, apiVersion, subresource, time, fieldsV1 }: JsonObject): Owner {
  return {
    manager: String(manager),
    operation: String(operation),
    apiVersion: String(apiVersion),
    subresource: String(subresource ?? ''),
    timed: time !== undefined,
    fields: JSON.stringify(fieldsV1),
  };
}

function refusal(error: unknown): Answer {
  const known = [ConflictError, ApplySyntaxError, ApplyTypeError].some((type) => error instanceof type);
  if (!known || !(error instanceof Error)) throw error;
  const causes = error instanceof ConflictError ? error.causes : [];
  return {
    error: error.message,
    causes: causes.map(({ field, message }) => `${field}: ${message}`),
    object: null,
    owners: [],
  };
}
