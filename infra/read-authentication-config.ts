import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { parseAuthenticationConfiguration } from '../lib/login/index.ts';

/**
 * The AuthenticationConfiguration of a file, YAML or JSON, as JSON text.
 *
 * @throws {Error} there is no such file, or no configuration in it that is served.
 */
export async function readAuthenticationConfig(file: string): Promise<string> {
  const configuration: unknown = parse(await readFile(file, 'utf8'));
  parseAuthenticationConfiguration(configuration);
  return JSON.stringify(configuration);
}
