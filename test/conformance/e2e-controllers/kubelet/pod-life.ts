import { isDeepStrictEqual } from 'node:util';
import {
  ApiException,
  type CoreV1Api,
  PatchStrategy,
  setHeaderOptions,
  type V1Pod,
} from '@kubernetes/client-node';
import { exitOf, type Markers } from './exit-of.ts';
import { type ContainerRun, type PodRun, type Report, reportOf } from './pod-status.ts';

/** How long a command takes, in ms. */
const COMMAND = 400;
/** The pauses before restarts of a container in ms: each is twice the one before. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [500, 10_000];
/** The pause before a request that failed is sent again, in ms. */
const RETRY = 1_000;
/** The exit code of a program that SIGTERM ended. */
const STOPPED = 143;
/** The images that the suite names and no registry has. */
const ABSENT_IMAGE = /:(404|non-existent)$/;

export const STRATEGIC = setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch);

/** The node of a pod. */
export interface Host {
  readonly core: CoreV1Api;
  readonly address: string;
  readonly markers: Markers;
  /** Returns an address that no other pod has. */
  nextAddress(): string;
}

/** A container, and when it starts or ends next, in ms since the epoch. */
interface Timed extends ContainerRun {
  readonly next?: number | undefined;
}

/** One pod on the node, from its binding to its removal. One request at a time is under way for it. */
export class PodLife {
  readonly #host: Host;
  readonly #started = Date.now();
  readonly #podIP: string;
  readonly #containers = new Map<string, Timed>();
  #pod: V1Pod;
  #reason: string | undefined;
  #reported: Report | undefined;
  #isRemoved = false;
  #isBusy = false;
  #isStale = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: Host, pod: V1Pod) {
    this.#host = host;
    this.#pod = pod;
    this.#podIP = pod.status?.podIP ?? host.nextAddress();
    const start = {
      restarts: 0,
      started: iso(this.#started),
      restarting: false,
      next: this.#started + COMMAND,
    };
    for (const { name } of pod.spec?.containers ?? []) this.#containers.set(name, start);
  }

  get uid(): string | undefined {
    return this.#pod.metadata?.uid;
  }

  /** Does what the newest state of the pod asks for. */
  see(pod: V1Pod): void {
    this.#pod = pod;
    void this.#work();
  }

  /** Ends the work for a pod that no longer exists. */
  forget(): void {
    this.#isRemoved = true;
    clearTimeout(this.#timer);
  }

  async #work(): Promise<void> {
    this.#isStale = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    clearTimeout(this.#timer);
    let next: number | undefined;
    while (this.#isStale) {
      this.#isStale = false;
      next = await this.#step().catch((error: unknown) => {
        console.error(this.#pod.metadata?.namespace, this.#pod.metadata?.name, String(error));
        return Date.now() + RETRY;
      });
    }
    this.#isBusy = false;
    if (next !== undefined) this.#timer = setTimeout(() => this.#work(), Math.max(0, next - Date.now()));
  }

  /** Brings the pod on, and reports it. @returns when to look again; undefined if only a change of the pod asks for it */
  async #step(): Promise<number | undefined> {
    if (this.#isRemoved) return undefined;
    const { metadata, spec, status } = this.#pod;
    const phase = this.#reported?.phase ?? status?.phase;
    const isEnded = isFinal(phase) || isFinal(status?.phase);
    if (metadata?.deletionTimestamp !== undefined) {
      if (!isEnded && phase === 'Running') await this.#stop();
      await this.#remove();
      return undefined;
    }
    if (isEnded || spec?.containers.some(({ image }) => ABSENT_IMAGE.test(image ?? ''))) return undefined;
    const now = Date.now();
    const deadline = this.#started + (spec?.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
    if (now >= deadline) {
      this.#reason = 'DeadlineExceeded';
      await this.#stop();
      return undefined;
    }
    this.#advance(now);
    await this.#report(now);
    const moments = [...this.#containers.values()].map(({ next }) => next ?? Number.POSITIVE_INFINITY);
    if (now < this.#probedAt) moments.push(this.#probedAt);
    const next = Math.min(deadline, ...moments);
    return Number.isFinite(next) ? next : undefined;
  }

  /** When the readiness probes succeed. */
  get #probedAt(): number {
    const delays = this.#pod.spec?.containers.map(
      ({ readinessProbe }) => readinessProbe?.initialDelaySeconds,
    );
    return this.#started + 1_000 * Math.max(0, ...(delays ?? []).map((delay) => delay ?? 0));
  }

  /** Ends and restarts the containers whose time has come. */
  #advance(now: number): void {
    for (const container of this.#pod.spec?.containers ?? []) {
      const run = this.#containers.get(container.name);
      if (run?.next === undefined || now < run.next) continue;
      if (run.exit !== undefined) {
        const { restarts, exit: last } = run;
        const again = {
          restarts: restarts + 1,
          started: iso(now),
          last,
          restarting: false,
          next: now + COMMAND,
        };
        this.#containers.set(container.name, again);
        continue;
      }
      const code = exitOf(container, this.#pod, this.#host.markers);
      const policy = this.#pod.spec?.restartPolicy ?? 'Always';
      const restarting = policy === 'Always' || (policy === 'OnFailure' && code !== 0);
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** run.restarts);
      const ended = {
        exit: { code: code ?? 0, at: iso(now) },
        restarting,
        next: restarting ? now + pause : undefined,
      };
      this.#containers.set(container.name, { ...run, next: undefined, ...(code !== undefined && ended) });
    }
  }

  /** Ends all containers, and reports it. */
  async #stop(): Promise<void> {
    const now = Date.now();
    for (const [name, run] of this.#containers) {
      const exit = run.exit ?? { code: STOPPED, at: iso(now) };
      this.#containers.set(name, { ...run, exit, restarting: false, next: undefined });
    }
    await this.#report(now);
  }

  async #report(now: number): Promise<void> {
    const run: PodRun = {
      started: iso(this.#started),
      hostIP: this.#host.address,
      podIP: this.#podIP,
      probed: now >= this.#probedAt,
      containers: this.#containers,
      reason: this.#reason,
    };
    const report = reportOf(this.#pod, run, this.#reported, iso(now));
    if (isDeepStrictEqual(report, this.#reported)) return;
    const body = { metadata: { uid: this.uid }, status: report };
    await unlessGone(this.#host.core.patchNamespacedPodStatus({ ...this.#name, body }, STRATEGIC));
    this.#reported = report;
  }

  async #remove(): Promise<void> {
    const body = { gracePeriodSeconds: 0, preconditions: { uid: this.uid ?? '' } };
    await unlessGone(this.#host.core.deleteNamespacedPod({ ...this.#name, body }));
    this.#isRemoved = true;
  }

  get #name(): { readonly name: string; readonly namespace: string } {
    const { name = '', namespace = '' } = this.#pod.metadata ?? {};
    return { name, namespace };
  }
}

const iso = (time: number) => new Date(time).toISOString().replace(/\.\d+/, '');

const isFinal = (phase: string | undefined) => phase === 'Succeeded' || phase === 'Failed';

/** Waits for a request. A pod that is gone, or that has another uid by now, is no failure. */
async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof ApiException && (error.code === 404 || error.code === 409))) throw error;
  }
}
