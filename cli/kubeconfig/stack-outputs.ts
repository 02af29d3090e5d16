import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { StackOutputs } from './deployed-api.ts';

interface Description {
  readonly Stacks: readonly {
    readonly Outputs?: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
  }[];
}

/**
 * Asks CloudFormation for a stack's outputs with the AWS CLI, which the login needs anyway: in the region and
 * with the credentials that it finds, or at `AWS_ENDPOINT_URL`.
 */
export async function stackOutputs(stack: string): Promise<StackOutputs> {
  const command = ['cloudformation', 'describe-stacks', '--stack-name', stack, '--output', 'json'];
  const { stdout } = await promisify(execFile)('aws', command).catch((error) => {
    throw new Error(explain(error));
  });
  const [found] = (JSON.parse(stdout) as Description).Stacks;
  return Object.fromEntries(
    (found?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
}

function explain({
  code,
  stderr = '',
  message,
}: {
  code?: unknown;
  stderr?: string;
  message: string;
}): string {
  if (code === 'ENOENT') return 'there is no AWS CLI (aws) in the PATH; --outputs FILE does without';
  return stderr.trim() || message;
}
