import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CONCURRENCY_QUOTA, CONCURRENT_FUNCTIONS, leastConcurrency } from '../../infra/concurrency/index.ts';
import { Fault } from '../connection/index.ts';
import { type AskedOfAws, explainAws } from './explain-aws.ts';
import { type Listener, type Outcome, takeStep } from './take-step.ts';

/** The Lambda concurrency of an account. */
export interface AccountConcurrency {
  readonly limit: number;
  /** The part of `limit` that no function reserves. */
  readonly unreserved: number;
}

export interface ConcurrencyOptions {
  readonly account: () => Promise<AccountConcurrency>;
  readonly listener: Listener;
  /** Aborted when the user interrupts. */
  readonly interrupted: AbortSignal;
}

const ACCOUNT: AskedOfAws = {
  service: 'Lambda',
  to: "read the account's concurrency",
  needs: 'lambda:GetAccountSettings',
};

/** Compares the Lambda concurrency of the account with the need of a deployment with every function. */
export async function checkConcurrency(options: ConcurrencyOptions): Promise<readonly Outcome[]> {
  const { account, listener, interrupted: signal } = options;
  const run = async () => judge(await account());
  return [await takeStep({ name: "Lambda's concurrency", run, signal, listener, blocked: undefined })];
}

/** Asks Lambda, with the credentials and the region in the standard variables and files. */
export async function askAccount(): Promise<AccountConcurrency> {
  try {
    const { AccountLimit } = await new LambdaClient().send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = limit } =
      AccountLimit ?? {};
    return { limit, unreserved };
  } catch (error) {
    const explained = explainAws(error, ACCOUNT);
    if (explained !== undefined) throw explained;
    throw new Fault({ what: `Lambda answered: ${error}`, advice: 'Check the account and the region' });
  }
}

function judge({ limit, unreserved }: AccountConcurrency): string {
  const need = leastConcurrency(CONCURRENT_FUNCTIONS);
  const free = `the account can run ${limit} functions at once, ${unreserved} of them unreserved`;
  if (unreserved >= need) return `${free}; Winnow needs ${need}, and one more for each open watch`;
  throw new Fault({
    what: `${free}, but Winnow needs ${need} for one user with one open watch`,
    advice:
      'A new account has 10. With 10, a few open watches use all of it: further requests get 429 or 500, ' +
      `logins fail, and messages wait. Ask Service Quotas for more "Concurrent executions" (quota ${CONCURRENCY_QUOTA})`,
  });
}
