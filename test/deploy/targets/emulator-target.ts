import { devNull } from 'node:os';
import type { Target } from './target.ts';

/** Any will do. */
const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };

const ACCOUNT = '000000000000';

export interface Emulator {
  /** As the CDK context of that name has it. */
  readonly emulator: string;
  readonly endpoint: string;
  readonly region: string;
  /** As the functions reach its STS, where that is otherwise. */
  readonly stsEndpoint?: string;
}

/** Where an emulator is deployed to. Nothing of what the user has set up for AWS reaches it. */
export function emulatorTarget({
  emulator,
  endpoint,
  region,
  stsEndpoint = endpoint,
}: Emulator): Omit<Target, 'name' | 'temporary' | 'stop'> {
  return {
    environment: `aws://${ACCOUNT}/${region}`,
    emulator,
    context: [`emulator=${emulator}`, `stsEndpoint=${stsEndpoint}`],
    variables: {
      AWS_ENDPOINT_URL: endpoint,
      // With a name for a host the SDK would put the bucket in front of it.
      AWS_ENDPOINT_URL_S3:
        process.env.AWS_ENDPOINT_URL_S3 ?? endpoint.replace('//localhost:', '//127.0.0.1:'),
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_SESSION_TOKEN: undefined,
      AWS_PROFILE: undefined,
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
    },
    client: { region, endpoint, credentials: CREDENTIALS },
  };
}
