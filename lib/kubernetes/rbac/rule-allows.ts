import type { Access, PathAccess, ResourceAccess } from './access.ts';
import type { PolicyRule } from './objects.ts';

const ALL = '*';

/** Whether a single rule allows the access. */
export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!holds(rule.verbs, access.verb)) return false;
  return 'path' in access ? allowsPath(rule, access) : allowsResource(rule, access);
}

/** An object whose rights are sought. */
export interface ResourceObject {
  readonly apiGroup: string;
  readonly resource: string;
  /** `''` if the object has no name yet. */
  readonly name: string;
}

/** Whether a single rule gives some right on an object or one of its subresources. */
export function isAbout(rule: PolicyRule, { apiGroup, resource, name }: ResourceObject): boolean {
  const { resourceNames = [] } = rule;
  return (
    holds(rule.apiGroups, apiGroup) &&
    (rule.resources ?? []).some((own) => [ALL, resource].includes(own.split('/')[0] ?? '')) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

/** Whether a path pattern covers a path. A pattern may end with a star. */
export function coversPath(own: string, path: string): boolean {
  return own === path || (own.endsWith(ALL) && path.startsWith(own.replace(/\*+$/, '')));
}

function allowsResource(rule: PolicyRule, access: ResourceAccess): boolean {
  const { resourceNames = [] } = rule;
  return (
    holds(rule.apiGroups, access.apiGroup) &&
    (rule.resources ?? []).some((resource) => coversResource(resource, access)) &&
    (resourceNames.length === 0 || resourceNames.includes(access.name))
  );
}

/**
 * Whether a resource of a rule covers the access. It names a type, a type and its subresource (`pods/log`), one
 * subresource of all types, or everything.
 */
function coversResource(own: string, { resource, subresource }: ResourceAccess): boolean {
  if (own === ALL) return true;
  if (subresource === '') return own === resource;
  // Most rules are about other subresources, and building texts is slow.
  if (!own.endsWith(subresource)) return false;
  return own === `${resource}/${subresource}` || own === `*/${subresource}`;
}

function allowsPath({ nonResourceURLs = [] }: PolicyRule, { path }: PathAccess): boolean {
  return nonResourceURLs.some((own) => coversPath(own, path));
}

/** Whether a list contains the value or a star. */
export function holds(values: readonly string[] | undefined, wanted: string): boolean {
  return values !== undefined && (values.includes(ALL) || values.includes(wanted));
}
