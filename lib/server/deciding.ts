import { type Collection, collectionOf } from '../json/index.ts';
import { isStored, type ResourceType } from '../kubernetes/resource-types/index.ts';
import type { RuleVersions, Store } from '../store/index.ts';
import type { Permission } from './access/index.ts';
import type { RequestRules, RuleCache } from './admission-policies/index.ts';
import type { ApiOptions, ApiRequest, Call, ResourceRoute } from './http/index.ts';
import type { CustomTypes } from './registry/index.ts';

export interface DecidingOptions {
  readonly options: ApiOptions & {
    readonly types: CustomTypes;
    /** The admission policies of this process. The first request of a table with policies loads them. */
    ruleCache(): Promise<RuleCache>;
  };
  /** The request's store, without the caller's scope. */
  readonly store: Store;
  readonly request: ApiRequest;
  readonly route: ResourceRoute;
  /** The caller's; undefined for members of `system:masters`. */
  readonly permission: Permission | undefined;
  readonly policy: Call['policy'];
}

/** The admission policies of one request. */
export interface Deciding {
  readonly decide: NonNullable<Call['decide']>;
  /** What they said besides denials; undefined if there are none. */
  said(): Promise<Pick<RequestRules, 'warnings' | 'annotations'> | undefined>;
}

/** Whether admission policies may decide writes of a type. They never see reviews. */
export function isDecided(type: ResourceType): boolean {
  return isStored(type) || type.kind === 'Binding';
}

/**
 * Returns the admission policies of a request. The versions of the policies are known from authorization, or from the
 * request's first read. If there was never a policy, no code of policies is loaded.
 */
export function decidingOf(asked: DecidingOptions): Deciding {
  let opened: Promise<RequestRules | undefined> | undefined;
  const open = async () => {
    const { store, permission } = asked;
    const versions = await store.ruleVersions(permission?.row);
    return versions === undefined || !areAny(versions) ? undefined : openRules(asked, versions);
  };
  return {
    decide: async (write) => {
      opened ??= open();
      await (await opened)?.decide(write);
    },
    said: async () => opened?.catch(() => undefined),
  };
}

/** The collections that policies need: without one of them, none decides. */
const POLICIES: readonly Collection[] = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
].map((resource) => collectionOf('admissionregistration.k8s.io', resource));

/** Whether there was ever a policy, and ever a binding. */
function areAny(versions: RuleVersions): boolean {
  return POLICIES.every((one) => (versions.get(one) ?? 0) > 0);
}

async function openRules(
  { options, ...asked }: DecidingOptions,
  versions: RuleVersions,
): Promise<RequestRules> {
  const [{ RequestRules }, cache] = await Promise.all([
    import('./admission-policies/index.ts'),
    options.ruleCache(),
  ]);
  return new RequestRules({ ...options, ...asked, cache, versions });
}
