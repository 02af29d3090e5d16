import { askAws } from '../ask-aws.ts';
import type { StackOutputs } from './deployed-api.ts';

interface Description {
  readonly Stacks: readonly {
    readonly Outputs?: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
  }[];
}

/** Reads a stack's outputs from CloudFormation. It uses the AWS CLI, which the login needs too. */
export async function stackOutputs(stack: string): Promise<StackOutputs> {
  const text = await askAws(['cloudformation', 'describe-stacks', '--stack-name', stack]).catch((error) => {
    const isMissing = error.cause?.code === 'ENOENT';
    throw isMissing ? new Error(`${error.message}; --outputs FILE does not need it`) : error;
  });
  const [found] = (JSON.parse(text) as Description).Stacks;
  return Object.fromEntries(
    (found?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
}
