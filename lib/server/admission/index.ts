/** Admission: the effects of default classes, LimitRanges and quotas on an object that is written. */

export { admissionOf } from './admission.ts';
export { ADMISSION_INPUTS } from './admission-inputs.ts';
export type { Admission, Charge } from './admission-request.ts';
export { reckon } from './reckon.ts';
export { allocateService } from './services/index.ts';
export { charged, tellGiven } from './tell-given.ts';
