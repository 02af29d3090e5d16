import type { Inputs } from '../inputs/inputs.ts';
import { createWorkload } from '../inputs/workload.ts';
import type { Options } from '../options.ts';
import type { PeerKind } from '../peer.ts';
import type { Report } from '../report.ts';
import { eventRulerPeer, goPeer } from '../toolchain.ts';
import { runGrowth } from './growth.ts';
import { MatchCase } from './match-case.ts';

/** `npm run bench -- match`: one event against many subscriptions. */
export async function benchMatch(options: Options, inputs: Inputs, report: Report): Promise<void> {
  const peers: PeerKind[] = await Promise.all([eventRulerPeer(), goPeer()]);
  for (const peer of peers) if ('missing' in peer) report.missing('match', peer.name, peer.missing);
  for (const name of options.workloads) {
    for (const subscriptions of options.subscriptions) {
      const workload = createWorkload(name);
      await new MatchCase({ workload, subscriptions, inputs, report, quick: options.quick }).run(
        peers,
        options.streams,
      );
    }
  }
  await runGrowth(options, inputs, report);
}
