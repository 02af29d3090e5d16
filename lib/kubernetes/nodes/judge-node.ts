import type { Access, PolicyRule, ResourceAccess } from '../rbac/index.ts';
import { ruleAllows } from '../rbac/index.ts';

/** The kinds of objects that a node may reach if a pod of the node uses them, or if they belong to the node. */
export type RelatedKind =
  | 'claim'
  | 'configmap'
  | 'pod'
  | 'secret'
  | 'serviceaccount'
  | 'volume'
  | 'volumeattachment';

/** The decision about a node's access, before objects are read. */
export type NodeVerdict =
  | { readonly is: 'allowed' }
  /** `reason` is in Kubernetes' words; often empty. */
  | { readonly is: 'denied'; readonly reason: string }
  /** Access is allowed if the named object is related to the node. */
  | { readonly is: 'related'; readonly kind: RelatedKind };

/** The access that a node asks for. */
export interface NodeAccess {
  readonly node: string;
  readonly access: Access;
  /** The values that the request's field selector requires of `spec.nodeName`. */
  readonly selected: readonly string[];
}

const READ = ['get', 'list', 'watch'];
const OWN_OBJECT = ['get', 'create', 'update', 'patch', 'delete'];
const LEASE_NAMESPACE = 'kube-node-lease';

/** The rights of every node, for the kinds without a rule of their own in {@link judgeNode}. */
const RULES: readonly PolicyRule[] = [
  { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'] },
  {
    verbs: ['create'],
    apiGroups: ['authorization.k8s.io'],
    resources: ['subjectaccessreviews', 'localsubjectaccessreviews'],
  },
  { verbs: READ, apiGroups: [''], resources: ['services'] },
  { verbs: ['create', 'update', 'patch'], apiGroups: [''], resources: ['events'] },
  { verbs: ['get'], apiGroups: [''], resources: ['endpoints'] },
  {
    verbs: ['create', ...READ],
    apiGroups: ['certificates.k8s.io'],
    resources: ['certificatesigningrequests'],
  },
  { verbs: READ, apiGroups: ['storage.k8s.io'], resources: ['csidrivers'] },
  { verbs: READ, apiGroups: ['node.k8s.io'], resources: ['runtimeclasses'] },
];

const ALLOWED: NodeVerdict = { is: 'allowed' };
const denied = (reason = ''): NodeVerdict => ({ is: 'denied', reason });

/**
 * Decides on a node's access as Kubernetes' Node authorizer does, with the feature gates of Kubernetes 1.33.
 *
 * @see k8s.io/kubernetes/plugin/pkg/auth/authorizer/node
 */
export function judgeNode(asked: NodeAccess): NodeVerdict {
  const { node, access } = asked;
  if (node === '') return denied('unknown node for user "system:node:"');
  if ('path' in access) return denied();
  switch (`${access.apiGroup}/${access.resource}`) {
    case '/secrets':
      return judgeRead('secret', access);
    case '/configmaps':
      return judgeRead('configmap', access);
    case '/persistentvolumeclaims':
      return access.subresource === 'status' ? judgeClaimStatus(access) : judgeGet('claim', access);
    case '/persistentvolumes':
      return judgeGet('volume', access);
    case 'storage.k8s.io/volumeattachments':
      return judgeGet('volumeattachment', access);
    case '/serviceaccounts':
      return judgeAccount(access);
    case 'coordination.k8s.io/leases':
      return judgeLease(node, access);
    case 'storage.k8s.io/csinodes':
      return judgeCsiNode(node, access);
    case '/nodes':
      return judgeNodeObject(node, access);
    case '/pods':
      return judgePod(asked, access);
    default:
      return RULES.some((rule) => ruleAllows(rule, access)) ? ALLOWED : denied();
  }
}

function related(kind: RelatedKind, { name }: ResourceAccess): NodeVerdict {
  return name === '' ? denied('No Object name found') : { is: 'related', kind };
}

function judgeRead(kind: RelatedKind, access: ResourceAccess): NodeVerdict {
  if (!READ.includes(access.verb)) return denied('can only read resources of this type');
  if (access.subresource !== '') return denied('cannot read subresource');
  if (access.namespace === '') return denied('can only read namespaced object of this type');
  return related(kind, access);
}

function judgeGet(kind: RelatedKind, access: ResourceAccess): NodeVerdict {
  if (access.verb !== 'get') return denied('can only get individual resources of this type');
  if (access.subresource !== '') return denied('cannot get subresource');
  return related(kind, access);
}

function judgeClaimStatus(access: ResourceAccess): NodeVerdict {
  if (!['update', 'patch'].includes(access.verb)) return denied('can only get/update/patch this type');
  return related('claim', access);
}

function judgeAccount({ verb, subresource, name }: ResourceAccess): NodeVerdict {
  if (verb === 'get' && subresource === '') return denied('not allowed to get service accounts');
  if (verb !== 'create' || name === '') {
    return denied('can only create tokens for individual service accounts');
  }
  if (subresource !== 'token') return denied('can only create token subresource of serviceaccount');
  return { is: 'related', kind: 'serviceaccount' };
}

/**
 * Admission checks the name of a create, because the path does not contain it. Kubernetes has no subresources of Leases;
 * Winnow's own show other objects.
 */
function judgeLease(node: string, { verb, subresource, namespace, name }: ResourceAccess): NodeVerdict {
  if (subresource !== '') return denied('cannot authorize Lease subresources');
  if (!OWN_OBJECT.includes(verb)) {
    return denied('can only get, create, update, patch, or delete a node lease');
  }
  if (namespace !== LEASE_NAMESPACE) {
    return denied(`can only access leases in the "${LEASE_NAMESPACE}" system namespace`);
  }
  if (verb !== 'create' && name !== node) {
    return denied('can only access node lease with the same name as the requesting node');
  }
  return ALLOWED;
}

function judgeCsiNode(node: string, { verb, subresource, name }: ResourceAccess): NodeVerdict {
  if (!OWN_OBJECT.includes(verb)) return denied('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return denied('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node) {
    return denied('can only access CSINode with the same name as the requesting node');
  }
  return ALLOWED;
}

/** Admission limits the writes to the node's own object. */
function judgeNodeObject(node: string, { verb, subresource, name }: ResourceAccess): NodeVerdict {
  if (subresource === 'status') return ['update', 'patch'].includes(verb) ? ALLOWED : denied();
  if (subresource !== '') return denied();
  if (['create', 'update', 'patch'].includes(verb)) return ALLOWED;
  if (!READ.includes(verb)) return denied();
  if (name === node) return ALLOWED;
  const what = name === '' ? 'all nodes' : `'${name}'`;
  return denied(`node '${node}' cannot read ${what}, only its own Node object`);
}

/** Admission limits the writes to mirror pods and to pods on the node. */
function judgePod({ node, selected }: NodeAccess, access: ResourceAccess): NodeVerdict {
  const { verb, subresource, name } = access;
  switch (subresource) {
    case '':
      if (verb === 'get') return related('pod', access);
      if (verb === 'list' || verb === 'watch') {
        if (selected.includes(node)) return ALLOWED;
        if (name !== '') return related('pod', access);
        return denied('can only list/watch pods with spec.nodeName field selector');
      }
      return verb === 'create' || verb === 'delete' ? ALLOWED : denied();
    case 'status':
      return ['update', 'patch'].includes(verb) ? ALLOWED : denied();
    case 'eviction':
      return verb === 'create' ? ALLOWED : denied();
    default:
      return denied();
  }
}
