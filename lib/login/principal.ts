/** An IAM principal: the caller, as AWS identifies it. */
export interface Principal {
  /**
   * The ARN that identifies the principal however it logged in. For a role session this is the role's ARN. The role's
   * path is left out, because AWS leaves it out of a session's ARN; role names are unique in an account.
   *
   *   arn:aws:sts::111122223333:assumed-role/Admin/alice   ->  arn:aws:iam::111122223333:role/Admin
   *   arn:aws:iam::111122223333:role/team/Admin            ->  arn:aws:iam::111122223333:role/Admin
   */
  readonly arn: string;
  readonly partition: string;
  readonly account: string;
  /** The name of a role's session. Users of the role may often choose it, so it identifies no user. */
  readonly session?: string;
}

const ARN = /^arn:(aws(?:-[a-z]+)*):(iam|sts)::(\d{12}):([!-~]+)$/;
/** The characters of IAM's names, and of the path before one. */
const USER = /^user\/(?:[!-~]+\/)?[\w+=,.@-]{1,64}$/;
const ROLE = /^role\/(?:[!-~]+\/)?([\w+=,.@-]{1,64})$/;
const SESSION = /^assumed-role\/([\w+=,.@-]{1,64})\/([\w+=,.@-]{1,64})$/;
const FEDERATED = /^federated-user\/[\w+=,.@-]{1,64}$/;

/** Reads a principal's ARN; undefined for anything else. */
export function parsePrincipal(text: string): Principal | undefined {
  const [, partition = '', service = '', account = '', resource = ''] = ARN.exec(text) ?? [];
  const of = (arn: string): Principal => ({ arn, partition, account });
  const roleArn = (name: string) => `arn:${partition}:iam::${account}:role/${name}`;
  if (service === 'iam') {
    const role = ROLE.exec(resource)?.[1];
    if (role !== undefined) return of(roleArn(role));
    return resource === 'root' || USER.test(resource) ? of(text) : undefined;
  }
  const [, role, session] = SESSION.exec(resource) ?? [];
  if (service === 'sts' && role !== undefined && session !== undefined) {
    return { ...of(roleArn(role)), session };
  }
  return service === 'sts' && FEDERATED.test(resource) ? of(text) : undefined;
}
