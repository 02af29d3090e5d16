import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { withProgress } from '../../../cli/with-progress.ts';

const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  jest.useFakeTimers();
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it('prints the progress on standard error every 2 s, until the work ends', async () => {
  let objects = 0;
  let end: (value: string) => void = () => {};
  const work = new Promise<string>((resolve) => {
    end = resolve;
  });
  const running = withProgress(
    () => `${objects} objects so far`,
    () => work,
  );
  for (objects of [10, 20]) jest.advanceTimersByTime(2_000);
  expect(printed).toEqual(['10 objects so far\n', '20 objects so far\n']);
  end('done');
  expect(await running).toBe('done');
  jest.advanceTimersByTime(10_000);
  expect(printed).toHaveLength(2);
});

it('prints nothing after the work failed', async () => {
  const failing = withProgress(
    () => 'so far',
    () => Promise.reject(new Error('broken')),
  );
  await expect(failing).rejects.toThrow('broken');
  jest.advanceTimersByTime(10_000);
  expect(printed).toEqual([]);
});
