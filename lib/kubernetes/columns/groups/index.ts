/** The columns of the kinds of all groups except core. */
export { admissionregistration } from './admissionregistration.ts';
export { apiextensions } from './apiextensions.ts';
export { apiregistration } from './apiregistration.ts';
export { apps } from './apps.ts';
export { autoscaling } from './autoscaling.ts';
export { batch } from './batch.ts';
export { certificates } from './certificates.ts';
export { coordination } from './coordination.ts';
export { discovery } from './discovery.ts';
export { flowcontrol } from './flowcontrol.ts';
export { networking } from './networking.ts';
export { node } from './node.ts';
export { policy } from './policy.ts';
export { rbac } from './rbac.ts';
export { scheduling } from './scheduling.ts';
export { storage } from './storage.ts';
export { winnow } from './winnow.ts';
