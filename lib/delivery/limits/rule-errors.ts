import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../json/index.ts';
import { printAccountBound } from '../../platform/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { SELECTOR_FIELDS, selectorSize } from './selector-sizes.ts';
import { mayReceive, type SubscribingRules } from './subscribing-rules.ts';

/**
 * Returns the fields of a Subscription or a Tally that break the deployment's rules. It ignores values that `old`
 * already had. So after an upgrade or a change of settings, users can still edit other fields.
 */
export function ruleErrors(
  body: JsonObject,
  old: JsonObject | undefined,
  rules: SubscribingRules,
): readonly FieldError[] {
  const [spec, before] = [objectAt(body.spec), objectAt(old?.spec)];
  return [...selectorErrors(spec, before, rules), ...accountErrors(spec, before, rules)];
}

function selectorErrors(spec: JsonObject, before: JsonObject, { limits }: SubscribingRules): FieldError[] {
  const most = limits.selectorBytes;
  return SELECTOR_FIELDS.flatMap((name) => {
    const bytes = selectorSize(spec[name]);
    if (bytes <= most || jsonEquals(spec[name] ?? null, before[name] ?? null)) return [];
    const detail = `a selector may take ${most} bytes (setting selectorBytes)`;
    return [invalid(`spec.${name}`, `${bytes} bytes`, detail)];
  });
}

function accountErrors(spec: JsonObject, before: JsonObject, rules: SubscribingRules): FieldError[] {
  const had = new Set(textsOf(before.consumers));
  const consumers = textsOf(spec.consumers).flatMap((arn, index) =>
    had.has(arn) ? [] : foreign(`spec.consumers[${index}]`, arn, rules),
  );
  const { arn } = objectAt(spec.queue);
  const isNew = typeof arn === 'string' && arn !== objectAt(before.queue).arn;
  return [...consumers, ...(isNew ? foreign('spec.queue.arn', arn, rules) : [])];
}

/** `arn:aws:iam::111122223333:role/…` and `arn:aws:sqs:…:111122223333:…` have the account at the same index. */
function foreign(field: string, arn: string, rules: SubscribingRules): FieldError[] {
  const account = arn.split(':')[4] ?? '';
  // Another check rejects values that are not ARNs.
  if (!/^\d{12}$/.test(account) || mayReceive(rules, account)) return [];
  const allowed =
    rules.bound.kind === 'accounts' ? [rules.account, ...rules.bound.accounts] : [rules.account];
  const detail = `account ${account} may not receive: the setting consumers is ${printAccountBound(rules.bound)}, which allows ${allowed.join(', ')}`;
  return [invalid(field, arn, detail)];
}

function textsOf(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : []).filter((one) => typeof one === 'string');
}

const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'Invalid',
  field,
  value,
  detail,
});
