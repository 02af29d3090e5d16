import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Version, packages, changelog and tag agree. `check-release.mjs v0.1.0` asks as if the present commit had that tag,
// otherwise its own tags count. Ends with 1 and a line for each fault.
const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const faults = [];
const expectSame = (what, is, expected) => {
  if (is !== expected) faults.push(`${what} is ${is}, and should be ${expected}`);
};

const { version, private: isPrivate, workspaces } = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));
expectSame('the version of package-lock.json', lock.version, version);
expectSame('"private" of package.json', isPrivate, true);
for (const folder of ['', ...workspaces]) {
  expectSame(`the version of "${folder}" in package-lock.json`, lock.packages[folder]?.version, version);
}
for (const folder of workspaces) {
  expectSame(
    `the version in ${folder}/package.json`,
    JSON.parse(read(`${folder}/package.json`)).version,
    version,
  );
}

const PYTHON = 'lib/client/python/pyproject.toml';
expectSame(`the version in ${PYTHON}`, read(PYTHON).match(/^version = "(.*)"$/m)?.[1], version);

const [unreleased, ...sections] = read('CHANGELOG.md').split(/^## /m).slice(1);
expectSame('the first section of CHANGELOG.md', unreleased?.split('\n')[0], '[Unreleased]');
const [, newest, date] = sections[0]?.match(/^\[(.*)\] - (\d{4}-\d\d-\d\d)\n/) ?? [];
expectSame('the newest dated version in CHANGELOG.md', newest, version);
if (date !== undefined && Number.isNaN(Date.parse(date))) faults.push(`${date} in CHANGELOG.md is no date`);

const tagged = process.argv[2] ?? execFileSync('git', ['tag', '--points-at', 'HEAD'], { encoding: 'utf8' });
for (const tag of tagged.split('\n').filter((name) => /^v\d/.test(name))) {
  expectSame('the tag', tag, `v${version}`);
  if (/^- /m.test(unreleased ?? '')) {
    faults.push(`CHANGELOG.md has changes under Unreleased at the tag ${tag}`);
  }
}

for (const fault of faults) console.error(fault);
if (faults.length === 0) console.log(`${version}: packages, changelog and tag agree`);
process.exitCode = faults.length === 0 ? 0 : 1;
