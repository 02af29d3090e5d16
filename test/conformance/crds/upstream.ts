import { defaultDefinition, newDefinition } from '../../../lib/kubernetes/schemas/index.ts';
import { askAboutRules, buildOracle } from '../schemas/oracle.ts';
import { type Entry, nameOf } from './read-folder.ts';

/**
 * Asks Kubernetes' own packages about definitions that no kube-apiserver has judged.
 *
 * @returns the answers, with all errors; undefined if Go is not installed
 */
export function askUpstream(definitions: readonly Entry[]): Entry[] | undefined {
  try {
    buildOracle();
  } catch (error) {
    console.log(`without kube-apiserver's verdicts for unjudged definitions: ${String(error)}`);
    return undefined;
  }
  return definitions.map((entry) => {
    if (entry.kube !== undefined) return entry;
    const definition = newDefinition(defaultDefinition(entry.object));
    try {
      const [answer] = askAboutRules([{ definition, objects: [] }]);
      const errors = answer?.definition ?? [];
      return { ...entry, kube: errors.length === 0 ? 201 : 422, message: errors.join('; ') };
    } catch (error) {
      console.log(`${nameOf(entry)}: Kubernetes' packages gave no answer: ${String(error)}`);
      return entry;
    }
  });
}
