import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { SelectorError } from '../../selectors/index.ts';
import { index, invalid, required } from '../field-errors/index.ts';
import type { Errors } from './errors.ts';
import { readSelector } from './label-selectors.ts';
import { clusterRoleBinding, roleBinding } from './rbac.ts';

export function* accessGrant(body: JsonObject): Errors {
  yield* subjectsAreObjects(body);
  yield* roleBinding(body);
  yield* requirements(body.labelSelector);
}

export function* clusterAccessGrant(body: JsonObject): Errors {
  yield* subjectsAreObjects(body);
  yield* clusterRoleBinding(body);
  yield* requirements(body.labelSelector);
}

/** Checks the type of subjects. For bindings, the table of fields defines it. */
function* subjectsAreObjects({ subjects }: JsonObject): Errors {
  const all: readonly JsonValue[] = Array.isArray(subjects) ? subjects : [];
  for (const [at, subject] of all.entries()) {
    if (!isJsonObject(subject)) yield invalid(index('subjects', at), subject, 'must be an object');
  }
}

/** Checks the selector, which must restrict the objects. Access to all objects needs a binding. */
function* requirements(selector: JsonValue | undefined): Errors {
  const read = readSelector('labelSelector', objectAt(selector));
  if (read instanceof SelectorError) {
    yield* read.errors;
  } else if (read.isEmpty) {
    yield required(
      'labelSelector',
      'must restrict the objects; for all objects use a RoleBinding or a ClusterRoleBinding',
    );
  }
}
