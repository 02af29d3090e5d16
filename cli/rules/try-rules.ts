import { type JsonObject, metadataOf, objectAt } from '../../lib/json/index.ts';
import type { AdmissionUser } from '../../lib/kubernetes/admission-match/index.ts';
import {
  compilePolicy,
  loadExpressions,
  type ParamQuery,
} from '../../lib/kubernetes/admission-policies/index.ts';
import { loadFields } from '../../lib/kubernetes/fields/index.ts';
import { formatLabelSelector } from '../../lib/kubernetes/resource-types/index.ts';
import { aligned } from '../aligned.ts';
import { Connection, Fault, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { withProgress } from '../with-progress.ts';
import { AskedAccess } from './asked-access.ts';
import type { RulesOptions } from './options.ts';
import { pagesOf, readAll } from './read-all.ts';
import { readRulesFile } from './read-rules-file.ts';
import { pathOf, type StoredType, StoredTypes } from './stored-types.ts';
import { type Operation, Trial } from './trial.ts';

const OPERATIONS: readonly Operation[] = ['CREATE', 'UPDATE'];
const HEADERS = ['RESULT', 'OBJECT', 'OPERATION', 'WHY'];

/** What the policies say about the writes of one object. */
interface Finding {
  readonly result: 'refused' | 'warned' | 'changed';
  /** `pods/shop/web`, `namespaces/shop` */
  readonly object: string;
  readonly operations: readonly Operation[];
  readonly why: string;
}

/** Evaluates the policies of a file on stored objects, and prints the writes that they would refuse, change or warn about. */
export async function tryRules(options: RulesOptions): Promise<void> {
  const { file, selector, namespace } = options;
  if (file === undefined) {
    throw new Fault({ what: '--try needs -f FILE', advice: 'Name the file of the policies' });
  }
  // The server applies policies in the order of their names.
  const tried = (await readRulesFile(file)).toSorted((one, other) => (nameIn(one) < nameIn(other) ? -1 : 1));
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('interrupted')));
  const connection = new Connection(openAccess(options), stop.signal);
  const expressions = await loadExpressions();
  const [user, types, namespaces] = await Promise.all([
    userOf(connection, options),
    StoredTypes.of(connection),
    readAll(connection, '/api/v1/namespaces'),
  ]);
  const bound = (mutating: boolean) =>
    tried
      .filter(({ isMutating }) => isMutating === mutating)
      .map(({ policy, bindings }) => ({ policy: compilePolicy(policy, expressions), bindings }));
  const trial = new Trial({
    policies: bound(false),
    mutating: bound(true),
    fields: await loadFields(),
    user,
    types,
    namespaces: new Map(namespaces.map((one) => [String(metadataOf(one).name), one])),
    access: new AskedAccess(connection),
    readParams: (query) => readParams(connection, types, query),
    refill: expressions.refill,
  });
  const rules = tried.flatMap(
    ({ policy }) => objectAt(objectAt(policy.spec).matchConstraints).resourceRules ?? [],
  );
  const findings: Finding[] = [];
  const versions: string[] = [];
  let objects = 0;
  await withProgress(
    () => `${objects} objects are evaluated`,
    async () => {
      for (const type of types.matching(rules.flat())) {
        const query: Record<string, string> = selector === undefined ? {} : { labelSelector: selector };
        let version = '';
        for await (const { items, resourceVersion } of pagesOf(connection, pathOf(type, namespace), query)) {
          version = resourceVersion;
          for (const object of items) {
            findings.push(...(await findingsOf(trial, type, object)));
            objects += 1;
          }
        }
        versions.push(`${type.resource} at resourceVersion ${version}`);
      }
    },
  );
  print(findings, options);
  screen.note(summaryOf({ findings, objects, versions, user }));
  if (findings.some(({ result }) => result === 'refused')) process.exitCode = 1;
}

const nameIn = ({ policy }: { readonly policy: JsonObject }) => String(metadataOf(policy).name);

async function findingsOf(trial: Trial, type: StoredType, object: JsonObject): Promise<Finding[]> {
  const byWhy = new Map<string, { result: Finding['result']; operations: Operation[] }>();
  for (const operation of OPERATIONS) {
    const { denial, warnings, changes } = await trial.verdict(type, object, operation);
    const told = [
      ...(changes.length === 0 ? [] : [['changed', changes.join(', ')] as const]),
      ...(denial === undefined ? [] : [['refused', denial.message] as const]),
      ...warnings.map((warning) => ['warned', warning] as const),
    ];
    for (const [result, why] of told) {
      const before = byWhy.get(why)?.operations ?? [];
      byWhy.set(why, { result, operations: [...before, operation] });
    }
  }
  const { name, namespace } = metadataOf(object);
  const named = [type.resource, ...(type.namespaced ? [namespace] : []), name].join('/');
  return [...byWhy].map(([why, rest]) => ({ ...rest, object: named, why }));
}

/** The user who writes in the trial: the one that the options name, or the user of the login. */
async function userOf(connection: Connection, { as, asGroup = [] }: RulesOptions): Promise<AdmissionUser> {
  if (as !== undefined) return { name: as, uid: '', groups: [...asGroup, 'system:authenticated'], extra: {} };
  if (asGroup.length > 0) {
    throw new Fault({ what: '--as-group needs --as', advice: 'Name the user too' });
  }
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const review = await connection.ask('POST', path, { body });
  const { username, uid = '', groups = [], extra = {} } = objectAt(objectAt(review.status).userInfo);
  return {
    name: String(username),
    uid: String(uid),
    groups: groups as string[],
    extra: extra as Record<string, string[]>,
  };
}

async function readParams(
  connection: Connection,
  types: StoredTypes,
  { kind, namespace, name, selector }: ParamQuery,
): Promise<readonly JsonObject[]> {
  const type = types.ofKind(kind);
  if (type === undefined) return [];
  const path = pathOf(type, namespace === '' ? undefined : namespace);
  if (name === undefined) {
    const all = await readAll(connection, path, { labelSelector: formatLabelSelector(selector) });
    return all.toSorted((one, other) =>
      String(metadataOf(one).name) < String(metadataOf(other).name) ? -1 : 1,
    );
  }
  const reply = await connection.send('GET', `${path}/${encodeURIComponent(name)}`);
  if (reply.status === 404) return [];
  return [await connection.askInput('GET', `${path}/${encodeURIComponent(name)}`)];
}

function print(findings: readonly Finding[], { output }: RulesOptions): void {
  if (output === 'json') {
    process.stdout.write(`${JSON.stringify(findings, undefined, 2)}\n`);
  } else if (findings.length > 0) {
    const rows = findings.map(({ result, object, operations, why }) => [
      result,
      object,
      operations.join(','),
      why.replaceAll('\n', ' '),
    ]);
    process.stdout.write(`${aligned([HEADERS, ...rows]).join('\n')}\n`);
  }
}

interface Summary {
  readonly findings: readonly Finding[];
  readonly objects: number;
  readonly versions: readonly string[];
  readonly user: AdmissionUser;
}

function summaryOf({ findings, objects, versions, user }: Summary): string {
  if (versions.length === 0) return 'The policies match no stored type.';
  const refused = new Set(findings.filter(({ result }) => result === 'refused').map(({ object }) => object));
  const groups = user.groups.length === 0 ? '' : ` (groups ${user.groups.join(', ')})`;
  const all = objects === 1 ? '1 object' : `${objects} objects`;
  return `Of ${all}, ${refused.size} would be refused to ${user.name}${groups}. Evaluated: ${versions.join(', ')}.`;
}
