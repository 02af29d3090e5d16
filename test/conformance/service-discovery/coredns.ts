import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '../../../cli/kubeconfig/write-kubeconfig.ts';
import { root } from '../../../infra/bundle/index.ts';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/listen.ts';

const MODULE = join(root, 'test/conformance/service-discovery/go');
const PROGRAM = join(root, 'dist/conformance/coredns');

/** A CoreDNS whose plugin kubernetes follows one Winnow. */
export interface CoreDns {
  /** A resolver that asks only this CoreDNS. */
  readonly resolver: Resolver;
  /** Its output so far. */
  printed(): string;
  stop(): Promise<void>;
}

/** Builds CoreDNS from its module, which takes some minutes the first time. */
export function buildCoreDns(): void {
  execFileSync('go', ['build', '-ldflags=-s -w', '-o', PROGRAM, '.'], { cwd: MODULE, stdio: 'pipe' });
}

/** Starts CoreDNS with a Winnow. Resolves once CoreDNS has read everything. */
export async function startCoreDns(url: string, environment: NodeJS.ProcessEnv = {}): Promise<CoreDns> {
  const folder = await mkdtemp(join(tmpdir(), 'winnow-coredns-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeKubeconfig(kubeconfig, url);
  const [dns, ready] = [await freePort(), await freePort()];
  const corefile = join(folder, 'Corefile');
  await writeFile(corefile, corefileOf({ dns, ready, kubeconfig }));
  const server = spawn(PROGRAM, ['-conf', corefile], { env: { ...process.env, ...environment } });
  let printed = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (part) => (printed += part));
  await eventually('CoreDNS is ready', () => isReady(server, ready, () => printed));
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${dns}`]);
  return {
    resolver,
    printed: () => printed,
    stop: async () => {
      const ended = once(server, 'close');
      server.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** The Corefile of docs/service-discovery.md. */
function corefileOf({ dns, ready, kubeconfig }: { dns: number; ready: number; kubeconfig: string }): string {
  return `.:${dns} {
  errors
  ready 127.0.0.1:${ready}
  kubernetes cluster.local {
    kubeconfig ${kubeconfig}
  }
}
`;
}

async function isReady(server: ChildProcess, port: number, printed: () => string): Promise<boolean> {
  if (server.exitCode !== null) throw new Error(`CoreDNS ended: ${printed()}`);
  const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
  return answer?.ok === true;
}

async function freePort(): Promise<number> {
  const server = await listen(createServer());
  await server.stop();
  return Number(new URL(server.url).port);
}
