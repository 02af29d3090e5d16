import { type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import type { UserInfo } from '../../../lib/server/index.ts';
import type { Asked } from '../../support/service/access-api.ts';
import { KINDS, pathOf, type WorldKind } from './kinds.ts';
import type { LoneWorld } from './lone-world.ts';

export const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** The part of a world that answers requests. */
export type AskedWorld = Pick<LoneWorld, 'ask'>;

type Named = { readonly kind: number; readonly namespace: string; readonly name: string };

export function kindOf({ kind }: Pick<Named, 'kind'>): WorldKind {
  return KINDS[kind] as WorldKind;
}

interface Put extends Named {
  readonly labels: object;
  readonly variant: number;
}

export function put(world: AskedWorld, { labels, variant, ...named }: Put): Promise<void> {
  const { apiVersion, kind, isNamespaced, say } = kindOf(named);
  const { name, namespace } = named;
  const metadata = { name, labels, ...(isNamespaced && { namespace }) } as unknown as JsonObject;
  const body = { apiVersion, kind, metadata, ...say(variant) };
  return upsert(world, { target: pathOf(kindOf(named), namespace), name, body });
}

export async function upsert(
  world: AskedWorld,
  { target, name, body }: { readonly target: string; readonly name: string; readonly body: JsonObject },
): Promise<void> {
  const { status, text } = await world.ask(ADMIN, { method: 'GET', target: `${target}/${name}` });
  if (status === 404) {
    await administer(world, { method: 'POST', target, body });
    return;
  }
  const { resourceVersion } = metadataOf(JSON.parse(text));
  const metadata = { ...metadataOf(body), resourceVersion: String(resourceVersion) };
  const asked = { method: 'PUT', target: `${target}/${name}`, body: { ...body, metadata } };
  // The tenant may have changed the object so that it cannot become this one, such as a pod on a node. It then stays in
  // both worlds.
  await administer(world, asked, 422);
}

export async function remove(world: AskedWorld, named: Named): Promise<void> {
  const target = `${pathOf(kindOf(named), named.namespace)}/${named.name}?gracePeriodSeconds=0`;
  await administer(world, { method: 'DELETE', target }, 404);
}

interface Told extends Named {
  readonly reason: string;
}

export async function tell(world: AskedWorld, { reason, ...named }: Told): Promise<void> {
  const { apiVersion, kind, resource, isNamespaced } = kindOf(named);
  const { name, namespace } = named;
  const body = {
    metadata: { name: `${name}.${resource}`, namespace },
    reason,
    involvedObject: { apiVersion, kind, name, ...(isNamespaced && { namespace }) },
  };
  await upsert(world, {
    target: `/api/v1/namespaces/${isNamespaced ? namespace : 'default'}/events`,
    name: body.metadata.name,
    body: { ...body, metadata: { ...body.metadata, namespace: isNamespaced ? namespace : 'default' } },
  });
}

/** Sends a request of the administrator and returns the status. It must succeed, or the worlds are not as assumed. */
export async function administer(
  world: AskedWorld,
  asked: Asked,
  ...expected: readonly number[]
): Promise<number> {
  const { status, text } = await world.ask(ADMIN, asked);
  if (status >= 300 && !expected.includes(status)) throw new Error(`${JSON.stringify(asked)}: ${text}`);
  return status;
}
