import { describe, expect, it } from '@jest/globals';
import { checkExpiry } from '../../../../lib/controllers/collect/check-expiry.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { createCollecting, reference } from '../../../support/watch/collecting.ts';
import { nameOf, PODS } from '../../../support/watch/watch-world.ts';

const JOBS: Collection = 'batch/jobs';

/** Checks a Job that was complete at the start and lives for one more second. */
function createExpiry() {
  const collecting = createCollecting();
  const time = new Date(collecting.clock.now()).toISOString();
  const conditions = [{ type: 'Complete', status: 'True', lastTransitionTime: time }];
  const name = nameOf('default/job');
  return {
    ...collecting,
    job: (metadata: JsonObject = {}, spec: JsonObject = { ttlSecondsAfterFinished: 1 }) =>
      collecting.put(JOBS, 'default/job', { uid: 'u', ...metadata }, { spec, status: { conditions } }),
    look: () => checkExpiry(collecting.options, { what: 'expiry', collection: JOBS, name, uid: 'u' }),
  };
}

describe('A check of an object that may have expired', () => {
  it('The collector deletes an object when it expires, and not earlier', async () => {
    const { clock, done, job, look } = createExpiry();
    await job();
    clock.advance(999);
    await look();
    expect(done()).toEqual(['none job']);
    clock.advance(1);
    await look();
    expect(done()).toEqual(['delete job', `hints ${JOBS} 3`]);
  });

  it('The collector keeps an object that is gone, replaced or being deleted', async () => {
    const { clock, done, job, look } = createExpiry();
    clock.advance(5_000);
    await look();
    await job({ uid: 'another' });
    await look();
    await job({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/mine'] });
    await look();
    await job({}, {});
    await look();
    expect(done()).toEqual(['none job', 'none job', 'none job', 'none job']);
  });

  it('An expired object waits for its dependents', async () => {
    const { clock, job, look, metadata, put } = createExpiry();
    await job();
    const owner = { ...reference(PODS, 'u'), apiVersion: 'batch/v1', kind: 'Job', name: 'job' };
    await put(PODS, 'default/pod', { ownerReferences: [owner] });
    clock.advance(5_000);
    await look();
    expect(await metadata(JOBS, 'default/job')).toMatchObject({ finalizers: ['foregroundDeletion'] });
  });
});

describe('A check of a pod in its grace period', () => {
  /** Its grace period ends one second after it was marked. */
  function createStopping() {
    const collecting = createCollecting();
    const { clock, options, put } = collecting;
    const deletionTimestamp = new Date(clock.now() + 1_000).toISOString();
    return {
      ...collecting,
      pod: (grace: JsonObject[string], metadata: JsonObject = {}) =>
        put(PODS, 'default/pod', { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: grace }),
      look: () =>
        checkExpiry(options, { what: 'expiry', collection: PODS, name: nameOf('default/pod'), uid: 'pod' }),
    };
  }

  it('The collector deletes the pod when its grace period is over, and not earlier', async () => {
    const { clock, done, look, pod } = createStopping();
    await pod(1);
    clock.advance(999);
    await look();
    clock.advance(1);
    await look();
    expect(done()).toEqual(['none pod', 'delete pod', `hints ${PODS} 3`]);
  });

  it('The collector records the end of the grace period if something else holds the pod', async () => {
    const { clock, look, metadata, pod } = createStopping();
    await pod(1, { finalizers: ['example.com/mine'] });
    clock.advance(1_000);
    await look();
    expect(await metadata(PODS, 'default/pod')).toMatchObject({ deletionGracePeriodSeconds: 0 });
  });

  it.each([0, 'a second'])('The collector keeps a pod that is %j', async (grace) => {
    const { clock, done, look, pod } = createStopping();
    await pod(grace);
    clock.advance(1_000);
    await look();
    expect(done()).toEqual(['none pod']);
  });
});
