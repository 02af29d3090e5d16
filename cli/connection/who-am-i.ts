import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { User } from '@kubernetes/client-node';

const WITHIN = 10_000;

interface Variable {
  readonly name: string;
  readonly value: string;
}

/**
 * Asks the AWS CLI for the ARN of its credentials, if the AWS CLI is the login command. For a role's session it is the
 * session's ARN. Returns undefined if the login is another command or the CLI fails.
 */
export async function whoAmI({ exec }: User): Promise<string | undefined> {
  if (exec?.command !== 'aws') return undefined;
  const variables = ((exec.env ?? []) as Variable[]).map(({ name, value }) => [name, value]);
  // The token is signed for AWS' own host, but an emulator's identities are known to the emulator only.
  const { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: _, ...env } = {
    ...process.env,
    ...Object.fromEntries(variables),
  };
  const command = ['sts', 'get-caller-identity', '--query', 'Arn', '--output', 'text'];
  try {
    const { stdout } = await promisify(execFile)('aws', command, { env, timeout: WITHIN });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
