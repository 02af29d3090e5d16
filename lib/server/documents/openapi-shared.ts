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

/** A reference may have no siblings in OpenAPI 3.0, so a description wraps it. */
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
    [SHARED.listMeta]: fields('ListMeta says where a list stands.', {
      resourceVersion: string('The state that the list shows; a watch may begin here.'),
      continue: string('Token for the next page; absent on the last.'),
      remainingItemCount: integer('How many objects may follow.', 'int64'),
    }),
    [SHARED.labelSelector]: labelSelector(),
    [SHARED.status]: fields('Status is the answer to a request that has no other.', {
      ...typeMeta(),
      metadata: reference(SHARED.listMeta),
      status: string('Success or Failure.'),
      message: string('What happened, for people.'),
      reason: string('What happened, for programs.'),
      details: object('What it is about.'),
      code: integer('The HTTP status.'),
    }),
  };
}

function objectMeta(): JsonObject {
  return fields('ObjectMeta is what all objects have in common.', {
    name: string('Unique in its namespace; never changes.'),
    generateName: string('Prefix of a name that the server completes.'),
    namespace: string('The scope of the name.'),
    labels: stringMap('What selectors select by.'),
    annotations: stringMap('Anything else worth keeping with the object.'),
    uid: string('Unique in time and space; set by the server.'),
    resourceVersion: string('Changes with every write; opaque.'),
    generation: integer('Counts the changes of what is wanted; set by the server.', 'int64'),
    creationTimestamp: time('When it was created; set by the server.'),
    deletionTimestamp: time('When its deletion was asked for; set by the server.'),
    deletionGracePeriodSeconds: integer('How long its deletion may take; set by the server.', 'int64'),
    finalizers: array('While there are any, it is not removed.', string('A finalizer.')),
    ownerReferences: array('The objects it depends on.', ownerReference()),
    managedFields: array('The manager of each field.'),
  });
}

function ownerReference(): JsonObject {
  const reference = fields('An object it depends on.', {
    apiVersion: string("The owner's group and version."),
    kind: string("The owner's kind."),
    name: string("The owner's name."),
    uid: string("The owner's uid."),
    controller: boolean('Whether the owner manages it.'),
    blockOwnerDeletion: boolean('Whether the owner must wait for it to go.'),
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
    matchLabels: stringMap('Labels that must be there with these values.'),
    matchExpressions: array('Requirements.', { ...requirement, required: ['key', 'operator'] }),
  });
}
