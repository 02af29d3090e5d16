import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { installJars } from '../../engines/install-jars.ts';

let directory: string;
const path = process.env.PATH;

/** A machine with only the programs of the test. */
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  process.env.PATH = directory;
});

afterEach(async () => {
  process.env.PATH = path;
  await rm(directory, { recursive: true });
});

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(directory, name), 0o755);
}

/** Jars that are not installed yet. */
async function install(): Promise<string> {
  const pom = join(directory, 'pom.xml');
  await writeFile(pom, directory);
  return installJars('engine', pom);
}

it('The error without Java names Java and the required version', async () => {
  await expect(install()).rejects.toThrow(
    'engine needs Java 17 or later (java) on the PATH: java is not installed',
  );
});

it('A Java that is too old is refused', async () => {
  await program('java', `echo 'openjdk version "11.0.2" 2019-01-15' >&2`);
  await expect(install()).rejects.toThrow('engine needs Java 17 or later (java) on the PATH, and it is 11');
});

it('The error without Maven names Maven', async () => {
  await program('java', `echo 'openjdk version "21.0.2" 2024-01-16' >&2`);
  await expect(install()).rejects.toThrow('engine needs Maven (mvn)');
  await expect(install()).rejects.toThrow('mvn is not installed');
});
