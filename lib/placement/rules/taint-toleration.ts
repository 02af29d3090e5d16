import type { NodeState } from '../world/index.ts';
import { normalize } from './normalize.ts';
import type { FilterRule, ScoreRule } from './rule.ts';
import { scoreEach } from './score-each.ts';
import { tolerates } from './tolerates.ts';

const NAME = 'TaintToleration';

/** Refuses nodes with a `NoSchedule` or `NoExecute` taint that the pod does not tolerate. */
export const taintFilter: FilterRule = {
  name: NAME,
  prepare: (asked) => ({
    refuse(node) {
      const taint = asked.untoleratedTaint(node);
      return taint && [`node(s) had untolerated taint {${taint.key ?? ''}: ${taint.value ?? ''}}`];
    },
  }),
};

/** Scores a node higher the fewer of its `PreferNoSchedule` taints the pod does not tolerate. */
export const taintScore: ScoreRule = {
  name: NAME,
  weight: 3,
  score(asked, _world, nodes) {
    const tolerations = asked.tolerations.filter(({ effect }) => !effect || effect === 'PreferNoSchedule');
    const count = ({ taints }: NodeState) => {
      if (taints.length === 0) return 0;
      return taints
        .filter(({ effect }) => effect === 'PreferNoSchedule')
        .filter((taint) => !tolerates(tolerations, taint)).length;
    };
    return normalize(scoreEach(nodes, count), true);
  },
};
