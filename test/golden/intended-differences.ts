import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../lib/json/index.ts';
import { type Aspect, parsed } from './compare.ts';
import type { Replayed } from './replay.ts';
import { differenceOf } from './same-shape.ts';

/** A class of answers that differ from Kubernetes' on purpose. docs/api.md gives the same reasons. */
export interface IntendedDifference {
  /** The reason, with the words of docs/api.md. */
  readonly reason: string;
  /**
   * True for a difference that helps every client: a clear 4xx for a 500, and no answer that is silently wrong. Not
   * set for missing features, for traits of this server alone and for matters of taste.
   */
  readonly sought?: true;
  /** Returns the aspects of the answer that differ for this reason. */
  explains(one: Replayed): readonly Aspect[];
}

export const intendedDifferences: readonly IntendedDifference[] = [
  {
    reason:
      "Where Kubernetes answers a client's mistake with 500, Winnow answers a 4xx that names the mistake.",
    sought: true,
    explains: ({ recorded, ours, differences }) =>
      recorded.status === 500 && ours.status >= 400 && ours.status < 500
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason:
      'Winnow always answers a list at a future resourceVersion with 504. Kubernetes answers 500 if etcd refuses the resourceVersion.',
    sought: true,
    explains: statusFrom(500, 504, /[?&]resourceVersion=/),
  },
  {
    reason:
      'A continue token belongs to one list. If the client uses it with another resource, namespace or selector, Winnow answers 400, and Kubernetes omits objects.',
    sought: true,
    explains: statusFrom(200, 400, /[?&]continue=/),
  },
  {
    reason:
      'Winnow answers a query that cannot be decoded with 400. Kubernetes ignores such a parameter and lists more objects than the client requested.',
    explains: statusFrom(200, 400, /labelSelector=(.*%zz|.*;)/),
  },
  {
    reason:
      "If the message of Kubernetes contains a whole pod spec or all metadata in Go’s syntax, or the difference of two such values, Winnow's message names only the field.",
    explains: ({ recorded, ours, differences }) =>
      recorded.status === ours.status &&
      /core\.Pod(Template)?Spec\{|v1\.ObjectMeta\{/.test(JSON.stringify(recorded.answer))
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason: "The message about a syntax error in a YAML body differs from Kubernetes' message.",
    explains: ({ recorded, ours, differences }) =>
      recorded.status === ours.status && /yaml: line \d+: /.test(differences.message ?? '')
        ? ['message']
        : [],
  },
  {
    reason:
      'Without tokens of service accounts, Winnow has none of the ConfigMaps that kube-apiserver creates for its own use, such as extension-apiserver-authentication.',
    explains: ({ recorded }) =>
      recorded.path === '/api/v1/namespaces//configmaps' ? ['body', 'managedFields'] : [],
  },
  {
    reason: 'Winnow never sends objects as protobuf.',
    sought: true,
    explains: ({ recorded, differences }) =>
      recorded.answerType === 'application/vnd.kubernetes.protobuf'
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason: 'Winnow refuses a compressed request body with 415.',
    explains: statusFrom(400, 415, /./),
  },
  {
    reason: 'Discovery lists only the resources that Winnow serves.',
    explains: ({ recorded, ours }) =>
      /^\/(apis\/?)?$/.test(recorded.path) && recorded.method === 'GET' && ours.status === recorded.status
        ? ['body']
        : [],
  },
  {
    reason: 'Winnow also serves discovery in `v2beta1`, which kubectl 1.27 to 1.29 request.',
    explains: statusFrom(406, 200, /^\/apis$/),
  },
  {
    reason: '`/version` names Winnow.',
    explains: ({ recorded, differences }) =>
      /^\/version\/?$/.test(recorded.path) && (differences.body ?? '').startsWith('gitVersion: ')
        ? ['body']
        : [],
  },
  {
    reason:
      "Winnow has none of kube-apiserver's counters in `/metrics`, no health checks of a cluster's parts, and locally no document with the keys of service accounts.",
    explains: ({ recorded, differences }) =>
      ['/metrics', '/openid/v1/jwks', '/.well-known/openid-configuration', '/readyz?verbose'].includes(
        recorded.path,
      )
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason:
      'A separate authorizer checks the login before the request reaches the API, with its own messages.',
    explains: ({ recorded, differences }) =>
      recorded.status === 401 ? (Object.keys(differences) as Aspect[]) : [],
  },
  {
    reason: 'In other deployments Winnow has no key to sign a token, so it answers 400',
    explains: statusFrom(201, 400, /\/token$/),
  },
  {
    reason: 'Winnow does not create the objects that a cluster creates for itself at its start',
    explains: ({ recorded, ours, differences }) =>
      /\/(flowschemas|prioritylevelconfigurations|apiservices|componentstatuses)$/.test(recorded.path) &&
      ours.status === recorded.status
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason: 'A SubjectAccessReview considers only roles and bindings, and no other rights of the user.',
    explains: ({ recorded, ours, differences }) =>
      /\/subjectaccessreviews$/.test(recorded.path) &&
      ours.status === recorded.status &&
      (differences.body ?? '').startsWith('status.allowed: ')
        ? ['body']
        : [],
  },
  {
    reason:
      'The answer to a JSON patch that cannot be applied has a Warning with the operation and the cause.',
    explains: ({ recorded, ours }) =>
      recorded.status === 422 &&
      recorded.contentType === 'application/json-patch+json' &&
      /^299 - "operation \d+: [^"]*"$/.test(ours.headers.warning ?? '')
        ? ['warnings']
        : [],
  },
  {
    reason: 'Winnow applies an apply to `/scale` of a custom kind; Kubernetes answers 500.',
    explains: statusFrom(500, 200, /\/things\/t1\/scale\?/),
  },
  {
    reason: 'Winnow applies an apply to `/scale` of a custom kind; Kubernetes answers 500.',
    explains: ({ recorded, ours }) =>
      recorded.n > SCALED && recorded.path.includes('/things/t1')
        ? sameBut(recorded.answer, ours.text, withoutScaling)
        : [],
  },
];

/** The number of the recorded case that applies to `/scale`. */
const SCALED = 599;

/** Returns body and managedFields if two objects are equal once `without` has removed its parts from both. */
function sameBut(
  recorded: JsonValue | undefined,
  ours: string,
  without: (object: JsonObject) => JsonObject,
): readonly Aspect[] {
  const answers = [recorded ?? null, parsed(ours)];
  if (!answers.every(isJsonObject)) return [];
  const [left, right] = answers.map(objectAt).map(without);
  return differenceOf(left, right) === undefined ? ['body', 'managedFields'] : [];
}

/** Changes the managers of an object. An entry for which `change` returns undefined is removed. */
function withManagers(object: JsonObject, change: (entry: JsonObject) => JsonObject | undefined): JsonObject {
  const { managedFields = [], ...metadata } = objectAt(object.metadata ?? {});
  const entries = Array.isArray(managedFields) ? managedFields : [];
  const changed = entries.flatMap((entry) => change(objectAt(entry)) ?? []);
  return { ...object, metadata: { ...metadata, managedFields: changed } };
}

/** A Thing as it was before it was scaled. */
function withoutScaling(thing: JsonObject): JsonObject {
  const { metadata, ...own } = withManagers(thing, (entry) => (entry.manager === 'h' ? undefined : entry));
  const { generation: _generation, ...rest } = objectAt(metadata ?? {});
  const { replicas: _replicas, ...spec } = objectAt(own.spec ?? {});
  return { ...own, metadata: rest, spec };
}

/**
 * Explains all aspects of a case whose recorded status is `from`, whose status here is `to`, and whose path matches.
 */
function statusFrom(from: number, to: number, path: RegExp): IntendedDifference['explains'] {
  return ({ recorded, ours, differences }) =>
    recorded.status === from && ours.status === to && path.test(recorded.path)
      ? (Object.keys(differences) as Aspect[])
      : [];
}
