import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Names } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** The folder of the functions in the package, relative to this file in `dist/infra/cdk`. */
const PACKED_BUNDLES = join(import.meta.dirname, '../../functions');
const MAXIMUM_PREFIX = 24;

/**
 * The folder of the functions in the published package.
 *
 * @throws {Error} this is not the published package
 */
export function packedBundles(): string {
  if (existsSync(join(PACKED_BUNDLES, 'read/index.mjs'))) return PACKED_BUNDLES;
  throw new Error('only the published package contains the functions: set the prop bundles to their folder');
}

/** The default prefix, derived from the path of a construct. */
export function defaultPrefix(scope: Construct): string {
  const options = { maxLength: MAXIMUM_PREFIX, separator: '-', allowedSpecialCharacters: '-' };
  return Names.uniqueResourceName(scope, options).toLowerCase();
}
