import { argoCd } from './argo-cd/argo-cd.ts';
import { certManager } from './cert-manager/cert-manager.ts';
import type { Client } from './client.ts';
import { flux } from './flux/flux.ts';
import { clientGo, controllerRuntime } from './go-program.ts';
import { helm } from './helm/helm.ts';
import { clientJava, fabric8 } from './java/java.ts';
import { k9s } from './k9s/k9s.ts';
import { kueue } from './kueue/kueue.ts';
import { kyverno } from './kyverno/kyverno.ts';
import { backstage } from './node/backstage.ts';
import { godaddy } from './node/godaddy.ts';
import { prometheus } from './prometheus/prometheus.ts';
import { kopf, kubernetes } from './python/python.ts';
import { kubeRs } from './rust/rust.ts';
import { terraform } from './terraform/terraform.ts';

/** In the order of the table. */
export const CLIENTS: readonly Client[] = [
  helm(4),
  helm(3),
  k9s,
  clientGo,
  controllerRuntime,
  kubernetes,
  kopf,
  kubeRs,
  fabric8,
  clientJava,
  godaddy,
  prometheus,
  flux,
  argoCd,
  certManager,
  kueue,
  kyverno,
  terraform,
  backstage,
];
