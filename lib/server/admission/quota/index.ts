/** ResourceQuotas: what they allow is counted anew with every write that takes of them. */
export { chargeQuotas } from './charge-quotas.ts';
export { type ReckonOptions, reckonQuotas } from './reckon-quotas.ts';
export { tellQuota } from './tell-quota.ts';
