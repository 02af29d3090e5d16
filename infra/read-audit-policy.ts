import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { parsePolicy } from '../lib/audit/index.ts';

/**
 * The audit policy of a file, YAML or JSON, as JSON text.
 *
 * @throws {Error} there is no such file, or no valid policy in it.
 */
export async function readAuditPolicy(file: string): Promise<string> {
  const policy: unknown = parse(await readFile(file, 'utf8'));
  parsePolicy(policy);
  return JSON.stringify(policy);
}
