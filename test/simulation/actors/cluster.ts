import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { handleBatch } from '../../../functions/sqs-batch.ts';
import { createReconciler, whileDue } from '../../../lib/controllers/reconcile/index.ts';
import type { Reconciler } from '../../../lib/controllers/reconcile/reconcile.ts';
import type { Deriver } from '../../../lib/coordination/deriving/deriver.ts';
import {
  type ChangeMapper,
  createDeriver,
  createHints,
  type Derivation,
  type DueMessage,
  type Hint,
  HintSample,
  type Hints,
  type InsertedKey,
  type ReconcileMessage,
  relay,
} from '../../../lib/coordination/index.ts';
import { createDispatcher, type Dispatcher, defaultRules } from '../../../lib/delivery/index.ts';
import type { Collection } from '../../../lib/json/index.ts';
import type { TargetResources } from '../../../lib/kubernetes/winnow/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import { openAuthority } from '../../../lib/server/index.ts';
import {
  batchingTable,
  createStore,
  createWatches,
  headKey,
  parseGcTaskKey,
  parseJournalKey,
  type Store,
  type Table,
  type Watches,
} from '../../../lib/store/index.ts';
import type { Recorder } from '../recorder.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Range } from '../world/chance.ts';
import { type Given, Lambda } from '../world/lambda.ts';
import type { Ended } from '../world/process.ts';
import { CLUSTER_ID } from '../world/queues.ts';
import type { World } from '../world/world.ts';
import { connectQueue } from './event-source.ts';
import { Filling } from './filling.ts';
import { NAMESPACED, SERVED, type Served } from './targets.ts';

export interface WriteService extends Given {
  readonly hints: Hints;
}

interface ReconcileService extends Given {
  readonly reconciler: Reconciler;
  readonly reckon: (store: Store) => Promise<void>;
  readonly ticking: Ticking;
}

export interface ReadService extends Given {
  readonly watches: Watches;
}

/** The account of the deployment, and the prefix of its queues' ARNs. */
export const ACCOUNT = '111122223333';
export const QUEUE_ARNS = `arn:aws:sqs:eu-central-1:${ACCOUNT}:`;
/** The time in ms that an invocation reserves to end cleanly. */
const MARGIN = 2_000;
/** The timeout of the relay function in ms, and how often it tries a batch. */
const RELAY = 30_000;
const RELAY_ATTEMPTS = 3;

/** A derivation, and how a function with hints runs it. */
export interface Deriving {
  readonly concerns: ChangeMapper;
  derivation(given: Given, eventQueueUrl: string): Derivation;
}

export interface ClusterOptions {
  readonly deriving?: Deriving | undefined;
  readonly served?: Served | undefined;
  readonly scenario?:
    | Pick<
        Scenario,
        'groupSize' | 'admissions' | 'hintsASecond' | 'rogueFills' | 'emptying' | 'leavesOutHints'
      >
    | undefined;
}

type Ticking = ReturnType<typeof whileDue>;

const completeTicks: Ticking = async (all, tick) => void (await tick(all));

/** The deployed functions, the queues between them, and their triggers. */
export class Cluster {
  readonly world: World;
  readonly recorder: Recorder;
  readonly write: Lambda<WriteService>;
  readonly read: Lambda<ReadService>;
  /** Set in scenarios in which readers do not fill gaps themselves. */
  readonly filling: Filling | undefined;
  readonly dispatch: Lambda<Given & { readonly dispatcher: Dispatcher }>;
  readonly reconcile: Lambda<ReconcileService>;
  /** Set in scenarios in which something is derived. */
  readonly #derive: Lambda<Given & { readonly deriver: Deriver }> | undefined;
  readonly #deriveQueueUrl: string;
  readonly #relay: Lambda<WriteService>;
  readonly eventQueueUrl: string;
  /** Whether dispatch has work for all collections, so that none goes without hints. */
  readonly followsAll: boolean;
  readonly #reconcileQueueUrl: string;
  readonly #resources: TargetResources;

