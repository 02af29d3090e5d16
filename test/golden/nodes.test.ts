import { expect, it } from '@jest/globals';
import { nodeDifferences, readNodeAnswers } from './node-answers.ts';

it('a node gets the status and the message that kube-apiserver gave, for each recorded request', async () => {
  const recording = readNodeAnswers();
  expect(recording.filter(({ status }) => status === 403).length).toBeGreaterThan(60);
  expect(
    recording.filter(({ case: title, status }) => title !== undefined && status < 300).length,
  ).toBeGreaterThan(40);
  expect(await nodeDifferences(recording)).toEqual([]);
});
