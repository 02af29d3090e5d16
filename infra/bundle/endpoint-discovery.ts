/**
 * Stands in for `@aws-sdk/middleware-endpoint-discovery`, with which a client would look up where to send requests.
 * DynamoDB's client sets it up, and none of its commands asks it.
 * Why: docs/decisions/0007-what-a-function-carries.md
 */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};
