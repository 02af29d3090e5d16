import { type IRole, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Gaps } from '../emulators.ts';
import { fitStatement } from './fit-statement.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './queues.ts';
import type { Table } from './table.ts';

export interface PermissionsProps {
  readonly functions: Functions;
  readonly table: Table;
  readonly queues: Queues;
  readonly gaps: Gaps;
}

const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];

/** What each function may do, in one place; the event sources add what polling on its behalf needs. */
export class Permissions extends Construct {
  constructor(scope: Construct, id: string, { functions, table, queues, gaps }: PermissionsProps) {
    super(scope, id);
    const { read, write, relay, dispatch, reconcile } = functions;
    const tableReads = readTable(table);
    const tableWrites = { sid: 'WriteTable', actions: dynamodb(WRITES), resources: [table.table.tableArn] };
    const allow = (role: IRole, ...statements: readonly PolicyStatementProps[]) => {
      for (const one of statements) role.addToPrincipalPolicy(new PolicyStatement(fitStatement(one, gaps)));
    };
    const sendHints = send('SendHints', queues.events.queueArn);
    const sendWork = send('SendWork', queues.reconcile.queueArn);

    allow(read.role, tableReads, decideJournal(table));
    allow(write.role, tableReads, tableWrites, sendHints);
    allow(relay.role, sendHints);
    allow(
      dispatch.role,
      tableReads,
      tableWrites,
      sendHints,
      sendWork,
      send('Deliver', queues.subscriptionQueues),
    );
    allow(reconcile.role, tableReads, tableWrites, sendHints, sendWork, manageQueues(queues));
  }
}

function readTable({ table }: Table): PolicyStatementProps {
  return {
    sid: 'ReadTable',
    actions: dynamodb(['GetItem', 'BatchGetItem', 'Query']),
    resources: [table.tableArn, `${table.tableArn}/index/*`],
  };
}

/**
 * A reader writes journal holes and the settled mark and nothing else. `ForAllValues` alone is also true of a
 * request without a leading key, hence the `Null`.
 */
function decideJournal({ table }: Table): PolicyStatementProps {
  return {
    sid: 'FillHolesAndSettle',
    actions: dynamodb(['PutItem', 'UpdateItem']),
    resources: [table.tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['journal#*', 'head#*'] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    },
  };
}

function manageQueues({ subscriptionQueues }: Queues): PolicyStatementProps {
  const actions = ['CreateQueue', 'DeleteQueue', 'TagQueue', 'GetQueueUrl', 'GetQueueAttributes'];
  return {
    sid: 'ManageSubscriptionQueues',
    actions: [...actions, 'SetQueueAttributes', 'SendMessage'].map((action) => `sqs:${action}`),
    resources: [subscriptionQueues],
  };
}

function send(sid: string, queueArn: string): PolicyStatementProps {
  return { sid, actions: ['sqs:SendMessage'], resources: [queueArn] };
}

function dynamodb(actions: readonly string[]): string[] {
  return actions.map((action) => `dynamodb:${action}`);
}
