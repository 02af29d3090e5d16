export {
  connectKubeconfig,
  type KubeconfigAccess,
  type KubeconfigOptions,
  type KubeconfigWinnow,
  readKubeconfig,
} from './connect-kubeconfig.ts';
export type { ContextOptions } from './kubeconfig.ts';
