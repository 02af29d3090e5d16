import { type Shape, type ShapeField, type Type, types } from '../../cel/index.ts';

const { BOOL, DYN, INT, listOf, mapOf, STRING, struct, TIMESTAMP } = types;

/** The name of the type of `variables`, which has the variables before an expression as fields. */
export const VARIABLES = 'kubernetes.variables';

/** Returns the shape of a struct type whose values are plain JSON: only the types of its fields count. */
export function structOf(fields: ReadonlyMap<string, ShapeField>, name: string): Shape {
  return {
    form: 'object',
    type: struct(name),
    nullable: true,
    minBytes: 0,
    maxElements: undefined,
    fields,
  };
}

export function fieldOf(escaped: string, type: Type): ShapeField {
  return { escaped, shape: { form: 'dyn', type, nullable: true, minBytes: 0, maxElements: undefined } };
}

const GROUP_VERSION_KIND = struct('kubernetes.GroupVersionKind');
const GROUP_VERSION_RESOURCE = struct('kubernetes.GroupVersionResource');
const TEXTS = listOf(STRING);

/** The fields of the types of `request` and `namespaceObject` (BuildRequestType and BuildNamespaceType). */
const STRUCTS: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  'kubernetes.GroupVersionKind': { group: STRING, version: STRING, kind: STRING },
  'kubernetes.GroupVersionResource': { group: STRING, version: STRING, resource: STRING },
  'kubernetes.UserInfo': { username: STRING, uid: STRING, groups: TEXTS, extra: mapOf(STRING, TEXTS) },
  'kubernetes.AdmissionRequest': {
    kind: GROUP_VERSION_KIND,
    resource: GROUP_VERSION_RESOURCE,
    subResource: STRING,
    requestKind: GROUP_VERSION_KIND,
    requestResource: GROUP_VERSION_RESOURCE,
    requestSubResource: STRING,
    name: STRING,
    namespace: STRING,
    operation: STRING,
    userInfo: struct('kubernetes.UserInfo'),
    dryRun: BOOL,
    options: DYN,
  },
  'kubernetes.NamespaceSpec': { finalizers: TEXTS },
  'kubernetes.NamespaceCondition': {
    status: STRING,
    type: STRING,
    lastTransitionTime: TIMESTAMP,
    message: STRING,
    reason: STRING,
  },
  'kubernetes.NamespaceStatus': {
    conditions: listOf(struct('kubernetes.NamespaceCondition')),
    phase: STRING,
  },
  'kubernetes.NamespaceMetadata': {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    // In kube-apiserver too this name is not that of the value's field, so that expressions cannot read it.
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: TEXTS,
  },
  'kubernetes.Namespace': {
    metadata: struct('kubernetes.NamespaceMetadata'),
    spec: struct('kubernetes.NamespaceSpec'),
    status: struct('kubernetes.NamespaceStatus'),
  },
};

/** The types of `request` and `namespaceObject`, and of their parts, by name. */
export const DECLARED: ReadonlyMap<string, Shape> = new Map(
  Object.entries(STRUCTS).map(([name, fields]) => [
    name,
    structOf(new Map(Object.entries(fields).map(([field, type]) => [field, fieldOf(field, type)])), name),
  ]),
);

export const REQUEST = struct('kubernetes.AdmissionRequest');
export const NAMESPACE = struct('kubernetes.Namespace');
export const AUTHORIZER = struct('kubernetes.authorization.Authorizer');
export const REQUEST_RESOURCE = struct('kubernetes.authorization.ResourceCheck');
