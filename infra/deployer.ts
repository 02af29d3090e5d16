import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { parsePrincipal } from '../lib/login/index.ts';

/**
 * The principal of the environment's credentials, in the form that the login uses. Undefined without credentials, which
 * `cdk synth` does not need. Also undefined if they belong to another account than the CDK deploys to, as with
 * `cdk deploy --profile …`: that principal is not the deployer.
 */
export async function findDeployer(): Promise<string | undefined> {
  const account = process.env.CDK_DEFAULT_ACCOUNT;
  // The CDK sets the variable if it found credentials.
  if (account === undefined) return undefined;
  const client = new STSClient({ region: process.env.CDK_DEFAULT_REGION, maxAttempts: 2 });
  try {
    const { Arn } = await client.send(new GetCallerIdentityCommand({}));
    const principal = parsePrincipal(Arn ?? '');
    return principal?.account === account ? principal.arn : undefined;
  } catch {
    return undefined;
  } finally {
    client.destroy();
  }
}
