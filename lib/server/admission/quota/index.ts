/** ResourceQuotas: what they allow is counted anew with every write that takes of them. */
export { chargeQuotas } from './charge-quotas.ts';
export { computeUsage, type ReckonOptions } from './reckon-quotas.ts';
export { reportUsage } from './tell-quota.ts';
