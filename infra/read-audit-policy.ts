import { parsePolicy } from '../lib/kubernetes/audit/index.ts';
import { readSettingsFile } from './read-settings-file.ts';

/**
 * The audit policy of a file, YAML or JSON, as JSON text.
 *
 * @throws {Error} there is no such file, or no valid policy in it.
 */
export async function readAuditPolicy(file: string): Promise<string> {
  return JSON.stringify(await readSettingsFile(file, parsePolicy));
}
