import { judgeNode } from '../../kubernetes/nodes/index.ts';
import { type Access, type Decision, nodeNameOf, type User } from '../../kubernetes/rbac/index.ts';
import type { Store } from '../../store/index.ts';
import { isRelated } from './is-related.ts';

/** A question about the rights of a node. */
export interface NodeQuestion {
  readonly user: User;
  readonly access: Access;
  /** The value that the request's field selector requires of `spec.nodeName`; absent if it requires none. */
  readonly selectedNode?: string | undefined;
}

/**
 * The rights of a node, beside those that roles grant. Objects that the node may reach only because its pods use them
 * were read for one access, at the beginning of the request. For other accesses such objects count as unrelated.
 */
export class NodeAuthority {
  readonly node: string;
  readonly #question: NodeQuestion;
  readonly #isRelated: boolean;

  private constructor(node: string, question: NodeQuestion, related: boolean) {
    this.node = node;
    this.#question = question;
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
    const isAsked = isSameAccess(access, this.#question.access);
    const selectedNode = isAsked ? this.#question.selectedNode : undefined;
    const verdict = judgeNode({ node, access, selectedNode });
    if (verdict.is === 'denied') return { allowed: false, reason: verdict.reason };
    if (verdict.is === 'allowed' || (isAsked && this.#isRelated)) return { allowed: true, reason: '' };
    return { allowed: false, reason: `no relationship found between node '${node}' and this object` };
  }
}

function isSameAccess(one: Access, other: Access): boolean {
  const fields = { ...one, ...other };
  return Object.keys(fields).every((field) => one[field as keyof Access] === other[field as keyof Access]);
}
