import { attributesOf } from '../../lib/api/access/index.ts';
import { authorize, Policy, type PolicyRule } from '../../lib/rbac/index.ts';
import { ACCESS_BAR } from './bars.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { Options } from './options.ts';
import { median, type Report, round } from './report.ts';

/** Of each size of policy: bindings, half of them of the whole cluster, and how many mean who asks. */
const SIZES = [
  { bindings: 100, own: 5 },
  { bindings: 10_000, own: 5 },
  { bindings: 10_000, own: 100 },
];
const BATCHES = { full: 41, quick: 11 };
const BATCH = 200;
const WARM = 5;

/**
 * `npm run bench -- access`: what a decision takes of a processor, from method and path to a refusal, which looks at
 * every rule that the user has. The read of the row that goes before is one of DynamoDB's.
 */
export async function benchAccess({ quick }: Options, _inputs: Inputs, report: Report): Promise<void> {
  for (const size of SIZES) {
    const policy = policyOf(size);
    const user = { name: 'jane', groups: ['system:authenticated', 'team'] };
    const request = {
      method: 'GET',
      path: '/apis/apps/v1/namespaces/shop/deployments/web/scale',
      query: new URLSearchParams(),
    };
    const decide = () => authorize(policy, user, attributesOf(request)).allowed;
    if (decide()) throw new Error('it is allowed: not every rule is looked at');
    const times: number[] = [];
    for (let batch = 0; batch < (quick ? BATCHES.quick : BATCHES.full) + WARM; batch += 1) {
      const began = process.cpuUsage();
      for (let turn = 0; turn < BATCH; turn += 1) decide();
      const { user: own, system } = process.cpuUsage(began);
      if (batch >= WARM) times.push((own + system) / BATCH);
    }
    const microseconds = round(median(times));
    const reached = microseconds <= ACCESS_BAR;
    report.add({ bench: 'access', ...size, microseconds, bar: ACCESS_BAR, reached });
  }
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
