import type { JsonObject } from '../../json/index.ts';
import {
  array,
  boolean,
  fields,
  integer,
  object,
  string,
  stringMap,
  time,
} from '../../kubernetes/resource-types/index.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The component names of the kinds that every document shares. */
export const SHARED = {
  objectMeta: `${META}.ObjectMeta`,
  listMeta: `${META}.ListMeta`,
  labelSelector: `${META}.LabelSelector`,
  status: `${META}.Status`,
} as const;

export function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** A reference with a description. OpenAPI 3.0 allows no siblings of `$ref`, so `allOf` wraps it. */
export function described(description: string, name: string): JsonObject {
  return { description, allOf: [reference(name)] };
}

export function typeMeta(): JsonObject {
  return {
    apiVersion: string('Group and version of the schema that the object follows.'),
    kind: string('Name of the schema that the object follows.'),
  };
}

/** The components that every document shares. */
export function sharedSchemas(): JsonObject {
  return {
    [SHARED.objectMeta]: objectMeta(),
    [SHARED.listMeta]: fields('ListMeta is the metadata of a list.', {
      resourceVersion: string('The state that the list shows; a watch can begin here.'),
      continue: string('Token for the next page; absent on the last.'),
      remainingItemCount: integer('Number of objects that follow, at most.', 'int64'),
    }),
    [SHARED.labelSelector]: labelSelector(),
    [SHARED.status]: fields('Status is the result of a request that returns no object.', {
      ...typeMeta(),
      metadata: reference(SHARED.listMeta),
      status: string('Success or Failure.'),
      message: string('The result in words, for people.'),
      reason: string('The result as one word, for programs.'),
      details: object('The object that the result is about, and the causes.'),
      code: integer('The HTTP status.'),
    }),
  };
}

function objectMeta(): JsonObject {
  return fields('ObjectMeta is the metadata that all objects have.', {
    name: string('Unique in its namespace; never changes.'),
    generateName: string('Prefix of a name that the server completes.'),
    namespace: string('The scope of the name.'),
    labels: stringMap('Key-value pairs that selectors match.'),
    annotations: stringMap('Other key-value pairs; selectors do not match them.'),
    uid: string('Unique in time and space; set by the server.'),
    resourceVersion: string('Changes with every write; opaque.'),
    generation: integer('Counts the changes of the desired state; set by the server.', 'int64'),
    creationTimestamp: time('Time of creation; set by the server.'),
    deletionTimestamp: time('Time at which the grace period of the deletion ends; set by the server.'),
    deletionGracePeriodSeconds: integer('Grace period of the deletion; set by the server.', 'int64'),
    finalizers: array('The server removes the object only when this list is empty.', string('A finalizer.')),
    ownerReferences: array('The objects that own this object.', ownerReference()),
    managedFields: array('The manager that last wrote each field.'),
  });
}

function ownerReference(): JsonObject {
  const reference = fields('An owner of the object.', {
    apiVersion: string("The owner's group and version."),
    kind: string("The owner's kind."),
    name: string("The owner's name."),
    uid: string("The owner's uid."),
    controller: boolean('Whether the owner manages it.'),
    blockOwnerDeletion: boolean('Whether a foreground deletion of the owner waits for this object.'),
  });
  return { ...reference, required: ['apiVersion', 'kind', 'name', 'uid'] };
}

function labelSelector(): JsonObject {
  const requirement = fields('One requirement.', {
    key: string('The label.'),
    operator: string('In, NotIn, Exists or DoesNotExist.'),
    values: array('For In and NotIn.', string('A value.')),
  });
  return fields('LabelSelector selects objects by their labels. All of it must match; empty matches all.', {
    matchLabels: stringMap('Labels that an object must have, with these values.'),
    matchExpressions: array('Requirements.', { ...requirement, required: ['key', 'operator'] }),
  });
}
