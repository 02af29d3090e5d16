import type { LabelSet } from '../labels.ts';
import type { Selector } from '../selector.ts';
import { CompiledSelector } from './compiled-selector.ts';
import { CompiledSelectors } from './compiled-selectors.ts';
import { InternedLabels } from './interned-labels.ts';
import { LabelSets } from './label-sets.ts';
import { Numbers } from './numbers.ts';

/** {@link Numbers} with everything that is built from them: interned labels and compiled selectors. */
export class Vocabulary extends Numbers {
  /** Interns the labels of one object that is matched often. */
  labelSet(labels: LabelSet): InternedLabels {
    return new InternedLabels(this, this.pairsIn(labels));
  }

  /** Interns the labels of many objects that are filtered often. Label sets can be added, replaced and removed. */
  labelSets(all: Iterable<LabelSet> = []): LabelSets {
    const sets = new LabelSets(this);
    for (const labels of all) sets.add(labels);
    return sets;
  }

  /** Compiles one selector that is matched against many label sets. */
  compile(selector: Selector): CompiledSelector {
    return new CompiledSelector(this, selector);
  }

  /** Compiles many selectors that are matched against one label set after another. For thousands use a `MatchIndex`. */
  compileAll(selectors: readonly Selector[]): CompiledSelectors {
    return new CompiledSelectors(this, selectors);
  }
}
