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
      'Where Kubernetes answers 500 to a mistake of the client, the answer is a 4xx that says what is wrong.',
    sought: true,
    explains: ({ recorded, ours, differences }) =>
      recorded.status === 500 && ours.status >= 400 && ours.status < 500
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason:
      'A list at a resourceVersion from the future is a 504 however it is asked for; where Kubernetes has etcd refuse it, that is a 500.',
    sought: true,
    explains: statusFrom(500, 504, /[?&]resourceVersion=/),
  },
  {
    reason:
      'A continue token goes on with its own list: with another resource, namespace or selector it is a 400.',
    sought: true,
    explains: statusFrom(200, 400, /[?&]continue=/),
  },
  {
    reason:
      'A query that cannot be decoded is a 400; Kubernetes leaves that parameter out, and lists what was not asked for.',
    explains: statusFrom(200, 400, /labelSelector=(.*%zz|.*;)/),
  },
  {
    reason:
      'Where Kubernetes shows a whole pod spec, or all metadata, in Go’s syntax, or as a difference between two, the message names the field alone.',
    explains: ({ recorded, ours, differences }) =>
      recorded.status === ours.status &&
      /core\.Pod(Template)?Spec\{|v1\.ObjectMeta\{/.test(JSON.stringify(recorded.answer))
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason: 'A rehearsal refuses what the write would: also a create with a resourceVersion.',
    explains: ({ ours, differences }) =>
      ours.text.includes('resourceVersion should not be set on objects to be created')
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason: "The message about a syntax error in a YAML body has other words than Kubernetes' message.",
    explains: ({ recorded, ours, differences }) =>
      recorded.status === ours.status && /yaml: line \d+: /.test(differences.message ?? '')
        ? ['message']
        : [],
  },
  {
    reason:
      'What kube-apiserver keeps for itself is not there, as the ConfigMap extension-apiserver-authentication.',
    explains: ({ recorded }) =>
      recorded.path === '/api/v1/namespaces//configmaps' ? ['body', 'managedFields'] : [],
  },
  {
    reason: 'No answer is protobuf',
    sought: true,
    explains: ({ recorded, differences }) =>
      recorded.answerType === 'application/vnd.kubernetes.protobuf'
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason: 'A compressed request body is a 415 that says so.',
    explains: statusFrom(400, 415, /./),
  },
  {
    reason: 'Discovery tells what is served here, which is less.',
    explains: ({ recorded, ours }) =>
      /^\/(apis\/?)?$/.test(recorded.path) && recorded.method === 'GET' && ours.status === recorded.status
        ? ['body']
        : [],
  },
  {
    reason: 'Discovery is also had in `v2beta1`, which kubectl 1.27 to 1.29 ask for.',
    explains: statusFrom(406, 200, /^\/apis$/),
  },
  {
    reason: '`/version` says that it is Winnow.',
    explains: ({ recorded, differences }) =>
      /^\/version\/?$/.test(recorded.path) && (differences.body ?? '').startsWith('gitVersion: ')
        ? ['body']
        : [],
  },
  {
    reason: "There are no keys of service accounts, no `/metrics` and no single checks of a cluster's parts.",
    explains: ({ recorded, differences }) =>
      ['/metrics', '/openid/v1/jwks', '/.well-known/openid-configuration', '/readyz?verbose'].includes(
        recorded.path,
      )
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason: 'Who may come in is decided before a request is here, by an authorizer in its own words.',
    explains: ({ recorded, differences }) =>
      recorded.status === 401 ? (Object.keys(differences) as Aspect[]) : [],
  },
  {
    reason: 'there are no keys to sign one with: 400.',
    explains: statusFrom(201, 400, /\/token$/),
  },
  {
    reason: 'What a cluster makes for itself when it starts is not there',
    explains: ({ recorded, ours, differences }) =>
      /\/(flowschemas|prioritylevelconfigurations|apiservices|componentstatuses)$/.test(recorded.path) &&
      ours.status === recorded.status
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason:
      'A SubjectAccessReview is answered by roles and bindings, whatever else lets somebody do something.',
    explains: ({ recorded, ours, differences }) =>
      /\/subjectaccessreviews$/.test(recorded.path) &&
      ours.status === recorded.status &&
      (differences.body ?? '').startsWith('status.allowed: ')
        ? ['body']
        : [],
  },
  {
    reason: 'A JSON patch that cannot be carried out has a Warning that says which operation, and why.',
    explains: ({ recorded, ours }) =>
      recorded.status === 422 &&
      recorded.contentType === 'application/json-patch+json' &&
      /^299 - "operation \d+: [^"]*"$/.test(ours.headers.warning ?? '')
        ? ['warnings']
        : [],
  },
  {
    reason: 'An apply to `/scale` of a custom kind is carried out; Kubernetes answers 500.',
    explains: statusFrom(500, 200, /\/things\/t1\/scale\?/),
  },
  {
    reason: 'An apply to `/scale` of a custom kind is carried out; Kubernetes answers 500.',
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
