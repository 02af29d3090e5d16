import { EMULATOR_ACCOUNT, EMULATOR_CREDENTIALS, type Target } from './target.ts';

/** By the path at which only they answer. MiniStack also answers at LocalStack's. */
const HEALTH = [
  { emulator: 'ministack', path: '/_ministack/health' },
  { emulator: 'localstack', path: '/_localstack/health' },
];

/** An emulator that somebody started. What is deployed there is removed after the test. */
export async function runningEmulator(url: string): Promise<Target> {
  const endpoint = url.replace(/\/$/, '');
  const emulator = await identify(endpoint);
  const region = process.env.AWS_REGION ?? 'us-east-1';
  return {
    name: `${emulator} at ${endpoint}`,
    environment: `aws://${EMULATOR_ACCOUNT}/${region}`,
    emulator,
    variables: {
      AWS_ENDPOINT_URL: endpoint,
      // With a name for a host the SDK would put the bucket in front of it.
      AWS_ENDPOINT_URL_S3:
        process.env.AWS_ENDPOINT_URL_S3 ?? endpoint.replace('//localhost:', '//127.0.0.1:'),
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: EMULATOR_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: EMULATOR_CREDENTIALS.secretAccessKey,
    },
    client: { region, endpoint, credentials: EMULATOR_CREDENTIALS },
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