  constructor(
    world: World,
    recorder: Recorder,
    { served = SERVED, scenario, deriving }: ClusterOptions = {},
  ) {
    this.world = world;
    this.recorder = recorder;
    this.#resources = served.resources;
    this.followsAll = scenario?.leavesOutHints !== true;
    this.eventQueueUrl = world.queues.create('events.fifo', TIMING.eventVisibility);
    this.#reconcileQueueUrl = world.queues.create('reconcile.fifo', TIMING.reconcileVisibility);
    this.#deriveQueueUrl =
      deriving === undefined ? '' : world.queues.create('derive.fifo', TIMING.reconcileVisibility);
    this.#derive = deriving && this.#deriveFunction(deriving);
    const withHints = (given: Given) => ({ ...given, hints: this.#hintsOf(given) });
    this.write = new Lambda(world, 'write', (given) => ({
      ...given,
      hints: this.#hintsOf(given, scenario?.hintsASecond),
    }));
    this.#relay = new Lambda(world, 'relay', withHints);
    this.filling = scenario?.rogueFills === undefined ? undefined : new Filling(world);
    this.read = new Lambda(world, 'read', (given) => {
      const reading = this.filling?.readingOnly(given) ?? given;
      return { ...reading, watches: createWatches(reading) };
    });
    this.dispatch = new Lambda(world, 'dispatch', (given) => ({
      ...given,
      dispatcher: createDispatcher({
        ...given,
        ...this.#common(given),
        authority: openAuthority({ clock: given.clock }),
        deriving: deriving && { concerns: deriving.concerns, queueUrl: this.#deriveQueueUrl },
        groupSize: scenario?.groupSize,
        followsAll: this.followsAll,
        admissions: scenario?.admissions,
      }),
    }));
    this.reconcile = new Lambda(world, 'reconcile', (given) => {
      const gathered = gathering(given);
      const hints = this.#hintsOf(gathered);
      const reconciler = createReconciler({
        ...gathered,
        ...this.#common(gathered),
        authority: openAuthority({ clock: given.clock }),
        definitions: served.definitions(given.clock, hints),
        queuePrefix: 'winnow-',
        queueArns: QUEUE_ARNS,
        rules: defaultRules(ACCOUNT),
        clusterId: CLUSTER_ID,
        internalQueueUrls: [withAccount(this.#reconcileQueueUrl), withAccount(this.eventQueueUrl)],
        // Small, because there are few objects and an edit has to be cut off between them.
        page: 2,
        emptying: scenario?.emptying,
        collections: served.collections,
        namespacedCollections: NAMESPACED,
        followsAll: this.followsAll,
      });
      return {
        ...gathered,
        reconciler,
        reckon: served.reckoner(given.clock, hints),
        ticking: world.hasQuietTimes ? whileDue(given) : completeTicks,
      };
    });
  }

  /** Virtual ms since the run began, to the microsecond. */
  get now(): number {
    return Math.round(this.world.scheduler.now * 1000) / 1000;
  }

  /** Connects queues, stream and schedule to their functions. */
  connect(tickEvery: Range): void {
    connectQueue(this.world, this.eventQueueUrl, (event) => this.#dispatchBatch(event));
    connectQueue(this.world, this.#reconcileQueueUrl, (event) => this.#reconcileBatch(event));
    if (this.#derive !== undefined) {
      connectQueue(this.world, this.#deriveQueueUrl, (event) => this.#deriveBatch(event));
    }
    this.#followStream();
    void this.#keepTicking(tickEvery);
  }

  /** Runs one tick of the schedule. */
  async tick(all = false): Promise<void> {
    await this.reconcile.invoke(TIMING.reconcile, async ({ reconciler, reckon, ticking, store, clock }) => {
      const signal = clock.deadline(TIMING.reconcile - MARGIN);
      await ticking(all, async (isAll) => {
        const due = await reconciler.tick({ all: isAll, signal });
        await reckon(store.within(signal));
        return due;
      });
    });
  }

  #dispatchBatch(event: SQSEvent): Promise<Ended<SQSBatchResponse>> {
    return this.dispatch.invoke(TIMING.dispatch, ({ dispatcher, clock, logger, queues }) =>
      handleBatch<Hint>(event, {
        logger,
        signal: clock.deadline(TIMING.dispatch - MARGIN),
        queueUrl: this.eventQueueUrl,
        receipts: queues.receipts,
        handle: dispatcher.dispatch,
      }),
    );
  }

  #reconcileBatch(event: SQSEvent): Promise<Ended<SQSBatchResponse>> {
    return this.reconcile.invoke(TIMING.reconcile, ({ reconciler, clock, logger, queues }) =>
      handleBatch<ReconcileMessage>(event, {
        logger,
        signal: clock.deadline(TIMING.reconcile - MARGIN),
        queueUrl: this.#reconcileQueueUrl,
        receipts: queues.receipts,
        handle: reconciler.reconcile,
      }),
    );
  }

  #deriveFunction({ derivation }: Deriving) {
    const queueUrl = this.#deriveQueueUrl;
    return new Lambda(this.world, 'derive', (given) => ({
      ...given,
      deriver: createDeriver({ ...given, queueUrl, derivation: derivation(given, this.eventQueueUrl) }),
    }));
  }

  async #deriveBatch(event: SQSEvent): Promise<Ended<SQSBatchResponse>> {
    if (this.#derive === undefined) throw new Error('nothing is derived');
    return this.#derive.invoke(TIMING.reconcile, ({ deriver, clock, logger, queues }) =>
      handleBatch<DueMessage>(event, {
        logger,
        signal: clock.deadline(TIMING.reconcile - MARGIN),
        queueUrl: this.#deriveQueueUrl,
        receipts: queues.receipts,
        handle: deriver.derive,
      }),
    );
  }

  #common(given: Given) {
    const { table, queues } = given;
    const hints = this.#hintsOf(given);
    return { table, queues, hints, resources: this.#resources, reconcileQueueUrl: this.#reconcileQueueUrl };
  }

  /** Creates hints. `most`: how many hints a writer sends in a second at most. */
  #hintsOf({ queues, logger, clock }: Given, most?: number): Hints {
    const sample = most === undefined ? undefined : new HintSample(clock, most);
    const { followsAll } = this;
    return createHints({ queues, queueUrl: this.eventQueueUrl, logger, sample, followsAll });
  }

  async #keepTicking(every: Range): Promise<void> {
    for (;;) {
      await this.world.scheduler.sleep(this.world.chance.within(every));
      void this.tick();
      void this.#derive?.invoke(TIMING.reconcile, ({ deriver, clock }) =>
        deriver.tick(clock.deadline(TIMING.reconcile - MARGIN)),
      );
    }
  }

  /** Follows the table's stream, filtered to inserts of journal entries and GC tasks, in batches. */
  #followStream(): void {
    let batch: InsertedKey[] = [];
    const { table, scheduler, chance } = this.world;
    table.watch(({ before, after }) => {
      if (before !== undefined || after === undefined) return;
      if (parseJournalKey(after) === undefined && parseGcTaskKey(after) === undefined) return;
      if (batch.length === 0) {
        scheduler.wakeAfter(chance.within([100, 2_000]), () => {
          void this.#relayBatch(batch);
          batch = [];
        });
      }
      batch.push({ pk: after.pk, sk: after.sk });
    });
  }

