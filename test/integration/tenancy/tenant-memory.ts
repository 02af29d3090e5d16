import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Asked } from '../../support/service/access-api.ts';
import type { Asking } from './asking.ts';
import type { Answer } from './lone-world.ts';

/** What the tenant was told in one world, the newest first, and what the administrator told him. */
export interface TenantMemory {
  /**
   * Of each collection, and of each object: whose versions are not those of others. A list's would do as an object's
   * where nothing was written since, which is a difference that can be seen.
   */
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
      const versions = side.versions.get(subjectOf(step)) ?? [];
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
  const { resource, below } = partsOf(step);
  const learn = (subject: string, { resourceVersion }: JsonObject) => {
    if (typeof resourceVersion !== 'string') return;
    versions.set(subject, [resourceVersion, ...(versions.get(subject) ?? [])]);
  };
  const answer = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {};
  if (below === '') {
    learn(resource, metadataOf(answer));
    for (const metadata of [metadataOf(answer), ...metadataIn(answer)]) {
      const { namespace = '', name } = metadata;
      if (name !== undefined) learn(`${resource}/${namespace}/${name}`, metadata);
    }
  }
  for (const [, token = ''] of text.matchAll(/"continue":"([^"]+)"/g)) tokens.unshift(token);
}

/** Of each object in a list, or in a table. */
function metadataIn({ items, rows }: JsonObject): readonly JsonObject[] {
  const objects = [...listOf(items), ...listOf(rows).map(({ object }) => objectAt(object))];
  return objects.map(metadataOf);
}

const listOf = (value: JsonValue | undefined) => (Array.isArray(value) ? value.map(objectAt) : []);

/** Whose versions count there: an object, or a collection. */
function subjectOf(step: Asking): string {
  const { resource, namespace, name } = partsOf(step);
  return name === '' ? resource : `${resource}/${namespace}/${name}`;
}

/** What a path leads to. */
function partsOf({ target }: Asking) {
  const [path = ''] = target.split('?', 1);
  const [, , rest = ''] = /^(\/api\/v1|\/apis\/[^/]+\/v1)\/(.*)$/.exec(path) ?? [];
  const [, , namespace = '', within = rest] = /^(namespaces\/([^/]+)\/)?(.*)$/.exec(rest) ?? [];
  const [resource = '', name = '', below = ''] = within.split('/');
  return { resource, namespace, name, below };
}
