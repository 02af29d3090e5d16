/** The rights of nodes: what a kubelet may read and write, as Kubernetes' Node authorizer and NodeRestriction say. */
export { judgeNode, type NodeAccess, type NodeVerdict, type RelatedKind } from './judge-node.ts';
export {
  certificateFault,
  claimStatusFault,
  csiNodeFault,
  isOnNode,
  leaseFault,
  type NodeWrite,
  nodeFault,
  podCreationFault,
  podStatusFault,
} from './restrictions.ts';
export { claimOf, nodeSecretsOf } from './volume-secrets.ts';
