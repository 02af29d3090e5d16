import { ASSUMED, MINUTES_A_MONTH } from './assumptions.ts';
import type { Bill, DeliveryBill, RequestBill } from './bill.ts';
import type { RequestCounts } from './count-requests.ts';
import type { Used } from './counting.ts';
import type { Counts } from './counts.ts';
import type { Prices } from './prices.ts';

/** What the docs say of costs, by the name of the block that it stands in. */
export type Blocks = Readonly<Record<string, string>>;

export function blocksOf(counts: Counts, bill: Bill, prices: Prices): Blocks {
  return {
    summary: summary(counts, bill),
    writes: table(
      ['write', 'read units', 'write units', 'table', 'with API and function', 'with what follows it'],
      bill.writes.map((one) => [one.what, ...units(one.used), ...money(one.table, one.request, one.all)]),
    ),
    parts: parts(bill, prices),
    delivery: table(
      ['a change by itself', 'read units', 'write units', 'table', 'functions', 'queues', 'all'],
      [
        delivered(
          'of a collection that no Subscription or Tally has ever selected',
          bill.delivery.unfollowed,
        ),
        delivered('that concerns no subscription', bill.delivery.toNobody),
        delivered('that concerns one synced subscription', bill.delivery.toOne),
      ],
    ),
    reads: table(
      ['read', 'read units', 'requests to the table', 'table', 'with API and function'],
      bill.reads.map(({ what, used, table: ofTable, request }) => [
        what,
        units(used)[0] ?? '',
        String(used.requests),
        ...money(ofTable, request),
      ]),
    ),
    kind: kindsOf(counts),
    selections: asked(counts.selections),
    bindings: asked(counts.bindings),
    watch: watch(counts, bill),
    idle: idle(counts, bill),
    canary: canaried(counts, bill),
    provisioned: provisioned(bill, prices),
    'control-plane': controlPlane(bill),
    prices: priceList(prices),
    assumed: assumed(),
  };
}

/** @throws {Error} the page has a block that nobody fills, or none. */
export function fillPage(text: string, blocks: Blocks): string {
  return text.replaceAll(/(<!-- costs: (\S+) -->\n).*?(<!-- \/costs -->)/gs, (...[, begin, name, end]) => {
    const block = blocks[name];
    if (block === undefined) throw new Error(`there is no block ${name}; known are ${Object.keys(blocks)}`);
    return `${begin}${block}\n${end}`;
  });
}

/** The blocks that a page has. */
export function blocksIn(text: string): string[] {
  return [...text.matchAll(/<!-- costs: (\S+) -->/g)].map(([, name = '']) => name);
}

function summary({ stack }: Counts, { writes, reads, idle: ofIdle, watchMonth }: Bill): string {
  const of = (all: readonly RequestBill[], wanted: string) =>
    all.find(({ what }) => what === wanted)?.all ?? 0;
  const watched = dollars(watchMonth.function + watchMonth.table);
  return [
    `By list prices, not measured on AWS: an idle stack costs ${dollars(ofIdle.all)} a month, with ${stack.alarms} alarms.`,
    `A million creates with four labels cost ${dollars(of(writes, 'create, 4 labels'))},`,
    `a million status patches ${dollars(of(writes, 'status patch'))}, a million gets ${dollars(of(reads, 'get'))}.`,
    `A watch that is always open costs ${watched} a month.`,
  ].join(' ');
}

/** The parts of a write's cost on 24 November 2026, in US dollars a million, and its fewest units and invocations. */
const PARTS = {
  'create, 4 labels': { before: [3.5, 1.4, 10.63, 0.75, 0.5, 4.49], leastWrites: 13 },
  'status patch': { before: [3.5, 1.4, 5.63, 0.25, 0.5, 4.49], leastWrites: 5 },
} as const;

/**
 * What each part of a write costs: before, now, and at least. At least, rows of 1 KB are written, one row is read, and
 * nothing follows but one invocation for the stream.
 */
