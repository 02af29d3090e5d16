import { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors } from '../../selectors/index.ts';
import { LONGEST_NAME, type ResourceType } from '../resource-types/index.ts';
import { isAddress } from './addresses.ts';

type NameRule = ResourceType['nameRule'];

const RULES: Readonly<Record<NameRule, (name: string) => string[]>> = {
  subdomain: dns1123SubdomainErrors,
  label: dns1123LabelErrors,
  label1035: dns1035LabelErrors,
  path: pathSegmentErrors,
  address: (name) => [...isAddress('', name)].map(({ detail = '' }) => detail),
};

/** Returns the errors in the name of an object. */
export function nameErrors(rule: NameRule, name: string): string[] {
  return RULES[rule](name);
}

/** Returns the errors in the prefix of a generated name, which may end with a dash. */
export function namePrefixErrors(rule: NameRule, prefix: string): string[] {
  if (rule === 'path') return illegalParts(prefix);
  const masked = prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
  return RULES[rule](masked);
}

/** Returns the errors in a name that only has to fit into a path. Names of roles, for example, contain colons. */
function pathSegmentErrors(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return illegalParts(name);
}

function illegalParts(name: string): string[] {
  const illegal = ['/', '%'].filter((one) => name.includes(one)).map((one) => `may not contain '${one}'`);
  const isLong = Buffer.byteLength(name) > LONGEST_NAME;
  return [...illegal, ...(isLong ? [`must be no more than ${LONGEST_NAME} bytes`] : [])];
}
