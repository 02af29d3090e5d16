import { metadataOf, objectAt } from '../../../lib/json/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { JournalChange, parseEntry } from '../../../lib/store/journal.ts';
import { JOURNAL_SHARDS } from '../../../lib/store/keys.ts';
import { QUOTAS, SERVICES } from '../actors/targets.ts';
import type { Violation } from '../checks/index.ts';
import type { World } from '../world/world.ts';
import type { Claim, ClaimRecord, Ration } from './claim-record.ts';
import { claimsOf, tokenOf, usageOf } from './service.ts';

/** The longest time in ms that a request is under way, whether its client receives an answer or not. */
const UNDER_WAY = 40_000;

/**
 * Checks the promises about reservations and quotas. While clients write and functions die:
 * 1. No two Services have one address or port, at any resourceVersion.
 * 2. No write takes more than a quota allows that existed before the request.
 * 3. No write is refused because of a quota that was gone.
 *
 * When all is quiet, the reservations are those of the Services, and quotas state the true usage.
 */
export function keptClaims(world: World, record: ClaimRecord): Violation[] {
  const changes = changesOf(world);
  return [
    ...violation('two Services have the same for themselves alone', shared(changes)),
    ...violation('a Service has what is not reserved for it', unreserved(world, record)),
    ...violation('something is reserved for nobody', leaked(world, record)),
    ...violation('a write took more than a quota allows', overrun(changes, record)),
    ...violation('a write was refused for a quota that was gone', refusedInVain(record)),
    ...violation('a quota does not say what is used', untold(world)),
    ...violation('a client was not answered what was written', mistold(changes, record)),
    ...violation('the API failed', record.claims.filter(({ status = 0 }) => status === 500).map(printed)),
  ];
}

function changesOf({ table }: World): JournalChange[] {
  const shards = Array.from({ length: JOURNAL_SHARDS }, (_, shard) => `journal#${SERVICES}#${shard}`);
  return shards
    .flatMap((shard) => table.rows.partition(shard).map(parseEntry))
    .filter((entry): entry is JournalChange => entry instanceof JournalChange)
    .sort((left, right) => left.rv - right.rv);
}

function shared(changes: readonly JournalChange[]): string[] {
  const had = new Map<string, readonly string[]>();
  return changes.flatMap(({ rv, type, nameKey, state }) => {
    const own = type === 'DELETED' ? [] : claimsOf(state.body);
    had.set(nameKey, own);
    const others = [...had].filter(([name]) => name !== nameKey);
    return others.flatMap(([name, theirs]) =>
      theirs.filter((one) => own.includes(one)).map((one) => `${one} of ${nameKey} at ${rv}, and of ${name}`),
    );
  });
}

function servicesOf({ table }: World) {
  return table.rows
    .partition(`object#${SERVICES}`)
    .map(({ sk, uid, body }) => ({ name: sk, uid: String(uid), claims: claimsOf(decodeBody(body)) }));
}

function unreserved(world: World, { reserved }: ClaimRecord): string[] {
  return servicesOf(world).flatMap(({ name, uid, claims }) =>
    claims.filter((one) => reserved.get(one) !== uid).map((one) => `${one} of ${name}`),
  );
}

function leaked(world: World, { reserved }: ClaimRecord): string[] {
  const services = servicesOf(world);
  return [...reserved]
    .filter(([one, uid]) => !services.some((service) => service.uid === uid && service.claims.includes(one)))
    .map(([one, uid]) => `${one} for ${uid}`);
}

interface Used {
  readonly usage: ReturnType<typeof usageOf>;
  /** The request that caused this usage. */
  readonly by: Claim | undefined;
}

/**
 * Checks that no change used more of a resource than was allowed during the whole request. Only resources of which the
 * change takes more count.
 */
function overrun(changes: readonly JournalChange[], { claims, rations }: ClaimRecord): string[] {
  const byToken = new Map(claims.map((claim) => [claim.token, claim]));
  const used = new Map<string, Used>();
  return changes.flatMap(({ rv, type, nameKey, state }) => {
    const before = used.get(nameKey)?.usage ?? {};
    const by = byToken.get(tokenOf(state.body) ?? '');
    const usage = type === 'DELETED' ? {} : usageOf(state.body);
    used.set(nameKey, { usage, by });
    if (by === undefined) return [];
    const taken = Object.keys(usage).filter((what) => (usage[what] ?? 0) > (before[what] ?? 0));
    return rations.filter(inForce(by)).flatMap((ration) => {
      const known = [...used.values()].filter((other) => !isUnaware(other.by, by, ration));
      return taken.flatMap((what) => {
        const sum = known.reduce((total, other) => total + (other.usage[what] ?? 0), 0);
        const most = ration.hard[what] ?? Infinity;
        return sum > most ? [`${nameKey} at ${rv}: ${sum} ${what} of ${most} by ${ration.name}`] : [];
      });
    });
  });
}

function inForce({ invoked, returned = invoked + UNDER_WAY }: Claim): (ration: Ration) => boolean {
  return ({ from = Infinity, until = Infinity }) => from < invoked && until > returned;
}

/**
 * Whether a claim need not count another. A claim that began before the quota and had not ended counts only for claims
 * that began under the quota.
 */
function isUnaware(other: Claim | undefined, claim: Claim, { from = Infinity }: Ration): boolean {
  return other !== undefined && other.invoked < from && (other.returned ?? Infinity) > claim.invoked;
}

function refusedInVain({ claims, rations }: ClaimRecord): string[] {
  return claims.flatMap(({ token, status, answer, invoked, returned = Infinity }) => {
    const [, name] = /exceeded quota: (\w+),/.exec(String(answer?.message ?? '')) ?? [];
    if (status !== 403 || name === undefined) return [];
    const wasThere = rations.some(
      (one) => one.name === name && one.invoked < returned && (one.gone ?? Infinity) > invoked,
    );
    return wasThere ? [] : [`${token} at ${invoked} ms for ${name}`];
  });
}

function untold(world: World): string[] {
  const bodies = world.table.rows.partition(`object#${SERVICES}`).map(({ body }) => decodeBody(body));
  const all = bodies.map(usageOf);
  return world.table.rows.partition(`object#${QUOTAS}`).flatMap(({ sk, body }) => {
    const { spec, status } = decodeBody(body);
    const { hard, used } = objectAt(status ?? {});
    const wanted = objectAt(objectAt(spec ?? {}).hard ?? {});
    const resources = Object.keys(wanted);
    return resources.flatMap((what) => {
      const count = all.reduce((sum, usage) => sum + (usage[what] ?? 0), 0);
      const [told, most] = [objectAt(used ?? {})[what], objectAt(hard ?? {})[what]];
      const isRight = told === String(count) && most === wanted[what];
      return isRight ? [] : [`${sk} says ${told} of ${most} ${what}: ${count} of ${wanted[what]}`];
    });
  });
}

/** Finds answers that differ from the written change. */
function mistold(changes: readonly JournalChange[], { claims }: ClaimRecord): string[] {
  const byVersion = new Map(changes.map((change) => [String(change.rv), change]));
  return claims.flatMap(({ token, status = 0, answer = {} }) => {
    const change = byVersion.get(String(metadataOf(answer).resourceVersion ?? ''));
    if (status >= 300 || change === undefined || answer.kind !== 'Service') return [];
    const [told, written] = [answer, change.state.body].map((body) => claimsOf(body).join(' '));
    return told === written ? [] : [`${token}: ${told} for ${written}`];
  });
}

function printed({ token, answer }: Claim): string {
  return `${token}: ${JSON.stringify(answer)}`;
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-claims', message, evidence: [...evidence] }];
}
