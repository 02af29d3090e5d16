import { afterEach, expect, it } from '@jest/globals';
import { committed, listenToWrites } from '../../../functions/committed.ts';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';

afterEach(() => {
  delete process.env[ENVIRONMENT.signal];
});

it('a function of a local run hears of the writes of its process', () => {
  process.env[ENVIRONMENT.signal] = 'true';
  const heard: unknown[] = [];
  listenToWrites()?.((...write) => heard.push(write));
  const journal = { put: { pk: 'journal#core/pods#1', sk: '9' } };
  committed('core/pods', journal);
  expect(heard).toEqual([['core/pods', journal]]);
});

it('no function listens elsewhere', () => {
  expect(listenToWrites()).toBeUndefined();
  committed('core/pods', undefined);
});
