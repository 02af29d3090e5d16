import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { DEFINITIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { JournalChange, parseEntry } from '../../../lib/store/journal.ts';
import { JOURNAL_SHARDS } from '../../../lib/store/keys.ts';
import type { Violation } from '../checks/index.ts';
import type { World } from '../world/world.ts';
import { eraOf, eraOfDefinition, objectsOf, PLURALS } from './definition.ts';
import type { KindRecord, Sight } from './kind-record.ts';

/** The time in ms after which no object of a kind in deletion is created any more: no transaction takes longer. */
const UNDER_WAY = 20_000;

/**
 * Checks the promises about custom kinds. While clients write and functions die:
 * 1. No object outlives its kind.
 * 2. No client sees objects of another kind with the same name.
 * 3. No two kinds have one name.
 *
 * When all is quiet:
 * 1. Deleted definitions are gone.
 * 2. A definition that waited for a free name has it.
 * 3. Subscribers know the true set.
 *
 * A subscriber that once knew the whole set never receives an ERROR. One that still reads its snapshot when the kind
 * goes may receive it, because the journal ends with the kind.
 */
export function keptKinds(world: World, record: KindRecord): Violation[] {
  return [
    ...violation('an object was created of a kind that there is not', createdOutside(record)),
    ...violation('an object is of a kind that there is not', strayObjects(world)),
    ...violation(
      'a client was shown objects of a kind that was gone',
      record.sights.flatMap(shownGone(record)),
    ),
    ...violation('a kind was not there that was', record.sights.flatMap(missed(record))),
    ...violation('two definitions had one name', sharedNames(world)),
    ...violation('a definition is on its way out for ever', leaving(world)),
    ...violation('a name is free, and waited for', waiting(world)),
    ...violation('a subscriber was told to forget what he knew', forgetting(record)),
    ...violation('a subscriber does not know what there is', ignorant(world, record)),
  ];
}

function createdOutside({ creations, eras }: KindRecord): string[] {
  return creations
    .filter(({ era, at }) => {
      const { from = Infinity, until = Infinity, marked = Infinity } = eras.get(era) ?? {};
      return at < from || at > until || at > marked + UNDER_WAY;
    })
    .map(({ object, era, at }) => `${object} of ${era} at ${at} ms: ${JSON.stringify(eras.get(era))}`);
}

function definitionsOf({ table }: World): JsonObject[] {
  return table.rows.partition(`object#${DEFINITIONS}`).map(({ body }) => decodeBody(body));
}

function strayObjects(world: World): string[] {
  const present = new Set(definitionsOf(world).map(eraOfDefinition));
  return PLURALS.flatMap((plural) => world.table.rows.partition(`object#${objectsOf(plural)}`))
    .map(({ sk, body }) => ({ sk, era: eraOf(decodeBody(body)) ?? '' }))
    .filter(({ era }) => !present.has(era))
    .map(({ sk, era }) => `${sk} of ${era}`);
}

function shownGone({ eras }: KindRecord): (sight: Sight) => string[] {
  return ({ what, plural, invoked, status, eras: seen, since }) => {
    if (status !== 200) return [];
    const isGone = (era: string) => (eras.get(era)?.until ?? Infinity) < invoked;
    const from = since === undefined ? '' : ` since ${since}`;
    const told = `${what} of ${plural} at ${invoked} ms${from}`;
    // A request that continues an earlier list shows objects of that kind only, or is refused.
    const others = since === undefined ? [] : seen.filter((era) => era !== since);
    const isContinued = since !== undefined && isGone(since);
    return [
      ...seen.filter(isGone).map((era) => `${told}: ${era}`),
      ...others.map((era) => `${told}: ${era}`),
      ...(isContinued ? [`${told} was answered`] : []),
    ];
  };
}

/** Finds 404 answers about a kind that was served during the whole request. */
function missed({ eras }: KindRecord): (sight: Sight) => string[] {
  return ({ what, plural, invoked, returned, status }) => {
    const isThere = [...eras.values()].some(
      ({ plural: own, served = Infinity, until = Infinity, ending = until }) =>
        own === plural && served < invoked && ending > returned,
    );
    return status === 404 && isThere ? [`${what} of ${plural} at ${invoked} ms`] : [];
  };
}

function sharedNames({ table }: World): string[] {
  const shards = Array.from({ length: JOURNAL_SHARDS }, (_, shard) => `journal#${DEFINITIONS}#${shard}`);
  const changes = shards
    .flatMap((shard) => table.rows.partition(shard).map(parseEntry))
    .filter((entry): entry is JournalChange => entry instanceof JournalChange)
    .sort((left, right) => left.rv - right.rv);
  const names = new Map<string, readonly string[]>();
  return changes.flatMap(({ rv, type, nameKey, state }) => {
    const own = type === 'DELETED' ? [] : acceptedBy(state.body);
    names.set(nameKey, own);
    const others = [...names].filter(([name]) => name !== nameKey).flatMap(([, theirs]) => theirs);
    return own.filter((name) => others.includes(name)).map((name) => `${name} at ${rv}`);
  });
}

function acceptedBy(definition: JsonObject): string[] {
  return namesIn(objectAt(definition.status).acceptedNames ?? {});
}

function namesIn(names: JsonObject[string]): string[] {
  const { plural, singular, kind, shortNames } = objectAt(names ?? {});
  const all = [plural, singular, kind, ...(Array.isArray(shortNames) ? shortNames : [])];
  return all.map((name) => String(name ?? '')).filter((name) => name !== '');
}

function leaving(world: World): string[] {
  return definitionsOf(world)
    .map(metadataOf)
    .filter(({ deletionTimestamp }) => deletionTimestamp !== undefined)
    .map(({ name }) => String(name));
}

function waiting(world: World): string[] {
  const definitions = definitionsOf(world);
  const taken = new Set(definitions.flatMap(acceptedBy));
  return definitions.flatMap((definition) =>
    namesIn(objectAt(definition.spec).names ?? {})
      .filter((name) => !taken.has(name))
      .map((name) => `${name} of ${metadataOf(definition).name}`),
  );
}

function forgetting({ consumers }: KindRecord): string[] {
  return [...consumers].flatMap(([plural, { messages }]) => {
    const types = messages.map(({ event }) => event.type);
    const known = types.indexOf('BOOKMARK');
    return messages
      .filter(({ event }, at) => event.type === 'ERROR' && known !== -1 && at > known)
      .map(({ event }) => `${plural} at ${event.at} ms`);
  });
}

function ignorant({ table }: World, { consumers }: KindRecord): string[] {
  return [...consumers].flatMap(([plural, { cache, url }]) => {
    if (url === '') return [];
    const there = table.rows.partition(`object#${objectsOf(plural)}`).map(({ uid, rv }) => `${uid} ${rv}`);
    const known = cache.map(({ uid, rv }) => `${uid} ${rv}`);
    return [
      ...there.filter((one) => !known.includes(one)).map((one) => `${plural}: never heard of ${one}`),
      ...known.filter((one) => !there.includes(one)).map((one) => `${plural}: still knows ${one}`),
    ];
  });
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-kinds', message, evidence: [...evidence] }];
}
