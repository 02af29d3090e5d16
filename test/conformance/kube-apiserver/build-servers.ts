import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const MODULE = join(import.meta.dirname, 'go');
const STAMPED = 'k8s.io/component-base/version';

/** The paths of the programs, which stay for later runs. */
export interface Servers {
  readonly etcd: string;
  readonly kubeApiserver: string;
}

/** The version of Kubernetes in `go/go.mod`: `1.33.2`. */
export function serverVersion(): string {
  const [, version] = /\tk8s\.io\/kubernetes v(\S+)/.exec(readFileSync(join(MODULE, 'go.mod'), 'utf8')) ?? [];
  if (version === undefined) throw new Error('go.mod does not ask for k8s.io/kubernetes');
  return version;
}

/**
 * Builds kube-apiserver and etcd from the Go module proxy, in ten minutes on two cores. Programs that were built
 * before come from the user's cache, outside the tree.
 */
export function buildServers(): Servers {
  const version = serverVersion();
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(caches, 'winnow', `kube-apiserver-${version}`);
  const servers = { etcd: join(folder, 'etcd'), kubeApiserver: join(folder, 'kube-apiserver') };
  if (existsSync(servers.etcd) && existsSync(servers.kubeApiserver)) return servers;
  console.log(`building kube-apiserver ${version} and etcd into ${folder}`);
  mkdirSync(folder, { recursive: true });
  const [major, minor] = version.split('.');
  const stamps = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const flags = Object.entries(stamps).map(([name, value]) => `-X ${STAMPED}.${name}=${value}`);
  const args = ['build', '-ldflags', `-s -w ${flags.join(' ')}`, '-o', `${folder}/`];
  execFileSync('go', [...args, './etcd', 'k8s.io/kubernetes/cmd/kube-apiserver'], {
    cwd: MODULE,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return servers;
}
