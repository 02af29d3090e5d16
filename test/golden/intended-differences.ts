import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../lib/store/index.ts';
import { type Aspect, parsed } from './compare.ts';
import type { Replayed } from './replay.ts';
import { differenceOf } from './same-shape.ts';

/** Where an answer is not Kubernetes' on purpose. docs/api.md tells the same reasons. */
export interface IntendedDifference {
  /** As docs/api.md has it. */
  readonly reason: string;
  /** What of the answer differs for this reason. */
  explains(one: Replayed): readonly Aspect[];
}

export const intendedDifferences: readonly IntendedDifference[] = [
  {
    reason:
      'Where Kubernetes answers 500 to a mistake of the client, the answer is a 4xx that says what is wrong.',
    explains: ({ recorded, ours, differences }) =>
      recorded.status === 500 && ours.status >= 400 && ours.status < 500
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason:
      'A list at a resourceVersion from the future is a 504 however it is asked for; where Kubernetes has etcd refuse it, that is a 500.',
    explains: statusFrom(500, 504, /[?&]resourceVersion=/),
  },
  {
    reason:
      'A continue token goes on with its own list: with another resource, namespace or selector it is a 400.',
    explains: statusFrom(200, 400, /[?&]continue=/),
  },
  {
    reason:
      'A query that cannot be decoded is a 400; Kubernetes leaves that parameter out, and lists what was not asked for.',
    explains: statusFrom(200, 400, /labelSelector=(.*%zz|.*;)/),
  },
  {
    reason: '`limit` holds also with `resourceVersion=0`, where Kubernetes answers all from its cache.',
    explains: ({ recorded }) =>
      /[?&]resourceVersion=0&.*limit=/.test(recorded.path) ? ['body', 'managedFields'] : [],
  },
  {
    reason:
      'Where Kubernetes shows a whole pod spec in Go’s syntax, or as a difference between two, the message names the field alone.',
    explains: ({ recorded, ours, differences }) =>
      recorded.status === ours.status && /core\.Pod(Template)?Spec\{/.test(JSON.stringify(recorded.answer))
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
    reason: 'a Service has the `clusterIP` and `nodePort` that it was sent with',
    explains: (one) => bodyWhere(one, 'Service', withoutGiven),
  },
  {
    reason: 'a Service has the `clusterIP` and `nodePort` that it was sent with',
    explains: ({ recorded, differences }) =>
      /\/services\?/.test(recorded.path) && (differences.body ?? '').startsWith('rows.0.cells.2: "10.')
        ? ['body']
        : [],
  },
  {
    reason: 'Answers are JSON.',
    explains: ({ recorded, differences }) =>
      ['application/yaml', 'application/vnd.kubernetes.protobuf'].includes(recorded.answerType ?? '')
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
    reason: 'Nobody stops a pod: it goes at once, whatever grace it is given.',
    explains: ({ recorded, differences }) =>
      /\/pods\/(dp2|p2)\b/.test(recorded.path) ? (Object.keys(differences) as Aspect[]) : [],
  },
  {
    reason: 'Of subresources `status` and `scale` are served.',
    explains: ({ recorded, differences }) =>
      /\/(log|exec|binding|eviction|ephemeralcontainers|token|finalize|bindings|tokenreviews)$/.test(
        recorded.path.split('?', 1).join(''),
      )
        ? (Object.keys(differences) as Aspect[])
        : [],
  },
  {
    reason: 'a Node has no taint `not-ready`',
    explains: (one) => bodyWhere(one, 'Node', withoutTaint),
  },
  {
    reason: 'Access reviews are answered and not kept: they have no managedFields.',
    explains: ({ recorded }) =>
      /\/[a-z]*(subject|access)[a-z]*reviews$/.test(recorded.path) ? ['managedFields'] : [],
  },
  {
    reason:
      'A SelfSubjectReview answers whom the login let in, an IAM user or role; where there is no login, system:anonymous.',
    explains: ({ recorded, differences }) =>
      recorded.path.endsWith('/selfsubjectreviews') &&
      (differences.body ?? '').startsWith('status.userInfo.username: "admin"')
        ? ['body']
        : [],
  },
  {
    reason:
      'A CustomResourceDefinition has its names, and is established, in the answer that acknowledges it: Kubernetes lets controllers do so a moment later.',
    explains: (one) =>
      one.recorded.path.includes('/customresourcedefinitions')
        ? [...bodyWhere(one, 'CustomResourceDefinition', withoutStatus), 'managedFields']
        : [],
  },
];

function withoutStatus({ status: _status, ...definition }: JsonObject): JsonObject {
  return definition;
}

/** The body, an object or a list, if the recorded one is ours but for what is taken out of both. */
function bodyWhere(
  { recorded, ours }: Replayed,
  kind: string,
  without: (object: JsonObject) => JsonObject,
): readonly Aspect[] {
  const answers = [recorded.answer ?? null, parsed(ours.text)];
  if (!answers.every((answer) => [kind, `${kind}List`].includes(String(objectAt(answer).kind)))) return [];
  const [left, right] = answers
    .map(objectAt)
    .map(({ items, ...rest }) =>
      Array.isArray(items)
        ? { ...rest, items: items.map((item) => without(unmanaged(item))) }
        : without(unmanaged(rest)),
    );
  return differenceOf(left, right) === undefined ? ['body'] : [];
}

/** All that differs, where the recorded answer has one status and ours another. */
function statusFrom(from: number, to: number, path: RegExp): IntendedDifference['explains'] {
  return ({ recorded, ours, differences }) =>
    recorded.status === from && ours.status === to && path.test(recorded.path)
      ? (Object.keys(differences) as Aspect[])
      : [];
}

function unmanaged(answer: JsonValue): JsonObject {
  const object = isJsonObject(answer) ? answer : {};
  const { managedFields: _managedFields, ...metadata } = objectAt(object.metadata ?? {});
  return { ...object, metadata };
}

function withoutGiven(service: JsonObject): JsonObject {
  const {
    clusterIP: _clusterIP,
    clusterIPs: _clusterIPs,
    healthCheckNodePort: _port,
    ports = [],
    ...spec
  } = objectAt(service.spec ?? {});
  const plain = (Array.isArray(ports) ? ports : []).map((port) => {
    const { nodePort: _nodePort, ...rest } = objectAt(port);
    return rest;
  });
  return { ...service, spec: { ...spec, ports: plain } };
}

function withoutTaint(node: JsonObject): JsonObject {
  const { taints = [], ...spec } = objectAt(node.spec ?? {});
  const own = (Array.isArray(taints) ? taints : []).filter(
    (taint) => objectAt(taint).key !== 'node.kubernetes.io/not-ready',
  );
  return { ...node, spec: { ...spec, taints: own } };
}
