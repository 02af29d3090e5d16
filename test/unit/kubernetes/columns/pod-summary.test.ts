import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { podSummary } from '../../../../lib/kubernetes/columns/core/pod-summary.ts';

const now = Date.parse('2030-01-01T00:10:00Z');
const running = { name: 'a', ready: true, state: { running: {} } };

function pod(spec: JsonObject, status?: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec, ...(status ? { status } : {}) };
}

const one = { containers: [{ name: 'a' }] };
const two = { containers: [{ name: 'a' }, { name: 'b' }] };
const withInit = { ...one, initContainers: [{ name: 'i' }, { name: 'j' }] };
const withSidecar = { ...one, initContainers: [{ name: 'i', restartPolicy: 'Always' }] };

const exited = (exitCode: number, rest: JsonObject = {}) => ({ terminated: { exitCode, ...rest } });
const ready = { type: 'Ready', status: 'True' };
const initialized = { type: 'Initialized', status: 'True' };
const deleted = { deletionTimestamp: '2030-01-01T00:00:00Z' };

const CASES: readonly [string, JsonObject, string, string][] = [
  ['one that nobody has run yet', pod(two), '0/2', 'Pending'],
  ['one without anything', { apiVersion: 'v1', kind: 'Pod' }, '0/0', 'Pending'],
  ['a running one', pod(one, { phase: 'Running', containerStatuses: [running] }), '1/1', 'Running'],
  ['an evicted one', pod(one, { phase: 'Failed', reason: 'Evicted' }), '0/1', 'Evicted'],
  [
    'one that is held back',
    pod(one, {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
    }),
    '0/1',
    'SchedulingGated',
  ],
  [
    'one whose container crashes',
    pod(two, {
      phase: 'Running',
      containerStatuses: [running, { name: 'b', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
    }),
    '1/2',
    'CrashLoopBackOff',
  ],
  [
    'one that ended without a reason',
    pod(one, { phase: 'Failed', containerStatuses: [{ name: 'a', state: exited(3) }] }),
    '0/1',
    'ExitCode:3',
  ],
  [
    'one that was killed',
    pod(one, { phase: 'Failed', containerStatuses: [{ name: 'a', state: exited(137, { signal: 9 }) }] }),
    '0/1',
    'Signal:9',
  ],
  [
    'one of whose containers completed',
    pod(two, {
      phase: 'Running',
      conditions: [ready],
      containerStatuses: [{ name: 'a', state: exited(0, { reason: 'Completed' }) }, running],
    }),
    '1/2',
    'Running',
  ],
  [
    'the same, not ready',
    pod(two, {
      phase: 'Running',
      containerStatuses: [{ name: 'a', state: exited(0, { reason: 'Completed' }) }, running],
    }),
    '1/2',
    'NotReady',
  ],
  [
    'one in its second step of initialization',
    pod(withInit, {
      phase: 'Pending',
      initContainerStatuses: [{ name: 'i', state: exited(0) }, { name: 'j' }],
    }),
    '0/1',
    'Init:1/2',
  ],
  [
    'one whose initialization failed',
    pod(withInit, { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: exited(1) }] }),
    '0/1',
    'Init:ExitCode:1',
  ],
  [
    'one whose initialization waits',
    pod(withInit, {
      phase: 'Pending',
      initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'ImagePullBackOff' } } }],
    }),
    '0/1',
    'Init:ImagePullBackOff',
  ],
  [
    'one that was initialized before its init container was restarted',
    pod(withInit, {
      phase: 'Running',
      conditions: [initialized],
      initContainerStatuses: [{ name: 'i', state: exited(1) }],
      containerStatuses: [{ name: 'a', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
    }),
    '0/1',
    'CrashLoopBackOff',
  ],
  [
    'one with a sidecar',
    pod(withSidecar, {
      phase: 'Running',
      conditions: [initialized, ready],
      initContainerStatuses: [{ name: 'i', started: true, ready: true, state: { running: {} } }],
      containerStatuses: [running],
    }),
    '2/2',
    'Running',
  ],
  [
    'one being deleted',
    pod(one, { phase: 'Running', containerStatuses: [running] }, deleted),
    '1/1',
    'Terminating',
  ],
  ['one deleted after it ended', pod(one, { phase: 'Succeeded' }, deleted), '0/1', 'Succeeded'],
  ['one on a lost node', pod(one, { phase: 'Running', reason: 'NodeLost' }, deleted), '0/1', 'Unknown'],
  [
    'nonsense',
    pod({ containers: 'x' }, { containerStatuses: [null, 1], initContainerStatuses: {} }),
    '0/0',
    'Pending',
  ],
];

describe('podSummary', () => {
  it.each(CASES)('the summary gives ready count and status of a pod: %s', (_, body, readyText, status) => {
    expect(podSummary(body, now)).toMatchObject({ ready: readyText, status });
  });

  it('the summary counts restarts and gives the age of the last one', () => {
    const restarted = (restartCount: number, finishedAt: string) => ({
      ...running,
      restartCount,
      lastState: { terminated: { finishedAt } },
    });
    const containerStatuses = [restarted(2, '2030-01-01T00:05:00Z'), restarted(1, '2030-01-01T00:04:00Z')];
    expect(podSummary(pod(two, { containerStatuses }), now).restarts).toBe('3 (5m ago)');
    expect(podSummary(pod(two, { containerStatuses: [{ ...running, restartCount: 2 }] }), now).restarts).toBe(
      '2',
    );
    expect(podSummary(pod(two), now).restarts).toBe('0');
  });
});
