/** ResourceQuotas. Each write that uses more of a quota counts the usage again. */
export { chargeQuotas } from './charge-quotas.ts';
export { computeUsage, type ReckonOptions } from './compute-usage.ts';
export { reportUsage } from './report-usage.ts';
