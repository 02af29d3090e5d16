import { Annotations, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Provisioned } from './billing.ts';
import {
  Acknowledged,
  Alarms,
  Api,
  Dashboard,
  EventSources,
  Functions,
  Login,
  Outputs,
  Permissions,
  Queues,
  Table,
} from './constructs/index.ts';
import type { Gaps } from './emulators.ts';

export interface WinnowStackProps extends StackProps {
  /** The directory that holds `<function>/index.mjs` for every function. */
  readonly bundles: string;
  /** Begins the name of every queue made for a subscription; lower case, unique in account and region. */
  readonly prefix: string;
  /** Whether a GET streams its answer. */
  readonly streaming: boolean;
  /** ARNs of the principals that are let in. */
  readonly principals: readonly string[];
  /** An emulator's STS, on loopback. */
  readonly stsEndpoint?: string | undefined;
  /** Whether the table goes with the stack. */
  readonly destroyable: boolean;
  /** Whether there is a dashboard. */
  readonly dashboard: boolean;
  /** From which level on the functions log; `INFO` where nothing is said. */
  readonly logLevel?: string | undefined;
  /** Capacity that is paid for by the hour; without it every request is paid for by itself. */
  readonly provisioned?: Provisioned | undefined;
  /** What the emulator that this is for cannot do. */
  readonly gaps?: Gaps;
}

/** The whole of Winnow: docs/architecture.md has the picture. Everything is defined in the constructs. */
export class WinnowStack extends Stack {
  constructor(scope: Construct, id: string, props: WinnowStackProps) {
    super(scope, id, {
      description: 'Winnow: labels, selectors, LIST and WATCH as a serverless API',
      ...props,
    });
    const { prefix, bundles, destroyable, provisioned, logLevel, gaps = {} } = props;
    const streaming = props.streaming && !gaps.streaming;
    const table = new Table(this, 'Storage', { destroyable, provisioned, gaps });
    const queues = new Queues(this, 'Queues', { prefix });
    const login = new Login(this, 'Login', props);
    const functions = new Functions(this, 'Functions', {
      bundles,
      table,
      queues,
      login,
      streaming,
      logLevel,
    });
    new Permissions(this, 'Permissions', { functions, table, queues, gaps });
    new EventSources(this, 'EventSources', { functions, table, queues });
    const api = new Api(this, 'Api', { functions, login, streaming, gaps });
    const alarms = new Alarms(this, 'Alarms', { api, functions, login, queues });
    if (props.dashboard && !gaps.dashboard) {
      new Dashboard(this, 'Dashboard', { alarms, api, functions, login, queues, table });
    }
    new Outputs(this, { api, table, queues, login, alarms, props });
    new Acknowledged({ api, functions, queues });
    if (Object.keys(gaps).length > 0) this.templateOptions.metadata = { 'winnow:gaps': gaps };
    if (props.principals.length === 0) {
      const message = 'Nobody is let in: there is no deployer to be found, and no -c principals=<ARN>,…';
      Annotations.of(this).addWarningV2('winnow:nobody', message);
    }
  }
}
