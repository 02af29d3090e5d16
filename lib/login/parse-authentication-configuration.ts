import type { ClaimMapping, JwtIssuer } from './jwt-issuer.ts';

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);

/** Reached by nobody else: for an issuer of one's own on this machine. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d{1,5})?(?:\/|$)/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an AuthenticationConfiguration, as kube-apiserver's `--authentication-config` takes it, as far as it says
 * names by claims: no CEL expressions, no other URL of discovery, nothing of anonymous requests.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration
 *
 * @throws {Error} naming the field that is wrong, or is not served.
 */
export function parseAuthenticationConfiguration(given: unknown): readonly JwtIssuer[] {
  const { apiVersion, kind, jwt } = fieldsOf(given, 'the configuration', ['apiVersion', 'kind', 'jwt']);
  check(VERSIONS.includes(String(apiVersion)), 'apiVersion', `must be ${VERSIONS[0]}`);
  check(kind === 'AuthenticationConfiguration', 'kind', 'must be AuthenticationConfiguration');
  const issuers = listOf(jwt, 'jwt').map((one, index) => readIssuer(one, `jwt[${index}]`));
  check(issuers.length > 0, 'jwt', 'names no issuer');
  const urls = issuers.map(({ url }) => url);
  check(new Set(urls).size === urls.length, 'jwt', 'names an issuer twice');
  return issuers;
}

function readIssuer(given: unknown, path: string): JwtIssuer {
  const parts = ['issuer', 'claimMappings', 'claimValidationRules'];
  const { issuer, claimMappings, claimValidationRules } = fieldsOf(given, path, parts);
  const mapped = `${path}.claimMappings`;
  const { username, groups, uid } = fieldsOf(claimMappings, mapped, ['username', 'groups', 'uid']);
  return {
    ...readServer(issuer, `${path}.issuer`),
    username: readMapping(username, `${mapped}.username`),
    groups: groups === undefined ? undefined : readMapping(groups, `${mapped}.groups`),
    uid:
      uid === undefined
        ? undefined
        : textOf(fieldsOf(uid, `${mapped}.uid`, ['claim']).claim, `${mapped}.uid.claim`),
    required: readRules(claimValidationRules ?? [], `${path}.claimValidationRules`),
  };
}

const OF_SERVER = ['url', 'audiences', 'audienceMatchPolicy', 'certificateAuthority'];

function readServer(given: unknown, path: string) {
  const { url, audiences, audienceMatchPolicy, certificateAuthority } = fieldsOf(given, path, OF_SERVER);
  const names = listOf(audiences, `${path}.audiences`).map((one) => textOf(one, `${path}.audiences`));
  check(names.length > 0, `${path}.audiences`, 'names no audience');
  const policies = names.length > 1 ? ['MatchAny'] : ['MatchAny', '', undefined];
  check(policies.includes(audienceMatchPolicy as string), `${path}.audienceMatchPolicy`, 'must be MatchAny');
  return {
    url: urlOf(url, `${path}.url`),
    audiences: names,
    certificateAuthority:
      certificateAuthority === undefined
        ? undefined
        : textOf(certificateAuthority, `${path}.certificateAuthority`),
  };
}

function urlOf(given: unknown, path: string): string {
  const text = textOf(given, path);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const safe = url?.protocol === 'https:' || LOOPBACK.test(text);
  check(safe, path, 'must be an https URL');
  check(!/[?#@]/.test(text), path, 'must have no user, query or fragment');
  return text;
}

function readMapping(given: unknown, path: string): ClaimMapping {
  const { claim, prefix } = fieldsOf(given, path, ['claim', 'prefix']);
  check(typeof prefix === 'string', `${path}.prefix`, 'must be said, and may be ""');
  const before = prefix as string;
  check(!before.startsWith('system:'), `${path}.prefix`, 'must not begin with system:');
  return { claim: textOf(claim, `${path}.claim`), prefix: before };
}

function readRules(given: unknown, path: string): JwtIssuer['required'] {
  return listOf(given, path).map((one, index) => {
    const { claim, requiredValue } = fieldsOf(one, `${path}[${index}]`, ['claim', 'requiredValue']);
    return {
      claim: textOf(claim, `${path}[${index}].claim`),
      value: textOf(requiredValue, `${path}[${index}].requiredValue`),
    };
  });
}

/** Its fields, and that there are no others: what is not served must not seem to be. */
function fieldsOf(given: unknown, path: string, known: readonly string[]): Fields {
  check(typeof given === 'object' && given !== null && !Array.isArray(given), path, 'must be an object');
  for (const name of Object.keys(given as Fields)) {
    check(known.includes(name), `${path}.${name}`, 'is unknown here, or not served');
  }
  return given as Fields;
}

function listOf(given: unknown, path: string): readonly unknown[] {
  check(Array.isArray(given), path, 'must be a list');
  return given as readonly unknown[];
}

function textOf(given: unknown, path: string): string {
  check(typeof given === 'string' && given !== '', path, 'must be a text');
  return given as string;
}

function check(holds: boolean, path: string, why: string): void {
  if (!holds) throw new Error(`${path}: ${why}`);
}
