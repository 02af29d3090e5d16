import type { Transport } from '../../lib/server/webhooks/index.ts';

/** Calls webhooks over HTTPS, and Lambda functions by their ARN. Each client is loaded with its first call. */
export const webhookTransport: Transport = {
  post: async (destination, body, timeout) => {
    if (destination.kind === 'function') {
      const { invokeFunction } = await import('./function-transport.ts');
      return invokeFunction(destination.arn, body, timeout);
    }
    const { postHttps } = await import('./https-transport.ts');
    return postHttps(destination, body, timeout);
  },
};
