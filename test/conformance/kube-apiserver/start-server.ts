import { generateKeyPairSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { freePorts, Programs } from '../harness/programs.ts';
import type { Servers } from './build-servers.ts';
import { LiveApi, type LiveOptions } from './live-api.ts';

/** An empty kube-apiserver with its own etcd, on loopback. */
export interface LiveServer {
  readonly api: LiveApi;
  /** What other clients need to reach it. */
  readonly access: LiveOptions;
  /** The process ids of kube-apiserver and etcd. */
  readonly pids: readonly number[];
  /** Ends both without waiting, for a process that exits. */
  kill(): void;
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
  const programs = new Programs(home);
  const stop = async () => {
    await programs.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    programs.start(etcd, etcdFlags(home, client, peer));
    programs.start(kubeApiserver, [...(await serverFlags(home, client, secure)), ...flags]);
    const access = { port: secure, token: TOKEN };
    const api = new LiveApi(access);
    await eventually('kube-apiserver is ready', async () => {
      await programs.requireRunning();
      return api.isReady();
    });
    const kill = () => {
      programs.kill();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    };
    return { api, access, pids: programs.pids, kill, stop };
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
