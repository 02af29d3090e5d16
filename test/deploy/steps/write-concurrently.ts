import assert from 'node:assert/strict';
import { podSpec } from '../../support/pod-spec.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { NAMESPACE, PODS, type Step } from '../trial.ts';

const WRITERS = 6;
const INCREMENTS = 4;
const COUNTER = `/api/v1/namespaces/${NAMESPACE}/configmaps/counter`;
const LABELS = { tier: 'frontend', environment: 'qa' };

export const writeConcurrently: Step = {
  name: 'concurrent writers',
  run: async ({ deployment, inbox }) => {
    const { http } = deployment;
    await http.post(COUNTER.replace(/\/counter$/, ''), {
      metadata: { name: 'counter' },
      data: { count: '0' },
    });
    const before = inbox.events.length;
    const writers = Array.from({ length: WRITERS }, (_, writer) => writer);
    const lost = await Promise.all(writers.map((writer) => write(http, writer)));
    const { data } = (await http.get(COUNTER)).body;
    assert.deepEqual(data, { count: String(WRITERS * INCREMENTS) });
    const told = (await inbox.until(({ length }) => length >= before + WRITERS, 60_000)).slice(before);
    assert.deepEqual(
      told.map(({ type, object }) => `${type} ${object.metadata.name}`).sort(),
      writers.map((writer) => `ADDED writer-${writer}`),
    );
    const versions = told.map(({ object }) => Number(object.metadata.resourceVersion));
    assert.deepEqual(
      versions,
      versions.toSorted((one, other) => one - other),
      'the queue is out of order',
    );
    const conflicts = lost.reduce((sum, one) => sum + one, 0);
    return `${WRITERS * INCREMENTS} increments of one object, none lost, ${conflicts} met a 409 first`;
  },
};

/** Creates an object, then counts up the shared one, again whenever somebody else was faster. Gives how often. */
async function write(http: HttpClient, writer: number): Promise<number> {
  await http.post(PODS, {
    metadata: { name: `writer-${writer}`, labels: LABELS },
    spec: podSpec(),
  });
  let conflicts = 0;
  for (let done = 0; done < INCREMENTS; ) {
    const { body } = await http.get(COUNTER);
    const { count } = body.data as { count: string };
    const next = { ...body, data: { count: String(Number(count) + 1) } };
    const { status, message } = await http.send('PUT', COUNTER, { body: next });
    if (status === 200) {
      done += 1;
    } else if (status === 409) {
      conflicts += 1;
    } else {
      throw new Error(`PUT ${COUNTER}: ${status} ${message}`);
    }
  }
  return conflicts;
}
