import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkOut } from '../../support/upgrades/release.ts';
import { Cdk, type StackEvent } from '../cdk.ts';
import { Counting } from '../counting.ts';
import { Traffic } from '../traffic.ts';
import type { Step } from '../trial.ts';

/** How long each version has the load, in ms. */
const STAGE = 10_000;

/**
 * The release before is deployed on the table of the present one, and the present one again, while somebody writes,
 * watches and subscribes.
 */
export const upgrade: Step = {
  name: 'roll back, and upgrade',
  run: async ({ deployment, inbox, options }) => {
    const { http, outputs } = deployment;
    const release = await checkOut(options.from);
    const directory = join(options.directory, 'release');
    const old = new Cdk({ ...options, directory, cwd: release.folder, progress: () => {} });
    const mayBeCut = options.target.emulator !== undefined;
    const traffic = new Traffic(http, mayBeCut);
    const counting = await Counting.begin({ http, inbox, mayBeCut });
    try {
      // Each logs from another level on, so that all functions change where their code does not.
      const back = changed(await old.deploy());
      await counting.reaches(STAGE);
      const forth = changed(await options.cdk.deploy(['logLevel=DEBUG']));
      await counting.reaches(STAGE);
      traffic.end();
      const { requests, cut } = await traffic.done;
      const changes = await counting.end();
      assert.deepEqual(await options.cdk.outputs(), outputs);
      return (
        `to ${release.name} (${back} functions) and back (${forth}); of ${requests + changes.sent} requests meanwhile ` +
        `${cut + changes.cut} were cut off; ${changes.counted} changes were watched and received, each once, in order`
      );
    } finally {
      traffic.end();
      counting.stop();
      await old.abandon();
      await release.remove();
    }
  },
};

function changed(events: readonly StackEvent[]): number {
  const functions = events.filter(
    ({ type, status }) => type === 'AWS::Lambda::Function' && status === 'UPDATE_COMPLETE',
  );
  assert(functions.length > 0, 'no function changed');
  return functions.length;
}
