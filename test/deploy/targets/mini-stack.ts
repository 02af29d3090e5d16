import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { endGroup } from '../end-group.ts';
import { ownNodeFirst } from '../own-node-first.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { emulatorTarget } from './emulator-target.ts';
import { installMiniStack } from './install-mini-stack.ts';
import type { Target } from './target.ts';

const START_WITHIN = 60_000;

/** Installs MiniStack if need be and starts it on a free port of loopback; all that it writes is in `directory`. */
export async function startMiniStack(directory: string): Promise<Target> {
  const python = await installMiniStack();
  const certificate = await makeCertificate(directory);
  const port = await freePort();
  const endpoint = `https://127.0.0.1:${port}`;
  const log = join(directory, 'ministack.log');
  const output = await open(log, 'a');
  const child = spawn(python, ['-m', 'ministack'], {
    cwd: directory,
    env: environment({ directory, port, certificate }),
    stdio: ['ignore', output.fd, output.fd],
    // A group of its own, with the functions in it: they end together, and not by a Ctrl-C that is ours.
    detached: true,
  });
  await output.close();
  try {
    await healthy(child, endpoint);
  } catch (error) {
    await endGroup(child);
    throw new Error(`MiniStack does not start: ${error}\n${await readFile(log, 'utf8')}`, { cause: error });
  }
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
    stop: () => endGroup(child),
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

async function healthy(child: ChildProcess, endpoint: string): Promise<void> {
  const answers = () =>
    fetch(`${endpoint}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(
    'MiniStack answers',
    async () => {
      if (child.exitCode !== null) throw new Error(`it exited with ${child.exitCode}`);
      return answers();
    },
    START_WITHIN,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
