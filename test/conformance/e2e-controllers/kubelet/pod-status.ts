import type { V1Container, V1Pod, V1PodCondition } from '@kubernetes/client-node';

/** A container as the node has it. */
export interface ContainerRun {
  readonly restarts: number;
  /** When it started last, as RFC 3339. */
  readonly started: string;
  /** The end of its last run; undefined in its first. */
  readonly last?: Exit | undefined;
  /** Its end; undefined while it runs. */
  readonly exit?: Exit | undefined;
  /** Whether it starts again after its end. */
  readonly restarting: boolean;
}

export interface Exit {
  readonly code: number;
  readonly at: string;
}

/** A pod as the node has it. Times are RFC 3339. */
export interface PodRun {
  readonly started: string;
  readonly hostIP: string;
  readonly podIP: string;
  /** Whether its readiness probes have succeeded. */
  readonly probed: boolean;
  readonly containers: ReadonlyMap<string, ContainerRun>;
  /** Why the node stopped it: `DeadlineExceeded`. */
  readonly reason?: string | undefined;
}

/** The part of a pod's status that its node reports. */
export interface Report {
  readonly phase: string;
  readonly conditions: readonly Condition[];
  readonly [field: string]: unknown;
}

interface Condition extends Pick<V1PodCondition, 'type' | 'status'> {
  readonly reason: string | null;
  readonly lastTransitionTime: string;
}

/**
 * The report for a pod: a strategic merge patch of its status.
 *
 * @param before the last report, whose times stay where a condition stays
 * @param now as RFC 3339
 */
export function reportOf(pod: V1Pod, run: PodRun, before: Report | undefined, now: string): Report {
  const containers = pod.spec?.containers ?? [];
  const runs = containers.map(({ name }) => run.containers.get(name));
  const ended = runs.every((each) => each?.exit !== undefined && !each.restarting);
  const failed =
    run.reason !== undefined || runs.some((each) => each?.exit !== undefined && each.exit.code !== 0);
  const statuses = containers.map((container) => statusOf(container, run));
  const contained = statuses.every(({ ready }) => ready);
  const gates = (pod.spec?.readinessGates ?? []).every(({ conditionType }) => isTrue(pod, conditionType));
  const why = whyNotReady({ ended, failed, contained });
  const condition = (type: string, holds: boolean, reason: string | null): Condition => {
    const status = holds ? 'True' : 'False';
    const was = before?.conditions.find((each) => each.type === type);
    const since = was?.status === status ? was.lastTransitionTime : now;
    return { type, status, reason, lastTransitionTime: since };
  };
  const final = failed ? 'Failed' : 'Succeeded';
  return {
    phase: ended ? final : 'Running',
    ...(run.reason !== undefined && {
      reason: run.reason,
      message: 'Pod was active longer than its deadline',
    }),
    conditions: [
      condition('PodReadyToStartContainers', !ended, null),
      condition('Initialized', true, ended && !failed ? 'PodCompleted' : null),
      condition('Ready', contained && gates, why ?? (gates ? null : 'ReadinessGatesNotReady')),
      condition('ContainersReady', contained, why),
    ],
    containerStatuses: statuses,
    initContainerStatuses: (pod.spec?.initContainers ?? []).map((each) => initialStatus(each, run, ended)),
    hostIP: run.hostIP,
    hostIPs: [{ ip: run.hostIP }],
    podIP: run.podIP,
    podIPs: [{ ip: run.podIP }],
    startTime: run.started,
  };
}

/** Whether a condition of a pod is true. */
function isTrue({ status }: V1Pod, type: string): boolean {
  return status?.conditions?.find((each) => each.type === type)?.status === 'True';
}

function whyNotReady(pod: { ended: boolean; failed: boolean; contained: boolean }): string | null {
  if (pod.ended) return pod.failed ? 'PodFailed' : 'PodCompleted';
  return pod.contained ? null : 'ContainersNotReady';
}

function statusOf(
  { name, image = '' }: V1Container,
  { containers, probed }: PodRun,
): { readonly ready: boolean; readonly [field: string]: unknown } {
  const run = containers.get(name);
  if (run === undefined) throw new Error(`there is no container ${name}`);
  const runs = run.exit === undefined;
  return {
    ...namesOf(name, image),
    ready: runs && probed,
    started: runs,
    restartCount: run.restarts,
    state: stateOf(run),
    lastState: run.last === undefined ? {} : terminated(run.last, run.started),
  };
}

function stateOf({ exit, started, restarting }: ContainerRun): object {
  if (exit === undefined) return { running: { startedAt: started } };
  return restarting ? { waiting: { reason: 'CrashLoopBackOff' } } : terminated(exit, started);
}

function terminated({ code, at }: Exit, startedAt: string): object {
  const reason = code === 0 ? 'Completed' : 'Error';
  return { terminated: { exitCode: code, reason, startedAt, finishedAt: at } };
}

/** The status of an init container: it ended at once, or runs beside the others. */
function initialStatus(
  { name, image = '', restartPolicy }: V1Container,
  { started }: PodRun,
  ended: boolean,
): object {
  const runs = restartPolicy === 'Always' && !ended;
  const state = runs ? { running: { startedAt: started } } : terminated({ code: 0, at: started }, started);
  return { ...namesOf(name, image), ready: true, started: runs, restartCount: 0, state };
}

const namesOf = (name: string, image: string) => ({
  name,
  image,
  imageID: 'none',
  containerID: `none://${name}`,
});
