import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { root } from '../../infra/bundle/index.ts';
import { run } from '../support/service/run-cli.ts';

const READ = [
  '.ci/check-release.mjs',
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
  'infra/cdk/package.json',
  'lib/client/package.json',
  'lib/client/python/pyproject.toml',
  'lib/placement/package.json',
  'lib/selectors/package.json',
];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'winnow-release-'));
  for (const file of READ) cpSync(join(root, file), join(copy, file));
  edit('CHANGELOG.md', /## \[Unreleased\]\n[\s\S]*?(?=^## \[)/m, '## [Unreleased]\n\n');
});

afterEach(() => rmSync(copy, { recursive: true }));

function edit(file: string, what: RegExp | string, by: string): void {
  const path = join(copy, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(what, by));
}

/** The faults that the check finds for a tag; empty if it exits with 0. */
async function check(tag = `v${version}`): Promise<string[]> {
  const { code, errors } = await run(process.execPath, ['.ci/check-release.mjs', tag], { cwd: copy });
  const faults = errors.split('\n').filter((line) => line !== '');
  expect(code).toBe(faults.length === 0 ? 0 : 1);
  return faults;
}

it('The check finds no fault if version, packages, changelog and tag agree', async () => {
  expect(await check()).toEqual([]);
});

it('The check reports a tag of another version', async () => {
  expect(await check('v9.9.9')).toEqual([`the tag is v9.9.9, and should be v${version}`]);
});

it.each([
  ['a package of another version', 'lib/selectors/package.json', `"${version}"`, '"9.9.9"'],
  ['a Python package of another version', 'lib/client/python/pyproject.toml', `"${version}"`, '"9.9.9"'],
  ['a lock file of another version', 'package-lock.json', `"version": "${version}"`, '"version": "9.9.9"'],
  ['a root that npm would publish', 'package.json', '"private": true', '"private": false'],
  ['a changelog without the version', 'CHANGELOG.md', `[${version}] -`, '[9.9.9] -'],
  ['a date that is none', 'CHANGELOG.md', /\] - \d{4}-\d\d-\d\d/, '] - 2026-13-41'],
  ['changes that were not moved', 'CHANGELOG.md', '## [Unreleased]\n', '## [Unreleased]\n\n- something\n'],
])('The check reports %s', async (_what, file, from, to) => {
  edit(file, from, to);
  expect(await check()).toHaveLength(1);
});
