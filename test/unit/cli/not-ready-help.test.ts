import { expect, it } from '@jest/globals';
import { notReadyHelp } from '../../../cli/place/node-lines.ts';

const refusedFor = (node: string, reason: string) => ({ node, rule: 'TaintToleration', reasons: [reason] });
const notReady = refusedFor('a', 'node(s) had untolerated taint {node.kubernetes.io/not-ready: }');
const dedicated = refusedFor('b', 'node(s) had untolerated taint {dedicated: tests}');
const status = { assigned: [], feasible: [] };

it('names the nodes that are not ready, and the command that writes their status', () => {
  const help = notReadyHelp({
    ...status,
    refused: [notReady, dedicated],
    message: '0/2 nodes are available',
  });
  expect(help).toEqual([
    expect.stringContaining('Not ready: a.'),
    expect.stringContaining('kubectl replace --subresource=status -f FILE'),
  ]);
});

it('prints nothing if every pod has a node', () => {
  expect(notReadyHelp({ ...status, refused: [notReady] })).toEqual([]);
});

it('prints nothing if the nodes refuse for other reasons', () => {
  expect(notReadyHelp({ ...status, refused: [dedicated], message: 'none' })).toEqual([]);
});
