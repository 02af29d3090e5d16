/** Admission policies decide the writes of a request. Loaded with the first request of a table with policies. */
export { type AttributesOptions, attributesOf, type Equivalent, equivalentsOf } from './attributes.ts';
export { authorizerOf } from './authorizer.ts';
export { converterTo, isTooSlow, type RequestRulesOptions, tooSlow } from './judging.ts';
export { LazyNamespace } from './lazy-namespace.ts';
export { RequestRules } from './request-rules.ts';
export { RuleCache, type RuledWebhook } from './rule-cache.ts';
export { placesIn, type RulesThatCount, rulesThatCount } from './rules-that-count.ts';
export { typeCheckingStore } from './type-checking-store.ts';
export { warningsOfSchema } from './warnings-of-schema.ts';
