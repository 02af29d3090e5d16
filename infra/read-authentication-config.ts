import { parseAuthenticationConfiguration } from '../lib/login/index.ts';
import { readSettingsFile } from './read-settings-file.ts';

/**
 * Reads an AuthenticationConfiguration from a YAML or JSON file, and returns it as JSON text.
 *
 * @throws {Error} the file cannot be read, or its configuration is invalid or not supported.
 */
export async function readAuthenticationConfig(file: string): Promise<string> {
  return JSON.stringify(await readSettingsFile(file, parseAuthenticationConfiguration));
}
