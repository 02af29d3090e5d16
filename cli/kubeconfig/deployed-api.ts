/** The outputs of a stack, by name. */
export type StackOutputs = Readonly<Record<string, string>>;

/** What a client needs to know about a deployed API. */
export interface DeployedApi {
  /** Without a slash at its end. */
  readonly url: string;
  /** The cluster that its tokens are signed for. */
  readonly clusterId: string;
  readonly region: string;
}

/** Reads a stack's outputs. With an emulator's endpoint, the URL is a path of that endpoint. */
export function deployedApi(outputs: StackOutputs, endpoint?: string): DeployedApi {
  const { ApiUrl, ClusterId, TokenCommand = '' } = outputs;
  const [, region] = /--region (\S+)/.exec(TokenCommand) ?? [];
  if (ApiUrl === undefined || ClusterId === undefined || region === undefined) {
    throw new Error(`these are not the outputs of a Winnow stack: ${Object.keys(outputs).join(', ')}`);
  }
  const url = endpoint === undefined ? ApiUrl : behind(endpoint, ApiUrl);
  return { url: url.replace(/\/$/, ''), clusterId: ClusterId, region };
}

/** The path at which MiniStack and LocalStack serve `https://<id>.execute-api.…/<stage>/`, so that DNS is not needed. */
function behind(endpoint: string, apiUrl: string): string {
  const { hostname, pathname } = new URL(apiUrl);
  const [id] = hostname.split('.');
  return `${endpoint.replace(/\/$/, '')}/_aws/execute-api/${id}${pathname}`;
}
