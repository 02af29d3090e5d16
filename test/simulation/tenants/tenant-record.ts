import {
  collectionOf,
  isJsonObject,
  type JsonObject,
  metadataOf,
  objectAt,
} from '../../../lib/json/index.ts';
import { decodeBody } from '../../../lib/store/body-codec.ts';
import { AccessRecord } from '../access/access-record.ts';
import type { ReceivedMessage, Snapshot } from '../history.ts';
import type { World } from '../world/world.ts';
import { grantsOf, TENANT_ROLE, textOf } from './grants.ts';
import type { GivenToken } from './pass-tokens.ts';

const PODS = `object#${collectionOf('', 'pods')}`;
const CONFIG_MAPS = `object#${collectionOf('', 'configmaps')}`;

export type Labelled = Pick<Snapshot, 'object' | 'labels' | 'uid'>;

/** What a tenant was shown, by a decision between `since` and `at`, in virtual ms. */
export interface Shown {
  readonly who: string;
  readonly how: string;
  readonly since: number;
  readonly at: number;
  readonly object: Labelled;
}

/** An Event that a tenant was shown, of a ConfigMap; `uid` empty where it does not say of which one of the name. */
export interface EventShown {
  readonly who: string;
  readonly how: string;
  readonly since: number;
  readonly at: number;
  readonly object: string;
  readonly uid: string;
}

/** Who brought which continue token between which moments; `who` undefined: he sees everything. */
export interface Presented {
  readonly who: string | undefined;
  readonly since: number;
  readonly at: number;
  readonly status: number;
  /** With another selector than that of the list that the token is of. */
  readonly isOfOther: boolean;
  readonly presented: GivenToken;
}

/** A write of a ConfigMap that took place. */
export interface Written {
  readonly at: number;
  /** Which request it is of: a put says so itself. */
  readonly token: string | undefined;
  readonly before: Labelled | undefined;
  readonly after: Labelled | undefined;
}

/** A version of a ConfigMap, from when it is certain to when it is read no more. */
export interface Readable extends Labelled {
  readonly from: number;
  until: number;
}

/** A tenant's request to write. */
export interface Tried {
  readonly who: string;
  readonly invoked: number;
}

/** What a tenant's request about a ConfigMap was answered. */
export interface Heard extends Tried {
  readonly at: number;
  readonly method: string;
  readonly object: JsonObject;
}

/** What a tenant's queue was told, and what he had counted. */
export interface ToldRecord {
  readonly who: string;
  /** What he asks for himself at last, in words. */
  readonly own: string;
  readonly isOfAll: boolean;
  readonly messages: readonly ReceivedMessage[];
  readonly known: readonly Snapshot[];
  readonly count: number;
  /** All that there are at last. */
  readonly pods: readonly { readonly rv: number; readonly body: JsonObject }[];
}

/** A tenant's watch that ended without a word, as if it could be gone on with. */
export interface WatchEnd {
  readonly who: string;
  /** Between which moments it was decided that it may end so, in virtual ms. */
  readonly since: number;
  readonly at: number;
  /** Of what it told. */
  readonly anyOf: readonly string[];
}

/** Which grants there were, what tenants were shown, and what they wrote. */
export class TenantRecord {
  readonly access: AccessRecord;
  readonly shown: Shown[] = [];
  readonly told: ToldRecord[] = [];
  readonly events: EventShown[] = [];
  readonly presented: Presented[] = [];
  /** When each version of a pod was written, by `namespace/name@resourceVersion`. */
  readonly versions = new Map<string, number>();
  readonly written: Written[] = [];
  readonly readable: Readable[] = [];
  readonly ends: WatchEnd[] = [];
  /** By token. */
  readonly tried = new Map<string, Tried>();
  /** Deletions that were acknowledged, by the uid of what is gone. */
  readonly deleted = new Map<string, Tried>();

  constructor(tenants: number) {
    const grants = Array.from({ length: tenants }, (_, at) => grantsOf(at)).flat();
    this.access = new AccessRecord([TENANT_ROLE, ...grants]);
  }

  /** Follows the transactions of the table, in the order in which they take place. */
  follow(world: World): void {
    this.access.follow(world);
    const there = new Map<string, Labelled>();
    const versions = new Map<string, Readable>();
    world.table.watch(({ before }) => {
      const version = before?.pk === CONFIG_MAPS ? versions.get(`${before.sk}@${before.rv}`) : undefined;
      if (version !== undefined) version.until = world.scheduler.now;
    });
    world.table.watchTransactions((items) => {
      for (const item of items) {
        const row = 'put' in item ? item.put : 'delete' in item ? item.delete : undefined;
        if ('put' in item && item.put.pk === PODS) {
          this.versions.set(`${item.put.sk}@${item.put.rv}`, world.scheduler.now);
        }
        if (row?.pk !== CONFIG_MAPS) continue;
        const before = there.get(row.sk);
        const body = 'put' in item ? decodeBody(item.put.body) : undefined;
        const after = body && labelledOf(body);
        const token = body && String(objectAt(metadataOf(body).annotations ?? {}).token);
        this.written.push({ at: world.scheduler.now, token, before, after });
        if ('put' in item && after !== undefined) {
          const version = { ...after, from: world.scheduler.now, until: Number.POSITIVE_INFINITY };
          versions.set(`${row.sk}@${item.put.rv}`, version);
          this.readable.push(version);
        }
        if (after === undefined) {
          there.delete(row.sk);
        } else {
          there.set(row.sk, after);
        }
      }
    });
  }

  hear({ who, invoked, at, method, object }: Heard): void {
    if (method === 'DELETE') {
      this.deleted.set(String(objectAt(object.details).uid), { who, invoked });
    } else {
      this.shown.push({ who, how: method, since: invoked, at, object: labelledOf(object) });
    }
  }

  /**
   * What a tenant's grants selected, each as the words of its selectors, at some time between two moments: what was over
   * before, as somebody knew, is not among it.
   */
  inForce(who: string, since: number, at: number): readonly (readonly string[])[] {
    const own = this.access.between(since, at).map(({ objects }) => {
      const texts = [...objects].filter(([, body]) => isOf(body, who)).map(([, body]) => textOf(body));
      return [...new Set(texts)].sort();
    });
    return [...new Map(own.map((texts) => [texts.join(' or '), texts])).values()];
  }
}

export function labelledOf(body: JsonObject): Labelled {
  const { namespace, name, uid, labels } = metadataOf(body);
  const entries = Object.entries(objectAt(labels ?? {})).map(([key, value]) => [key, String(value)]);
  return { object: `${namespace}/${name}`, uid: String(uid), labels: Object.fromEntries(entries) };
}

function isOf({ subjects }: JsonObject, who: string): boolean {
  return Array.isArray(subjects) && subjects.filter(isJsonObject).some(({ name }) => name === who);
}
