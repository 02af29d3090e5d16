import { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors } from '../../selectors/index.ts';
import type { ResourceType } from '../resource-types/index.ts';

type NameRule = ResourceType['nameRule'];

const RULES: Readonly<Record<NameRule, (name: string) => string[]>> = {
  subdomain: dns1123SubdomainErrors,
  label: dns1123LabelErrors,
  label1035: dns1035LabelErrors,
};

/** What is wrong with the name of an object. */
export function nameErrors(rule: NameRule, name: string): string[] {
  return RULES[rule](name);
}

/** What is wrong with the beginning of a generated name: it may end in a dash. */
export function namePrefixErrors(rule: NameRule, prefix: string): string[] {
  const masked = prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
  return RULES[rule](masked);
}
