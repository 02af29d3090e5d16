import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import type { TokenIssuer } from '../../http/index.ts';
import { badRequest } from '../../status/index.ts';

/** An object that a token names: its service account, or the object that it is bound to. */
export interface Party {
  readonly name: string;
  readonly uid: string;
}

export interface Signing {
  readonly tokens: TokenIssuer;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The id of the token. */
  readonly jti: string;
  readonly namespace: string;
  readonly account: Party;
  /** The object that the token is bound to, with its kind; undefined if it is bound only to the account. */
  readonly bound?: (Party & { readonly kind: string }) | undefined;
  /** The spec of the TokenRequest. */
  readonly spec: JsonObject;
}

export interface Signed {
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly warnings: readonly string[];
}

/** The longest life of a token in seconds: a day, as in EKS. A request for more gets this and a warning. */
export const LONGEST_LIFE = 86_400;
const USUAL_LIFE = 3_600;
/** The limit of the audiences in bytes of JSON. KMS signs at most 4,096 bytes, and a token is in base64. */
const LONGEST_AUDIENCES = 1_500;

/**
 * Signs the token of a TokenRequest. Returns `spec` and `status` of the answer, and its warnings.
 * k8s.io/kubernetes/pkg/serviceaccount, Claims
 *
 * @throws ApiError 400 the audiences do not fit a token
 */
export async function signToken(signing: Signing): Promise<Signed> {
  const { tokens, now, jti, namespace, account, bound, spec } = signing;
  const asked = typeof spec.expirationSeconds === 'number' ? spec.expirationSeconds : USUAL_LIFE;
  const life = Math.min(asked, LONGEST_LIFE);
  const audiences = audiencesOf(spec, tokens.issuer);
  const began = Math.floor(now / 1_000);
  const party = ({ name, uid }: Party) => ({ name, uid });
  const token = await tokens.sign({
    aud: [...audiences],
    exp: began + life,
    iat: began,
    nbf: began,
    iss: tokens.issuer,
    jti,
    sub: `system:serviceaccount:${namespace}:${account.name}`,
    'kubernetes.io': {
      namespace,
      serviceaccount: party(account),
      ...(bound !== undefined && { [bound.kind.toLowerCase()]: party(bound) }),
    },
  });
  const reference = bound && { ...objectAt(spec.boundObjectRef), uid: bound.uid };
  const warning = `requested expiration of ${asked} seconds shortened to ${life} seconds`;
  return {
    spec: {
      audiences: [...audiences],
      expirationSeconds: life,
      boundObjectRef: reference ?? null,
    },
    status: { token, expirationTimestamp: timeOf((began + life) * 1_000) },
    warnings: life < asked ? [warning] : [],
  };
}

function audiencesOf({ audiences }: JsonObject, issuer: string): readonly JsonValue[] {
  if (!Array.isArray(audiences) || audiences.length === 0) return [issuer];
  const bytes = Buffer.byteLength(JSON.stringify(audiences));
  if (bytes > LONGEST_AUDIENCES) {
    throw badRequest(`the audiences take ${bytes} bytes, the limit is ${LONGEST_AUDIENCES}`);
  }
  return audiences;
}

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
