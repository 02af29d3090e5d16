import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { type Answer, difference, ownOracle } from '../../cel/oracle/ask.ts';

/** Random expressions with kube-apiserver's answers. `test/cel/oracle/main.ts --record` writes them. */
const RECORDED = gunzipSync(readFileSync(join(import.meta.dirname, 'oracle.jsonl.gz')))
  .toString()
  .split('\n')
  .map((line) => JSON.parse(line) as [expression: string, answer: Answer]);

test('random expressions have the type, estimate, value and cost that kube-apiserver gives them', async () => {
  const ask = await ownOracle();
  const wrong = RECORDED.flatMap(([expression, answer]) => {
    const own = ask(expression);
    const part = difference(answer, own);
    return part === undefined ? [] : [{ expression, part, answer, own }];
  });
  expect(wrong).toEqual([]);
  expect(RECORDED.filter(([, { value }]) => value !== undefined).length).toBeGreaterThan(500);
});
