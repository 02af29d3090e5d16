import { kinds, kindsError } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { SetBar } from '../set-objects/index.ts';
import { Empty, ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';
import { askPlacement, isText } from './ask-placement.ts';
import { Chooser } from './chooser.tsx';
import { NodeTable } from './node-table.tsx';

/**
 * Where the pods of an object would go, and why not elsewhere. The selector of the route holds the question, and its
 * keys the number of pods.
 */
export function PlacementView() {
  const { selector: question, keys, as } = route.value;
  const count = countOf(keys[0]);
  const { answer, error, again } = useAsked(
    JSON.stringify([question, count, kinds.value.length]),
    async (signal) =>
      question === '' || kinds.value.length === 0 ? undefined : askPlacement(question, count, signal),
  );
  if (kindsError.value !== undefined) return <ErrorPanel error={kindsError.value} />;
  if (kinds.value.length === 0) return <Waiting />;
  return (
    <div class="side-view">
      <SetBar title="Placement" note="where would this go, and why not elsewhere">
        <label class="end count-field">
          <span class="meta">Pods</span>
          <input
            type="number"
            min="1"
            max="500"
            value={count}
            onChange={(event) =>
              navigate({ keys: [String(countOf(event.currentTarget.value))] }, { replace: true })
            }
          />
        </label>
        <button type="button" disabled={question === ''} onClick={again}>
          Ask again
        </button>
      </SetBar>
      <div class="choose-and-see">
        <Chooser question={question} />
        <div class="view-content">
          {as !== '' && (
            <p class="callout change">
              A review is a POST, so Winnow answers it for you, and not for <b>{as}</b>.
            </p>
          )}
          {error !== undefined && <ErrorPanel error={error} retry={again} />}
          {question !== '' && answer === undefined && error === undefined && (
            <Waiting what="Asking for a node" />
          )}
          {question === '' && (
            <Empty title="Choose a pod or a workload, or paste YAML.">
              <p>
                Winnow applies kube-scheduler's rules: which nodes accept the pod, which one is best, and why
                the others refuse it. It stores nothing.
              </p>
            </Empty>
          )}
          {answer !== undefined && error === undefined && (
            <NodeTable
              placement={answer}
              count={count}
              what={isText(question) ? 'the pasted object' : question}
            />
          )}
        </div>
      </div>
    </div>
  );
}

function countOf(text: string | undefined): number {
  const count = Number(text);
  return Number.isInteger(count) && count >= 1 ? Math.min(count, 500) : 1;
}