function parts({ writes, delivery }: Bill, prices: Prices): string {
  const million = (price: number) => price * 1e6;
  const { readUnit, writeUnit } = prices.table;
  const columns = Object.entries(PARTS).flatMap(([what, { before, leastWrites }]) => {
    const { used, table: ofTable, request, all } = writes.find((one) => one.what === what) ?? NO_BILL;
    const [front, hint] = [million(prices.api.request), million(used.sends * prices.queues.fifoRequest)];
    const ofFunction = request - ofTable - front - hint;
    const ofWrites = million(used.writes * writeUnit);
    const now = [front, ofFunction, ofWrites, ofTable - ofWrites, hint, all - request];
    const least = [
      front,
      ofFunction,
      million(leastWrites * writeUnit),
      million(readUnit),
      0,
      delivery.unfollowed.functions,
    ];
    return [before, now, least];
  });
  const names = ['API Gateway', 'function and its log', 'write units', 'read units', 'hint', 'what follows'];
  const rows = names.map((name, at) => [name, ...columns.map((column) => (column[at] ?? 0).toFixed(2))]);
  const sums = columns.map((column) => column.reduce((sum, one) => sum + one, 0).toFixed(2));
  return table(
    ['a million, in $', ...Object.keys(PARTS).flatMap((what) => [`${what}: before`, 'now', 'least'])],
    [...rows, ['all', ...sums]],
  );
}

/** Whether tables besides that of writes show a request: of the creates, only the one with the most labels. */
const isShown = (what: string) => !/^create, [0-3] label/.test(what);

/** What requests of a custom kind cost beside those of pods. */
function kindsOf({ requests, kind }: Counts): string {
  const beside = (what: string, of: (used: Used) => number) =>
    [requests, kind].map((counts) => String(of(counts[what] ?? NOTHING))).join(', ');
  return table(
    ['pods, a custom kind', 'requests to the table', 'read units', 'write units'],
    Object.keys(kind)
      .filter(isShown)
      .map((what) => [
        what,
        beside(what, (used) => used.requests),
        beside(what, ({ reads }) => reads),
        beside(what, ({ writes }) => writes),
      ]),
  );
}

/** What it takes to do this and that. */
function asked(counts: RequestCounts): string {
  return table(
    ['request', 'requests to the table', 'read units', 'write units'],
    Object.entries(counts).map(([what, used]) => [what, String(used.requests), ...units(used)]),
  );
}

const NOTHING: Used = { reads: 0, writes: 0, requests: 0, sends: 0 };
const NO_BILL: RequestBill = { what: '', used: NOTHING, table: 0, request: 0, all: 0 };

function delivered(what: string, { used, table: ofTable, functions, queues, all }: DeliveryBill): string[] {
  return [what, ...units(used), ...money(ofTable, functions, queues, all)];
}

function watch({ watchMinute, busyWatchMinute }: Counts, { watchMonth, subscriptionMonth }: Bill): string {
  const { function: ofFunction, table: ofTable, busyTable } = watchMonth;
  return table(
    ['of a month', 'function', 'table', 'all'],
    [
      [
        `a watch that is always open (${watchMinute} read units a minute)`,
        ...money(ofFunction, ofTable, ofFunction + ofTable),
      ],
      [
        `the same, of a collection that changes ten times a second (${busyWatchMinute} read units a minute)`,
        ...money(ofFunction, busyTable, ofFunction + busyTable),
      ],
      ['an idle subscription', '–', ...money(subscriptionMonth, subscriptionMonth)],
    ],
  );
}

function idle({ stack, delivery }: Counts, { idle: ofIdle }: Bill): string {
  const { tick, subscribedTick, completeTick, polling, setAside, metrics, alarms, dashboard, all } = ofIdle;
  const { hour, subscribedHour } = delivery;
  const [reads = ''] = units(delivery.minute);
  const often = (complete: number) =>
    complete < 1 ? `every ${1 / complete} hours` : `${complete} times an hour`;
  return table(
    ['an idle stack', 'a month'],
    [
      [`the tick: each minute, complete ${often(hour.complete)}`, ...money(tick)],
      [`Lambda's polling of ${stack.polledQueues} queues`, ...money(polling)],
      [`counting the messages of ${stack.setAsideQueues} queues that were set aside`, ...money(setAside)],
      [`${stack.alarms} alarms`, ...money(alarms)],
      ['all', ...money(all)],
      [`the tick with Subscriptions: complete ${often(subscribedHour.complete)}`, ...money(subscribedTick)],
      [`the tick while clients write: complete each minute (${reads} read units)`, ...money(completeTick)],
      [
        `\`-c dashboard=true\`: ${delivery.idleMetrics} metrics (of ${stack.metrics}, each billed for the hours in which it is sent)`,
        ...money(metrics),
      ],
      ['its dashboard', ...money(dashboard)],
    ],
  );
}

