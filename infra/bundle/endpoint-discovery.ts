/**
 * Replaces `@aws-sdk/middleware-endpoint-discovery`, with which a client would look up its endpoints. DynamoDB's client
 * configures it, but none of its commands uses it.
 * Why: docs/decisions/0007-what-a-bundle-contains.md
 */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};
