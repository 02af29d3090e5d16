import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Names } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Beside `dist/infra/cdk`, where the package has this file. */
const PACKED_BUNDLES = join(import.meta.dirname, '../../functions');
const MAXIMUM_PREFIX = 24;

/**
 * The folder of the functions that the published package has.
 *
 * @throws {Error} this is not the published package
 */
export function packedBundles(): string {
  if (existsSync(join(PACKED_BUNDLES, 'read/index.mjs'))) return PACKED_BUNDLES;
  throw new Error('the functions are bundled in the published package only: say where the bundles are');
}

/** A prefix made of the path of a construct. */
export function defaultPrefix(scope: Construct): string {
  const options = { maxLength: MAXIMUM_PREFIX, separator: '-', allowedSpecialCharacters: '-' };
  return Names.uniqueResourceName(scope, options).toLowerCase();
}
