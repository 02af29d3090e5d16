import type { FilterRuleName } from '../../placement/index.ts';
import type { HelpedRules } from './helped-rules.ts';

/**
 * The pods that found no node, indexed by the rules that refused their nodes. The pods that a change helps are found
 * without visiting the others.
 */
export class RefusedPods {
  readonly #rules = new Map<string, ReadonlySet<FilterRuleName>>();
  readonly #byRule = new Map<FilterRuleName, Set<string>>();

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** Adds a pod whose nodes were refused by these rules. The rules are empty where there were no nodes. */
  add(key: string, rules: ReadonlySet<FilterRuleName>): void {
    this.delete(key);
    this.#rules.set(key, rules);
    for (const rule of rules) {
      const keys = this.#byRule.get(rule) ?? new Set();
      this.#byRule.set(rule, keys.add(key));
    }
  }

  delete(key: string): void {
    for (const rule of this.#rules.get(key) ?? []) this.#byRule.get(rule)?.delete(key);
    this.#rules.delete(key);
  }

  /** The pods that have a node refused by one of the rules; all pods for `all`. */
  of(rules: HelpedRules): Set<string> {
    if (rules === 'all') return new Set(this.#rules.keys());
    return new Set([...rules].flatMap((rule) => [...(this.#byRule.get(rule) ?? [])]));
  }
}
