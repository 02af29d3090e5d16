import type { JsonObject } from '../../../lib/store/index.ts';
import type { Asked } from '../../support/service/access-api.ts';
import type { Asking } from './asking.ts';
import type { Answer } from './lone-world.ts';

/** What the tenant was told in one world, the newest first, and what the administrator told him. */
export interface TenantMemory {
  /** Of each resource: versions of different ones are not to be compared. */
  readonly versions: Map<string, string[]>;
  readonly tokens: string[];
  readonly stolen: (string | undefined)[];
}

/** Undefined where it asks for what the tenant does not have. */
export function filledIn(step: Asking, side: TenantMemory): Asked | undefined {
  const { method, type, accept } = step;
  let isWhole = true;
  const fill = (text: string) =>
    text.replace(/(\{|%7B)(version|token|stolen)(?: |%20)(\d+)(\}|%7D)/g, (_, _open, what, index) => {
      const versions = side.versions.get(resourceOf(step)) ?? [];
      const known = what === 'version' ? versions : what === 'token' ? side.tokens : side.stolen;
      const found = known.length === 0 ? undefined : known[Number(index) % known.length];
      if (found === undefined) isWhole = false;
      return encodeURIComponent(found ?? '');
    });
  const target = fill(step.target);
  const body = step.body && (JSON.parse(fill(JSON.stringify(step.body))) as JsonObject);
  return isWhole ? { method, target, body, type, accept } : undefined;
}

/** The newest first. */
export function remember({ versions, tokens }: TenantMemory, step: Asking, { text }: Answer): void {
  const [, version] = /"resourceVersion":"(\d+)"/.exec(text) ?? [];
  const resource = resourceOf(step);
  if (version !== undefined) versions.set(resource, [version, ...(versions.get(resource) ?? [])]);
  for (const [, token = ''] of text.matchAll(/"continue":"([^"]+)"/g)) tokens.unshift(token);
}

/** What a path leads to; whatever is below an object is a resource of its own. */
function resourceOf({ target }: Asking): string {
  const [path = ''] = target.split('?', 1);
  const [, , rest = ''] = /^(\/api\/v1|\/apis\/[^/]+\/v1)\/(.*)$/.exec(path) ?? [];
  const [resource = '', , below = ''] = rest.replace(/^namespaces\/[^/]+\/(?=.)/, '').split('/');
  return `${resource}/${below}`;
}
