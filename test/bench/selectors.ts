import { against, type Form, selectorBar } from './bars.ts';
import { expectSame } from './compare.ts';
import type { Inputs } from './inputs.ts';
import type { Options } from './options.ts';
import { createPairs, OUTCOMES, type Outcome } from './pairs.ts';
import { Peer, PeerError, type PeerKind } from './peer.ts';
import type { Evaluated } from './peers/protocol.ts';
import { median, type Report, round } from './report.ts';
import { goPeer, npmPeers, winnowSelectors } from './toolchain.ts';

const REQUIREMENTS = [1, 3, 6];
const FORMS: readonly Form[] = ['map', 'object', 'interned'];
const FULL = { rounds: 7, milliseconds: 300 };
const QUICK = { rounds: 3, milliseconds: 30 };

/** `npm run bench -- selectors`: one selector against one label set, in nanoseconds. */
export async function benchSelectors(options: Options, inputs: Inputs, report: Report): Promise<void> {
  const effort = options.quick ? QUICK : FULL;
  const kinds = [await goPeer(), ...(await npmPeers())];
  for (const kind of kinds) {
    if ('missing' in kind) {
      report.missing('selectors', kind.name, kind.missing);
      continue;
    }
    for (const requirements of REQUIREMENTS) {
      for (const outcome of OUTCOMES) await compare({ kind, requirements, outcome, effort, inputs, report });
    }
  }
}

interface Comparison {
  readonly kind: PeerKind;
  readonly requirements: number;
  readonly outcome: Outcome;
  readonly effort: typeof FULL;
  readonly inputs: Inputs;
  readonly report: Report;
}

/** All forms of ours and the peer in turns; each form is a process of its own, so none spoils another's code. */
async function compare({ kind, requirements, outcome, effort, inputs, report }: Comparison): Promise<void> {
  const file = await inputs.lines(`${requirements}-${outcome.replace(' ', '-')}.pairs`, () =>
    createPairs(requirements, outcome),
  );
  const [theirs, ...ours] = [kind, ...FORMS.map(winnowSelectors)].map(start);
  if (theirs === undefined) return;
  try {
    for (const peer of [theirs, ...ours]) {
      await peer.pairs(file);
      await peer.evaluate(effort.milliseconds);
    }
    const figures = new Map([theirs, ...ours].map((peer) => [peer, [] as number[]]));
    for (let turn = 0; turn < effort.rounds; turn++)
      await evaluateAll(figures, theirs, { effort, requirements, outcome });
    const their = median(figures.get(theirs) ?? []);
    for (const [at, labels] of FORMS.entries()) {
      const peer = ours[at];
      const our = median((peer && figures.get(peer)) ?? []);
      const ratio = round(their / our);
      const bar = kind.name === 'go' ? selectorBar(labels, requirements) : undefined;
      report.add({
        bench: 'selectors',
        requirements,
        outcome,
        labels,
        peer: kind.name,
        ours: round(our),
        theirs: round(their),
        ratio,
        ...against(bar, ratio),
      });
    }
    report.progress(`selectors, ${kind.name}: ${requirements} requirements, ${outcome}`);
  } finally {
    for (const peer of [theirs, ...ours]) peer.stop();
  }
}

async function evaluateAll(
  figures: ReadonlyMap<Peer, number[]>,
  theirs: Peer,
  { effort, requirements, outcome }: Pick<Comparison, 'effort' | 'requirements' | 'outcome'>,
): Promise<void> {
  let reference: Evaluated | undefined;
  for (const [peer, list] of figures) {
    const result = await peer.evaluate(effort.milliseconds);
    list.push(result.nanoseconds);
    reference ??= result;
    expectSame(`${requirements} requirements, ${outcome}, ${theirs.name}`, result, reference);
  }
}

function start(kind: PeerKind): Peer {
  if ('missing' in kind) throw new PeerError(`${kind.name} ${kind.missing}`);
  return new Peer(kind.name, kind.command);
}
