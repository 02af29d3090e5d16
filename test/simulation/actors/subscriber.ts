import { createHash } from 'node:crypto';
import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { prepareSubscription, validateSubscription } from '../../../lib/kubernetes/winnow/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import {
  type Mutation,
  type ObjectState,
  parseNameKey,
  type Row,
  subscriptionsPartition,
} from '../../../lib/store/index.ts';
import type { Asked, SubscriptionRecord } from '../history.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { pickAsked } from './asked.ts';
import type { Cluster } from './cluster.ts';
import { Consumer } from './consumer.ts';
import { insistOnObject, markDeleted } from './insist-on-object.ts';
import { PODS } from './pods.ts';
import { TEAMS } from './relabel-namespaces.ts';
import { NAMESPACES, RESOURCES } from './targets.ts';
import { headOf, podsAt } from './truth.ts';

const HOME = 'default';

/** A client that subscribes, reads its messages, edits its selector, loses its queue, and leaves. */
export class Subscriber {
  readonly #cluster: Cluster;
  readonly #scenario: Scenario;
  readonly #object: string;
  readonly #uid: string;
  readonly #queueType: 'FIFO' | 'Standard';
  readonly #byObject: boolean;
  readonly #start: 'now' | 'snapshot';
  readonly #isVerified: boolean;
  /** The resourceVersion with which a verified Subscription begins if it has no snapshot. */
  #from = 0;
  /** The team whose namespaces it selects; undefined: it does not select by their labels. */
  readonly #team: string | undefined;
  readonly #followed: Record<number, readonly string[]> = {};
  readonly #disturbed: number[] = [];
  /** What each generation requests, the first one first. */
  readonly #asks: Asked[] = [];
  readonly #consumer: Consumer;
  /** For each suspension: when it took effect, and when it ended. */
  readonly #suspensions: { from: number; to: number }[] = [];
  #asked: Asked;
  #acknowledgedAt: number | undefined;
  #hasLeft = false;

  constructor(cluster: Cluster, name: string, scenario: Scenario) {
    const { chance } = cluster.world;
    this.#cluster = cluster;
    this.#scenario = scenario;
    this.#object = `${HOME}/${name}`;
    this.#uid = scenario.groupSize === undefined ? `uid-of-${name}` : spreadUid(name);
    this.#queueType = chance.chance(scenario.standardQueues) ? 'Standard' : 'FIFO';
    const { orderedByObject } = scenario;
    this.#byObject = orderedByObject > 0 && this.#queueType === 'FIFO' && chance.chance(orderedByObject);
    const { namespaceSelectors } = scenario;
    const selects = namespaceSelectors > 0 && chance.chance(namespaceSelectors);
    this.#team = selects ? chance.pick(TEAMS) : undefined;
    this.#start = chance.chance(0.7) ? 'snapshot' : 'now';
    const { verified } = scenario;
    this.#isVerified =
      verified > 0 && this.#queueType === 'FIFO' && !this.#byObject && chance.chance(verified);
    this.#asked = this.#pickAsked();
    this.#consumer = new Consumer(cluster);
    cluster.world.table.watch(({ after }) => {
      if (after?.pk === subscriptionsPartition(PODS) && after.sk === this.#uid && selects) {
        this.#followed[Number(after.edit)] = JSON.parse(String(after.namespaces));
      }
      if (after?.pk === `object#${SUBSCRIPTIONS}` && after.uid === this.#uid) {
        const { body: encoded } = cluster.world.table.rows.whole(after);
        const body = decodeBody(encoded);
        this.#asks[Number(metadataOf(body).generation) - 1] = askedIn(objectAt(body.spec));
        this.#notice(objectAt(body.status));
      }
    });
  }

