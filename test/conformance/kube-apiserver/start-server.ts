import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import type { Servers } from './build-servers.ts';
import { LiveApi } from './live-api.ts';

/** An empty kube-apiserver with its own etcd, on loopback. */
export interface LiveServer {
  readonly api: LiveApi;
  stop(): Promise<void>;
}

const TOKEN = 'token';
const LOOPBACK = '127.0.0.1';

/** Flags of a server that decides by the rights of nodes and by roles, and limits what nodes write. */
export const NODE_FLAGS = ['--authorization-mode=Node,RBAC', '--enable-admission-plugins=NodeRestriction'];

/**
 * Starts a server as the recorded one was: without controllers and without admission of service accounts.
 *
 * @param flags the flags of authorization; by default, every caller is allowed everything
 */
export async function startServer(
  { etcd, kubeApiserver }: Servers,
  flags: readonly string[] = ['--authorization-mode=AlwaysAllow'],
): Promise<LiveServer> {
  const home = await mkdtemp(join(tmpdir(), 'winnow-kube-apiserver-'));
  const [client = 0, peer = 0, secure = 0] = await freePorts(3);
  const started: ChildProcess[] = [];
  const stop = async () => {
    for (const child of started.reverse()) await ended(child);
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    started.push(start(home, etcd, etcdFlags(home, client, peer)));
    started.push(start(home, kubeApiserver, [...(await serverFlags(home, client, secure)), ...flags]));
    const api = new LiveApi({ port: secure, token: TOKEN });
    await eventually('kube-apiserver is ready', async () => {
      await requireRunning(home, started);
      return api.isReady();
    });
    return { api, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function etcdFlags(home: string, client: number, peer: number): string[] {
  const [clients, peers] = [`http://${LOOPBACK}:${client}`, `http://${LOOPBACK}:${peer}`];
  return [
    `--data-dir=${home}/etcd`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
    '--unsafe-no-fsync',
    '--log-level=error',
  ];
}

async function serverFlags(home: string, etcd: number, port: number): Promise<string[]> {
  const keys = join(home, 'service-accounts.pem');
  const users = join(home, 'users.csv');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(keys, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  await writeFile(users, `${TOKEN},admin,admin,system:masters\n`);
  return [
    `--etcd-servers=http://${LOOPBACK}:${etcd}`,
    `--bind-address=${LOOPBACK}`,
    `--secure-port=${port}`,
    `--cert-dir=${home}/certificates`,
    `--advertise-address=${LOOPBACK}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${keys}`,
    `--service-account-signing-key-file=${keys}`,
    `--token-auth-file=${users}`,
    '--disable-admission-plugins=ServiceAccount',
    '--endpoint-reconciler-type=none',
  ];
}

/** Starts a program. Its error output goes to a file, which is shown if the program ends. */
function start(home: string, program: string, flags: readonly string[]): ChildProcess {
  const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr?.pipe(createWriteStream(join(home, 'log'), { flags: 'a' }));
  return child;
}

async function requireRunning(home: string, children: readonly ChildProcess[]): Promise<void> {
  const gone = children.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
  if (gone === undefined) return;
  const log = await readFile(join(home, 'log'), 'utf8');
  throw new Error(`${gone.spawnfile} ended: ${log.split('\n').slice(-20).join('\n')}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.kill('SIGKILL');
  await end;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, LOOPBACK));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => Number(Object(server.address()).port));
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
