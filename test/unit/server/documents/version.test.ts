import { expect, it } from '@jest/globals';
import { VERSION } from '../../../../lib/server/documents/version.ts';

it.each(['32', '33', '34'])('The version is within one minor of kubectl 1.%s', (minor) => {
  const [, serverMinor] = /^v1\.(\d+)\.\d+\+winnow$/.exec(VERSION.gitVersion) ?? [];
  expect(serverMinor).toBe(VERSION.minor);
  expect(Math.abs(Number(serverMinor) - Number(minor))).toBeLessThanOrEqual(1);
});