function canaried({ canary: { beat, follows }, stack }: Counts, { canary: of }: Bill): string {
  const requests = (of.requests * MINUTES_A_MONTH) / 1e6;
  return table(
    ['a canary, every minute', 'read units', 'write units', 'a month'],
    [
      ['its own requests', ...units(beat), ...money(of.beats)],
      ['what follows its write', ...units(follows), ...money(of.follows)],
      ['the tick, which is complete each minute', '–', '–', ...money(of.ticks)],
      [`${stack.canaryAlarms} alarm`, '–', '–', ...money(of.watching)],
      [`all, in ${requests.toFixed(1)} million requests`, '', '', ...money(of.all)],
    ],
  );
}

function provisioned({ provisioned: of }: Bill, prices: Prices): string {
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  const { readUnit, writeUnit } = prices.table;
  return [
    `Provisioned capacity is cheaper than on demand if requests use more than ${percent(of.breakEven)} of it on average. At`,
    `${percent(ASSUMED.utilization)} a million write units cost ${dollars(of.writeUnits)} instead of`,
    `$${writeUnit * 1e6}, a million read units ${dollars(of.readUnits)} instead of $${readUnit * 1e6}.`,
    `The default minimum, five units each of the table and one of each index, costs ${dollars(of.least)} a month.`,
  ].join(' ');
}

function controlPlane({ controlPlane: { alone, withNodes, breakEven } }: Bill): string {
  return table(
    [
      'costs as much as',
      `a control plane, ${dollars(alone)} a month`,
      `with ${ASSUMED.nodes} nodes, ${dollars(withNodes)}`,
    ],
    breakEven
      .filter(({ what }) => isShown(what))
      .map((one) => {
        const rate = (value: number) =>
          `${value.toPrecision(2)}${one.what === 'open watches' ? '' : ' a second'}`;
        return [one.what, rate(one.alone), rate(one.withNodes)];
      }),
  );
}

function priceList({ region, of, api, functions, table: units_, queues, watching, cluster }: Prices): string {
  const million = (price: number) => `$${Number((price * 1e6).toPrecision(6))} a million`;
  return table(
    [`${region}, ${of}`, 'list price'],
    [
      ['request to a REST API', million(api.request)],
      [
        'invocation of a function',
        `${million(functions.request)}, and $${functions.gigabyteSecond} a GB and second`,
      ],
      ['read unit, write unit', `${million(units_.readUnit)}, ${million(units_.writeUnit)}`],
      ['unit of capacity, an hour', `$${units_.readUnitHour} for reads, $${units_.writeUnitHour} for writes`],
      [
        'GB of table, a month',
        `${dollars(units_.gigabyteMonth)}, and ${dollars(units_.recoveryGigabyteMonth)} for point-in-time recovery`,
      ],
      ['request to a FIFO queue', million(queues.fifoRequest)],
      [
        'metric, alarm, dashboard, a month',
        money(watching.metricMonth, watching.alarmMonth, watching.dashboardMonth).join(', '),
      ],
      ['GB of log', dollars(watching.logGigabyte)],
      [
        'control plane of EKS, node (t4g.medium), an hour',
        `$${cluster.controlPlaneHour}, $${cluster.nodeHour}`,
      ],
    ],
  );
}

function assumed(): string {
  const { milliseconds, logBytes, pollers, pollSeconds } = ASSUMED;
  const times = Object.entries(milliseconds).map(([what, time]) => `${what} ${time}`);
  return [
    `Billed milliseconds of an invocation: ${times.join(', ')}. Log: ${logBytes.request} bytes of a request and`,
    `${logBytes.invocation} of an invocation. Lambda keeps ${pollers} long polls of ${pollSeconds} s open on each queue.`,
  ].join(' ');
}

function units({ reads, writes }: { readonly reads: number; readonly writes: number }): string[] {
  return [reads, writes].map((value) => String(Number(value.toFixed(1))));
}

const money = (...values: readonly number[]) => values.map(dollars);

/** To the cent, and below ten cents to a tenth of one. */
function dollars(value: number): string {
  return `$${value.toFixed(value < 0.0995 ? 3 : 2)}`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = columns.map(() => '---');
  return [columns, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
