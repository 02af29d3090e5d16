import { ASSUMED, HOURS_A_MONTH, MINUTES_A_MONTH, SECONDS_A_MONTH } from './assumptions.ts';
import type { QuietHour } from './count-delivery.ts';
import type { Used } from './counting.ts';
import type { Counts } from './counts.ts';
import type { Prices } from './prices.ts';

/** In US dollars; what is said of a request is of a million of them. */
export interface Bill {
  readonly writes: readonly RequestBill[];
  readonly reads: readonly RequestBill[];
  readonly delivery: {
    readonly unfollowed: DeliveryBill;
    readonly toNobody: DeliveryBill;
    readonly toOne: DeliveryBill;
  };
  readonly idle: IdleBill;
  readonly canary: CanaryBill;
  /** Of a month: a watch that is always open, also of a busy collection; a subscription to which nothing happens. */
  readonly watchMonth: { readonly function: number; readonly table: number; readonly busyTable: number };
  readonly subscriptionMonth: number;
  readonly provisioned: ProvisionedBill;
  readonly controlPlane: ControlPlaneBill;
}

export interface RequestBill {
  readonly what: string;
  readonly used: Used;
  readonly table: number;
  /** The table's, and API Gateway, the function, its log and the hint. */
  readonly request: number;
  /** With what follows it where it comes by itself and concerns nobody. */
  readonly all: number;
}

export interface DeliveryBill {
  readonly used: Used;
  readonly table: number;
  readonly functions: number;
  readonly queues: number;
  readonly all: number;
}

/** Of a month in which nobody asks. */
export interface IdleBill {
  readonly tick: number;
  /** The tick with a Subscription, and if each tick is complete. */
  readonly subscribedTick: number;
  readonly completeTick: number;
  readonly polling: number;
  readonly setAside: number;
  readonly alarms: number;
  readonly all: number;
  /** With the dashboard: the metrics that it shows which have data on an idle stack, and itself. */
  readonly metrics: number;
  readonly dashboard: number;
}

/** Of a month. */
export interface CanaryBill {
  /** Of a beat, in all that it asks for and that follows it: of the table, of queues, and invocations. */
  readonly requests: number;
  readonly beats: number;
  readonly follows: number;
  /** Because it writes, each tick is complete. */
  readonly ticks: number;
  readonly watching: number;
  readonly all: number;
}

export interface ProvisionedBill {
  /** From which part of the capacity in use on, on average, it is cheaper. */
  readonly breakEven: number;
  /** Of a million units, at the utilization that is assumed. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Of a month at the least that there is by default, for reads and for writes. */
  readonly least: number;
}

export interface ControlPlaneBill {
  /** Of a month. */
  readonly alone: number;
  readonly withNodes: number;
  /** What Winnow costs as much as: requests a second day and night, or watches. */
  readonly breakEven: readonly {
    readonly what: string;
    readonly alone: number;
    readonly withNodes: number;
  }[];
}

const MILLION = 1e6;

/** What the counts come to by the prices. */
export function billOf(counts: Counts, prices: Prices): Bill {
  const { requests, delivery } = counts;
  const cost = new Costs(counts, prices);
  const unfollowed = cost.relayed(delivery.unfollowed);
  const bills = Object.entries(requests).map(([what, used]): RequestBill => {
    const request = cost.request(what, used);
    const writes = used.writes > 0;
    return {
      what,
      used,
      table: cost.table(used) * MILLION,
      request,
      all: writes ? request + unfollowed.all : request,
    };
  });
  const writes = bills.filter(({ used }) => used.writes > 0);
  const reads = bills.filter(({ used }) => used.writes === 0);
  const idle = cost.idle();
  const watchMonth = cost.watchMonth();
  return {
    writes,
    reads,
    delivery: {
      unfollowed,
      toNobody: cost.delivery(delivery.toNobody),
      toOne: cost.delivery(delivery.toOne),
    },
    idle,
    canary: cost.canary(),
    watchMonth,
    subscriptionMonth: cost.table(delivery.subscriptionHour) * HOURS_A_MONTH,
    provisioned: cost.provisioned(),
    controlPlane: compare({ bills, idle, watchMonth, prices }),
  };
}

/** Prices of what requests use. */
class Costs {
  readonly #counts: Counts;
  readonly #prices: Prices;

  constructor(counts: Counts, prices: Prices) {
    this.#counts = counts;
    this.#prices = prices;
  }

  table({ reads, writes }: Pick<Used, 'reads' | 'writes'>): number {
    const { readUnit, writeUnit } = this.#prices.table;
    return reads * readUnit + writes * writeUnit;
  }

