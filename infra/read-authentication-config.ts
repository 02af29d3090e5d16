import { parseAuthenticationConfiguration } from '../lib/login/index.ts';
import { readSettingsFile } from './read-settings-file.ts';

/**
 * The AuthenticationConfiguration of a file, YAML or JSON, as JSON text.
 *
 * @throws {Error} there is no such file, or no configuration in it that is served.
 */
export async function readAuthenticationConfig(file: string): Promise<string> {
  return JSON.stringify(await readSettingsFile(file, parseAuthenticationConfiguration));
}
