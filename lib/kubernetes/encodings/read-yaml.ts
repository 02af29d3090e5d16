import { TooLargeError } from '../../json/index.ts';
import type { ReadYaml } from './yaml-options.ts';

/**
 * The limit in bytes. A longer document could not be stored, and reading YAML takes about ten times as long as JSON.
 */
const LONGEST = 1024 * 1024;

/**
 * Reads the first document of a YAML stream as JSON, as Kubernetes does. The parser is loaded on first use.
 *
 * @throws {EncodingError} it is not YAML, or JSON cannot represent it: Infinity, binary data, lists as keys
 * @throws {TooLargeError} it is longer than 1 MiB
 */
export async function readYaml(body: Uint8Array): Promise<ReadYaml> {
  if (body.length > LONGEST) {
    const limit = { limit: LONGEST, unit: 'bytes' };
    throw new TooLargeError('the YAML in the body of the request', body.length, limit);
  }
  const { parseYaml } = await import('./parse-yaml.ts');
  return parseYaml(body);
}
