import type { ClaimMapping, JwtIssuer } from './jwt-issuer.ts';

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);

/** The plain HTTP URLs that are allowed: an issuer on this machine, which no other machine can reach. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d{1,5})?(?:\/|$)/;

type Fields = Readonly<Record<string, unknown>>;
/** The errors found so far, each with its field. */
type Errors = string[];

/**
 * Parses an AuthenticationConfiguration, the file of kube-apiserver's `--authentication-config`. Supports names from
 * claims only: no CEL expressions, no other discovery URL, and no settings of anonymous requests.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration
 *
 * @throws {Error} names every field that is wrong or not supported.
 */
export function parseAuthenticationConfiguration(given: unknown): readonly JwtIssuer[] {
  if (!isObject(given)) throw new Error('the configuration: must be an object');
  const errors: Errors = [];
  const { apiVersion, kind, jwt } = fieldsOf(
    given,
    'the configuration',
    ['apiVersion', 'kind', 'jwt'],
    errors,
  );
  if (!VERSIONS.includes(String(apiVersion))) errors.push(`apiVersion: must be ${VERSIONS[0]}`);
  if (kind !== 'AuthenticationConfiguration') errors.push('kind: must be AuthenticationConfiguration');
  const issuers = listOf(jwt, 'jwt', errors).map((one, index) => readIssuer(one, `jwt[${index}]`, errors));
  if (Array.isArray(jwt) && issuers.length === 0) errors.push('jwt: names no issuer');
  const urls = issuers.map(({ url }) => url).filter((url) => url !== '');
  if (new Set(urls).size < urls.length) errors.push('jwt: names an issuer twice');
  const told = withoutParts(errors);
  if (told.length > 0) throw new Error(told.join('; '));
  return issuers;
}

/** The errors without those of parts of a value that is not an object or list itself. */
function withoutParts(errors: Errors): Errors {
  const wholes = errors.flatMap((error) => WHOLE.exec(error)?.[1] ?? []);
  const isPart = (error: string) =>
    wholes.some((path) => [`${path}.`, `${path}[`].some((part) => error.startsWith(part)));
  return errors.filter((error) => !isPart(error));
}

const WHOLE = /^(.*): must be an? (?:object|list)$/;

function readIssuer(given: unknown, path: string, errors: Errors): JwtIssuer {
  const parts = ['issuer', 'claimMappings', 'claimValidationRules'];
  const { issuer, claimMappings, claimValidationRules } = fieldsOf(given, path, parts, errors);
  const mapped = `${path}.claimMappings`;
  const { username, groups, uid } = fieldsOf(claimMappings, mapped, ['username', 'groups', 'uid'], errors);
  return {
    ...readServer(issuer, `${path}.issuer`, errors),
    username: readMapping(username, `${mapped}.username`, errors),
    groups: groups === undefined ? undefined : readMapping(groups, `${mapped}.groups`, errors),
    uid: uid === undefined ? undefined : readClaim(uid, `${mapped}.uid`, errors),
    required: readRules(claimValidationRules ?? [], `${path}.claimValidationRules`, errors),
  };
}

const OF_SERVER = ['url', 'audiences', 'audienceMatchPolicy', 'certificateAuthority'];

function readServer(given: unknown, path: string, errors: Errors) {
  const { url, audiences, audienceMatchPolicy, certificateAuthority } = fieldsOf(
    given,
    path,
    OF_SERVER,
    errors,
  );
  const named = `${path}.audiences`;
  const names = listOf(audiences, named, errors).map((one, index) =>
    textOf(one, `${named}[${index}]`, errors),
  );
  if (Array.isArray(audiences) && names.length === 0) errors.push(`${named}: names no audience`);
  const policies = names.length > 1 ? ['MatchAny'] : ['MatchAny', '', undefined];
  if (!policies.includes(audienceMatchPolicy as string)) {
    errors.push(`${path}.audienceMatchPolicy: must be MatchAny`);
  }
  return {
    url: urlOf(url, `${path}.url`, errors),
    audiences: names,
    certificateAuthority:
      certificateAuthority === undefined
        ? undefined
        : textOf(certificateAuthority, `${path}.certificateAuthority`, errors),
  };
}

function urlOf(given: unknown, path: string, errors: Errors): string {
  const text = textOf(given, path, errors);
  if (text === '') return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && !LOOPBACK.test(text)) errors.push(`${path}: must be an https URL`);
  if (/[?#@]/.test(text)) errors.push(`${path}: must have no user, query or fragment`);
  return text;
}

function readMapping(given: unknown, path: string, errors: Errors): ClaimMapping {
  const { claim, prefix } = fieldsOf(given, path, ['claim', 'prefix'], errors);
  const before = typeof prefix === 'string' ? prefix : '';
  if (typeof prefix !== 'string') errors.push(`${path}.prefix: must be set, and may be ""`);
  if (before.startsWith('system:')) errors.push(`${path}.prefix: must not begin with system:`);
  return { claim: textOf(claim, `${path}.claim`, errors), prefix: before };
}

function readClaim(given: unknown, path: string, errors: Errors): string {
  return textOf(fieldsOf(given, path, ['claim'], errors).claim, `${path}.claim`, errors);
}

function readRules(given: unknown, path: string, errors: Errors): JwtIssuer['required'] {
  return listOf(given, path, errors).map((one, index) => {
    const { claim, requiredValue } = fieldsOf(one, `${path}[${index}]`, ['claim', 'requiredValue'], errors);
    return {
      claim: textOf(claim, `${path}[${index}].claim`, errors),
      value: textOf(requiredValue, `${path}[${index}].requiredValue`, errors),
    };
  });
}

/** Returns the fields, and reports unknown ones: a field without an effect must not seem to have an effect. */
function fieldsOf(given: unknown, path: string, known: readonly string[], errors: Errors): Fields {
  if (!isObject(given)) {
    errors.push(`${path}: must be an object`);
    return {};
  }
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) errors.push(`${path}.${name}: is unknown or not supported`);
  }
  return given;
}

const isObject = (given: unknown): given is Fields =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

function listOf(given: unknown, path: string, errors: Errors): readonly unknown[] {
  if (Array.isArray(given)) return given;
  errors.push(`${path}: must be a list`);
  return [];
}

/** The text; `''` where the value is not a text. */
function textOf(given: unknown, path: string, errors: Errors): string {
  if (typeof given === 'string' && given !== '') return given;
  errors.push(`${path}: must be a text`);
  return '';
}
