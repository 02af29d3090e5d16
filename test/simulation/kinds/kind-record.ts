import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { DEFINITIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import type { Consumer } from '../actors/consumer.ts';
import type { World } from '../world/world.ts';
import { eraOf, eraOfDefinition, objectsOf, PLURALS, type Plural, type Scope } from './definition.ts';

/** The life of a definition, in virtual ms. */
export interface Era {
  readonly era: string;
  readonly plural: Plural;
  readonly uid: string;
  readonly scope: Scope;
  readonly from: number;
  /**
   * When its kind was served, when it was marked as deleted, when its end was certain, and when its row was gone. The
   * rows of one transaction become readable one by one, so a reader may know of the end before the row is gone.
   */
  served?: number;
  marked?: number;
  ending?: number;
  until?: number;
}

/** The creation of an object of a custom kind. */
export interface Creation {
  readonly object: string;
  readonly era: string;
  readonly at: number;
}

/** A client's request about a kind, and the eras of the objects in its answer. */
export interface Sight {
  readonly what: 'list' | 'page' | 'watch';
  readonly plural: Plural;
  readonly invoked: number;
  readonly returned: number;
  readonly status: number;
  readonly eras: readonly string[];
  /** The era of the list that the page or the watch continues. */
  readonly since?: string;
}

/** The history of definitions and of their objects, from the table's rows, and the clients' observations. */
export class KindRecord {
  readonly eras = new Map<string, Era>();
  readonly creations: Creation[] = [];
  readonly sights: Sight[] = [];
  readonly consumers = new Map<Plural, Consumer>();

  /** Follows the rows of the table. */
  follow({ table, scheduler }: World): void {
    const rows = new Map(PLURALS.map((plural) => [`object#${objectsOf(plural)}`, plural]));
    table.watch(({ before, after }) => {
      const { pk = '', sk = '' } = after ?? before ?? {};
      const now = scheduler.now;
      if (pk === `object#${DEFINITIONS}`) this.#define(before?.body, after?.body, now);
      if (!rows.has(pk) || before !== undefined || after === undefined) return;
      const era = eraOf(decodeBody(after.body)) ?? '';
      this.creations.push({ object: `${rows.get(pk)} ${sk}`, era, at: now });
    });
    table.watchTransactions((items) => {
      for (const item of items) {
        const { pk, sk } = 'delete' in item ? item.delete : { pk: '', sk: '' };
        if (pk === `object#${DEFINITIONS}`) this.#end(sk, scheduler.now);
      }
    });
  }

  /** The last known scope of a kind. */
  scopeOf(plural: Plural): Scope {
    const last = [...this.eras.values()].findLast((era) => era.plural === plural);
    return last?.scope ?? 'Cluster';
  }

  /** Kinds that are served and whose definition still exists. */
  served(): Plural[] {
    const there = [...this.eras.values()].filter(
      ({ served, until }) => served !== undefined && until === undefined,
    );
    return there.map(({ plural }) => plural);
  }

  /** @param sk the sort key of the definition's row */
  #end(sk: string, now: number): void {
    const plural = PLURALS.find((one) => sk.startsWith(`/${one}.`));
    const last = [...this.eras.values()].findLast((era) => era.plural === plural);
    if (last !== undefined) last.ending ??= now;
  }

  #define(before: unknown, after: unknown, now: number): void {
    const body = decodeBody((after ?? before) as Parameters<typeof decodeBody>[0]);
    const { uid, name = '', deletionTimestamp } = metadataOf(body);
    const era = eraOfDefinition(body);
    const plural = PLURALS.find((one) => String(name).startsWith(one));
    if (plural === undefined) return;
    const scope = objectAt(body.spec).scope === 'Cluster' ? 'Cluster' : 'Namespaced';
    const known = this.eras.get(era) ?? { era, plural, uid: String(uid), scope, from: now };
    if (isServed(body)) known.served ??= now;
    if (deletionTimestamp !== undefined) known.marked ??= now;
    if (after === undefined) known.until = now;
    this.eras.set(era, known);
  }
}

function isServed({ status }: JsonObject): boolean {
  const { conditions } = objectAt(status ?? {});
  return (Array.isArray(conditions) ? conditions : []).some(
    (condition) => objectAt(condition).type === 'Established' && objectAt(condition).status === 'True',
  );
}
