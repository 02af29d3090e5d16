/** What `cdk deploy` tells of a stack. */
export type StackOutputs = Readonly<Record<string, string>>;

/** What a client has to know of a deployed API. */
export interface DeployedApi {
  /** Without a slash at its end. */
  readonly url: string;
  /** What its tokens are made for. */
  readonly clusterId: string;
  readonly region: string;
}

/** Reads a stack's outputs; the URL is behind an emulator's one endpoint where there is one. */
export function deployedApi(outputs: StackOutputs, endpoint?: string): DeployedApi {
  const { ApiUrl, ClusterId, TokenCommand = '' } = outputs;
  const [, region] = /--region (\S+)/.exec(TokenCommand) ?? [];
  if (ApiUrl === undefined || ClusterId === undefined || region === undefined) {
    throw new Error(`these are not the outputs of Winnow: ${Object.keys(outputs).join(', ')}`);
  }
  const url = endpoint === undefined ? ApiUrl : behind(endpoint, ApiUrl);
  return { url: url.replace(/\/$/, ''), clusterId: ClusterId, region };
}

/** `https://<id>.execute-api.…/<stage>/` as MiniStack and LocalStack serve it, whatever names resolve. */
function behind(endpoint: string, apiUrl: string): string {
  const { hostname, pathname } = new URL(apiUrl);
  const [id] = hostname.split('.');
  return `${endpoint.replace(/\/$/, '')}/_aws/execute-api/${id}${pathname}`;
}
