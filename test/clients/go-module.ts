import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from './execute.ts';

const MODULE = join(import.meta.dirname, 'go');

/** The version of a module that `go/go.mod` asks for: `v4.3.1`. */
export function moduleVersion(path: string): string {
  const [, version] = readFileSync(join(MODULE, 'go.mod'), 'utf8').split(`\t${path} `);
  if (version === undefined) throw new Error(`go.mod does not ask for ${path}`);
  return version.split('\n', 1)[0]?.split(' ', 1)[0] ?? '';
}

/** Builds a program of `go/`, or one of a module that it asks for, into a file. */
export async function buildGo(what: string, file: string): Promise<void> {
  await execute('go', ['build', '-ldflags=-s -w', '-o', file, what], { directory: MODULE });
}
