import { expect, it } from '@jest/globals';
import { finishedPart } from '../../../../console/explore/narrowing.ts';
import { row } from './rows.ts';

const ROWS = [row('a', { tier: 'frontend', cpus: '40' }), row('b', { tier: 'front' })];

it.each([
  ['tier', 'tier'],
  ['ti', ''],
  ['tier=front,ti', 'tier=front'],
  ['tier=fron', ''],
  ['tier==fron', ''],
  ['tier=front', 'tier=front'],
  ['tier=none', 'tier=none'],
  ['tier!=fron', 'tier!=fron'],
  ['cpus>4', 'cpus>4'],
  ['tier=', 'tier='],
  ['', ''],
])('Of the selector "%s", the finished part is "%s"', (text, finished) => {
  expect(finishedPart(text, ROWS)).toBe(finished);
});
