import { against, type Form, selectorBar } from './bars.ts';
import { expectSame } from './compare.ts';
import { createGrid, GRID_OUTCOMES, type GridOutcome } from './inputs/grid.ts';
import type { Inputs } from './inputs/inputs.ts';
import { createPairs, OUTCOMES, type Outcome } from './inputs/pairs.ts';
import type { Options } from './options.ts';
import { Peer, PeerError, type PeerKind } from './peer.ts';
import type { Evaluated } from './peers/protocol.ts';
import { median, type Report, round } from './report.ts';
import { goPeer, npmPeers, winnowSelectors } from './toolchain.ts';

const REQUIREMENTS = [1, 3, 6];
/** Of a grid, by who asks: as many evaluations either way. */
const GRIDS = {
  list: { forms: ['list', 'interned'], selectors: 50, sets: 2_000 },
  dispatch: { forms: ['dispatch'], selectors: 2_000, sets: 50 },
} as const;
const FULL = { rounds: 7, milliseconds: 300 };
const QUICK = { rounds: 3, milliseconds: 30 };

/** `npm run bench -- selectors`: selectors against label sets, in nanoseconds an evaluation. */
export async function benchSelectors(options: Options, inputs: Inputs, report: Report): Promise<void> {
  const bench = new SelectorsBench(options.quick ? QUICK : FULL, inputs, report);
  const go = await goPeer();
  for (const kind of [go, ...(await npmPeers())]) {
    if ('missing' in kind) {
      report.missing('selectors', kind.name, kind.missing);
    } else {
      await bench.comparePairs(kind);
    }
  }
  if (!('missing' in go)) await bench.compareGrids(go);
}

interface Comparison {
  readonly kind: PeerKind;
  readonly requirements: number;
  readonly outcome: Outcome | GridOutcome;
  readonly forms: readonly Form[];
  /** Gives a peer its questions. */
  load(peer: Peer): Promise<object>;
}

/** The peer and one form of ours, with the nanoseconds an evaluation took in each round. */
interface Side {
  readonly peer: Peer;
  readonly rounds: number[];
}

class SelectorsBench {
  readonly #effort: typeof FULL;
  readonly #inputs: Inputs;
  readonly #report: Report;

  constructor(effort: typeof FULL, inputs: Inputs, report: Report) {
    this.#effort = effort;
    this.#inputs = inputs;
    this.#report = report;
  }

  /** Label sets as they come, each for one selector. */
  async comparePairs(kind: PeerKind): Promise<void> {
    for (const requirements of REQUIREMENTS) {
      for (const outcome of OUTCOMES) {
        const file = await this.#inputs.lines(`${requirements}-${dashed(outcome)}.pairs`, () =>
          createPairs(requirements, outcome),
        );
        const forms = ['map', 'object'] as const;
        await this.#compare({ kind, requirements, outcome, forms, load: (peer) => peer.pairs(file) });
      }
    }
  }

  /** Every selector for every label set: compiled and interned on our side. */
  async compareGrids(kind: PeerKind): Promise<void> {
    for (const by of ['list', 'dispatch'] as const) {
      const { forms, ...size } = GRIDS[by];
      for (const requirements of REQUIREMENTS) {
        for (const outcome of GRID_OUTCOMES) {
          const file = await this.#inputs.lines(`${by}-${requirements}-${dashed(outcome)}.grid`, () =>
            createGrid({ requirements, outcome, ...size }),
          );
          await this.#compare({ kind, requirements, outcome, forms, load: (peer) => peer.grid(file, by) });
        }
      }
    }
  }

  /** All forms of ours and the peer in turns; each form is a process of its own, so none spoils another's code. */
  async #compare(comparison: Comparison): Promise<void> {
    const { kind, requirements, outcome, forms } = comparison;
    const theirs = start(kind);
    const ours = new Map(forms.map((form) => [form, start(winnowSelectors(form))]));
    const sides = [theirs, ...ours.values()];
    try {
      for (const { peer } of sides) {
        await comparison.load(peer);
        await peer.evaluate(this.#effort.milliseconds);
      }
      for (let round = 0; round < this.#effort.rounds; round++) await this.#turn(sides, comparison);
      for (const [form, side] of ours) {
        this.#tellSpeed(comparison, form, { ours: median(side.rounds), theirs: median(theirs.rounds) });
        if (form === 'list' || form === 'dispatch') await this.#tellPreparing(comparison, form, side, theirs);
      }
      this.#report.progress(`selectors, ${kind.name}: ${forms}, ${requirements} requirements, ${outcome}`);
    } finally {
      for (const { peer } of sides) peer.stop();
    }
  }

  async #turn(sides: readonly Side[], { kind, forms, requirements, outcome }: Comparison): Promise<void> {
    let reference: Evaluated | undefined;
    for (const { peer, rounds } of sides) {
      const result = await peer.evaluate(this.#effort.milliseconds);
      rounds.push(result.nanoseconds);
      reference ??= result;
      expectSame(`${forms}, ${requirements} requirements, ${outcome}, ${kind.name}`, result, reference);
    }
  }

  #tellSpeed(
    { kind, requirements, outcome }: Comparison,
    labels: Form,
    { ours, theirs }: { readonly ours: number; readonly theirs: number },
  ): void {
    const ratio = round(theirs / ours);
    const bar = kind.name === 'go' ? selectorBar(labels, requirements) : undefined;
    this.#report.add({
      bench: 'selectors',
      requirements,
      outcome,
      labels,
      peer: kind.name,
      ours: round(ours),
      theirs: round(theirs),
      ratio,
      ...against(bar, ratio),
    });
  }

  /** What comes before the first answer, and the evaluations that win it back from the peer. */
  async #tellPreparing(comparison: Comparison, labels: Form, ours: Side, theirs: Side): Promise<void> {
    const { requirements, outcome, kind } = comparison;
    const { labelSet, selector } = await ours.peer.prepare(this.#effort.milliseconds);
    const saved = median(theirs.rounds) - median(ours.rounds);
    this.#report.add({
      bench: 'preparing',
      requirements,
      outcome,
      labels,
      peer: kind.name,
      labelSet: round(labelSet),
      setPaysAfter: paysAfter(labelSet, saved),
      selector: round(selector),
      selectorPaysAfter: paysAfter(selector, saved),
    });
  }
}

function paysAfter(cost: number, saved: number): number | string {
  return saved > 0 ? Math.ceil(cost / saved) : 'never';
}

function start(kind: PeerKind): Side {
  if ('missing' in kind) throw new PeerError(`${kind.name} ${kind.missing}`);
  return { peer: new Peer(kind.name, kind.command), rounds: [] };
}

function dashed(text: string): string {
  return text.replace(' ', '-');
}
