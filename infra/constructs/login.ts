import { Aws, Duration, Fn, Lazy, Token } from 'aws-cdk-lib';
import { TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { parsePrincipal } from '../../lib/login/index.ts';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import type { Gaps } from '../emulators.ts';
import { WinnowFunction } from './winnow-function.ts';

/** Hosts that on AWS lead nowhere: a stack that is deployed there by mistake lets nobody in. */
const LOOPBACK = /^https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;
/** By this name LocalStack is known to the functions that it runs in containers, and elsewhere it is loopback. */
const LOCALSTACK = /^https?:\/\/localhost\.localstack\.cloud(?::\d{1,5})?$/;

/** Lambda takes 4 KB of environment in all. */
const MAXIMUM_BYTES = 3_000;

export interface LoginProps {
  readonly bundles: string;
  /** Begins the cluster id. */
  readonly prefix: string;
  /** ARNs of the principals that are let in: users and roles, never one session of a role. */
  readonly principals: readonly string[];
  /** An emulator's STS on loopback, `http://127.0.0.1:4566`. Whoever reaches it decides who gets in. */
  readonly stsEndpoint?: string | undefined;
  readonly gaps?: Gaps;
  readonly logLevel?: string | undefined;
}

/** Who gets in: the named principals, by the tokens of `aws eks get-token`. */
export class Login extends Construct {
  /** What a token has to be made for: unique to this stack, or another one's tokens would do here. */
  readonly clusterId: string;
  /** What a function that asks for the login has to know. */
  readonly environment: Readonly<Record<string, string>>;
  /** Undefined where the gateway has no authorizers: then `read` and `write` ask by themselves. */
  readonly authorizer: TokenAuthorizer | undefined;
  /** What the authorizer runs. */
  readonly function: WinnowFunction | undefined;
  readonly #principals: string[];

  constructor(scope: Construct, id: string, props: LoginProps) {
    super(scope, id);
    const { bundles, prefix, principals, stsEndpoint, logLevel, gaps = {} } = props;
    checkEndpoint(stsEndpoint, gaps);
    principalList(principals);
    this.#principals = [...principals];
    // arn:…:stack/<name>/<a UUID>
    this.clusterId = Fn.join('-', [prefix, Fn.select(2, Fn.split('/', Aws.STACK_ID))]);
    this.environment = {
      [ENVIRONMENT.clusterId]: this.clusterId,
      [ENVIRONMENT.partition]: Aws.PARTITION,
      [ENVIRONMENT.principals]: Lazy.string({ produce: () => principalList(this.#principals) }),
      ...(stsEndpoint === undefined ? {} : { [ENVIRONMENT.stsEndpoint]: stsEndpoint }),
    };
    if (gaps.authorizer) return;
    this.function = new WinnowFunction(this, 'Authorizer', {
      bundles,
      logLevel,
      name: 'authorizer',
      description: 'asks STS whose token it is, and lets in who is named',
      // Two attempts of two seconds, and a cold start.
      timeout: Duration.seconds(8),
      memorySize: 256,
      environment: this.environment,
    });
    this.authorizer = new TokenAuthorizer(this, 'Gateway', {
      handler: this.function.function,
      validationRegex: '^[Bb]earer +k8s-aws-v1\\.[A-Za-z0-9_-]+$',
      // A token is refused a minute before STS would, so that a kept answer does not outlive it.
      resultsCacheTtl: Duration.minutes(1),
    });
  }

  /** Lets one more in: a role of the same app, whose ARN is known when it is deployed. */
  allow(arn: string): void {
    this.#principals.push(arn);
  }
}

function checkEndpoint(endpoint: string | undefined, { authorizer }: Gaps): void {
  if (endpoint === undefined || LOOPBACK.test(endpoint)) return;
  if (authorizer && LOCALSTACK.test(endpoint)) return;
  throw new Error(`stsEndpoint is for emulators on loopback only, and ${endpoint} is not one`);
}

function principalList(arns: readonly string[]): string {
  const list = JSON.stringify([...new Set(arns.map(canonical))]);
  if (list.length > MAXIMUM_BYTES) {
    throw new Error(`the principals take ${list.length} bytes of ${MAXIMUM_BYTES}`);
  }
  return list;
}

function canonical(text: string): string {
  if (Token.isUnresolved(text)) return text;
  const principal = parsePrincipal(text);
  if (principal === undefined) throw new Error(`${text} is not the ARN of an IAM user or role`);
  if (principal.session !== undefined) {
    throw new Error(`${text} is one session of a role, whose name anybody may take: name ${principal.arn}`);
  }
  return principal.arn;
}
