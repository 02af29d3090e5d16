import { authorize, Policy, type PolicyRule } from '../../lib/kubernetes/rbac/index.ts';
import { attributesOf } from '../../lib/server/access/index.ts';
import { ACCESS_BAR } from './bars.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { Options } from './options.ts';
import { median, type Report, round } from './report.ts';
import { scopedListFigures } from './scoped-list.ts';

/** Of each size of policy: bindings, half of them of the whole cluster, and how many mean who asks. */
const SIZES = [
  { bindings: 100, own: 5 },
  { bindings: 10_000, own: 5 },
  { bindings: 10_000, own: 100 },
];
/** Of each size of policy with grants: how many there are, and how many, each of other objects, give who asks the right. */
const GRANTED = [
  { grants: 10_000, own: 1 },
  { grants: 10_000, own: 5 },
  { grants: 10_000, own: 20 },
];
const BATCHES = { full: 41, quick: 11 };
const BATCH = 200;
const WARM = 5;
const JANE = { name: 'jane', groups: ['system:authenticated', 'team'] };
const ASKED = {
  method: 'GET',
  path: '/apis/apps/v1/namespaces/shop/deployments/web/scale',
  query: new URLSearchParams(),
};
const GRANTED_RULE: PolicyRule = { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments/scale'] };

/**
 * `npm run bench -- access`: what a decision takes of a processor, from method and path to a refusal, which looks at
 * every rule that the user has, or to what of the objects he may see; and what it, and a LIST within grants, reads.
 */
export async function benchAccess({ quick }: Options, _inputs: Inputs, report: Report): Promise<void> {
  const batches = quick ? BATCHES.quick : BATCHES.full;
  const add = (size: object, microseconds: number) =>
    report.add({
      bench: 'access',
      ...size,
      microseconds,
      bar: ACCESS_BAR,
      reached: microseconds <= ACCESS_BAR,
    });
  for (const size of SIZES) {
    const policy = policyOf(size);
    const decide = () => authorize(policy, JANE, attributesOf(ASKED)).allowed;
    if (decide()) throw new Error('it is allowed: not every rule is looked at');
    add(size, microsecondsOf(decide, batches));
  }
  for (const size of GRANTED) {
    const policy = grantingPolicyOf(size);
    const decide = () => authorize(policy, JANE, attributesOf(ASKED)).scope;
    if (decide()?.selectors.length !== size.own) throw new Error('not every grant counts');
    add(size, microsecondsOf(decide, batches));
  }
  for (const objects of [1_000, 10_000]) {
    report.add({ bench: 'access', objects, ...(await scopedListFigures(objects)) });
  }
}

/** The median of a processor's time, in batches. */
function microsecondsOf(decide: () => unknown, batches: number): number {
  const times: number[] = [];
  for (let batch = 0; batch < batches + WARM; batch += 1) {
    const began = process.cpuUsage();
    for (let turn = 0; turn < BATCH; turn += 1) decide();
    const { user: own, system } = process.cpuUsage(began);
    if (batch >= WARM) times.push((own + system) / BATCH);
  }
  return round(median(times));
}

/** Who asks is one of a team: each grant of his gives the role of objects of its own. */
function grantingPolicyOf({ grants, own }: (typeof GRANTED)[number]): Policy {
  const policy = new Policy();
  const role = { metadata: { name: 'granted' }, rules: [GRANTED_RULE] };
  policy.set('ClusterRole', role);
  for (let at = 0; at < grants; at += 1) {
    const name = `grant-${at}`;
    const subject = at < own ? { kind: 'Group', name: 'team' } : { kind: 'User', name: `user-${at}` };
    const selecting = { matchLabels: { team: name, [`key-${at}`]: 'yes' } };
    const roleRef = { kind: 'ClusterRole', name: 'granted' };
    const shared = { roleRef, subjects: [subject], labelSelector: selecting };
    if (at % 2 === 0) {
      policy.set('ClusterAccessGrant', { metadata: { name }, ...shared });
    } else {
      policy.set('AccessGrant', { metadata: { name, namespace: 'shop' }, ...shared });
    }
  }
  return policy;
}

/** Roles of ten rules each, of things that nobody asks for. */
function policyOf({ bindings, own }: (typeof SIZES)[number]): Policy {
  const policy = new Policy();
  const rules = Array.from(
    { length: 10 },
    (_, at): PolicyRule => ({
      verbs: ['get', 'list', 'watch'],
      apiGroups: ['', 'apps'],
      resources: [`things${at}`, `others${at}`, `others${at}/status`],
    }),
  );
  for (let at = 0; at < bindings; at += 1) {
    const name = `binding-${at}`;
    const subject = at < own ? { kind: 'Group', name: 'team' } : { kind: 'User', name: `user-${at}` };
    const shared = { roleRef: { kind: 'ClusterRole', name }, subjects: [subject] };
    policy.set('ClusterRole', { metadata: { name }, rules });
    if (at % 2 === 0) {
      policy.set('ClusterRoleBinding', { metadata: { name }, ...shared });
    } else {
      policy.set('RoleBinding', { metadata: { name, namespace: 'shop' }, ...shared });
    }
  }
  return policy;
}
