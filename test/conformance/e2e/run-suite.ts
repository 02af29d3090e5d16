import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Suite } from './build-suite.ts';

export interface RunOptions {
  readonly suite: Suite;
  /** The whole names of the tests to run. */
  readonly names: readonly string[];
  readonly kubeconfig: string;
  readonly kubectl: string;
  /** Where the log and the report go. */
  readonly folder: string;
  /** How many tests run at once. */
  readonly processes: number;
  /** The most time for one test: `90s`. */
  readonly timeout: string;
  /** Whether each namespace gets a service account and its certificate, as kube-controller-manager makes them. */
  readonly serviceAccounts: boolean;
}

/** What a test came to. */
export interface Outcome {
  /** `passed`, `failed`, `timedout`, `panicked`, `skipped`. */
  readonly state: string;
  /** The first failure; empty if there is none. */
  readonly message: string;
}

/** In ms. */
const REPORT_EVERY = 60_000;
/** The line that ends a test in ginkgo's log. */
const ENDED = /^• /gm;

/** Runs tests of the suite. Prints every minute how many ended. @returns what each test came to, by its name */
export async function runSuite(options: RunOptions): Promise<ReadonlyMap<string, Outcome>> {
  const { suite, names, folder, timeout, kubeconfig } = options;
  const log = createWriteStream(join(folder, 'log'));
  const child = spawn(suite.ginkgo, flagsOf(options), {
    cwd: folder,
    env: { ...process.env, SPEC_TIMEOUT: timeout, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let ended = 0;
  child.stdout.on('data', (text) => {
    ended += String(text).match(ENDED)?.length ?? 0;
    log.write(text);
  });
  const report = setInterval(() => console.log(`${ended} of ${names.length} tests ended`), REPORT_EVERY);
  try {
    await once(child, 'close');
  } finally {
    clearInterval(report);
    log.end();
  }
  return outcomesIn(await readFile(join(folder, 'report.json'), 'utf8'));
}

function flagsOf(options: RunOptions): string[] {
  const { suite, names, kubeconfig, kubectl, folder, processes, serviceAccounts } = options;
  const focus = names.map((name) => name.replaceAll(/[\\.+*?()|[\]{}^$/]/g, String.raw`\$&`)).join('|');
  return [
    ...[`-procs=${processes}`, '--timeout=90m', '--grace-period=10s', '--no-color', '-v', '--keep-going'],
    ...[`--focus=^Kubernetes e2e suite (${focus})$`, '--json-report=report.json', `--output-dir=${folder}`],
    ...[suite.tests, '--', `--kubeconfig=${kubeconfig}`, '--provider=skeleton', `--kubectl-path=${kubectl}`],
    // What a cluster without pods of its own does not have.
    ...['--allowed-not-ready-nodes=-1', '--minStartupPods=0', '--num-nodes=2'],
    ...['--node-schedulable-timeout=60s', '--system-pods-startup-timeout=10s'],
    ...['--system-daemonsets-startup-timeout=10s', `--e2e-verify-service-account=${serviceAccounts}`],
    ...['--dump-logs-on-failure=false', '--disable-log-dump'],
  ];
}

interface Failure {
  readonly Message?: string;
}

interface Spec {
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly State: string;
  readonly Failure?: Failure;
  readonly AdditionalFailures?: readonly { readonly Failure: Failure }[];
}

/** Reads ginkgo's report. A test that ran out of time says what it waited for in a further failure. */
function outcomesIn(report: string): ReadonlyMap<string, Outcome> {
  const suites: readonly { readonly SpecReports: readonly Spec[] | null }[] = JSON.parse(report);
  const specs = suites.flatMap(({ SpecReports }) => SpecReports ?? []);
  return new Map(
    specs
      .filter(({ LeafNodeType }) => LeafNodeType === 'It')
      .map((spec) => {
        const { ContainerHierarchyTexts: containers, Failure: first, AdditionalFailures: more } = spec;
        const messages = [first, ...(more ?? []).map(({ Failure: each }) => each)].map(
          (failure) => failure?.Message ?? '',
        );
        const message = messages.filter((text) => text !== '').join(' | ');
        return [[...(containers ?? []), spec.LeafNodeText].join(' '), { state: spec.State, message }];
      }),
  );
}
