import { proxyEvent } from '../proxy-event.ts';

/** The policies of the case with rules. Three of them match the writes of Deployments that are measured. */
const POLICIES = 100;

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const OTHERS = ['configmaps', 'secrets', 'pods', 'services', 'serviceaccounts', 'persistentvolumeclaims'];

const MATCHING = [
  {
    validations: [
      {
        expression: "'app' in object.metadata.labels && 'tier' in object.metadata.labels",
        message: 'the labels app and tier are missing',
      },
    ],
  },
  {
    variables: [{ name: 'containers', expression: 'object.spec.template.spec.containers' }],
    validations: [
      {
        expression: "variables.containers.all(each, !each.image.endsWith(':latest'))",
        messageExpression:
          "'name a version of ' + variables.containers.map(each, each.image).filter(each, each.endsWith(':latest')).join(', ')",
      },
    ],
  },
  {
    matchConditions: [{ name: 'a-person', expression: "!request.userInfo.username.startsWith('system:')" }],
    validations: [{ expression: 'object.spec.replicas <= 10', message: 'at most 10 replicas' }],
  },
];

/** The requests that create the policies and their bindings. */
export function createRules(): unknown[] {
  return Array.from({ length: POLICIES }, (_, at) => [policyEvent(at), bindingEvent(at)]).flat();
}

const nameOf = (at: number) => `policy-${String(at).padStart(3, '0')}`;

function policyEvent(at: number) {
  const matching = at % Math.ceil(POLICIES / MATCHING.length) === 0;
  const own = MATCHING[Math.floor((at * MATCHING.length) / POLICIES)];
  const spec = matching ? own : MATCHING[at % MATCHING.length];
  const resource = OTHERS[at % OTHERS.length] ?? '';
  const rule = matching
    ? { apiGroups: ['apps'], resources: ['deployments'] }
    : { apiGroups: [''], resources: [resource] };
  return proxyEvent('POST', `${GROUP}/validatingadmissionpolicies`, {
    body: {
      metadata: { name: nameOf(at) },
      spec: {
        ...spec,
        matchConstraints: {
          resourceRules: [{ ...rule, apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'] }],
        },
      },
    },
  });
}

function bindingEvent(at: number) {
  return proxyEvent('POST', `${GROUP}/validatingadmissionpolicybindings`, {
    body: {
      metadata: { name: nameOf(at) },
      spec: { policyName: nameOf(at), validationActions: ['Deny'] },
    },
  });
}