  #marks({ table }: Given): Pick<Parameters<typeof relay>[0], 'marked'> {
    return this.followsAll ? {} : { marked: (collections) => markedIn(table, collections) };
  }

  async #relayBatch(keys: readonly InsertedKey[]): Promise<void> {
    for (let attempt = 0; attempt < RELAY_ATTEMPTS; attempt += 1) {
      const ended = await this.#relay.invoke(RELAY, (given) =>
        relay({ ...given, ...this.#marks(given), reconcileQueueUrl: this.#reconcileQueueUrl }, keys),
      );
      if (ended.how === 'done') return;
    }
  }
}

/** Reads which collections are marked as followed. */
async function markedIn(table: Table, collections: readonly Collection[]): Promise<ReadonlySet<Collection>> {
  const rows = await table.batchGet(collections.map(headKey), undefined, 'eventual');
  const marked = new Set(rows.filter(({ followed }) => followed === true).map(({ pk }) => pk));
  return new Set(collections.filter((collection) => marked.has(headKey(collection).pk)));
}

/** The URL as SQS spells it, with an account. The URL of a user's queue differs from it in account and name. */
function withAccount(url: string): string {
  return url.replace('sqs://', `sqs://${ACCOUNT}/`);
}

/** The dependencies of the reconcile function, with a table that reads the rows of concurrent messages in batches. */
function gathering(given: Given): Given {
  const table = batchingTable(given.table);
  return { ...given, table, store: createStore({ ...given, table }) };
}
