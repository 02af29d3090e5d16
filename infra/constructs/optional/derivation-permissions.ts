import { type IRole, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Gaps } from '../../emulators.ts';
import type { Functions } from '../functions/index.ts';
import {
  allotVersions,
  assignSlots,
  changeRows,
  consume,
  fitStatement,
  LISTED,
  queryIndexes,
  readRows,
  send,
  WRITTEN,
} from '../rights/index.ts';
import type { Queues, Table } from '../storage/index.ts';
import type { Derivation } from './derivation.ts';

/** The parts between which the permissions apply. */
export interface DerivationPermissionsProps {
  readonly derivation: Derivation;
  readonly functions: Functions;
  readonly table: Table;
  readonly queues: Queues;
  readonly gaps: Gaps;
}

/** The permissions for derived data: of derive, and of dispatch, which enqueues work items. */
export class DerivationPermissions extends Construct {
  constructor(scope: Construct, id: string, props: DerivationPermissionsProps) {
    super(scope, id);
    const { derivation, functions, table, queues, gaps } = props;
    const { derive, queue } = derivation;
    const allow = (role: IRole, ...statements: readonly PolicyStatementProps[]) => {
      for (const one of statements) role.addToPrincipalPolicy(new PolicyStatement(fitStatement(one, gaps)));
    };
    const sendDue = send('SendDue', queue.queueArn);
    allow(
      functions.dispatch.role,
      // Dispatch reads which objects select a changed object, and which derived data a namespace requests. Ids are
      // unique within a policy.
      { ...readRows(table, 'object', 'anchor'), sid: 'ReadConcerned' },
      ...changeRows(table, { update: ['due'] }).map((one) => ({ ...one, sid: 'RaiseDue' })),
      sendDue,
    );
    allow(
      derive.role,
      consume(queue.queueArn),
      readRows(table, ...LISTED, 'owner', 'turn', 'anchor', 'due'),
      queryIndexes(table),
      ...changeRows(table, {
        put: [...WRITTEN, 'turn', 'anchor', 'due'],
        update: ['due'],
        delete: ['object', 'labels', 'owner', 'anchor', 'due'],
        check: ['tombstone'],
      }),
      assignSlots(table),
      allotVersions(table),
      send('SendHints', queues.events.queueArn),
      send('GiveUp', queues.scheduleFailures.queueArn),
      sendDue,
    );
  }
}
