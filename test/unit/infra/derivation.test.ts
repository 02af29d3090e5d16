import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../infra/local/template.ts';
import { createConcerns, createDerivation, MANAGER } from '../../../lib/controllers/deriving/index.ts';
import { createDeriver, enqueueChanges } from '../../../lib/coordination/index.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { silentLogger, systemClock, systemRandom } from '../../../lib/platform/index.ts';
import { fromLabels } from '../../../lib/selectors/index.ts';
import { statusWriter } from '../../../lib/server/index.ts';
import { createStore, type Store, type Table } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { Role } from '../../support/template/role.ts';
import { functionOf, functionsOf, properties, resources, statementsOf, synthesized } from './synthesized.ts';

const SETS = 'apps/replicasets';
const PODS = 'core/pods';
const QUEUE = 'derive.fifo';
const CREATED = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} };
const outside = { clock: systemClock, random: systemRandom, logger: silentLogger };

let derived: Template;
beforeAll(async () => {
  derived = await synthesized({ derived: ['status'] });
});

describe('a stack that derives data', () => {
  it('derivation adds a function with its queue, dead letters, schedule and alarms', async () => {
    const plain = await synthesized();
    expect(functionsOf(derived)).toEqual(expect.arrayContaining([...functionsOf(plain), 'derive']));
    expect(functionsOf(plain)).not.toContain('derive');
    const more = (type: string) => resources(derived, type).length - resources(plain, type).length;
    expect(
      [
        'AWS::SQS::Queue',
        'AWS::Lambda::EventSourceMapping',
        'AWS::Events::Rule',
        'AWS::CloudWatch::Alarm',
      ].map(more),
    ).toEqual([2, 1, 1, 1]);
  });

  it('a tick of derive that was not delivered or failed goes to a failure queue', () => {
    const invocations = properties(derived, 'AWS::Lambda::EventInvokeConfig').map(
      ({ FunctionName }) => FunctionName.Ref,
    );
    expect(invocations).toContain(functionOf(derived, 'derive')[0]);
    expect(statementsOf(derived, 'derive').flatMap(({ Sid = [] }) => Sid)).toContain('GiveUp');
  });

  it('dispatch and derive have the same settings, and dispatch has none without derivation', async () => {
    const told = (template: Template, name: string) => {
      const { WINNOW_DERIVED, WINNOW_DERIVE_QUEUE_URL } = functionOf(template, name)[1].Environment.Variables;
      return { WINNOW_DERIVED, WINNOW_DERIVE_QUEUE_URL };
    };
    expect(told(derived, 'dispatch')).toEqual(told(derived, 'derive'));
    expect(told(derived, 'derive').WINNOW_DERIVED).toBe('status');
    expect(told(await synthesized(), 'dispatch')).toEqual({});
  });
});

function tableAs(name: string, table: Table) {
  const role = new Role(derived, name).table(table);
  return { table: role, store: createStore({ ...outside, table: role }) };
}

const named = (name: string) => ({ namespace: 'default', name });

async function put(store: Store, kind: 'ReplicaSet' | 'Pod', name: string): Promise<void> {
  const labels = { app: 'web' };
  const containers = [{ name: 'c', image: 'i' }];
  const isSet = kind === 'ReplicaSet';
  const template = { metadata: { labels }, spec: { containers } };
  const body: JsonObject = {
    apiVersion: isSet ? 'apps/v1' : 'v1',
    kind,
    metadata: { ...named(name), uid: name, generation: 1, labels, managedFields: [CREATED] },
    spec: isSet ? { replicas: 1, selector: { matchLabels: labels }, template } : { containers },
  };
  const selector = fromLabels(labels);
  const fields = { isEmpty: true } as never;
  const selects = [
    { path: 'spec.selector', target: PODS, namespaces: ['default'], selector, fields },
  ] as const;
  await store.write(isSet ? SETS : PODS, named(name), () => ({
    kind: 'put',
    body,
    ...(isSet && { selects }),
  }));
}

it('the statements of a role have unique ids, because AWS refuses duplicates', () => {
  for (const name of ['dispatch', 'derive']) {
    const ids = statementsOf(derived, name).flatMap(({ Sid = [] }) => Sid);
    expect(ids).toEqual([...new Set(ids)]);
  }
});

describe('the roles of dispatch and derive', () => {
  it('the roles suffice to enqueue work items and to derive them', async () => {
    const table = createMemoryTable();
    const store = createStore({ ...outside, table });
    await put(store, 'ReplicaSet', 'web');
    await put(store, 'Pod', 'web-1');

    const sent: string[] = [];
    const queues = {
      sendBatch: async (_url: string, messages: readonly { readonly body: string }[]) => {
        sent.push(...messages.map(({ body }) => body));
        return [];
      },
    } as never;
    const dispatch = tableAs('dispatch', table);
    const { changes } = await store.decidedChanges(PODS, 1, 2);
    await enqueueChanges(
      {
        ...outside,
        ...dispatch,
        queues,
        queueUrl: QUEUE,
        concerns: createConcerns('namespaces'),
        collection: PODS,
      },
      { upTo: 2, changes },
    );
    // No namespace requests derivation.
    expect(sent).toEqual([]);
    await enqueueChanges(
      {
        ...outside,
        ...dispatch,
        queues,
        queueUrl: QUEUE,
        concerns: createConcerns('status'),
        collection: PODS,
      },
      { upTo: 2, changes },
    );
    expect(sent).toEqual([JSON.stringify({ collection: SETS, name: named('web') })]);

    const derive = tableAs('derive', table);
    const deadline = () => AbortSignal.timeout(10_000);
    const refuse = () => Promise.reject(new Error('statuses alone are derived'));
    const objects = { create: refuse, replace: refuse, remove: refuse };
    const writeStatus = statusWriter({
      ...outside,
      ...derive,
      manager: MANAGER,
      deadline,
      announce: async () => {},
    });
    const derivation = createDerivation({ chosen: 'status', clock: systemClock, writeStatus, objects });
    const deriver = createDeriver({ ...outside, ...derive, queues, queueUrl: QUEUE, derivation });
    await deriver.derive({ collection: SETS, name: named('web') });
    const body = async () => (await store.get(SETS, named('web')))?.body;
    expect(await body()).toMatchObject({ status: { replicas: 1, observedGeneration: 1 } });
    expect(await body()).toMatchObject({
      metadata: {
        managedFields: expect.arrayContaining([
          expect.objectContaining({ manager: 'winnow-derive', subresource: 'status' }),
        ]),
      },
    });
    // The first tick starts a pass over all objects, which finds nothing to change.
    await deriver.tick();
    for (const message of sent.splice(0)) await deriver.derive(JSON.parse(message));
    for (const message of sent.splice(0)) await deriver.derive(JSON.parse(message));
    expect((await table.query({ partition: 'due#0', from: '!', to: '~' })).rows).toEqual([]);
  });
});
