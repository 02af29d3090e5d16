import { join } from 'node:path';
import { KubernetesModule } from '../harness/kubernetes-module.ts';

const MODULE = new KubernetesModule(join(import.meta.dirname, 'go'), 'kube-apiserver');

/** The paths of the programs, which stay for later runs. */
export interface Servers {
  readonly etcd: string;
  readonly kubeApiserver: string;
}

/** The version of Kubernetes in `go/go.mod`: `1.33.2`. */
export function serverVersion(): string {
  return MODULE.version;
}

/** Builds kube-apiserver and etcd from the Go module proxy, in ten minutes on two cores the first time. */
export function buildServers(): Servers {
  const [etcd = '', kubeApiserver = ''] = MODULE.build('./etcd', 'k8s.io/kubernetes/cmd/kube-apiserver');
  return { etcd, kubeApiserver };
}
