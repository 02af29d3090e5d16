/** The command `kubeconfig`, and the writer of kubeconfig files. */
export { addKubeconfig } from './command.ts';
export { isLoopback, refuseForeign, writeKubeconfig } from './write-kubeconfig.ts';
