import type { Servers as KubernetesPrograms } from '../../conformance/kube-apiserver/build-servers.ts';
import { startServer } from '../../conformance/kube-apiserver/start-server.ts';
import { Servers } from '../../support/service/start-cli.ts';
import { atExit } from '../at-exit.ts';
import { cpuOf, processesBelow } from './cpu-time.ts';
import { KeepAliveClient } from './keep-alive-client.ts';

/** A server that is measured. */
export interface Side {
  readonly name: 'Winnow' | 'kube-apiserver';
  readonly client: KeepAliveClient;
  /** CPU time of all its processes so far, in ms. */
  cpu(): number;
  stop(): Promise<void>;
}

export interface WinnowSide extends Side {
  /** CPU time of the process of `winnow start`, which runs all functions and the queues. */
  cpuOfService(): number;
  /** CPU time of the embedded DynamoDB. */
  cpuOfDatabase(): number;
}

/** Starts `winnow start` over HTTPS, with an empty table. */
export async function startWinnow(...nodeFlags: readonly string[]): Promise<WinnowSide> {
  const servers = await Servers.open(...nodeFlags);
  const forget = atExit(() => servers.kill());
  const stop = async () => {
    await servers.close();
    forget();
  };
  try {
    const { child, http } = await servers.start(servers.within('data'), '--tls');
    const service = child.pid;
    if (service === undefined) throw new Error('winnow start has no process');
    const database = processesBelow(service);
    const [cpuOfService, cpuOfDatabase] = [() => cpuOf([service]), () => cpuOf(database)];
    const client = new KeepAliveClient({ port: Number(new URL(http.url).port) });
    const cpu = () => cpuOfService() + cpuOfDatabase();
    return { name: 'Winnow', client, cpu, cpuOfService, cpuOfDatabase, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts an empty kube-apiserver with its etcd. */
export async function startKubernetes(programs: KubernetesPrograms): Promise<Side> {
  const server = await startServer(programs);
  const forget = atExit(server.kill);
  const stop = async () => {
    await server.stop();
    forget();
  };
  const client = new KeepAliveClient(server.access);
  return { name: 'kube-apiserver', client, cpu: () => cpuOf(server.pids), stop };
}
