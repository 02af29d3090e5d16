import assert from 'node:assert/strict';
import { gapsOf } from '../../../infra/emulators.ts';
import { eventually } from '../../support/eventually.ts';
import { describe } from '../../support/service/inbox.ts';
import { findLogs } from '../function-logs.ts';
import { Traffic } from '../traffic.ts';
import type { Step } from '../trial.ts';

export const deployAgain: Step = {
  name: 'cdk deploy with a change',
  run: async ({ deployment, inbox, options }) => {
    const { http, terminal, outputs } = deployment;
    const before = await terminal.run('kubectl get pods -o name');
    const traffic = new Traffic(http, options.target.emulator !== undefined);
    const events = await options.cdk.deploy(['logLevel=DEBUG']).finally(() => traffic.end());
    const { requests, cut } = await traffic.done;
    const changed = events.filter(
      ({ type, status }) => type === 'AWS::Lambda::Function' && status === 'UPDATE_COMPLETE',
    );
    // Where the gateway has no authorizers, there is none; and no custom resources, so no settings-guard.
    assert.equal(changed.length, gapsOf(options.target.emulator).authorizer ? 7 : 9);
    assert.deepEqual(await options.cdk.outputs(), outputs);
    assert.equal(await terminal.run('kubectl get pods -o name'), before);
    const seen = inbox.events.length;
    await terminal.run('kubectl label pod label-demo deployed=twice');
    const [event] = (await inbox.until(({ length }) => length > seen, 60_000)).slice(seen);
    assert.equal(event && describe(event), 'MODIFIED label-demo');
    await eventually('dispatch logs what only DEBUG shows', () => findLogs(options, 'sent a turn'), 60_000);
    return `${changed.length} functions changed; of ${requests} requests meanwhile ${cut} were cut off`;
  },
};
