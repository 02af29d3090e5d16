import { type Emulator, emulatorTarget } from './emulator-target.ts';
import type { Target } from './target.ts';

/** By the path at which only they answer. MiniStack also answers at LocalStack's. */
const HEALTH = [
  { emulator: 'ministack', path: '/_ministack/health' },
  { emulator: 'localstack', path: '/_localstack/health' },
];

/** By this name, and at this port, LocalStack's STS is known to the functions that it runs in containers. */
const KNOWN_INSIDE: Readonly<Record<string, Pick<Emulator, 'stsEndpoint'>>> = {
  localstack: { stsEndpoint: 'http://localhost.localstack.cloud:4566' },
};

/** An emulator that somebody started. What is deployed there is removed after the test. */
export async function runningEmulator(url: string): Promise<Target> {
  const endpoint = url.replace(/\/$/, '');
  const emulator = await identify(endpoint);
  return {
    ...emulatorTarget({
      ...KNOWN_INSIDE[emulator],
      emulator,
      endpoint,
      region: process.env.AWS_REGION ?? 'us-east-1',
    }),
    name: `${emulator} at ${endpoint}`,
    temporary: false,
    stop: async () => {},
  };
}

async function identify(endpoint: string): Promise<string> {
  for (const { emulator, path } of HEALTH) {
    const answer = await fetch(`${endpoint}${path}`).catch((error: Error) => {
      throw new Error(`Nobody answers at AWS_ENDPOINT_URL, ${endpoint}: ${error.cause ?? error}`);
    });
    await answer.body?.cancel();
    if (answer.ok) return emulator;
  }
  throw new Error(`What answers at AWS_ENDPOINT_URL, ${endpoint}, is neither MiniStack nor LocalStack.`);
}
