import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { ENVIRONMENT, TIMING } from '../../../lib/platform/index.ts';
import { type Functions, type Login, WinnowFunction } from '../functions/index.ts';
import { countRequests, invoke, noteSeen, readRows, send } from '../rights/index.ts';
import type { Table } from '../storage/index.ts';

export interface ServiceAccountTokensProps {
  readonly functions: Functions;
  readonly login: Login;
  readonly table: Table;
}

/**
 * The most bytes of issuers and audit policy together. Lambda's limit for a whole environment is 4 KB, and names take
 * the rest.
 */
const LONGEST_TEXTS = 3_300;

/**
 * Tokens of service accounts: a KMS key, the only function that may sign with it, and the permissions to read its
 * public part.
 */
export class ServiceAccountTokens extends Construct {
  readonly issue: WinnowFunction;

  /** @throws {Error} the deployment has no authorizer that could accept them. */
  constructor(scope: Construct, id: string, { functions, login, table }: ServiceAccountTokensProps) {
    super(scope, id);
    if (login.function === undefined) {
      throw new Error('serviceAccountTokens needs an authorizer, which this emulator does not support');
    }
    const key = new Key(this, 'Key', {
      description: 'Winnow: signs the tokens of service accounts',
      keySpec: KeySpec.RSA_2048,
      keyUsage: KeyUsage.SIGN_VERIFY,
      // Deleting the key loses little: tokens are valid for a day at most. KMS retains the key for its waiting period.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { shared } = functions;
    this.issue = new WinnowFunction(this, 'Issue', {
      ...shared,
      logGroup: functions.auditLog,
      environment: {
        ...shared.environment,
        ...functions.answering,
        ...functions.filled,
        ...issuersOf(login, functions),
        [ENVIRONMENT.clusterId]: login.clusterId,
        [ENVIRONMENT.tokenKey]: key.keyArn,
      },
      name: 'issue',
      description: 'signs and reviews tokens of service accounts',
      timeout: Duration.millis(TIMING.gateway),
      memorySize: 512,
    });
    login.function.function.addEnvironment(ENVIRONMENT.tokenKey, key.keyArn);
    const may = (sid: string, action: string) =>
      new PolicyStatement({ sid, actions: [action], resources: [key.keyArn] });
    for (const { role } of [login.function, this.issue]) {
      role.addToPrincipalPolicy(may('KnowTokenKey', 'kms:GetPublicKey'));
    }
    this.issue.role.addToPrincipalPolicy(may('SignTokens', 'kms:Sign'));
    // Not even a principal that may use every key of the account may sign with this key.
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'NobodyElseSigns',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['kms:Sign'],
        resources: ['*'],
        conditions: { ArnNotEquals: { 'aws:PrincipalArn': this.issue.role.roleArn } },
      }),
    );
    for (const statement of [
      readRows(table, 'object', 'chunk', 'journal', 'head', 'access', 'seen'),
      noteSeen(table),
      invoke(functions.fill),
      ...countRequests(table, functions),
      ...(functions.auditQueue ? [send('SendAudit', functions.auditQueue.queueArn)] : []),
    ]) {
      this.issue.role.addToPrincipalPolicy(new PolicyStatement(statement));
    }
  }
}

/**
 * The issuers whose tokens are reviewed in addition to those of service accounts.
 *
 * @throws {Error} issuers and audit policy together are too long for a function's environment
 */
function issuersOf({ environment }: Login, { answering }: Functions): Record<string, string> {
  const issuers = environment[ENVIRONMENT.issuers];
  if (issuers === undefined) return {};
  const bytes = Buffer.byteLength(`${issuers}${answering[ENVIRONMENT.auditPolicy] ?? ''}`);
  if (bytes > LONGEST_TEXTS) {
    throw new Error(`issuers and audit policy take ${bytes} bytes as JSON; the limit is ${LONGEST_TEXTS}`);
  }
  return { [ENVIRONMENT.issuers]: issuers };
}
