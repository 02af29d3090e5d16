import { beforeEach, expect, it } from '@jest/globals';
import { collectionOf, type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import { systemClock as clock, silentLogger } from '../../../../lib/platform/index.ts';
import { placesIn, rulesThatCount } from '../../../../lib/server/admission-policies/index.ts';
import { createStore, type Store } from '../../../../lib/store/index.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { seeded } from '../../../support/watch/memory-world.ts';
import { applied, bindingOf, mutatingOf, policyOf } from './support.ts';

const NONE = placesIn('{}');
let store: Store;

beforeEach(() => {
  store = createStore({ table: createMemoryTable(), clock, random: seeded(1), logger: silentLogger });
});

/** Stores an object as an older release did, without a check of its expressions. */
function put(resource: string, body: JsonObject): Promise<unknown> {
  const name = { namespace: '', name: String(metadataOf(body).name) };
  return store.write(collectionOf('admissionregistration.k8s.io', resource), name, () => ({
    kind: 'put',
    body,
  }));
}

it('The policies that count are those with a binding, with its actions', async () => {
  expect(await rulesThatCount(store, NONE)).toEqual({ lines: [], faults: [] });
  for (const name of ['bound', 'unbound']) {
    await put('validatingadmissionpolicies', policyOf(name, { resources: ['pods'] }, 'true'));
  }
  await put('validatingadmissionpolicybindings', bindingOf('bound', {}, 'one'));
  await put(
    'validatingadmissionpolicybindings',
    bindingOf('bound', { validationActions: ['Warn', 'Audit'] }, 'two'),
  );
  expect(await rulesThatCount(store, NONE)).toEqual({
    lines: ['ValidatingAdmissionPolicy bound, bound by one (Deny), two (Warn and Audit)'],
    faults: [],
  });
});

it('A policy with a binding whose expression does not compile is a fault, and one without a binding is none', async () => {
  await put('validatingadmissionpolicies', policyOf('wrong', { resources: ['pods'] }, 'object.x =='));
  expect((await rulesThatCount(store, NONE)).faults).toEqual([]);
  await put('validatingadmissionpolicybindings', bindingOf('wrong'));
  const [fault = '', ...others] = (await rulesThatCount(store, NONE)).faults;
  expect(fault).toMatch(
    /^ValidatingAdmissionPolicy wrong: spec\.validations\[0\]\.expression: Invalid value/,
  );
  expect(others).toEqual([]);
});

it('Mutating policies count before validating ones, without actions, and those that do not compile are faults', async () => {
  for (const [name, expression] of Object.entries({ bound: 'Object{}', wrong: '[]' })) {
    await put('mutatingadmissionpolicies', mutatingOf(name, { resources: ['pods'] }, [applied(expression)]));
    await put('mutatingadmissionpolicybindings', { metadata: { name }, spec: { policyName: name } });
  }
  await put('validatingadmissionpolicies', policyOf('bound', { resources: ['pods'] }, 'true'));
  await put('validatingadmissionpolicybindings', bindingOf('bound'));
  expect(await rulesThatCount(store, NONE)).toEqual({
    lines: [
      'MutatingAdmissionPolicy bound, bound by bound',
      'MutatingAdmissionPolicy wrong, bound by wrong',
      'ValidatingAdmissionPolicy bound, bound by bound (Deny)',
    ],
    faults: [
      'MutatingAdmissionPolicy wrong: spec.mutations[0].applyConfiguration.expression: Invalid value: "[]": must evaluate to Object but got list(dyn)',
    ],
  });
});

it('A webhook counts, with the place that it calls, and is a fault where this place is not permitted', async () => {
  await put('validatingwebhookconfigurations', {
    metadata: { name: 'guards' },
    webhooks: [
      { name: 'url.example.com', clientConfig: { url: 'https://a.example/x' } },
      { name: 'service.example.com', clientConfig: { service: { namespace: 'shop', name: 'guard' } } },
    ],
  });
  const [url, service] = [
    'webhook url.example.com of ValidatingWebhookConfiguration guards',
    'webhook service.example.com of ValidatingWebhookConfiguration guards',
  ];
  const lines = [`${url}, which calls https://a.example/x`, `${service}, which calls Service shop/guard`];
  const why = 'is not among the webhook destinations of this deployment';
  expect(await rulesThatCount(store, NONE)).toEqual({
    lines,
    faults: [
      expect.stringContaining(`${url}: a.example ${why}`),
      expect.stringContaining(`${service}: Service shop/guard ${why}`),
    ],
  });
  const listed = placesIn(JSON.stringify({ hosts: ['a.example'], services: { 'shop/guard': 'ignore' } }));
  expect(await rulesThatCount(store, listed)).toEqual({ lines, faults: [] });
});
