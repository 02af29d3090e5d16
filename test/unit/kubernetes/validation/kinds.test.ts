import { expect, it } from '@jest/globals';
import { KINDS as CLUSTER } from '../../../../lib/kubernetes/validation/cluster-kinds.ts';
import { kindRules } from '../../../../lib/kubernetes/validation/kinds.ts';
import { KINDS as PLAIN } from '../../../../lib/kubernetes/validation/plain-kinds.ts';
import { KINDS as PODS } from '../../../../lib/kubernetes/validation/pod-kinds.ts';

it.each([...CLUSTER, ...PLAIN, ...PODS])('kindRules finds the rules of %s', async (name, rules) => {
  const [group = '', kind = ''] = name.split('/');
  expect(await kindRules({ group, kind })).toBe(rules);
});

it.each([
  ['', 'Namespace'],
  ['winnow.dev', 'Subscription'],
  ['stable.example.com', 'Pod'],
  ['constructor', 'Pod'],
])('%s/%s has no rules of its own', async (group, kind) => {
  expect(await kindRules({ group, kind })).toBeUndefined();
});
