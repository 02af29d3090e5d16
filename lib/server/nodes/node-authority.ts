import { judgeNode } from '../../kubernetes/nodes/index.ts';
import { type Access, type Decision, nodeNameOf, type User } from '../../kubernetes/rbac/index.ts';
import type { Store } from '../../store/index.ts';
import { isRelated } from './is-related.ts';

/** A question about the rights of a node. */
export interface NodeQuestion {
  readonly user: User;
  readonly access: Access;
  /** The values that the request's field selector requires of `spec.nodeName`. */
  readonly selected: readonly string[];
}

/**
 * The rights of a node, beside those that roles grant. For the access of one question, the objects that decide were read
 * when the question was asked: the node's own pod or VolumeAttachment, or the pods that use the object. For other
 * accesses, objects that need such a read count as unrelated.
 */
export class NodeAuthority {
  readonly node: string;
  /** The access that was asked about. */
  readonly access: Access;
  readonly #selected: readonly string[];
  readonly #isRelated: boolean;

  private constructor(node: string, question: NodeQuestion, related: boolean) {
    this.node = node;
    this.access = question.access;
    this.#selected = question.selected;
    this.#isRelated = related;
  }

  /** Undefined if the user stands for no node. */
  static async of(store: Store, question: NodeQuestion): Promise<NodeAuthority | undefined> {
    const { user, access } = question;
    const node = nodeNameOf(user);
    if (node === undefined) return undefined;
    const verdict = judgeNode({ ...question, node });
    if (verdict.is !== 'related' || 'path' in access) return new NodeAuthority(node, question, false);
    const { namespace, name } = access;
    return new NodeAuthority(
      node,
      question,
      await isRelated(store, node, { kind: verdict.kind, namespace, name }),
    );
  }

  /** The decision by these rights alone; undefined if the user does not stand for this node any more. */
  judge(user: User, access: Access): Decision | undefined {
    const { node } = this;
    if (nodeNameOf(user) !== node) return undefined;
    // The field selector belongs to the request itself. A verb that demands the same access demands it for all objects.
    const selected = access === this.access ? this.#selected : [];
    const verdict = judgeNode({ node, access, selected });
    if (verdict.is === 'denied') return { allowed: false, reason: verdict.reason };
    const isAllowed = verdict.is === 'allowed' || (this.#isRelated && isSameAccess(access, this.access));
    if (isAllowed) return { allowed: true, reason: '' };
    return { allowed: false, reason: `no relationship found between node '${node}' and this object` };
  }
}

function isSameAccess(one: Access, other: Access): boolean {
  const fields = { ...one, ...other };
  return Object.keys(fields).every((field) => one[field as keyof Access] === other[field as keyof Access]);
}
