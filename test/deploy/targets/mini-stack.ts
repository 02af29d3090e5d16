import { join } from 'node:path';
import { answersWell, freePort, startEmulator } from '../../engines/emulator-process.ts';
import { ownNodeFirst } from '../own-node-first.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { emulatorTarget } from './emulator-target.ts';
import { installPython } from './install-python.ts';
import type { Target } from './target.ts';

/** Installs MiniStack if need be and starts it on a free port of loopback; all that it writes is in `directory`. */
export async function startMiniStack(directory: string): Promise<Target> {
  const python = await installPython({
    by: 'MiniStack',
    oldest: 10,
    requirements: join(import.meta.dirname, 'requirements.txt'),
  });
  const certificate = await makeCertificate(directory);
  const port = await freePort();
  const endpoint = `https://127.0.0.1:${port}`;
  const stop = await startEmulator({
    name: 'MiniStack',
    command: [python, '-m', 'ministack'],
    environment: environment({ directory, port, certificate }),
    directory,
    ready: () => answersWell(`${endpoint}/_ministack/health`),
  });
  const emulated = emulatorTarget({ emulator: 'ministack', endpoint, region: 'us-east-1' });
  return {
    ...emulated,
    name: 'MiniStack',
    variables: {
      ...emulated.variables,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_CA_BUNDLE: certificate.certificate,
      NODE_EXTRA_CA_CERTS: certificate.certificate,
    },
    temporary: true,
    stop,
  };
}

interface Seat {
  readonly directory: string;
  readonly port: number;
  readonly certificate: Certificate;
}

/** All that MiniStack and the functions see of this machine: nothing of the user's AWS settings among it. */
function environment({ directory, port, certificate }: Seat): Record<string, string> {
  return {
    // It runs the functions.
    PATH: ownNodeFirst(),
    HOME: directory,
    TMPDIR: directory,
    BIND_HOST: '127.0.0.1',
    // In the queues' URLs.
    MINISTACK_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    // Roles are enforced: a grant that is missing shows.
    AUTH: 'true',
    LAMBDA_EXECUTOR: 'local',
    IOT_MTLS_ENABLED: '0',
    USE_SSL: '1',
    MINISTACK_SSL_CERT: certificate.certificate,
    MINISTACK_SSL_KEY: certificate.key,
    NODE_EXTRA_CA_CERTS: certificate.certificate,
  };
}
