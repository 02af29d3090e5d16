import { credentialsOf } from '../login.ts';
import type { Target } from './target.ts';

/**
 * A real account, with region and credentials from the standard variables and files. That the credentials are
 * of this account is checked by `cdk bootstrap`, which refuses those of another.
 */
export async function awsAccount(account: string): Promise<Target> {
  if (!/^\d{12}$/.test(account)) throw new Error(`--account takes the account's 12 digits, not ${account}`);
  const region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
  if (region === undefined) throw new Error('Which region? Set AWS_REGION.');
  await checkCredentials(region);
  return {
    name: `AWS account ${account}, ${region}`,
    environment: `aws://${account}/${region}`,
    context: [],
    variables: { AWS_REGION: region },
    client: { region },
    temporary: false,
    stop: async () => {},
  };
}

async function checkCredentials(region: string): Promise<void> {
  try {
    await credentialsOf({ region });
  } catch (error) {
    throw new Error(
      `There are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. (${error})`,
      { cause: error },
    );
  }
}
