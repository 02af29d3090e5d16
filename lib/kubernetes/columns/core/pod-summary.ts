import { type JsonObject, type JsonValue, valueAt } from '../../../json/index.ts';
import { humanAge, listAt, numberAt, objectAt, readField, textAt } from '../../resource-types/index.ts';
import { hasCondition } from '../columns.ts';

/** The cells of a pod in `kubectl get pods`. */
export interface PodSummary {
  /** The ready containers and the total, including sidecars: `1/2`. */
  readonly ready: string;
  /** The phase, or a more specific reason. */
  readonly status: string;
  /** `0`, or `3 (5m ago)`. */
  readonly restarts: string;
}

/** The status of a container, and whether its spec makes it a sidecar (an init container that is restarted). */
interface Container {
  readonly status: JsonValue;
  readonly sidecar: boolean;
}

/**
 * Returns the summary of a pod. Until initialization completes, it shows each step. After that, it shows the state of
 * the first container that has a reason. Follows kubectl's printer (k8s.io/kubernetes pkg/printers/internalversion,
 * printPod).
 */
export function podSummary(pod: JsonObject, now: number): PodSummary {
  const sidecars = sidecarNames(pod);
  const initial = listAt(pod, 'status.initContainerStatuses').map((status) => ({
    status,
    sidecar: sidecars.has(textAt(status, 'name')),
  }));
  const main = listAt(pod, 'status.containerStatuses').map((status) => ({ status, sidecar: false }));
  const halted = initial.findIndex((container) => !isInitialized(container));
  const begun = halted === -1 ? initial : initial.slice(0, halted + 1);
  const initializing = halted !== -1 && !hasCondition(pod, 'Initialized');

  const running = begun.filter((container) => container.sidecar && isInitialized(container));
  const ready = [...running, ...(initializing ? [] : main)].filter(isReady).length;
  const restarted = initializing ? begun : [...begun.filter(({ sidecar }) => sidecar), ...main];
  return {
    ready: `${ready}/${listAt(pod, 'spec.containers').length + sidecars.size}`,
    status: deletion(pod) ?? (initializing ? initReason(pod, initial, halted) : mainReason(pod, main)),
    restarts: restarts(restarted, now),
  };
}

function sidecarNames(pod: JsonObject): ReadonlySet<string> {
  const always = listAt(pod, 'spec.initContainers').filter(
    (container) => textAt(container, 'restartPolicy') === 'Always',
  );
  return new Set(always.map((container) => textAt(container, 'name')));
}

function isInitialized({ status, sidecar }: Container): boolean {
  const exited = valueAt(status, 'state.terminated') !== undefined;
  const succeeded = exited && numberAt(status, 'state.terminated.exitCode') === 0;
  return succeeded || (sidecar && textAt(status, 'started') === 'true');
}

function isReady({ status, sidecar }: Container): boolean {
  const running = sidecar
    ? valueAt(status, 'state.terminated') === undefined
    : saysNothing(status) && valueAt(status, 'state.running') !== undefined;
  return running && textAt(status, 'ready') === 'true';
}

function saysNothing(status: JsonValue): boolean {
  return containerReason(status) === undefined;
}

function containerReason(status: JsonValue): string | undefined {
  const waiting = textAt(status, 'state.waiting.reason');
  return waiting === '' ? exitReason(status) : waiting;
}

function exitReason(status: JsonValue): string | undefined {
  if (valueAt(status, 'state.terminated') === undefined) return undefined;
  const { reason, signal, exitCode } = objectAt(status, 'state.terminated');
  const code = signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;
  return typeof reason === 'string' && reason !== '' ? reason : code;
}

function deletion(pod: JsonObject): string | undefined {
  if (textAt(pod, 'metadata.deletionTimestamp') === '') return undefined;
  if (textAt(pod, 'status.reason') === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(phase(pod)) ? undefined : 'Terminating';
}

function initReason(pod: JsonObject, containers: readonly Container[], halted: number): string {
  const status = containers[halted]?.status ?? null;
  const waiting = textAt(status, 'state.waiting.reason');
  const told = exitReason(status) ?? (waiting === 'PodInitializing' ? '' : waiting);
  return `Init:${told || `${halted}/${listAt(pod, 'spec.initContainers').length}`}`;
}

function mainReason(pod: JsonObject, containers: readonly Container[]): string {
  const reasons = containers.map(({ status }) => containerReason(status));
  const told = reasons.find((reason) => reason !== undefined) ?? podReason(pod);
  if (told === 'Completed' && containers.some(isReady)) {
    return hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  }
  return told;
}

function podReason(pod: JsonObject): string {
  const gated = listAt(pod, 'status.conditions').some(
    (condition) =>
      textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'reason') === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textAt(pod, 'status.reason') || phase(pod);
}

function phase(pod: JsonObject): string {
  return readField(pod, 'status.phase') ?? 'Pending';
}

function restarts(containers: readonly Container[], now: number): string {
  const times = containers.reduce((sum, { status }) => sum + numberAt(status, 'restartCount'), 0);
  const last = containers
    .map(({ status }) => textAt(status, 'lastState.terminated.finishedAt'))
    .reduce((latest, time) => (Date.parse(time) > (Date.parse(latest) || 0) ? time : latest), '');
  return times === 0 || last === '' ? String(times) : `${times} (${humanAge(last, now)} ago)`;
}
