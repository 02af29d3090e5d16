import { readDestinationList } from '../lib/webhook-places/index.ts';
import { readSettingsFile } from './read-settings-file.ts';

/**
 * Reads the places that admission webhooks may name from a YAML or JSON file, and returns them as JSON text.
 *
 * @throws {Error} the file cannot be read, or holds no valid list
 */
export async function readWebhooks(file: string): Promise<string> {
  return JSON.stringify(await readSettingsFile(file, readDestinationList));
}
