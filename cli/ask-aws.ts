import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The longest accepted answer, in bytes. A template has up to 1 MB. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

/**
 * Runs the AWS CLI and returns its answer as JSON text. The CLI finds the region and the credentials itself, and uses
 * `AWS_ENDPOINT_URL` when it is set.
 *
 * @throws {Error} the AWS CLI is missing or fails; the message is the CLI's own
 */
export async function askAws(command: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('aws', [...command, '--output', 'json'], {
    maxBuffer: LONGEST_ANSWER,
  }).catch((error) => {
    throw new Error(explain(error), { cause: error });
  });
  return stdout;
}

function explain(error: { code?: unknown; stderr?: string; message: string }): string {
  if (error.code === 'ENOENT') return 'the AWS CLI (aws) is not in the PATH';
  return error.stderr?.trim() || error.message;
}
