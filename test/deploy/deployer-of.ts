import assert from 'node:assert/strict';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { parsePrincipal } from '../../lib/login/index.ts';
import type { TrialOptions } from './trial.ts';

/** The ARN of the principal that deploys, as the login spells it. */
export async function deployerOf({ target }: TrialOptions): Promise<string> {
  const { Arn = '' } = await new STSClient(target.client).send(new GetCallerIdentityCommand({}));
  const principal = parsePrincipal(Arn);
  assert(principal !== undefined, `${Arn} is no principal`);
  return principal.arn;
}
