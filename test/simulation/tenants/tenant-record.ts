import {
  collectionOf,
  isJsonObject,
  type JsonObject,
  metadataOf,
  objectAt,
} from '../../../lib/json/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { AccessRecord } from '../access/access-record.ts';
import type { ReceivedMessage, Snapshot } from '../history.ts';
import type { World } from '../world/world.ts';
import { grantsOf, TENANT_ROLE, textOf } from './grants.ts';
import type { GivenToken } from './pass-tokens.ts';

const PODS = `object#${collectionOf('', 'pods')}`;
const CONFIG_MAPS = `object#${collectionOf('', 'configmaps')}`;

export type Labelled = Pick<Snapshot, 'object' | 'labels' | 'uid'>;

/** An object that a tenant saw, by a decision between `since` and `at`, in virtual ms. */
export interface Shown {
  readonly who: string;
  readonly how: string;
  readonly since: number;
  readonly at: number;
  readonly object: Labelled;
}

/** An Event about a ConfigMap that a tenant saw; `uid` is empty if the Event does not name one. */
export interface EventShown {
  readonly who: string;
  readonly how: string;
  readonly since: number;
  readonly at: number;
  readonly object: string;
  readonly uid: string;
}

/** A continue token that a client presented between two moments; `who` undefined: a client that sees everything. */
export interface Presented {
  readonly who: string | undefined;
  readonly since: number;
  readonly at: number;
  readonly status: number;
  /** Whether the selector differs from that of the token's list. */
  readonly isOfOther: boolean;
  readonly presented: GivenToken;
}

/** A committed write of a ConfigMap. */
export interface Written {
  readonly at: number;
  /** The token of its request, from the written body; undefined for a deletion. */
  readonly token: string | undefined;
  readonly before: Labelled | undefined;
  readonly after: Labelled | undefined;
}

/** A version of a ConfigMap, from when it is certain until it is no longer readable. */
export interface Readable extends Labelled {
  readonly from: number;
  until: number;
}

/** A tenant's request to write. */
export interface Tried {
  readonly who: string;
  readonly invoked: number;
}

/** The answer to a tenant's request about a ConfigMap. */
export interface Heard extends Tried {
  readonly at: number;
  readonly method: string;
  readonly object: JsonObject;
}

/** The messages in a tenant's queue, and the count of its Tally. */
export interface ToldRecord {
  readonly who: string;
  /** The tenant's own selector at the end, as text. */
  readonly own: string;
  readonly isOfAll: boolean;
  readonly messages: readonly ReceivedMessage[];
  readonly known: readonly Snapshot[];
  readonly count: number;
  /** All pods at the end. */
  readonly pods: readonly { readonly rv: number; readonly body: JsonObject }[];
}

/** A tenant's watch that ended without an ERROR, as if the client could resume it. */
export interface WatchEnd {
  readonly who: string;
  /** The moments between which the end was decided, in virtual ms. */
  readonly since: number;
  readonly at: number;
  /** The scope of the delivered events. */
  readonly anyOf: readonly string[];
}

/** The grants over time, and what tenants saw and wrote. */
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
  /** Acknowledged deletions, by the uid of the deleted object. */
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
   * The scopes that a tenant's grants gave at some time between two moments, each as the texts of its selectors. A
   * scope that was over before, as a client knew, is not among them.
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