  /** An invocation, and what Lambda writes of it into its log. */
  #invocation(gigabytes: number, milliseconds: number): number {
    const { request, gigabyteSecond } = this.#prices.functions;
    return (
      request + (gigabytes * milliseconds * gigabyteSecond) / 1_000 + this.#log(ASSUMED.logBytes.invocation)
    );
  }

  #log(bytes: number): number {
    return (bytes / 2 ** 30) * this.#prices.watching.logGigabyte;
  }

  request(what: string, used: Used): number {
    const { memory } = this.#counts.stack;
    const { get, list, write } = ASSUMED.milliseconds;
    const invocation =
      used.writes > 0
        ? this.#invocation(memory.write, write)
        : this.#invocation(memory.read, what === 'get' ? get : list);
    const log = this.#log(ASSUMED.logBytes.request);
    const hint = used.sends * this.#prices.queues.fifoRequest;
    return (this.#prices.api.request + invocation + log + hint + this.table(used)) * MILLION;
  }

  /** Relay's invocation, which finds that it need not send a hint. */
  relayed(used: Used): DeliveryBill {
    const { memory } = this.#counts.stack;
    const functions = this.#invocation(memory.relay, ASSUMED.milliseconds.relay) * MILLION;
    const table = this.table(used) * MILLION;
    return { used, table, functions, queues: 0, all: table + functions };
  }

  /** Relay's invocation and its hint, the receiving and deleting of one hint, and dispatch. */
  delivery(used: Used): DeliveryBill {
    const { memory } = this.#counts.stack;
    const { relay, dispatch } = ASSUMED.milliseconds;
    const functions =
      (this.#invocation(memory.relay, relay) + this.#invocation(memory.dispatch, dispatch)) * MILLION;
    const queues = (3 + used.sends) * this.#prices.queues.fifoRequest * MILLION;
    const table = this.table(used) * MILLION;
    return { used, table, functions, queues, all: table + functions + queues };
  }

  idle(): IdleBill {
    const { delivery, stack } = this.#counts;
    const { metricMonth, alarmMonth, dashboardMonth } = this.#prices.watching;
    const polls = (stack.polledQueues * ASSUMED.pollers * SECONDS_A_MONTH) / ASSUMED.pollSeconds;
    const looks = stack.setAsideQueues * delivery.hour.looks * HOURS_A_MONTH;
    const { fifoRequest } = this.#prices.queues;
    const parts = {
      tick: this.#ticks(delivery.hour),
      polling: polls * fifoRequest,
      setAside: looks * fifoRequest,
      alarms: stack.alarms * alarmMonth,
    };
    return {
      ...parts,
      subscribedTick: this.#ticks(delivery.subscribedHour),
      completeTick: this.#completeTicks(),
      all: Object.values(parts).reduce((sum, part) => sum + part),
      metrics: delivery.idleMetrics * metricMonth,
      dashboard: dashboardMonth,
    };
  }

  /** The ticks of a month of such hours. */
  #ticks({ used, complete }: QuietHour): number {
    const { reconcile } = this.#counts.stack.memory;
    const { tick, quietTick } = ASSUMED.milliseconds;
    const invocations =
      complete * this.#invocation(reconcile, tick) + (60 - complete) * this.#invocation(reconcile, quietTick);
    return (invocations + this.table(used)) * HOURS_A_MONTH;
  }

  #completeTicks(): number {
    const { delivery, stack } = this.#counts;
    const invocation = this.#invocation(stack.memory.reconcile, ASSUMED.milliseconds.tick);
    return (invocation + this.table(delivery.minute)) * MINUTES_A_MONTH;
  }

  canary(): CanaryBill {
    const { canary, stack } = this.#counts;
    const { beat, follows } = canary;
    const { alarmMonth } = this.#prices.watching;
    const invocation = this.#invocation(stack.memory.canary, ASSUMED.milliseconds.canary);
    const each = invocation + this.table(beat) + beat.sends * this.#prices.queues.fifoRequest;
    // Besides: relay's invocation and hint, dispatch's, and what it is received and deleted by.
    const requests = beat.requests + beat.sends + follows.requests + follows.sends + 6;
    const parts = {
      beats: each * MINUTES_A_MONTH,
      follows: (this.delivery(follows).all / MILLION) * MINUTES_A_MONTH,
      ticks: this.#completeTicks() - this.#ticks(this.#counts.delivery.hour),
      watching: stack.canaryAlarms * alarmMonth,
    };
    return { ...parts, requests, all: Object.values(parts).reduce((sum, part) => sum + part) };
  }

  watchMonth() {
    const { stack, watchMinute, busyWatchMinute } = this.#counts;
    return {
      function: stack.memory.read * this.#prices.functions.gigabyteSecond * SECONDS_A_MONTH,
      table: watchMinute * this.#prices.table.readUnit * MINUTES_A_MONTH,
      busyTable: busyWatchMinute * this.#prices.table.readUnit * MINUTES_A_MONTH,
    };
  }

  provisioned(): ProvisionedBill {
    const { readUnit, writeUnit, readUnitHour, writeUnitHour } = this.#prices.table;
    const [read, write] = [readUnitHour / 3_600, writeUnitHour / 3_600];
    const least = this.#counts.stack.leastCapacity * ASSUMED.month;
    return {
      breakEven: Math.max(read / readUnit, write / writeUnit),
      readUnits: (read / ASSUMED.utilization) * MILLION,
      writeUnits: (write / ASSUMED.utilization) * MILLION,
      least: least * (readUnitHour + writeUnitHour),
    };
  }
}

interface Comparison extends Pick<Bill, 'idle' | 'watchMonth'> {
  readonly bills: readonly RequestBill[];
  readonly prices: Prices;
}

/** Beside a control plane that runs day and night, whatever is asked of it. */
function compare({ bills, idle, watchMonth, prices }: Comparison): ControlPlaneBill {
  const alone = prices.cluster.controlPlaneHour * ASSUMED.month;
  const withNodes = alone + ASSUMED.nodes * prices.cluster.nodeHour * ASSUMED.month;
  const times = (each: number) => ({
    alone: (alone - idle.all) / each,
    withNodes: (withNodes - idle.all) / each,
  });
  const eachSecond = ({ what, all }: RequestBill) => ({ what, ...times((all / MILLION) * SECONDS_A_MONTH) });
  const watches = { what: 'open watches', ...times(watchMonth.function + watchMonth.table) };
  return { alone, withNodes, breakEven: [...bills.map(eachSecond), watches] };
}
