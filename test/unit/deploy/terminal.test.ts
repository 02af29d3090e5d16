import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findKubectls } from '../../conformance/harness/kubectl-binaries.ts';
import { openTerminal } from '../../conformance/harness/open-terminal.ts';

const VERSION = '{"clientVersion":{"major":"1","minor":"99"}}';

let directory: string;
const path = process.env.PATH;

/** A kubectl that is the first on the PATH. */
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  const file = join(directory, 'kubectl');
  await writeFile(file, `#!/bin/sh\necho '${VERSION}'\n`);
  await chmod(file, 0o755);
  process.env.PATH = `${directory}:${path}`;
});

afterEach(async () => {
  process.env.PATH = path;
  await rm(directory, { recursive: true });
});

it('The terminal runs the kubectl on the PATH, and not itself', async () => {
  const [binary] = findKubectls('');
  expect(binary).toMatchObject({ path: join(directory, 'kubectl'), version: '1.99' });
  const terminal = await openTerminal({ root: directory, kubeconfig: '/nowhere', binary });
  await expect(terminal.run('kubectl version')).resolves.toBe(VERSION);
});

it('The error without kubectl on the PATH names kubectl', () => {
  process.env.PATH = '/nowhere';
  expect(() => findKubectls('')).toThrow(/Name one in the environment variable KUBECTL.*"kubectl"/s);
});
