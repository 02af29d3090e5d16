/** What other objects have to say of one that is written: classes that are default, limits and quotas. */

export { admissionOf } from './admission.ts';
export { ADMISSION_INPUTS } from './admission-inputs.ts';
export type { Admission, Charge } from './admission-request.ts';
export { reckon } from './reckon.ts';
export { allocateService } from './services/index.ts';
export { charged, tellGiven } from './tell-given.ts';
