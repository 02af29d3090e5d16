import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';

/** What `cdk deploy` tells of a stack. */
export type StackOutputs = Readonly<Record<string, string>>;

/** How clients reach a deployed API. */
export interface DeployedApi {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
}

/** Reads the API's token and works out its URL, behind an emulator's one endpoint where there is one. */
export async function deployedApi(
  { ApiUrl = '', TokenSecretArn }: StackOutputs,
  client: SecretsManagerClientConfig = {},
  endpoint?: string,
): Promise<DeployedApi> {
  const command = new GetSecretValueCommand({ SecretId: TokenSecretArn });
  const { SecretString = '' } = await new SecretsManagerClient(client).send(command);
  if (SecretString === '') throw new Error('the secret of the token is empty');
  return {
    url: endpoint === undefined ? ApiUrl.replace(/\/$/, '') : behind(endpoint, ApiUrl),
    token: SecretString,
  };
}

/** `https://<id>.execute-api.…/<stage>/` as MiniStack and LocalStack serve it, whatever names resolve. */
function behind(endpoint: string, apiUrl: string): string {
  const { hostname, pathname } = new URL(apiUrl);
  const [id] = hostname.split('.');
  return `${endpoint.replace(/\/$/, '')}/_aws/execute-api/${id}${pathname.replace(/\/$/, '')}`;
}