  /** Runs until the scenario's faults are over. */
  async run(): Promise<void> {
    const { scheduler, chance } = this.#cluster.world;
    const { lasts, edits, queueLosses, suspensions, leaves } = this.#scenario;
    await scheduler.sleep(chance.next() * lasts * 0.5);
    await this.#insist((current) => this.#created(current));
    const acts = [
      ...Array<() => Promise<void>>(chance.below(edits + 1)).fill(() => this.#edit()),
      ...Array<() => Promise<void>>(chance.below(queueLosses + 1)).fill(() => this.#loseQueue()),
      ...(suspensions === 0 ? [] : Array(chance.below(suspensions + 1)).fill(() => this.#suspend())),
      ...(chance.chance(leaves) ? [() => this.#leave()] : []),
    ];
    for (const act of acts) {
      await scheduler.sleep((chance.next() * lasts) / (acts.length + 1));
      await act();
    }
  }

  record(): SubscriptionRecord {
    return {
      name: this.#object,
      uid: this.#uid,
      asked:
        this.#team === undefined
          ? this.#asked
          : { ...this.#asked, namespaces: this.#selectedNow(this.#team) },
      followed: this.#team === undefined ? undefined : this.#followed,
      asks: this.#asks,
      queueType: this.#byObject ? 'Standard' : this.#queueType,
      byObject: this.#byObject,
      start: this.#start,
      acknowledgedAt: this.#acknowledgedAt,
      disturbed: this.#disturbed,
      bent: this.#cluster.world.queues.isBent(this.#consumer.url),
      outlived: this.#scenario.rogueTimeout > TIMING.dispatchLease,
      ...(this.#isVerified && {
        verified: this.#start === 'snapshot' ? [] : podsAt(this.#cluster.world, this.#from),
      }),
      messages: this.#consumer.messages,
      suspended: this.#suspensions.filter(({ from, to }) => from < to),
      cache: this.#hasLeft ? undefined : this.#consumer.cache,
    };
  }

  #notice({ phase, queueUrl = '', observedGeneration }: JsonObject): void {
    const suspension = this.#suspensions.at(-1);
    // The late status of an earlier reconciliation does not belong to this suspension.
    if (phase === 'Suspended' && suspension !== undefined && observedGeneration === this.#asks.length) {
      suspension.from = Math.min(suspension.from, this.#cluster.now);
    }
    if (phase === 'Synced') this.#acknowledgedAt ??= headOf(this.#cluster.world, PODS);
    this.#consumer.follow(String(queueUrl));
  }

  #pickAsked(): Asked {
    const { chance } = this.#cluster.world;
    const { labelSelector, fieldSelector } = pickAsked(chance, this.#scenario);
    return {
      ...(this.#team === undefined && chance.chance(0.5) ? { namespace: HOME } : {}),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
  }

  async #edit(more: JsonObject = {}): Promise<void> {
    const { namespace } = this.#asked;
    const picked = { ...this.#pickAsked(), namespace };
    this.#asked = namespace === undefined ? withoutNamespace(picked) : picked;
    await this.#insist((current) => this.#edited(current, more));
  }

  /** Suspends deliveries for a while, and sometimes edits the selection before it resumes. */
  async #suspend(): Promise<void> {
    const { scheduler, chance } = this.#cluster.world;
    const suspension = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
    this.#suspensions.push(suspension);
    await this.#insist((current) => this.#edited(current, { suspend: true }));
    await scheduler.sleep(chance.next() * this.#scenario.lasts * 0.5);
    if (chance.chance(0.3)) await this.#edit({ suspend: true });
    suspension.to = this.#cluster.now;
    await this.#insist((current) => this.#edited(current, { suspend: false }));
  }

  async #leave(): Promise<void> {
    this.#disturbed.push(this.#cluster.now);
    this.#hasLeft = true;
    await this.#insist((current) => markDeleted(current, this.#cluster.now));
  }

  async #loseQueue(): Promise<void> {
    if (this.#consumer.url === '') return;
    this.#disturbed.push(this.#cluster.now);
    this.#cluster.world.queues.delete(this.#consumer.url);
  }

  #created(current: ObjectState | undefined): Mutation {
    if (current !== undefined) return { kind: 'none' };
    this.#from = headOf(this.#cluster.world, PODS);
    const metadata = { ...parseNameKey(this.#object), uid: this.#uid, generation: 1 };
    const queue = { type: this.#queueType };
    const ordering = this.#byObject ? 'Object' : 'Total';
    const sent = {
      apiVersion: 'winnow.dev/v1',
      kind: 'Subscription',
      metadata,
      spec: {
        resource: { group: '', resource: 'pods' },
        queue,
        ordering,
        start: this.#isVerified && this.#start === 'now' ? String(this.#from) : this.#start,
        verify: this.#isVerified,
        ...this.#selection(),
      },
    };
    const body = prepareSubscription(sent, undefined);
    const errors = validateSubscription(body, undefined, RESOURCES);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    return { kind: 'put', body };
  }

  /** The edit of a Subscription. A repeated edit counts as one: it changes nothing if the spec is as wanted. */
  #edited(current: ObjectState | undefined, more: JsonObject = {}): Mutation {
    if (current === undefined) return { kind: 'none' };
    const metadata = metadataOf(current.body);
    const generation = Number(metadata.generation) + 1;
    const { labelSelector: _, fieldSelector: __, ...spec } = objectAt(current.body.spec);
    const body = {
      ...current.body,
      metadata: { ...metadata, generation },
      spec: { ...spec, ...this.#selection(), ...more },
    };
    return { kind: 'put', body };
  }

  #selection(): JsonObject {
    const { namespace, labelSelector = '', fieldSelector = '' } = this.#asked;
    const home = { namespaces: namespace === undefined ? 'All' : 'Own' };
    const team: JsonObject = { namespaceSelector: { matchLabels: { team: this.#team ?? '' } } };
    return { ...(this.#team === undefined ? home : team), labelSelector, fieldSelector };
  }

  /** The selected namespaces, from their rows, without caches and indexes. */
  #selectedNow(team: string): string[] {
    const { rows: stored } = this.#cluster.world.table;
    const rows = stored.partition(`object#${NAMESPACES}`).map((row) => stored.whole(row));
    const teamOf = (body: Row[string]) => objectAt(metadataOf(decodeBody(body)).labels).team;
    return rows.filter(({ body }) => teamOf(body) === team).map(({ sk }) => parseNameKey(sk).name);
  }

  #insist(change: (current: ObjectState | undefined) => Mutation): Promise<void> {
    const named = { collection: SUBSCRIPTIONS, name: parseNameKey(this.#object) };
    return insistOnObject(this.#cluster, named, change);
  }
}

/** A uid whose first characters are evenly spread, as those of real uids are. */
function spreadUid(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}

function askedIn({ namespaces, labelSelector, fieldSelector }: JsonObject): Asked {
  return {
    ...(namespaces === 'Own' ? { namespace: HOME } : {}),
    labelSelector: String(labelSelector),
    fieldSelector: String(fieldSelector),
  };
}

function withoutNamespace({
  namespace: _,
  ...asked
}: Asked & { readonly namespace: string | undefined }): Asked {
  return asked;
}
