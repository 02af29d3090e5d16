import type { KubectlBinary } from '../conformance/harness/kubectl-binaries.ts';
import type { Terminal } from '../conformance/harness/terminal.ts';
import type { HttpClient } from '../support/service/http-client.ts';
import type { Inbox } from '../support/service/inbox.ts';
import type { Cdk } from './cdk.ts';
import type { Target } from './targets/target.ts';

/** The namespace that the steps work in. */
export const NAMESPACE = 'guestbook';

export const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

export interface TrialOptions {
  readonly target: Target;
  readonly cdk: Cdk;
  /** Random, so that trials do not meet. */
  readonly stackName: string;
  /** Temporary, for whatever needs a file. */
  readonly directory: string;
  readonly kubectl: KubectlBinary;
  /** The release that is upgraded from, as git has it; by default the last one. */
  readonly from: string | undefined;
}

/** A deployed stack as its users have it. */
export interface Deployment {
  readonly outputs: Readonly<Record<string, string>>;
  /** Logged in. */
  readonly http: HttpClient;
  /** A file. */
  readonly kubeconfig: string;
  /** Logged in. */
  readonly terminal: Terminal;
}

/** One run of the steps, and what they hand to each other. */
export class Trial {
  readonly options: TrialOptions;
  /** Whether the stack is known to be gone. */
  destroyed = false;
  #deployment: Deployment | undefined;
  #inbox: Inbox | undefined;

  constructor(options: TrialOptions) {
    this.options = options;
  }

  get deployment(): Deployment {
    return present(this.#deployment, 'nothing is deployed yet');
  }

  set deployment(deployment: Deployment) {
    this.#deployment = deployment;
  }

  /** Of the subscription. */
  get inbox(): Inbox {
    return present(this.#inbox, 'nobody has subscribed yet');
  }

  set inbox(inbox: Inbox) {
    this.#inbox = inbox;
  }

  /** Ends what the steps left open. */
  close(): void {
    this.#inbox?.close();
    this.#deployment?.terminal.close();
  }
}

/** One line of the report. */
export interface Step {
  readonly name: string;
  /** Rejects when something is not as it has to be. Gives what it saw, for the report. */
  run(trial: Trial): Promise<string>;
}

function present<Value>(value: Value | undefined, complaint: string): Value {
  if (value === undefined) throw new Error(complaint);
  return value;
}
