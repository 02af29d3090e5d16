import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Asked } from '../../support/service/access-api.ts';
import type { Asking } from './asking.ts';
import type { Answer } from './lone-world.ts';

/** The values that the tenant received in one world, newest first, and those that the administrator passed on. */
export interface TenantMemory {
  /**
   * The resourceVersions of each collection and of each object. They are separate, because a list's version would also
   * work for an object if nothing was written since, which is a visible difference.
   */
  readonly versions: Map<string, string[]>;
  readonly tokens: string[];
  readonly stolen: (string | undefined)[];
}

/** Fills in the placeholders of a request. Undefined if it refers to a value that the tenant does not have. */
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

/** Stores the versions and tokens of a response, newest first. */
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

/** The metadata of each object in a list or a Table. */
function metadataIn({ items, rows }: JsonObject): readonly JsonObject[] {
  const objects = [...listOf(items), ...listOf(rows).map(({ object }) => objectAt(object))];
  return objects.map(metadataOf);
}

const listOf = (value: JsonValue | undefined) => (Array.isArray(value) ? value.map(objectAt) : []);

/** The object or collection whose versions apply to a request. */
function subjectOf(step: Asking): string {
  const { resource, namespace, name } = partsOf(step);
  return name === '' ? resource : `${resource}/${namespace}/${name}`;
}

/** The parts of the path of a request. */
function partsOf({ target }: Asking) {
  const [path = ''] = target.split('?', 1);
  const [, , rest = ''] = /^(\/api\/v1|\/apis\/[^/]+\/v1)\/(.*)$/.exec(path) ?? [];
  const [, , namespace = '', within = rest] = /^(namespaces\/([^/]+)\/)?(.*)$/.exec(rest) ?? [];
  const [resource = '', name = '', below = ''] = within.split('/');
  return { resource, namespace, name, below };
}
