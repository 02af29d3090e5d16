/** Kubernetes' ServiceAccount admission: the identity that each pod gets. */
export { accountAdmission } from './account-admission.ts';
