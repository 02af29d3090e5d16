import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Api } from './constructs/api.ts';
import { EventSources } from './constructs/event-sources.ts';
import { Functions } from './constructs/functions.ts';
import { Outputs } from './constructs/outputs.ts';
import { Permissions } from './constructs/permissions.ts';
import { Queues } from './constructs/queues.ts';
import { Table } from './constructs/table.ts';
import { TokenAuthorizer } from './constructs/token-authorizer.ts';
import type { Gaps } from './emulators.ts';

export interface WinnowStackProps extends StackProps {
  /** The directory that holds `<function>/index.mjs` for every function. */
  readonly bundles: string;
  /** Begins the name of every queue made for a subscription; lower case, unique in account and region. */
  readonly prefix: string;
  /** Whether a GET streams its answer. */
  readonly streaming: boolean;
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
    const { prefix, bundles, gaps = {} } = props;
    const streaming = props.streaming && !gaps.streaming;
    const table = new Table(this, 'Storage');
    const queues = new Queues(this, 'Queues', { prefix });
    const functions = new Functions(this, 'Functions', { bundles, table, queues, streaming });
    new Permissions(this, 'Permissions', { functions, table, queues, gaps });
    new EventSources(this, 'EventSources', { functions, table, queues });
    const authorizer = new TokenAuthorizer(this, 'Login', { bundles });
    const api = new Api(this, 'Api', { functions, authorizer, streaming });
    new Outputs(this, { api, table, queues, authorizer });
    if (Object.keys(gaps).length > 0) this.templateOptions.metadata = { 'winnow:gaps': gaps };
  }
}
