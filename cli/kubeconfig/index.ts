/** The command `kubeconfig`, and the writer of kubeconfig files. */
export { addKubeconfig } from './command.ts';
export { refuseForeign, replacementNote, writeKubeconfig } from './write-kubeconfig.ts';
