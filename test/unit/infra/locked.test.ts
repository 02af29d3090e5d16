import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { locked } from '../../../infra/bundle/locked.ts';

it('tasks under one lock run one after the other, also after one that failed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'winnow-locked-'));
  const path = join(folder, 'not', 'there', 'lock');
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const failing = locked(path, async () => {
    begun.resolve();
    await first.promise;
    done.push('first');
    throw new Error('it failed');
  });
  await begun.promise;
  const others = ['second', 'third'].map((name) => locked(path, async () => done.push(name)));
  expect(done).toEqual([]);
  first.resolve();
  await expect(failing).rejects.toThrow('it failed');
  await Promise.all(others);
  expect([done[0], [...done].sort()]).toEqual(['first', ['first', 'second', 'third']]);
  await rm(folder, { recursive: true });
});
