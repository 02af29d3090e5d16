/** ResourceQuotas: what they allow is counted anew with every write that takes of them. */
export { chargeQuotas } from './charge-quotas.ts';
export { computeUsage, type ReckonOptions } from './compute-usage.ts';
export { reportUsage } from './report-usage.ts';
