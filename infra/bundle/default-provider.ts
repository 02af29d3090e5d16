/**
 * Stands in for `@aws-sdk/credential-provider-node`, the SDK's search for credentials: a function's are in its
 * environment, on AWS and in every emulator. Why: docs/decisions/0007-what-a-function-carries.md
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
