export { addKubeconfig } from './command.ts';
export { isLoopback, refuseForeign, writeKubeconfig } from './write-kubeconfig.ts';
