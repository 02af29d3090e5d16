import { awsAccount } from './aws-account.ts';
import { startLocalStack } from './local-stack/start-local-stack.ts';
import { startMiniStack } from './mini-stack.ts';
import { runningEmulator } from './running-emulator.ts';
import type { Target } from './target.ts';

export interface Choice {
  /** The AWS account that the user allows to be deployed to. */
  readonly account: string | undefined;
  /** The emulator to start; MiniStack by default. */
  readonly emulator?: string | undefined;
  /** Holds what the target needs while it runs. */
  readonly directory: string;
}

/** Those that can be started here. */
const STARTED: Readonly<Record<string, (directory: string) => Promise<Target>>> = {
  ministack: startMiniStack,
  localstack: startLocalStack,
};

/**
 * The account that was allowed, else the emulator at AWS_ENDPOINT_URL, else one of our own. Credentials alone
 * never choose an account: the test creates things there, and destroys them.
 */
export async function chooseTarget({ account, emulator, directory }: Choice): Promise<Target> {
  const endpoint = process.env.AWS_ENDPOINT_URL;
  const chosen = Object.entries({ '--account': account, '--target': emulator, AWS_ENDPOINT_URL: endpoint })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} says ${value}`);
  if (chosen.length > 1) throw new Error(`${chosen.join(', ')}: which is it? Leave one`);
  if (account !== undefined) return awsAccount(account);
  if (endpoint !== undefined) return runningEmulator(endpoint);
  const start = STARTED[emulator ?? 'ministack'];
  if (start === undefined) {
    throw new Error(`--target takes ${Object.keys(STARTED).join(' or ')}, not ${emulator}`);
  }
  return start(directory);
}
