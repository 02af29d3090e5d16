import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** In bytes: a template has up to 1 MB. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

/**
 * What the AWS CLI answers, as JSON text: in the region and with the credentials that it finds, or at `AWS_ENDPOINT_URL`.
 *
 * @throws {Error} there is no AWS CLI, or it fails; the message is its own, for people
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
  if (error.code === 'ENOENT') return 'there is no AWS CLI (aws) in the PATH';
  return error.stderr?.trim() || error.message;
}
