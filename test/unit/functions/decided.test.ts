import { afterEach, expect, it } from '@jest/globals';
import { decided, listenToWrites } from '../../../functions/decided.ts';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';

afterEach(() => {
  delete process.env[ENVIRONMENT.signal];
});

it('a function of a local run hears of the writes of its process', () => {
  process.env[ENVIRONMENT.signal] = 'true';
  const heard: unknown[] = [];
  listenToWrites()?.((...write) => heard.push(write));
  const entry = { pk: 'journal#core/pods#1', sk: '9' };
  decided('core/pods', entry);
  decided('core/pods');
  expect(heard).toEqual([['core/pods', entry], ['core/pods']]);
});

it('no function listens elsewhere', () => {
  expect(listenToWrites()).toBeUndefined();
  decided('core/pods');
});
