import { TooLargeError } from '../../json/index.ts';
import type { ReadYaml } from './yaml-options.ts';

/** Bytes. What is longer could not be stored, and YAML takes some ten times as long to read as JSON. */
const LONGEST = 1024 * 1024;

/**
 * The first document of a YAML stream as JSON, as Kubernetes reads it. The parser is loaded when first needed.
 *
 * @throws {EncodingError} it is no YAML, or says what JSON cannot: Infinity, binary data, lists as keys
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
