/**
 * ValidatingAdmissionPolicies (admissionregistration.k8s.io/v1) and match conditions, as kube-apiserver 1.33 evaluates
 * them. Pure. It loads the library for expressions: import it with the first policy.
 */
export { CompiledPolicy, compilePolicy } from './compiled-policy.ts';
export { type Expressions, loadExpressions } from './expressions.ts';
export { invocationsOf } from './invocations.ts';
export { judge } from './judge.ts';
export { type ConditionsResult, compileConditions, type MatchConditions } from './match-conditions.ts';
export {
  type BindingInvocation,
  type BoundPolicy,
  ConfigurationError,
  type Denial,
  type FailedInvocation,
  type Invocation,
  type Judged,
  type ParamQuery,
  type PolicyFacts,
  type Verdict,
} from './types.ts';
