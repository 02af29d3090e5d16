import { type FromEnvInit, fromEnv } from '@aws-sdk/credential-provider-env';
import { memoize } from '@smithy/core/config';

/**
 * Stands in for `@aws-sdk/credential-provider-node`, the SDK's search for credentials: a function's are in its
 * environment, on AWS and in every emulator. As there they are kept: the SDK asks for them several times a request,
 * and to read the environment is slow. Why: docs/decisions/0007-what-a-function-carries.md
 */
export const defaultProvider = (init?: FromEnvInit) => memoize(fromEnv(init));
