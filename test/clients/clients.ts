import type { Client } from './client.ts';
import { clientGo, controllerRuntime } from './go-program.ts';
import { helm } from './helm/helm.ts';
import { kopf, kubernetes } from './python/python.ts';
import { kubeRs } from './rust/rust.ts';

/** In the order of the table. */
export const CLIENTS: readonly Client[] = [
  helm(4),
  helm(3),
  clientGo,
  controllerRuntime,
  kubernetes,
  kopf,
  kubeRs,
];
