import { awsAccount } from './aws-account.ts';
import { startMiniStack } from './mini-stack.ts';
import { runningEmulator } from './running-emulator.ts';
import type { Target } from './target.ts';

export interface Choice {
  /** The AWS account that the user allows to be deployed to. */
  readonly account: string | undefined;
  /** Holds what the target needs while it runs. */
  readonly directory: string;
}

/**
 * The account that was allowed, else the emulator at AWS_ENDPOINT_URL, else a MiniStack of our own. Credentials
 * alone never choose an account: the test creates things there, and destroys them.
 */
export async function chooseTarget({ account, directory }: Choice): Promise<Target> {
  const endpoint = process.env.AWS_ENDPOINT_URL;
  if (account !== undefined && endpoint !== undefined) {
    throw new Error(`--account says AWS, AWS_ENDPOINT_URL says ${endpoint}; unset one`);
  }
  if (account !== undefined) return awsAccount(account);
  if (endpoint !== undefined) return runningEmulator(endpoint);
  return startMiniStack(directory);
}
