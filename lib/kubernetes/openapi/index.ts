/** The schemas of Kubernetes' own kinds, as kube-apiserver publishes them. */
export { type Components, loadComponents } from './load-components.ts';
