import { describe, expect, it } from '@jest/globals';
import { checkExpiry } from '../../../../lib/controllers/collect/check-expiry.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { createCollecting, reference } from '../../../support/watch/collecting.ts';
import { nameOf, PODS } from '../../../support/watch/watch-world.ts';

const JOBS: Collection = 'batch/jobs';

/** Looks at a Job that was complete when they began and lives for a second more. */
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

describe('a look at an object whose time may be over', () => {
  it('deletes it when it is, and not before', async () => {
    const { clock, done, job, look } = createExpiry();
    await job();
    clock.advance(999);
    await look();
    expect(done()).toEqual(['none job']);
    clock.advance(1);
    await look();
    expect(done()).toEqual(['delete job', `hints ${JOBS} 3`]);
  });

  it('leaves what is gone, another, or going', async () => {
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

  it('waits for what it owns', async () => {
    const { clock, job, look, metadata, put } = createExpiry();
    await job();
    const owner = { ...reference(PODS, 'u'), apiVersion: 'batch/v1', kind: 'Job', name: 'job' };
    await put(PODS, 'default/pod', { ownerReferences: [owner] });
    clock.advance(5_000);
    await look();
    expect(await metadata(JOBS, 'default/job')).toMatchObject({ finalizers: ['foregroundDeletion'] });
  });
});

describe('a look at a pod that is given its grace to stop', () => {
  /** Its grace is over a second after it was marked. */
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

  it('deletes it when that is over, and not before', async () => {
    const { clock, done, look, pod } = createStopping();
    await pod(1);
    clock.advance(999);
    await look();
    clock.advance(1);
    await look();
    expect(done()).toEqual(['none pod', 'delete pod', `hints ${PODS} 3`]);
  });

  it('says that it is over where something else holds it', async () => {
    const { clock, look, metadata, pod } = createStopping();
    await pod(1, { finalizers: ['example.com/mine'] });
    clock.advance(1_000);
    await look();
    expect(await metadata(PODS, 'default/pod')).toMatchObject({ deletionGracePeriodSeconds: 0 });
  });

  it.each([0, 'a second'])('leaves it where that is %j', async (grace) => {
    const { clock, done, look, pod } = createStopping();
    await pod(grace);
    clock.advance(1_000);
    await look();
    expect(done()).toEqual(['none pod']);
  });
});
