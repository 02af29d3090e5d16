import { join } from 'node:path';
import { CACHE } from './toolchain.ts';

/** What the functions find, without what npm or a developer says to Node. */
export function functionEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_COMPILE_CACHE: _cache, ...rest } = process.env;
  return rest;
}

/** Where a program of the benches lies once it is bundled as the functions are. */
export function bundledFile(path: string): string {
  return join(CACHE, 'bundled', path, 'index.mjs');
}
