import { parsePolicy } from '../lib/kubernetes/audit/index.ts';
import { readSettingsFile } from './read-settings-file.ts';

/**
 * Reads an audit policy from a YAML or JSON file, and returns it as JSON text.
 *
 * @throws {Error} the file cannot be read, or holds no valid policy.
 */
export async function readAuditPolicy(file: string): Promise<string> {
  return JSON.stringify(await readSettingsFile(file, parsePolicy));
}
