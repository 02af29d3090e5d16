/** ValidatingAdmissionPolicies decide the writes of a request. Loaded with the first request of a table with policies. */
export { RequestRules, type RequestRulesOptions } from './request-rules.ts';
export { RuleCache } from './rule-cache.ts';
export { type RulesThatCount, rulesThatCount } from './rules-that-count.ts';
