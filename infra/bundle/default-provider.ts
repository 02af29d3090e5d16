import { type FromEnvInit, fromEnv } from '@aws-sdk/credential-provider-env';
import { memoize } from '@smithy/core/config';

/**
 * Replaces `@aws-sdk/credential-provider-node`, the SDK's search for credentials. A function's credentials are in its
 * environment, on AWS and in every emulator. Like the original it caches them: the SDK requests them several times per
 * request, and reading the environment is slow. Why: docs/decisions/0007-what-a-bundle-contains.md
 */
export const defaultProvider = (init?: FromEnvInit) => memoize(fromEnv(init));
